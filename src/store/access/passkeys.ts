/** Stores passkeys: the public keys of WebAuthn credentials. */
import type { Tx } from '../engine/engine.ts';
import { define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** `transports` is a JSON array. */
export type PasskeyRow = Row<'passkeys'>;
type OfAccount = { account: string; id: string };

export class PasskeyStore {
  readonly #insert = define<PasskeyRow, never>((p) =>
    query
      .insertInto('passkeys')
      .values(
        pick(p, [
          'id',
          'account_id',
          'name',
          'public_key',
          'sign_count',
          'transports',
          'created_ts',
          'last_used_ts',
        ]),
      )
      .onConflict((conflict) => conflict.column('id').doNothing()),
  );
  readonly #byId = define<{ id: string }, PasskeyRow>((p) =>
    query.selectFrom('passkeys').selectAll().where('id', '=', p.id),
  );
  readonly #ofAccount = define<{ account: string }, PasskeyRow>((p) =>
    query
      .selectFrom('passkeys')
      .selectAll()
      .where('account_id', '=', p.account)
      .orderBy('created_ts')
      .orderBy('id'),
  );
  readonly #use = define<{ id: string; count: number; now: number }, never>((p) =>
    query.updateTable('passkeys').set({ sign_count: p.count, last_used_ts: p.now }).where('id', '=', p.id),
  );
  readonly #rename = define<OfAccount & { name: string }, never>((p) =>
    query
      .updateTable('passkeys')
      .set({ name: p.name })
      .where('account_id', '=', p.account)
      .where('id', '=', p.id),
  );
  readonly #delete = define<OfAccount, never>((p) =>
    query.deleteFrom('passkeys').where('account_id', '=', p.account).where('id', '=', p.id),
  );

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
