/** What all classes of this folder are made of. `services.ts` has what several share besides. */
import type { Clock } from '../clock.ts';
import type { Actor } from '../contract/roles.ts';
import { AccountAuditLog } from '../store/access/account-audit-log.ts';
import { AccountStateStore } from '../store/access/account-states.ts';
import { AccountStore } from '../store/access/accounts.ts';
import { ApiKeyStore } from '../store/access/api-keys.ts';
import { ExportPlanStore } from '../store/access/export-plans.ts';
import { ExternalLoginStore } from '../store/access/external-logins.ts';
import { OAuthStore } from '../store/access/oauth.ts';
import { OneTimeLinkStore } from '../store/access/one-time-links.ts';
import { PasskeyStore } from '../store/access/passkeys.ts';
import { PendingAccountStore } from '../store/access/pending-accounts.ts';
import { PlanLimitStore } from '../store/access/plan-limits.ts';
import { SecondFactorStore } from '../store/access/second-factors.ts';
import { SessionStore } from '../store/access/sessions.ts';
import { UsageStore } from '../store/access/usage.ts';
import type { Engine, Tx } from '../store/engine/engine.ts';
import type { InstanceSecret } from './instance-secret.ts';

/** Creates the stores of rows. They have no state: each call names the transaction in which it runs. */
export const createStores = () => ({
  accounts: new AccountStore(),
  states: new AccountStateStore(),
  keys: new ApiKeyStore(),
  sessionStore: new SessionStore(),
  pending: new PendingAccountStore(),
  usage: new UsageStore(),
  audit: new AccountAuditLog(),
  oauth: new OAuthStore(),
  limitStore: new PlanLimitStore(),
  exportPlans: new ExportPlanStore(),
  linkStore: new OneTimeLinkStore(),
  logins: new ExternalLoginStore(),
  passkeyStore: new PasskeyStore(),
  factors: new SecondFactorStore(),
});

export type Base = ReturnType<typeof createStores> & {
  engine: Engine;
  /** Ways to sign in, apps and tokens get real time, even if the clock of the service is frozen. */
  clock: Clock;
  secret: InstanceSecret;
};

/**
 * Adds an entry about an account, a key or a plan to the audit log, within the transaction of the change. Without an actor,
 * it adds none.
 * @param entry its action begins with the kind of the subject: `key.revoke`
 */
export async function record(
  { audit, clock }: Pick<Base, 'audit' | 'clock'>,
  tx: Tx,
  actor: Actor | undefined,
  { action, subject, details = {} }: { action: string; subject: string; details?: Record<string, unknown> },
): Promise<void> {
  if (actor === undefined) return;
  const [subjectKind = ''] = action.split('.', 1);
  const createdTs = clock.now();
  await audit.add(tx, { createdTs, actor, action, subjectKind, subject, recordId: null, details });
}
