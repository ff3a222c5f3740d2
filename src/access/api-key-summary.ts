/** API keys as the terminal, the account pages and the console show them: without their secrets, except once. */

import { formatUtc } from '../clock.ts';
import type { KeyScope } from '../contract/scopes.ts';
import type { ApiKeyRow } from '../store/access/api-keys.ts';
import { apiKeyHint } from './api-key-format.ts';
import { hasExpired } from './key-terms.ts';

/** A new key: the only time that the key itself is shown. */
export type CreatedApiKey = {
  id: string;
  name: string;
  key: string;
  created_at: string;
  expires_at: string | null;
  scope: KeyScope;
};
/** The successor of a key, and the key that it replaces. */
export type RotatedApiKey = CreatedApiKey & { replaces: ApiKeySummary };
/** A key without its secret; `account` is an email. */
export type ApiKeySummary = {
  id: string;
  account: string;
  name: string;
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
  /** The key is refused from then on; null: never. */
  expires_at: string | null;
  scope: KeyScope;
};

/** Whether requests with the key are accepted at `now` (ms). */
export const isActive = ({ revoked_at, expires_at }: ApiKeySummary, now: number): boolean =>
  revoked_at === null &&
  !hasExpired({ expires_ts: expires_at === null ? null : Date.parse(expires_at) }, now);

/** Formats a time in ms in UTC; null stays null. */
export const formatTime = (ts: number | null): string | null => (ts === null ? null : formatUtc(ts));

/** Converts a row to a key without its secret. */
export function toApiKeySummary(row: ApiKeyRow): ApiKeySummary {
  return {
    id: row.id,
    account: row.email,
    name: row.name,
    hint: apiKeyHint(row.public_id, row.last_four),
    created_at: formatUtc(row.created_ts),
    last_used_at: formatTime(row.last_used_ts),
    revoked_at: formatTime(row.revoked_ts),
    expires_at: formatTime(row.expires_ts),
    scope: row.scope,
  };
}
