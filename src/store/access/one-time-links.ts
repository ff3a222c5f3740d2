/** Stores links that work once, and challenges that were used. The file holds only a digest of each token. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

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
  readonly #insert: PreparedStatement<OneTimeLinkRow, never>;
  readonly #find: PreparedStatement<Key, OneTimeLinkRow>;
  readonly #delete: PreparedStatement<Key, never>;
  readonly #deleteOf: PreparedStatement<OfAccount, never>;
  readonly #deleteWith: PreparedStatement<{ payload: string; purpose: LinkPurpose }, never>;
  readonly #prune: PreparedStatement<{ now: number }, never>;

  constructor(sqlite: Database.Database) {
    this.#insert = prepare(sqlite, (p) =>
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
    this.#find = prepare(
      sqlite,
      (p) =>
        query
          .selectFrom('one_time_links')
          .select(columns)
          .where('token_hash', '=', p.hash)
          .where('purpose', '=', p.purpose) as never,
    );
    this.#delete = prepare(sqlite, (p) =>
      query.deleteFrom('one_time_links').where('token_hash', '=', p.hash).where('purpose', '=', p.purpose),
    );
    this.#deleteOf = prepare(sqlite, (p) =>
      query.deleteFrom('one_time_links').where('account_id', '=', p.account).where('purpose', '=', p.purpose),
    );
    this.#deleteWith = prepare(sqlite, (p) =>
      query.deleteFrom('one_time_links').where('payload', '=', p.payload).where('purpose', '=', p.purpose),
    );
    this.#prune = prepare(sqlite, (p) => query.deleteFrom('one_time_links').where('expires_ts', '<=', p.now));
  }

  /** Inserts a link; false if its digest is stored already. */
  insert(row: OneTimeLinkRow): boolean {
    return this.#insert.run(row).changes > 0;
  }

  find(hash: string, purpose: LinkPurpose): OneTimeLinkRow | undefined {
    return this.#find.get({ hash, purpose });
  }

  /** Deletes a link; false if it does not exist. */
  delete(hash: string, purpose: LinkPurpose): boolean {
    return this.#delete.run({ hash, purpose }).changes > 0;
  }

  /** Deletes all links of the account for a purpose. */
  deleteOf(account: string, purpose: LinkPurpose): void {
    this.#deleteOf.run({ account, purpose });
  }

  /** Deletes all links with a payload for a purpose. */
  deleteWith(payload: string, purpose: LinkPurpose): void {
    this.#deleteWith.run({ payload, purpose });
  }

  /** Deletes links that expired at `now` (ms) or before. */
  prune(now: number): void {
    this.#prune.run({ now });
  }
}
