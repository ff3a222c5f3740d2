/** Ways to sign in besides the password, links that replace a forgotten one, and sign-ups confirmed by mail. */
import type { Clock } from '../../clock.ts';
import type { AccountAuditLog } from '../../store/access/account-audit-log.ts';
import type { AccountStateStore } from '../../store/access/account-states.ts';
import type { AccountStore } from '../../store/access/accounts.ts';
import type { ExternalLoginStore } from '../../store/access/external-logins.ts';
import type { OneTimeLinkStore } from '../../store/access/one-time-links.ts';
import type { PasskeyStore } from '../../store/access/passkeys.ts';
import type { SessionStore } from '../../store/access/sessions.ts';
import type { Engine, Tx } from '../../store/engine/engine.ts';
import type { AccountLifecycle } from '../account-lifecycle.ts';
import type { InstanceSecret } from '../instance-secret.ts';
import type { Passwords } from '../passwords.ts';
import type { PendingAccounts } from '../pending-accounts.ts';
import type { Sessions } from '../sessions.ts';
import type { Throttle } from '../throttle.ts';
import { ExternalLogins } from './external-logins.ts';
import { LinkedLogins } from './linked-logins.ts';
import { MailedSignUps } from './mailed-sign-ups.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { Passkeys } from './passkeys.ts';
import { PasswordResets } from './password-resets.ts';
import { SealedValues } from './sealed-values.ts';
import type { SecondFactors } from './second-factors.ts';
import { findSignInMethods, type SignInMethods } from './sign-in-methods.ts';

export type SignInDependencies = {
  engine: Engine;
  accounts: AccountStore;
  states: AccountStateStore;
  sessionStore: SessionStore;
  sessions: Sessions;
  secondFactors: SecondFactors;
  requests: PendingAccounts;
  lifecycle: AccountLifecycle;
  links: OneTimeLinkStore;
  logins: ExternalLoginStore;
  passkeyStore: PasskeyStore;
  passwords: Passwords;
  throttle: Throttle;
  secret: InstanceSecret;
  audit: AccountAuditLog;
  clock: Clock;
};

export type SignIn = {
  /** Links to set a new password. */
  readonly resets: PasswordResets;
  /** Sign-ups of a service that sends mail. */
  readonly signUps: MailedSignUps;
  /** Accounts at an OpenID provider. */
  readonly externalLogins: ExternalLogins;
  /** Those that are linked to an account. */
  readonly linkedLogins: LinkedLogins;
  readonly passkeys: Passkeys;
  /** Codes of authenticator apps. */
  readonly secondFactors: SecondFactors;
  /** Values of cookies of a sign-in in progress. */
  readonly sealed: SealedValues;
  /** Changes with the password of an account: a sign-in that was begun with another one is void. */
  fingerprint(account: string): Promise<string>;
  /** How the owner of an account signs in. */
  methodsOf(account: string): Promise<SignInMethods>;
  /** Deletes expired links, within a write transaction. */
  prune(tx: Tx): Promise<void>;
};

export function openSignIn(parts: SignInDependencies): SignIn {
  const { engine, states, sessionStore, requests, secondFactors, secret, clock } = parts;
  const links = new OneTimeLinks(parts.links, clock);
  const sealed = new SealedValues(secret, clock);
  return {
    resets: new PasswordResets({ ...parts, sessions: sessionStore, links }),
    signUps: new MailedSignUps({ ...parts, pending: requests, links }),
    externalLogins: new ExternalLogins({ ...parts, passkeys: parts.passkeyStore }),
    linkedLogins: new LinkedLogins({ ...parts, passkeys: parts.passkeyStore }),
    secondFactors,
    passkeys: new Passkeys({ ...parts, links, sealed }),
    sealed,
    async fingerprint(account) {
      const row = await engine.read((tx) => states.byId(tx, account));
      return secret.digest('fingerprint', account, row?.password_hash ?? '');
    },
    methodsOf: (account) => findSignInMethods(parts, account),
    prune: (tx) => links.prune(tx),
  };
}
