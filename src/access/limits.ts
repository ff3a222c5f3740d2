/** What an account may do: its own limits where it has some, else its plan's. */
import { accountWindows, type Plan, plans } from '../contract/plans.ts';

type Limited = { plan: Plan; window_limit: number | null; quota_limit: number | null };

/** Requests per window of each key, per window of all keys and apps together, and per month of the account. */
export function limitsOf(account: Limited): { window: number; accountWindow: number; quota: number } {
  const plan = plans[account.plan];
  const window = account.window_limit ?? plan.window;
  return { window, accountWindow: window * accountWindows, quota: account.quota_limit ?? plan.quota };
}
