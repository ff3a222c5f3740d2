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
import { findSignInMethods } from './sign-in-methods.ts';

type Dependencies = Services & {
  sessions: Sessions;
  secondFactors: SecondFactors;
  requests: PendingAccounts;
};

export type SignIn = ReturnType<typeof openSignIn>;

/** Opens the services for signing in. */
export function openSignIn(parts: Dependencies) {
  const { engine, states, secondFactors, secret, clock } = parts;
  const links = new OneTimeLinks(parts.linkStore, clock);
  const sealed = new SealedValues(secret, clock);
  return {
    /** Links to set a new password. */
    resets: new PasswordResets({ ...parts, links }),
    /** Sign-ups of a service that sends mail. */
    signUps: new MailedSignUps({ ...parts, links }),
    /** Accounts at an OpenID provider. */
    externalLogins: new ExternalLogins(parts),
    /** Accounts at an OpenID provider that are linked to an account here. */
    linkedLogins: new LinkedLogins(parts),
    /** Codes of authenticator apps. */
    secondFactors,
    passkeys: new Passkeys({ ...parts, links, sealed }),
    /** Values of cookies of a sign-in in progress. */
    sealed,
    /** A digest that changes with the password of an account. A sign-in in progress keeps it, and fails if it differs. */
    async fingerprint(account: string) {
      const row = await engine.read((tx) => states.byId(tx, account));
      return secret.digest('fingerprint', account, row?.password_hash ?? '');
    },
    /** How the owner of an account signs in. */
    methodsOf: (account: string) => findSignInMethods(parts, account),
    /** Deletes expired links, within a write transaction. */
    prune: (tx: Tx) => links.prune(tx),
  };
}
