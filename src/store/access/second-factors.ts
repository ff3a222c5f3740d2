/** Stores the secrets of one-time passwords (encrypted) and the digests of recovery codes. */
import type { Tx } from '../engine/engine.ts';
import { define, excluded, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

type TotpRow = Row<'totp_secrets'>;
type OfAccount = { account: string };

export class SecondFactorStore {
  readonly #set = define<TotpRow, never>((p) =>
    query
      .insertInto('totp_secrets')
      .values(pick(p, ['account_id', 'secret', 'confirmed_ts', 'last_step', 'created_ts']))
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet(excluded('secret', 'confirmed_ts', 'last_step', 'created_ts')),
      ),
  );
  readonly #find = define<OfAccount, TotpRow>((p) =>
    query.selectFrom('totp_secrets').selectAll().where('account_id', '=', p.account),
  );
  readonly #confirm = define<OfAccount & { now: number }, never>((p) =>
    query.updateTable('totp_secrets').set({ confirmed_ts: p.now }).where('account_id', '=', p.account),
  );
  readonly #useStep = define<OfAccount & { step: number }, never>((p) =>
    query
      .updateTable('totp_secrets')
      .set({ last_step: p.step })
      .where('account_id', '=', p.account)
      .where('last_step', '<', p.step),
  );
  readonly #delete = define<OfAccount, never>((p) =>
    query.deleteFrom('totp_secrets').where('account_id', '=', p.account),
  );
  readonly #insertCode = define<OfAccount & { hash: string }, never>((p) =>
    query.insertInto('recovery_codes').values({ account_id: p.account, code_hash: p.hash, used_ts: null }),
  );
  readonly #useCode = define<OfAccount & { hash: string; now: number }, never>((p) =>
    query
      .updateTable('recovery_codes')
      .set({ used_ts: p.now })
      .where('account_id', '=', p.account)
      .where('code_hash', '=', p.hash)
      .where('used_ts', 'is', null),
  );
  readonly #deleteCodes = define<OfAccount, never>((p) =>
    query.deleteFrom('recovery_codes').where('account_id', '=', p.account),
  );
  readonly #countCodes = define<OfAccount, { left: number }>((p) =>
    query
      .selectFrom('recovery_codes')
      .select((eb) => eb.fn.countAll<number>().as('left'))
      .where('account_id', '=', p.account)
      .where('used_ts', 'is', null),
  );

  /** Stores the secret of an account; an earlier one is replaced. */
  async set(tx: Tx, row: TotpRow): Promise<void> {
    await this.#set.run(tx, row);
  }

  find(tx: Tx, account: string): Promise<TotpRow | undefined> {
    return this.#find.get(tx, { account });
  }

  /** Records that the account showed a code of its secret: from now on, codes are required. */
  async confirm(tx: Tx, account: string, now: number): Promise<void> {
    await this.#confirm.run(tx, { account, now });
  }

  /** Records that the code of a time step was used; false if that step or a later one was used before. */
  async useStep(tx: Tx, account: string, step: number): Promise<boolean> {
    return (await this.#useStep.run(tx, { account, step })).changes > 0;
  }

  /** Deletes the secret and the recovery codes of an account; false if it had no secret. */
  async delete(tx: Tx, account: string): Promise<boolean> {
    await this.#deleteCodes.run(tx, { account });
    return (await this.#delete.run(tx, { account })).changes > 0;
  }

  /** Replaces the recovery codes of an account. */
  async setCodes(tx: Tx, account: string, hashes: readonly string[]): Promise<void> {
    await this.#deleteCodes.run(tx, { account });
    for (const hash of hashes) await this.#insertCode.run(tx, { account, hash });
  }

  /** Marks a recovery code as used; false if the account has no such unused code. */
  async useCode(tx: Tx, account: string, hash: string, now: number): Promise<boolean> {
    return (await this.#useCode.run(tx, { account, hash, now })).changes > 0;
  }

  /** The number of unused recovery codes. */
  async codesLeft(tx: Tx, account: string): Promise<number> {
    return (await this.#countCodes.get(tx, { account }))?.left ?? 0;
  }
}
