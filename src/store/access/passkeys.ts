/** Stores passkeys: the public keys of WebAuthn credentials. */
import { changesRows, execute, pick, query, selectAll, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** `transports` is a JSON array. */
export type PasskeyRow = Row<'passkeys'>;

/** Stores passkeys by their WebAuthn credential id. An account can have several. */
export class PasskeyStore {
  /** Inserts a passkey; false if its id is stored already. */
  readonly insert = changesRows<[passkey: PasskeyRow]>((passkey) =>
    query
      .insertInto('passkeys')
      .values(
        pick(passkey, [
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
  readonly byId = selectFirst<[id: string], PasskeyRow>((id) =>
    query.selectFrom('passkeys').selectAll().where('id', '=', id),
  );
  /** The passkeys of an account, oldest first. */
  readonly ofAccount = selectAll<[account: string], PasskeyRow>((account) =>
    query
      .selectFrom('passkeys')
      .selectAll()
      .where('account_id', '=', account)
      .orderBy('created_ts')
      .orderBy('id'),
  );
  /** Records a sign-in. */
  readonly use = execute<[id: string, count: number, now: number]>((id, count, now) =>
    query.updateTable('passkeys').set({ sign_count: count, last_used_ts: now }).where('id', '=', id),
  );
  /** Renames a passkey of the account; false if it has no such passkey. */
  readonly rename = changesRows<[account: string, id: string, name: string]>((account, id, name) =>
    query.updateTable('passkeys').set({ name }).where('account_id', '=', account).where('id', '=', id),
  );
  /** Deletes a passkey of the account; false if it has no such passkey. */
  readonly delete = changesRows<[account: string, id: string]>((account, id) =>
    query.deleteFrom('passkeys').where('account_id', '=', account).where('id', '=', id),
  );
}
