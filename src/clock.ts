/** The one source of "now". */
export type Clock = {
  /** Milliseconds since 1970. */
  now(): number;
};

export const systemClock: Clock = { now: () => Date.now() };

/** A clock that stands still, for offline work (`serve --dev --now`). */
export const frozenClock = (instant: number): Clock => ({ now: () => instant });
