/** Ways to sign in besides the password, links that replace a forgotten one, and sign-ups confirmed by mail. */
import type { Tx } from '../../store/engine/engine.ts';
import type { PendingAccounts } from '../pending-accounts.ts';
import type { Services } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import { ExternalLogins } from './external-logins.ts';
import { LinkedLogins } from './linked-logins.ts';
import { MailedSignUps } from './mailed-sign-ups.ts';
import { OneTimeLinks } from './one-time-links.ts';
import { Passkeys } from './passkeys.ts';
import { PasswordResets } from './password-resets.ts';
import { SealedValues } from './sealed-values.ts';
import type { SecondFactors } from './second-factors.ts';
import { findSignInMethods, type SignInMethods } from './sign-in-methods.ts';

type Dependencies = Services & {
  sessions: Sessions;
  secondFactors: SecondFactors;
  requests: PendingAccounts;
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

export function openSignIn(parts: Dependencies): SignIn {
  const { engine, states, secondFactors, secret, clock } = parts;
  const links = new OneTimeLinks(parts.linkStore, clock);
  const sealed = new SealedValues(secret, clock);
  return {
    resets: new PasswordResets({ ...parts, links }),
    signUps: new MailedSignUps({ ...parts, links }),
    externalLogins: new ExternalLogins(parts),
    linkedLogins: new LinkedLogins(parts),
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
