/** The current time, and a unit of it. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
};

/** A day of 24 hours, in ms. */
export const dayMs = 86_400_000;

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still, for offline work (`serve --dev --now`). */
export const frozenClock = (instant: number): Clock => ({ now: () => instant });
