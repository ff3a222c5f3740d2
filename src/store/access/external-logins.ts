/** Stores which account at an OpenID provider signs in to which account here. */
import type { Tx } from '../engine/engine.ts';
import { define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

export type ExternalLoginRow = Row<'external_logins'>;
type Key = { issuer: string; subject: string };

const columns = ['issuer', 'subject', 'account_id', 'email', 'created_ts', 'last_used_ts'] as const;

export class ExternalLoginStore {
  readonly #insert = define<ExternalLoginRow, never>((p) =>
    query.insertInto('external_logins').values(pick(p, columns)),
  );
  readonly #find = define<Key, ExternalLoginRow>((p) =>
    query
      .selectFrom('external_logins')
      .select(columns)
      .where('issuer', '=', p.issuer)
      .where('subject', '=', p.subject),
  );
  readonly #ofAccount = define<{ account: string }, ExternalLoginRow>((p) =>
    query
      .selectFrom('external_logins')
      .select(columns)
      .where('account_id', '=', p.account)
      .orderBy('created_ts'),
  );
  readonly #delete = define<Key, never>((p) =>
    query.deleteFrom('external_logins').where('issuer', '=', p.issuer).where('subject', '=', p.subject),
  );
  readonly #touch = define<Key & { now: number }, never>((p) =>
    query
      .updateTable('external_logins')
      .set({ last_used_ts: p.now })
      .where('issuer', '=', p.issuer)
      .where('subject', '=', p.subject),
  );

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
