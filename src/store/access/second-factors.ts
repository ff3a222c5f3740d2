/** Stores the secrets of one-time passwords (encrypted) and the digests of recovery codes. */
import type { Tx } from '../engine/engine.ts';
import {
  changesRows,
  excluded,
  execute,
  pick,
  query,
  selectCount,
  selectFirst,
} from '../engine/statement.ts';
import type { Row } from '../tables.ts';

type TotpRow = Row<'totp_secrets'>;

/**
 * Stores the second factor of accounts: one TOTP secret (RFC 6238), which counts from its confirmation on, and recovery
 * codes. Time steps are numbered from 1970 on, 30 s each.
 */
export class SecondFactorStore {
  /** Stores the secret of an account; an earlier one is replaced. */
  readonly set = execute<[totp: TotpRow]>((totp) =>
    query
      .insertInto('totp_secrets')
      .values(pick(totp, ['account_id', 'secret', 'confirmed_ts', 'last_step', 'created_ts']))
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet(excluded('secret', 'confirmed_ts', 'last_step', 'created_ts')),
      ),
  );
  /** The secret of an account, also an unconfirmed one. */
  readonly find = selectFirst<[account: string], TotpRow>((account) =>
    query.selectFrom('totp_secrets').selectAll().where('account_id', '=', account),
  );
  /** Records that the account showed a code of its secret: from now on, codes are required. */
  readonly confirm = execute<[account: string, now: number]>((account, now) =>
    query.updateTable('totp_secrets').set({ confirmed_ts: now }).where('account_id', '=', account),
  );
  /** Records that the code of a time step was used; false if that step or a later one was used before. */
  readonly useStep = changesRows<[account: string, step: number]>((account, step) =>
    query
      .updateTable('totp_secrets')
      .set({ last_step: step })
      .where('account_id', '=', account)
      .where('last_step', '<', step),
  );
  /** Marks a recovery code as used; false if the account has no such unused code. */
  readonly useCode = changesRows<[account: string, hash: string, now: number]>((account, hash, now) =>
    query
      .updateTable('recovery_codes')
      .set({ used_ts: now })
      .where('account_id', '=', account)
      .where('code_hash', '=', hash)
      .where('used_ts', 'is', null),
  );
  /** The number of unused recovery codes. */
  readonly codesLeft = selectCount<[account: string]>((account) =>
    query
      .selectFrom('recovery_codes')
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .where('account_id', '=', account)
      .where('used_ts', 'is', null),
  );
  readonly #delete = changesRows<[account: string]>((account) =>
    query.deleteFrom('totp_secrets').where('account_id', '=', account),
  );
  readonly #insertCode = execute<[account: string, hash: string]>((account, hash) =>
    query.insertInto('recovery_codes').values({ account_id: account, code_hash: hash, used_ts: null }),
  );
  readonly #deleteCodes = execute<[account: string]>((account) =>
    query.deleteFrom('recovery_codes').where('account_id', '=', account),
  );

  /** Deletes the secret and the recovery codes of an account; false if it had no secret. */
  async delete(tx: Tx, account: string): Promise<boolean> {
    await this.#deleteCodes(tx, account);
    return this.#delete(tx, account);
  }

  /** Replaces the recovery codes of an account. */
  async setCodes(tx: Tx, account: string, hashes: readonly string[]): Promise<void> {
    await this.#deleteCodes(tx, account);
    for (const hash of hashes) await this.#insertCode(tx, account, hash);
  }
}
