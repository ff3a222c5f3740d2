/** The ways in which an account signs in, as the terminal and the console show them. */
import type { AccountStateStore } from '../../store/access/account-states.ts';
import { formatUtc } from '../../store/records/serialize.ts';
import type { Transactions } from '../../store/transactions.ts';
import type { SecondFactors } from './second-factors.ts';

export type WaysIn = {
  password: boolean;
  /** When the owner proved to receive mail at the address; null: not yet. */
  verified_at: string | null;
  /** Codes of an authenticator app; null: not required. */
  second_factor: { enabled_at: string; recovery_codes_left: number } | null;
};

type WaysInDependencies = {
  transactions: Transactions;
  states: AccountStateStore;
  secondFactors: SecondFactors;
};

/** Returns how the owner of an account signs in. */
export async function findWaysIn(parts: WaysInDependencies, account: string): Promise<WaysIn> {
  const { transactions, states, secondFactors } = parts;
  const row = await transactions.read(() => states.byId(account));
  const factor = await secondFactors.state(account);
  return {
    password: row?.password_hash != null,
    verified_at: row?.verified_ts == null ? null : formatUtc(row.verified_ts),
    second_factor:
      factor.enabledTs === null
        ? null
        : { enabled_at: formatUtc(factor.enabledTs), recovery_codes_left: factor.recoveryCodesLeft },
  };
}
