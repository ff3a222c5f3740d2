/** Types for `Accounts`: its dependencies, and the input for a new account. */
import type { Clock } from '../clock.ts';
import type { Actor } from '../contract/roles.ts';
import type { AccountAuditLog } from '../store/access/account-audit-log.ts';
import type { AccountStore } from '../store/access/accounts.ts';
import type { ApiKeyStore } from '../store/access/api-keys.ts';
import type { SessionStore } from '../store/access/sessions.ts';
import type { Engine } from '../store/engine/engine.ts';
import type { AccountLifecycle } from './account-lifecycle.ts';
import type { ConnectedAppList } from './connected-apps.ts';
import type { PlanLimits } from './plan-limits.ts';
import type { Sessions } from './sessions.ts';
import type { LinkedLogins } from './sign-in/linked-logins.ts';
import type { PasswordResets } from './sign-in/password-resets.ts';
import type { SecondFactors } from './sign-in/second-factors.ts';
import type { SignInMethods } from './sign-in/sign-in-methods.ts';
import type { UsageHistory } from './usage-history.ts';

export type NewAccountInput = {
  email: string;
  plan?: string | undefined;
  password?: string | undefined;
  /** `user` by default. */
  role?: string | undefined;
};

/** What accounts take from the ways to sign in (`sign-in/sign-in.ts`). */
export type AccountSignIn = {
  readonly resets: PasswordResets;
  readonly externalLogins: {
    confirmAddress(email: string, actor: Actor): Promise<{ email: string; changed: boolean }>;
  };
  readonly linkedLogins: LinkedLogins;
  readonly secondFactors: SecondFactors;
  methodsOf(account: string): Promise<SignInMethods>;
};

export type AccountDependencies = {
  engine: Engine;
  accounts: AccountStore;
  keys: ApiKeyStore;
  lifecycle: AccountLifecycle;
  sessions: SessionStore;
  apps: ConnectedAppList;
  browsers: Sessions;
  history: UsageHistory;
  plans: PlanLimits;
  audit: AccountAuditLog;
  signIn: AccountSignIn;
  clock: Clock;
};
