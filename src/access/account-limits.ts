/** The limits of an account: its own, or those of its plan. */
import { accountWindowFactor, type Limits } from '../contract/plans.ts';

type LimitedAccount = { window_limit: number | null; quota_limit: number | null };

/**
 * Requests per window of each key, per window of all keys and apps together, and per month of the account.
 * @param plan the limits of its plan that are in force
 */
export function limitsOf(
  account: LimitedAccount,
  plan: Limits,
): { window: number; accountWindow: number; quota: number } {
  const window = account.window_limit ?? plan.window;
  return { window, accountWindow: window * accountWindowFactor, quota: account.quota_limit ?? plan.quota };
}
