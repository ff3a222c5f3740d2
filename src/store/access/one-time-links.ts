/** Stores links that work once, and used challenges, in the data file or in the PostgreSQL of a cluster: digests only. */
import { changesRows, execute, pick, query, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/**
 * What a link does. `reset`: sets a new password; `operator`: makes an account an operator; `verify`: confirms the email of
 * a sign-up. `challenge` is no link: it is an answered challenge of a passkey, kept until it expires, so that it works once.
 */
export type LinkPurpose = 'reset' | 'operator' | 'verify' | 'challenge';
export type OneTimeLinkRow = Row<'one_time_links'> & { purpose: LinkPurpose };

const columns = ['token_hash', 'purpose', 'account_id', 'payload', 'created_ts', 'expires_ts'] as const;

/**
 * Stores one-time links by the digest of their token. Look-ups return expired links too, until they are pruned; of
 * concurrent calls of `delete` one returns true, which makes a link work once.
 */
export class OneTimeLinkStore {
  /** Inserts a link; false if its digest is stored already. */
  readonly insert = changesRows<[link: OneTimeLinkRow]>((link) =>
    query
      .insertInto('one_time_links')
      .values(pick(link, columns))
      .onConflict((conflict) => conflict.column('token_hash').doNothing()),
  );
  readonly find = selectFirst<[hash: string, purpose: LinkPurpose], OneTimeLinkRow>((hash, purpose) =>
    query
      .selectFrom('one_time_links')
      .select(columns)
      .where('token_hash', '=', hash)
      .where('purpose', '=', purpose),
  );
  /** Deletes a link; false if it does not exist. */
  readonly delete = changesRows<[hash: string, purpose: LinkPurpose]>((hash, purpose) =>
    query.deleteFrom('one_time_links').where('token_hash', '=', hash).where('purpose', '=', purpose),
  );
  /** Deletes all links of the account for a purpose. */
  readonly deleteOf = execute<[account: string, purpose: LinkPurpose]>((account, purpose) =>
    query.deleteFrom('one_time_links').where('account_id', '=', account).where('purpose', '=', purpose),
  );
  /** Deletes all links with a payload for a purpose. */
  readonly deleteWith = execute<[payload: string, purpose: LinkPurpose]>((payload, purpose) =>
    query.deleteFrom('one_time_links').where('payload', '=', payload).where('purpose', '=', purpose),
  );
  /** Deletes links that expired at `now` (ms) or before. */
  readonly prune = execute<[now: number]>((now) =>
    query.deleteFrom('one_time_links').where('expires_ts', '<=', now),
  );
}
