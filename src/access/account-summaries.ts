/** Accounts as the terminal and the console show them. */

import { formatUtc } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { Role } from '../contract/roles.ts';
import type { AccountRow } from '../store/access/accounts.ts';
import type { ApiKeySummary } from './api-key-summary.ts';
import type { ConnectedApp } from './connected-apps.ts';
import type { SessionSummary } from './sessions.ts';
import type { SignInMethods } from './sign-in/sign-in-methods.ts';
import type { UsagePoint } from './usage-history.ts';

export type Account = {
  id: string;
  email: string;
  plan: Plan;
  role: Role;
  created_at: string;
  /** When the account was suspended; null: it is not. */
  suspended_at: string | null;
};
/** The usage of this month, and the limits of the account or its plan. */
export type Usage = {
  /** yyyy-mm, UTC */
  month: string;
  used: number;
  quota: number;
  remaining: number;
  resets_at: string;
  /** Requests of each key per `window_seconds`. */
  window: number;
  window_seconds: number;
};
/** Recent usage of an account, with REST and MCP apart, oldest first. */
export type UsageTimeSeries = {
  /** The last 30 days ('yyyy-mm-dd'). */
  days: UsagePoint[];
  /** The last 12 months ('yyyy-mm'). */
  months: UsagePoint[];
};
/** A browser with a session. */
export type BrowserSummary = {
  id: string;
  address: string;
  user_agent: string;
  created_at: string;
  last_used_at: string;
};
/** A connected app, as the terminal shows it. */
export type AppSummary = {
  id: string;
  name: string;
  host: string | null;
  verified: boolean;
  scopes: string[];
  created_at: string;
  last_used_at: string | null;
};
export type AccountDetails = Account & {
  /** How the owner signs in. */
  sign_in: SignInMethods;
  keys: ApiKeySummary[];
  connected_apps: AppSummary[];
  sessions: BrowserSummary[];
  usage: Usage;
  /** Limits of the account that replace those of its plan; null: the plan's. */
  own_limits: OwnLimits;
  history: UsageTimeSeries;
};
/** Limits that replace the plan's; null: the plan's. */
export type OwnLimits = { window: number | null; quota: number | null };

/** Returns the limits of an account that replace its plan's. */
export const ownLimitsOf = (row: AccountRow): OwnLimits => ({
  window: row.window_limit,
  quota: row.quota_limit,
});

/** Returns the public fields of an account. */
export function toAccount(row: AccountRow): Account {
  return {
    id: row.id,
    email: row.email,
    plan: row.plan,
    role: row.role,
    created_at: formatUtc(row.created_ts),
    suspended_at: row.suspended_ts === null ? null : formatUtc(row.suspended_ts),
  };
}

/** Returns a session as the terminal shows it. */
export function summarizeBrowser(session: SessionSummary): BrowserSummary {
  const { id, address, userAgent, createdTs, usedTs } = session;
  return {
    id,
    address,
    user_agent: userAgent,
    created_at: formatUtc(createdTs),
    last_used_at: formatUtc(usedTs),
  };
}

/** Returns a connected app as the terminal shows it. */
export function summarizeApp(app: ConnectedApp): AppSummary {
  const { id, name, host, verified, scopes, createdTs, lastUsedTs } = app;
  return {
    id,
    name: name === '' ? 'An app without a name' : name,
    host,
    verified,
    scopes,
    created_at: formatUtc(createdTs),
    last_used_at: lastUsedTs === null ? null : formatUtc(lastUsedTs),
  };
}
