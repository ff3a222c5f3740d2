/** Computes the values of the limit headers (docs/spec/limits.md) from the state of a window and a month. */
import { windowSeconds } from '../contract/plans.ts';
import type { LimitHeaderValues } from './counting.ts';

/** A fixed rate window; `opened` is in ms, null if none is open. */
export type RateWindow = { limit: number; used: number; opened: number | null };
/** The window of a credential, and the month of its account. */
export type LimitState = { account: { quota: number; used: number }; window: RateWindow };

/** `remaining` is never negative, although a plan may be reduced below its usage. */
export function toLimitHeaderValues(
  { account, window }: LimitState,
  now: number,
  monthEnd: number,
): LimitHeaderValues {
  return [
    window.limit,
    Math.max(0, window.limit - window.used),
    Math.ceil(windowEnd(window, now) / 1000),
    account.quota,
    Math.max(0, account.quota - account.used),
    monthEnd / 1000,
  ];
}

/** The end of the open window, or of one that would open now, in ms. */
export function windowEnd(window: Pick<RateWindow, 'opened'>, now: number): number {
  return (window.opened ?? now) + windowSeconds * 1000;
}

/** The seconds to wait, at least 1; both times in ms. */
export function secondsUntil(then: number, now: number): number {
  return Math.max(1, Math.ceil((then - now) / 1000));
}
