/** Stores which account at an OpenID provider signs in to which account here. */
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

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
  readonly #insert: Statement<ExternalLoginRow, never>;
  readonly #find: Statement<Key, ExternalLoginRow>;
  readonly #ofAccount: Statement<{ account: string }, ExternalLoginRow>;
  readonly #delete: Statement<Key, never>;
  readonly #touch: Statement<Key & { now: number }, never>;

  constructor() {
    this.#insert = define((p) =>
      query.insertInto('external_logins').values({
        issuer: p.issuer,
        subject: p.subject,
        account_id: p.account_id,
        email: p.email,
        created_ts: p.created_ts,
        last_used_ts: p.last_used_ts,
      }),
    );
    this.#find = define((p) =>
      query
        .selectFrom('external_logins')
        .select(columns)
        .where('issuer', '=', p.issuer)
        .where('subject', '=', p.subject),
    );
    this.#ofAccount = define((p) =>
      query
        .selectFrom('external_logins')
        .select(columns)
        .where('account_id', '=', p.account)
        .orderBy('created_ts'),
    );
    this.#delete = define((p) =>
      query.deleteFrom('external_logins').where('issuer', '=', p.issuer).where('subject', '=', p.subject),
    );
    this.#touch = define((p) =>
      query
        .updateTable('external_logins')
        .set({ last_used_ts: p.now })
        .where('issuer', '=', p.issuer)
        .where('subject', '=', p.subject),
    );
  }

  async insert(tx: Tx, row: ExternalLoginRow): Promise<void> {
    await this.#insert.run(tx, row);
  }

  find(tx: Tx, issuer: string, subject: string): Promise<ExternalLoginRow | undefined> {
    return this.#find.get(tx, { issuer, subject });
  }

  /** The logins of an account, oldest first. */
  ofAccount(tx: Tx, account: string): Promise<ExternalLoginRow[]> {
    return this.#ofAccount.all(tx, { account });
  }

  async delete(tx: Tx, issuer: string, subject: string): Promise<void> {
    await this.#delete.run(tx, { issuer, subject });
  }

  async touch(tx: Tx, issuer: string, subject: string, now: number): Promise<void> {
    await this.#touch.run(tx, { issuer, subject, now });
  }
}
