/** The limits of an account: its own, or those of its plan. */
import { accountWindowFactor, type Plan, plans } from '../contract/plans.ts';

type LimitedAccount = { plan: Plan; window_limit: number | null; quota_limit: number | null };

/** Requests per window of each key, per window of all keys and apps together, and per month of the account. */
export function limitsOf(account: LimitedAccount): { window: number; accountWindow: number; quota: number } {
  const plan = plans[account.plan];
  const window = account.window_limit ?? plan.window;
  return { window, accountWindow: window * accountWindowFactor, quota: account.quota_limit ?? plan.quota };
}
