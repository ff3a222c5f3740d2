/** Reads and writes what decides whether and how an account may sign in. */
import type { Tx } from '../engine/engine.ts';
import { define, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

const columns = ['id', 'email', 'password_hash', 'created_ts', 'suspended_ts', 'verified_ts'] as const;

export type AccountStateRow = Pick<Row<'accounts'>, (typeof columns)[number]>;

export class AccountStateStore {
  readonly #byEmail = define<{ email: string }, AccountStateRow>((p) =>
    query.selectFrom('accounts').select(columns).where('email', '=', p.email),
  );
  readonly #byId = define<{ id: string }, AccountStateRow>((p) =>
    query.selectFrom('accounts').select(columns).where('id', '=', p.id),
  );
  readonly #setVerified = define<{ id: string; now: number }, never>((p) =>
    query
      .updateTable('accounts')
      .set({ verified_ts: p.now })
      .where('id', '=', p.id)
      .where('verified_ts', 'is', null),
  );
  readonly #clearVerified = define<{ id: string }, never>((p) =>
    query.updateTable('accounts').set({ verified_ts: null }).where('id', '=', p.id),
  );

  byEmail(tx: Tx, email: string): Promise<AccountStateRow | undefined> {
    return this.#byEmail.get(tx, { email });
  }

  byId(tx: Tx, id: string): Promise<AccountStateRow | undefined> {
    return this.#byId.get(tx, { id });
  }

  /** Records that the owner of the account receives mail at its address; false if that was recorded before. */
  async setVerified(tx: Tx, id: string, now: number): Promise<boolean> {
    return (await this.#setVerified.run(tx, { id, now })).changes > 0;
  }

  /** Records that it is not known whether the owner of the account receives mail at its address. */
  async clearVerified(tx: Tx, id: string): Promise<void> {
    await this.#clearVerified.run(tx, { id });
  }
}
