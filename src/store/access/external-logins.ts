/** Stores which account at an OpenID provider signs in to which account here. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

export type ExternalLoginRow = {
  issuer: string;
  subject: string;
  account_id: string;
  email: string;
  created_ts: number;
  last_used_ts: number | null;
};
type Key = { issuer: string; subject: string };

const columns = ['issuer', 'subject', 'account_id', 'email', 'created_ts', 'last_used_ts'] as const;

export class ExternalLoginStore {
  readonly #insert: PreparedStatement<ExternalLoginRow, never>;
  readonly #find: PreparedStatement<Key, ExternalLoginRow>;
  readonly #ofAccount: PreparedStatement<{ account: string }, ExternalLoginRow>;
  readonly #delete: PreparedStatement<Key, never>;
  readonly #touch: PreparedStatement<Key & { now: number }, never>;

  constructor(sqlite: Database.Database) {
    this.#insert = prepare(sqlite, (p) =>
      query.insertInto('external_logins').values({
        issuer: p.issuer,
        subject: p.subject,
        account_id: p.account_id,
        email: p.email,
        created_ts: p.created_ts,
        last_used_ts: p.last_used_ts,
      }),
    );
    this.#find = prepare(sqlite, (p) =>
      query
        .selectFrom('external_logins')
        .select(columns)
        .where('issuer', '=', p.issuer)
        .where('subject', '=', p.subject),
    );
    this.#ofAccount = prepare(sqlite, (p) =>
      query
        .selectFrom('external_logins')
        .select(columns)
        .where('account_id', '=', p.account)
        .orderBy('created_ts'),
    );
    this.#delete = prepare(sqlite, (p) =>
      query.deleteFrom('external_logins').where('issuer', '=', p.issuer).where('subject', '=', p.subject),
    );
    this.#touch = prepare(sqlite, (p) =>
      query
        .updateTable('external_logins')
        .set({ last_used_ts: p.now })
        .where('issuer', '=', p.issuer)
        .where('subject', '=', p.subject),
    );
  }

  insert(row: ExternalLoginRow): void {
    this.#insert.run(row);
  }

  find(issuer: string, subject: string): ExternalLoginRow | undefined {
    return this.#find.get({ issuer, subject });
  }

  /** The logins of an account, oldest first. */
  ofAccount(account: string): ExternalLoginRow[] {
    return this.#ofAccount.all({ account });
  }

  delete(issuer: string, subject: string): void {
    this.#delete.run({ issuer, subject });
  }

  touch(issuer: string, subject: string, now: number): void {
    this.#touch.run({ issuer, subject, now });
  }
}
