/** Stores links that work once, and challenges that were used. The file holds only a digest of each token. */
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

/** `challenge`: a challenge of a passkey that was answered, kept until it expires. */
export type LinkPurpose = 'reset' | 'operator' | 'verify' | 'challenge';
export type OneTimeLinkRow = {
  token_hash: string;
  purpose: LinkPurpose;
  account_id: string | null;
  payload: string | null;
  created_ts: number;
  expires_ts: number;
};
type OfAccount = { account: string; purpose: LinkPurpose };
type Key = { hash: string; purpose: LinkPurpose };

const columns = ['token_hash', 'purpose', 'account_id', 'payload', 'created_ts', 'expires_ts'] as const;

export class OneTimeLinkStore {
  readonly #insert: Statement<OneTimeLinkRow, never>;
  readonly #find: Statement<Key, OneTimeLinkRow>;
  readonly #delete: Statement<Key, never>;
  readonly #deleteOf: Statement<OfAccount, never>;
  readonly #deleteWith: Statement<{ payload: string; purpose: LinkPurpose }, never>;
  readonly #prune: Statement<{ now: number }, never>;

  constructor() {
    this.#insert = define((p) =>
      query
        .insertInto('one_time_links')
        .values({
          token_hash: p.token_hash,
          purpose: p.purpose,
          account_id: p.account_id,
          payload: p.payload,
          created_ts: p.created_ts,
          expires_ts: p.expires_ts,
        })
        .onConflict((conflict) => conflict.column('token_hash').doNothing()),
    );
    this.#find = define(
      (p) =>
        query
          .selectFrom('one_time_links')
          .select(columns)
          .where('token_hash', '=', p.hash)
          .where('purpose', '=', p.purpose) as never,
    );
    this.#delete = define((p) =>
      query.deleteFrom('one_time_links').where('token_hash', '=', p.hash).where('purpose', '=', p.purpose),
    );
    this.#deleteOf = define((p) =>
      query.deleteFrom('one_time_links').where('account_id', '=', p.account).where('purpose', '=', p.purpose),
    );
    this.#deleteWith = define((p) =>
      query.deleteFrom('one_time_links').where('payload', '=', p.payload).where('purpose', '=', p.purpose),
    );
    this.#prune = define((p) => query.deleteFrom('one_time_links').where('expires_ts', '<=', p.now));
  }

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
