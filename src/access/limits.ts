/** What an account may do: its own limits where it has some, else its plan's. */
import { type Plan, plans } from '../contract/plans.ts';

type Limited = { plan: Plan; window_limit: number | null; quota_limit: number | null };

/** Requests per window of each key, and per month of the account. */
export function limitsOf(account: Limited): { window: number; quota: number } {
  const plan = plans[account.plan];
  return { window: account.window_limit ?? plan.window, quota: account.quota_limit ?? plan.quota };
}
