/** The terms of an API key: when it expires, and what it may call. Parses the input of people. */
import { dayMs, parseDuration, parseInstant } from '../clock.ts';
import { type KeyScope, keyScopes } from '../contract/scopes.ts';
import { Failure } from '../failure.ts';
import { AccountError } from './account-error.ts';

/** The terms as people write them; absent ones have no effect: a key never expires and may call everything. */
export type KeyTermsInput = {
  /** A time span such as `90d`, a date (00:00 UTC), or a timestamp with an offset. */
  expires?: string | undefined;
  /** `rest`, `agents` or `all`. */
  scope?: string | undefined;
};
/** `expiresTs` is in ms since 1970; null: never. */
export type KeyTerms = { expiresTs: number | null; scope: KeyScope };

const usageExitStatus = 2;
/** Longer spans and overlaps are typing errors. */
const maxLifetimeMs = 3_660 * dayMs;
const maxOverlapMs = 90 * dayMs;
/** How long a replaced key stays valid, unless another time is given. */
export const defaultOverlap = '24h';

/** Whether a key has expired at `now` (ms). */
export const hasExpired = ({ expires_ts }: { expires_ts: number | null }, now: number): boolean =>
  expires_ts !== null && expires_ts <= now;

/** Parses the end of a key; undefined if it is invalid, in the past or more than ten years ahead. */
function readExpiry(text: string, now: number): number | undefined {
  const span = parseDuration(text);
  const at = span === undefined ? parseInstant(text) : now + span;
  return at !== undefined && at > now && at <= now + maxLifetimeMs ? at : undefined;
}

const readScope = (text: string): KeyScope | undefined => keyScopes.find((scope) => scope === text);

function readOverlap(text: string): number | undefined {
  const span = parseDuration(text);
  return span !== undefined && span <= maxOverlapMs ? span : undefined;
}

/** Parses the terms of a key from the command line. */
export function parseKeyTerms({ expires, scope = 'all' }: KeyTermsInput, now: number): KeyTerms {
  const keyScope = readScope(scope);
  if (keyScope === undefined) {
    throw new Failure(
      `There is no scope ${JSON.stringify(scope)}. Choose one of ${keyScopes.join(', ')}.`,
      usageExitStatus,
    );
  }
  const expiresTs = expires === undefined ? null : readExpiry(expires, now);
  if (expiresTs === undefined) {
    throw new Failure(
      `${JSON.stringify(expires)} is not a time at which a key can expire. Write a time span such as 90d, or a date in the next ten years such as 2027-06-30.`,
      usageExitStatus,
    );
  }
  return { expiresTs, scope: keyScope };
}

/** Parses the terms of a key from a form. Empty fields mean the default. */
export function parseFormKeyTerms({ expires = '', scope = '' }: KeyTermsInput, now: number): KeyTerms {
  const keyScope = scope === '' ? 'all' : readScope(scope);
  if (keyScope === undefined) throw new AccountError('terms', 'Choose what the key may call from the list.');
  const expiresTs = expires === '' ? null : readExpiry(expires, now);
  if (expiresTs === undefined)
    throw new AccountError('terms', 'Choose from the list when the key expires, or a date in the future.', {
      code: 'terms_expiry',
    });
  return { expiresTs, scope: keyScope };
}

/** Parses how long a replaced key stays valid, in ms, from the command line. */
export function parseOverlap(text: string): number {
  const overlap = readOverlap(text);
  if (overlap === undefined) {
    throw new Failure(
      `${JSON.stringify(text)} is not a time span of at most 90 days. Write it like 24h, 7d, or 0m to end the old key at once.`,
      usageExitStatus,
    );
  }
  return overlap;
}

/** The same from a form. */
export function parseFormOverlap(text: string): number {
  const overlap = readOverlap(text);
  if (overlap === undefined)
    throw new AccountError('terms', 'Choose from the list how long the old key stays valid.', {
      code: 'terms_overlap',
    });
  return overlap;
}
