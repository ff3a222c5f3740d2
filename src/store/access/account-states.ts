/** Reads and writes what decides whether and how an account may sign in. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

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
  readonly #byEmail: PreparedStatement<{ email: string }, AccountStateRow>;
  readonly #byId: PreparedStatement<{ id: string }, AccountStateRow>;
  readonly #setVerified: PreparedStatement<{ id: string; now: number }, never>;
  readonly #clearVerified: PreparedStatement<{ id: string }, never>;

  constructor(sqlite: Database.Database) {
    this.#byEmail = prepare(sqlite, (p) =>
      query.selectFrom('accounts').select(columns).where('email', '=', p.email),
    );
    this.#byId = prepare(sqlite, (p) => query.selectFrom('accounts').select(columns).where('id', '=', p.id));
    this.#setVerified = prepare(sqlite, (p) =>
      query
        .updateTable('accounts')
        .set({ verified_ts: p.now })
        .where('id', '=', p.id)
        .where('verified_ts', 'is', null),
    );
    this.#clearVerified = prepare(sqlite, (p) =>
      query.updateTable('accounts').set({ verified_ts: null }).where('id', '=', p.id),
    );
  }

  byEmail(email: string): AccountStateRow | undefined {
    return this.#byEmail.get({ email });
  }

  byId(id: string): AccountStateRow | undefined {
    return this.#byId.get({ id });
  }

  /** Records that the owner of the account receives mail at its address; false if that was recorded before. */
  setVerified(id: string, now: number): boolean {
    return this.#setVerified.run({ id, now }).changes > 0;
  }

  /** Records that it is not known whether the owner of the account receives mail at its address. */
  clearVerified(id: string): void {
    this.#clearVerified.run({ id });
  }
}
