/** Stores links that work once, and used challenges, in the data file or in the PostgreSQL of a cluster: digests only. */
import type { Tx } from '../engine/engine.ts';
import { define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/**
 * What a link does. `reset`: sets a new password; `operator`: makes an account an operator; `verify`: confirms the email of
 * a sign-up. `challenge` is no link: it is an answered challenge of a passkey, kept until it expires, so that it works once.
 */
export type LinkPurpose = 'reset' | 'operator' | 'verify' | 'challenge';
export type OneTimeLinkRow = Row<'one_time_links'> & { purpose: LinkPurpose };
type OfAccount = { account: string; purpose: LinkPurpose };
type Key = { hash: string; purpose: LinkPurpose };

const columns = ['token_hash', 'purpose', 'account_id', 'payload', 'created_ts', 'expires_ts'] as const;

export class OneTimeLinkStore {
  readonly #insert = define<OneTimeLinkRow, never>((p) =>
    query
      .insertInto('one_time_links')
      .values(pick(p, columns))
      .onConflict((conflict) => conflict.column('token_hash').doNothing()),
  );
  readonly #find = define<Key, OneTimeLinkRow>((p) =>
    query
      .selectFrom('one_time_links')
      .select(columns)
      .where('token_hash', '=', p.hash)
      .where('purpose', '=', p.purpose),
  );
  readonly #delete = define<Key, never>((p) =>
    query.deleteFrom('one_time_links').where('token_hash', '=', p.hash).where('purpose', '=', p.purpose),
  );
  readonly #deleteOf = define<OfAccount, never>((p) =>
    query.deleteFrom('one_time_links').where('account_id', '=', p.account).where('purpose', '=', p.purpose),
  );
  readonly #deleteWith = define<{ payload: string; purpose: LinkPurpose }, never>((p) =>
    query.deleteFrom('one_time_links').where('payload', '=', p.payload).where('purpose', '=', p.purpose),
  );
  readonly #prune = define<{ now: number }, never>((p) =>
    query.deleteFrom('one_time_links').where('expires_ts', '<=', p.now),
  );

  /** Inserts a link; false if its digest is stored already. */
  async insert(tx: Tx, row: OneTimeLinkRow): Promise<boolean> {
    return (await this.#insert.run(tx, row)).changes > 0;
  }

  find(tx: Tx, hash: string, purpose: LinkPurpose): Promise<OneTimeLinkRow | undefined> {
    return this.#find.get(tx, { hash, purpose });
  }

  /** Deletes a link; false if it does not exist. */
  async delete(tx: Tx, hash: string, purpose: LinkPurpose): Promise<boolean> {
    return (await this.#delete.run(tx, { hash, purpose })).changes > 0;
  }

  /** Deletes all links of the account for a purpose. */
  async deleteOf(tx: Tx, account: string, purpose: LinkPurpose): Promise<void> {
    await this.#deleteOf.run(tx, { account, purpose });
  }

  /** Deletes all links with a payload for a purpose. */
  async deleteWith(tx: Tx, payload: string, purpose: LinkPurpose): Promise<void> {
    await this.#deleteWith.run(tx, { payload, purpose });
  }

  /** Deletes links that expired at `now` (ms) or before. */
  async prune(tx: Tx, now: number): Promise<void> {
    await this.#prune.run(tx, { now });
  }
}
