/** Reads and writes what decides whether and how an account may sign in. */
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

export type AccountStateRow = {
  id: string;
  email: string;
  password_hash: string | null;
  created_ts: number;
  suspended_ts: number | null;
  verified_ts: number | null;
};

const columns = ['id', 'email', 'password_hash', 'created_ts', 'suspended_ts', 'verified_ts'] as const;

export class AccountStateStore {
  readonly #byEmail: Statement<{ email: string }, AccountStateRow>;
  readonly #byId: Statement<{ id: string }, AccountStateRow>;
  readonly #setVerified: Statement<{ id: string; now: number }, never>;
  readonly #clearVerified: Statement<{ id: string }, never>;

  constructor() {
    this.#byEmail = define((p) => query.selectFrom('accounts').select(columns).where('email', '=', p.email));
    this.#byId = define((p) => query.selectFrom('accounts').select(columns).where('id', '=', p.id));
    this.#setVerified = define((p) =>
      query
        .updateTable('accounts')
        .set({ verified_ts: p.now })
        .where('id', '=', p.id)
        .where('verified_ts', 'is', null),
    );
    this.#clearVerified = define((p) =>
      query.updateTable('accounts').set({ verified_ts: null }).where('id', '=', p.id),
    );
  }

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
