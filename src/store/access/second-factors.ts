/** Stores the secrets of one-time passwords (encrypted) and the digests of recovery codes. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

export type TotpRow = {
  account_id: string;
  secret: string;
  confirmed_ts: number | null;
  last_step: number;
  created_ts: number;
};
type OfAccount = { account: string };

export class SecondFactorStore {
  readonly #set: PreparedStatement<TotpRow, never>;
  readonly #find: PreparedStatement<OfAccount, TotpRow>;
  readonly #confirm: PreparedStatement<OfAccount & { now: number }, never>;
  readonly #useStep: PreparedStatement<OfAccount & { step: number }, never>;
  readonly #delete: PreparedStatement<OfAccount, never>;
  readonly #insertCode: PreparedStatement<OfAccount & { hash: string }, never>;
  readonly #useCode: PreparedStatement<OfAccount & { hash: string; now: number }, never>;
  readonly #deleteCodes: PreparedStatement<OfAccount, never>;
  readonly #countCodes: PreparedStatement<OfAccount, { left: number }>;

  constructor(sqlite: Database.Database) {
    this.#set = prepare(sqlite, (p) =>
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
    this.#find = prepare(sqlite, (p) =>
      query.selectFrom('totp_secrets').selectAll().where('account_id', '=', p.account),
    );
    this.#confirm = prepare(sqlite, (p) =>
      query.updateTable('totp_secrets').set({ confirmed_ts: p.now }).where('account_id', '=', p.account),
    );
    this.#useStep = prepare(sqlite, (p) =>
      query
        .updateTable('totp_secrets')
        .set({ last_step: p.step })
        .where('account_id', '=', p.account)
        .where('last_step', '<', p.step),
    );
    this.#delete = prepare(sqlite, (p) =>
      query.deleteFrom('totp_secrets').where('account_id', '=', p.account),
    );
    this.#insertCode = prepare(sqlite, (p) =>
      query.insertInto('recovery_codes').values({ account_id: p.account, code_hash: p.hash, used_ts: null }),
    );
    this.#useCode = prepare(sqlite, (p) =>
      query
        .updateTable('recovery_codes')
        .set({ used_ts: p.now })
        .where('account_id', '=', p.account)
        .where('code_hash', '=', p.hash)
        .where('used_ts', 'is', null),
    );
    this.#deleteCodes = prepare(sqlite, (p) =>
      query.deleteFrom('recovery_codes').where('account_id', '=', p.account),
    );
    this.#countCodes = prepare(sqlite, (p) =>
      query
        .selectFrom('recovery_codes')
        .select((eb) => eb.fn.countAll<number>().as('left'))
        .where('account_id', '=', p.account)
        .where('used_ts', 'is', null),
    );
  }

  /** Stores the secret of an account; an earlier one is replaced. */
  set(row: TotpRow): void {
    this.#set.run(row);
  }

  find(account: string): TotpRow | undefined {
    return this.#find.get({ account });
  }

  /** Records that the account showed a code of its secret: from now on, codes are required. */
  confirm(account: string, now: number): void {
    this.#confirm.run({ account, now });
  }

  /** Records that the code of a time step was used; false if that step or a later one was used before. */
  useStep(account: string, step: number): boolean {
    return this.#useStep.run({ account, step }).changes > 0;
  }

  /** Deletes the secret and the recovery codes of an account; false if it had no secret. */
  delete(account: string): boolean {
    this.#deleteCodes.run({ account });
    return this.#delete.run({ account }).changes > 0;
  }

  /** Replaces the recovery codes of an account. */
  setCodes(account: string, hashes: readonly string[]): void {
    this.#deleteCodes.run({ account });
    for (const hash of hashes) this.#insertCode.run({ account, hash });
  }

  /** Marks a recovery code as used; false if the account has no such unused code. */
  useCode(account: string, hash: string, now: number): boolean {
    return this.#useCode.run({ account, hash, now }).changes > 0;
  }

  /** The number of unused recovery codes. */
  codesLeft(account: string): number {
    return this.#countCodes.get({ account })?.left ?? 0;
  }
}
