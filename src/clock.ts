/** A source of the current time. */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
};

/** 24 hours in ms. */
export const dayMs = 86_400_000;

export const systemClock: Clock = { now: () => Date.now() };

/** Returns a clock with a fixed time, for offline work (`serve --dev --now`). */
export const frozenClock = (instant: number): Clock => ({ now: () => instant });
