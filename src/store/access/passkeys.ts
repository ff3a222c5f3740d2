/** Stores passkeys: the public keys of WebAuthn credentials. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

export type PasskeyRow = {
  id: string;
  account_id: string;
  name: string;
  public_key: string;
  sign_count: number;
  /** A JSON array. */
  transports: string;
  created_ts: number;
  last_used_ts: number | null;
};
type OfAccount = { account: string; id: string };

export class PasskeyStore {
  readonly #insert: PreparedStatement<PasskeyRow, never>;
  readonly #byId: PreparedStatement<{ id: string }, PasskeyRow>;
  readonly #ofAccount: PreparedStatement<{ account: string }, PasskeyRow>;
  readonly #use: PreparedStatement<{ id: string; count: number; now: number }, never>;
  readonly #rename: PreparedStatement<OfAccount & { name: string }, never>;
  readonly #delete: PreparedStatement<OfAccount, never>;

  constructor(sqlite: Database.Database) {
    this.#insert = prepare(sqlite, (p) =>
      query
        .insertInto('passkeys')
        .values({
          id: p.id,
          account_id: p.account_id,
          name: p.name,
          public_key: p.public_key,
          sign_count: p.sign_count,
          transports: p.transports,
          created_ts: p.created_ts,
          last_used_ts: p.last_used_ts,
        })
        .onConflict((conflict) => conflict.column('id').doNothing()),
    );
    this.#byId = prepare(sqlite, (p) => query.selectFrom('passkeys').selectAll().where('id', '=', p.id));
    this.#ofAccount = prepare(sqlite, (p) =>
      query
        .selectFrom('passkeys')
        .selectAll()
        .where('account_id', '=', p.account)
        .orderBy('created_ts')
        .orderBy('id'),
    );
    this.#use = prepare(sqlite, (p) =>
      query.updateTable('passkeys').set({ sign_count: p.count, last_used_ts: p.now }).where('id', '=', p.id),
    );
    this.#rename = prepare(sqlite, (p) =>
      query
        .updateTable('passkeys')
        .set({ name: p.name })
        .where('account_id', '=', p.account)
        .where('id', '=', p.id),
    );
    this.#delete = prepare(sqlite, (p) =>
      query.deleteFrom('passkeys').where('account_id', '=', p.account).where('id', '=', p.id),
    );
  }

  /** Inserts a passkey; false if its id is stored already. */
  insert(row: PasskeyRow): boolean {
    return this.#insert.run(row).changes > 0;
  }

  byId(id: string): PasskeyRow | undefined {
    return this.#byId.get({ id });
  }

  /** The passkeys of an account, oldest first. */
  ofAccount(account: string): PasskeyRow[] {
    return this.#ofAccount.all({ account });
  }

  /** Records a sign-in. */
  use(id: string, count: number, now: number): void {
    this.#use.run({ id, count, now });
  }

  /** Renames a passkey of the account; false if it has no such passkey. */
  rename(account: string, id: string, name: string): boolean {
    return this.#rename.run({ account, id, name }).changes > 0;
  }

  /** Deletes a passkey of the account; false if it has no such passkey. */
  delete(account: string, id: string): boolean {
    return this.#delete.run({ account, id }).changes > 0;
  }
}
