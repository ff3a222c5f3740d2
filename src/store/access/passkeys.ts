/** Stores passkeys: the public keys of WebAuthn credentials. */
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

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
  readonly #insert: Statement<PasskeyRow, never>;
  readonly #byId: Statement<{ id: string }, PasskeyRow>;
  readonly #ofAccount: Statement<{ account: string }, PasskeyRow>;
  readonly #use: Statement<{ id: string; count: number; now: number }, never>;
  readonly #rename: Statement<OfAccount & { name: string }, never>;
  readonly #delete: Statement<OfAccount, never>;

  constructor() {
    this.#insert = define((p) =>
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
    this.#byId = define((p) => query.selectFrom('passkeys').selectAll().where('id', '=', p.id));
    this.#ofAccount = define((p) =>
      query
        .selectFrom('passkeys')
        .selectAll()
        .where('account_id', '=', p.account)
        .orderBy('created_ts')
        .orderBy('id'),
    );
    this.#use = define((p) =>
      query.updateTable('passkeys').set({ sign_count: p.count, last_used_ts: p.now }).where('id', '=', p.id),
    );
    this.#rename = define((p) =>
      query
        .updateTable('passkeys')
        .set({ name: p.name })
        .where('account_id', '=', p.account)
        .where('id', '=', p.id),
    );
    this.#delete = define((p) =>
      query.deleteFrom('passkeys').where('account_id', '=', p.account).where('id', '=', p.id),
    );
  }

  /** Inserts a passkey; false if its id is stored already. */
  async insert(tx: Tx, row: PasskeyRow): Promise<boolean> {
    return (await this.#insert.run(tx, row)).changes > 0;
  }

  byId(tx: Tx, id: string): Promise<PasskeyRow | undefined> {
    return this.#byId.get(tx, { id });
  }

  /** The passkeys of an account, oldest first. */
  ofAccount(tx: Tx, account: string): Promise<PasskeyRow[]> {
    return this.#ofAccount.all(tx, { account });
  }

  /** Records a sign-in. */
  async use(tx: Tx, id: string, count: number, now: number): Promise<void> {
    await this.#use.run(tx, { id, count, now });
  }

  /** Renames a passkey of the account; false if it has no such passkey. */
  async rename(tx: Tx, account: string, id: string, name: string): Promise<boolean> {
    return (await this.#rename.run(tx, { account, id, name })).changes > 0;
  }

  /** Deletes a passkey of the account; false if it has no such passkey. */
  async delete(tx: Tx, account: string, id: string): Promise<boolean> {
    return (await this.#delete.run(tx, { account, id })).changes > 0;
  }
}
