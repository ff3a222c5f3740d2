/**
 * Signing in with an account at an OpenID provider. The provider's subject decides, never the email alone. A first sign-in
 * is linked to the account with the same email only if the provider has verified the email, and if the account
 * cannot be that of another person: its address is confirmed here too, or it has no way to sign in. Otherwise its password is asked for.
 */
import type { Actor } from '../../contract/roles.ts';
import type { AccountStateRow } from '../../store/access/account-states.ts';
import type { Tx } from '../../store/engine/engine.ts';
import { AccountError } from '../account-error.ts';
import { parseEmail, parseFormEmail, unknownAccountFailure } from '../account-input.ts';
import type { BrowserInfo } from '../device-cookies.ts';
import { record } from '../parts.ts';
import type { PendingAccounts } from '../pending-accounts.ts';
import type { Services } from '../services.ts';
import type { Sessions } from '../sessions.ts';
import { tooManyAttempts } from '../throttle.ts';
import { attemptThrottleKeys, signUpThrottleKeys } from '../throttle-rules.ts';

/** What the provider said about a person. */
export type ExternalIdentity = {
  issuer: string;
  subject: string;
  email: string | null;
  emailVerified: boolean;
};
/** Who may sign in with the provider. */
export type ExternalPolicy = {
  registration: 'open' | 'approval' | 'closed';
  /** Domains of emails, in lower case; empty: all. */
  domains: readonly string[];
};
export type ExternalSignIn =
  | { outcome: 'account'; account: string; isNew: boolean }
  /** The account with this email needs its password first. */
  | { outcome: 'link'; account: string; email: string }
  | { outcome: 'pending'; email: string }
  | { outcome: 'refused'; reason: 'unverified' | 'domain' | 'closed' };

type Dependencies = Services & { requests: PendingAccounts; sessions: Sessions };

/** Signs people in with what their OpenID provider says, and links logins to accounts. */
export class ExternalLogins {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /** Counts a return from the provider as failed; `succeed` takes it back. Rejects with an `AccountError` (`slow`). */
  countAttempt(address: string): Promise<void> {
    return this.#parts.throttle.consume(attemptThrottleKeys(address));
  }

  /** Takes back the attempt of `countAttempt` that turned out well. */
  succeed(address: string): Promise<void> {
    return this.#parts.throttle.refund(attemptThrottleKeys(address));
  }

  /** Finds, links or creates the account of a person. Rejects with an `AccountError`: `slow` (too many new accounts). */
  signIn(identity: ExternalIdentity, policy: ExternalPolicy, address: string): Promise<ExternalSignIn> {
    const { engine, states, logins, clock } = this.#parts;
    return engine.writeDurably(async (tx): Promise<ExternalSignIn> => {
      const { issuer, subject } = identity;
      const login = await logins.find(tx, issuer, subject);
      if (!isAllowed(identity.email, policy)) return { outcome: 'refused', reason: 'domain' };
      // An address that is not verified says nothing about its domain.
      if (policy.domains.length > 0 && !identity.emailVerified)
        return { outcome: 'refused', reason: 'unverified' };
      if (login !== undefined) {
        await logins.touch(tx, issuer, subject, clock.now());
        return { outcome: 'account', account: login.account_id, isNew: false };
      }
      const email = verifiedEmail(identity);
      if (email === null) return { outcome: 'refused', reason: 'unverified' };
      const row = await states.byEmail(tx, email);
      return row === undefined
        ? await this.#create(tx, email, identity, policy, address)
        : await this.#adopt(tx, row, identity);
    });
  }

  /** Links a login to an account after its password. Rejects with an `AccountError`: `credentials`, `slow`. */
  async confirmLink(
    { issuer, subject }: Pick<ExternalIdentity, 'issuer' | 'subject'>,
    email: string,
    password: string,
    from: BrowserInfo,
  ): Promise<string> {
    const { engine, sessions, logins } = this.#parts;
    const account = await sessions.verifyPassword(email, password, from);
    await engine.writeDurably(async (tx) => {
      if ((await logins.find(tx, issuer, subject)) === undefined)
        await this.#link(tx, account, email, issuer, subject);
    });
    return account;
  }

  /** Records for an operator that the address belongs to the owner of the account: it is linked without its password. */
  async confirmAddress(input: string, actor: Actor): Promise<{ email: string; changed: boolean }> {
    const { engine, states, clock } = this.#parts;
    const email = parseEmail(input);
    return engine.writeDurably(async (tx) => {
      const row = await states.byEmail(tx, email);
      if (row === undefined) throw unknownAccountFailure(email);
      const changed = await states.setVerified(tx, row.id, clock.now());
      const entry = { action: 'account.confirm-address', subject: row.id, details: { email } };
      if (changed) await record(this.#parts, tx, actor, entry);
      return { email, changed };
    });
  }

  async #adopt(tx: Tx, row: AccountStateRow, { issuer, subject }: ExternalIdentity): Promise<ExternalSignIn> {
    const { passkeyStore } = this.#parts;
    const canSignIn = row.password_hash !== null || (await passkeyStore.ofAccount(tx, row.id)).length > 0;
    if (row.verified_ts === null && canSignIn) {
      return { outcome: 'link', account: row.id, email: row.email };
    }
    await this.#link(tx, row.id, row.email, issuer, subject);
    return { outcome: 'account', account: row.id, isNew: false };
  }

  async #create(
    tx: Tx,
    email: string,
    { issuer, subject }: ExternalIdentity,
    policy: ExternalPolicy,
    address: string,
  ): Promise<ExternalSignIn> {
    const { lifecycle, requests, throttle } = this.#parts;
    if (policy.registration === 'closed') return { outcome: 'refused', reason: 'closed' };
    const { allOf, anyOf, taken } = signUpThrottleKeys(address);
    const wait = await throttle.tryConsume(tx, { allOf: allOf.filter((key) => !taken.includes(key)), anyOf });
    if (wait > 0) throw tooManyAttempts(Math.ceil(wait / 1000));
    if (policy.registration === 'approval') {
      await requests.replace(tx, email, null, address);
      return { outcome: 'pending', email };
    }
    const account = await lifecycle.insert(tx, email, 'free', null);
    if (account === null)
      throw new AccountError('taken', 'There is an account with this email already.', {
        code: 'taken_meanwhile',
      });
    await this.#link(tx, account.id, email, issuer, subject);
    return { outcome: 'account', account: account.id, isNew: true };
  }

  async #link(tx: Tx, account: string, email: string, issuer: string, subject: string): Promise<void> {
    const { states, logins, clock } = this.#parts;
    const now = clock.now();
    await logins.insert(tx, {
      issuer,
      subject,
      account_id: account,
      email,
      created_ts: now,
      last_used_ts: now,
    });
    await states.setVerified(tx, account, now);
  }
}

const isAllowed = (email: string | null, { domains }: ExternalPolicy): boolean =>
  domains.length === 0 || domains.includes(email?.toLowerCase().split('@').at(-1) ?? '');

/** Returns the email in folded form, if the provider has verified it and accounts can have it. */
function verifiedEmail({ email, emailVerified }: ExternalIdentity): string | null {
  if (email === null || !emailVerified) return null;
  try {
    return parseFormEmail(email);
  } catch {
    return null;
  }
}
