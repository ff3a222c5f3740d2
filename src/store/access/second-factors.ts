/** Stores the secrets of one-time passwords (encrypted) and the digests of recovery codes. */
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

export type TotpRow = {
  account_id: string;
  secret: string;
  confirmed_ts: number | null;
  last_step: number;
  created_ts: number;
};
type OfAccount = { account: string };

export class SecondFactorStore {
  readonly #set: Statement<TotpRow, never>;
  readonly #find: Statement<OfAccount, TotpRow>;
  readonly #confirm: Statement<OfAccount & { now: number }, never>;
  readonly #useStep: Statement<OfAccount & { step: number }, never>;
  readonly #delete: Statement<OfAccount, never>;
  readonly #insertCode: Statement<OfAccount & { hash: string }, never>;
  readonly #useCode: Statement<OfAccount & { hash: string; now: number }, never>;
  readonly #deleteCodes: Statement<OfAccount, never>;
  readonly #countCodes: Statement<OfAccount, { left: number }>;

  constructor() {
    this.#set = define((p) =>
      query
        .insertInto('totp_secrets')
        .values({
          account_id: p.account_id,
          secret: p.secret,
          confirmed_ts: p.confirmed_ts,
          last_step: p.last_step,
          created_ts: p.created_ts,
        })
        .onConflict((conflict) =>
          conflict.column('account_id').doUpdateSet((eb) => ({
            secret: eb.ref('excluded.secret'),
            confirmed_ts: eb.ref('excluded.confirmed_ts'),
            last_step: eb.ref('excluded.last_step'),
            created_ts: eb.ref('excluded.created_ts'),
          })),
        ),
    );
    this.#find = define((p) =>
      query.selectFrom('totp_secrets').selectAll().where('account_id', '=', p.account),
    );
    this.#confirm = define((p) =>
      query.updateTable('totp_secrets').set({ confirmed_ts: p.now }).where('account_id', '=', p.account),
    );
    this.#useStep = define((p) =>
      query
        .updateTable('totp_secrets')
        .set({ last_step: p.step })
        .where('account_id', '=', p.account)
        .where('last_step', '<', p.step),
    );
    this.#delete = define((p) => query.deleteFrom('totp_secrets').where('account_id', '=', p.account));
    this.#insertCode = define((p) =>
      query.insertInto('recovery_codes').values({ account_id: p.account, code_hash: p.hash, used_ts: null }),
    );
    this.#useCode = define((p) =>
      query
        .updateTable('recovery_codes')
        .set({ used_ts: p.now })
        .where('account_id', '=', p.account)
        .where('code_hash', '=', p.hash)
        .where('used_ts', 'is', null),
    );
    this.#deleteCodes = define((p) => query.deleteFrom('recovery_codes').where('account_id', '=', p.account));
    this.#countCodes = define((p) =>
      query
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('left'))
        .where('account_id', '=', p.account)
        .where('used_ts', 'is', null),
    );
  }

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
