/**
 * Sessions of people who sign in with email and password. The token of a session is 32 random bytes in a cookie; the
 * file stores their SHA-256. Each sign-in creates a new session. It ends two weeks after its last use, and 30 days after
 * its start.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { type Clock, dayMs } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { AccountStore } from '../store/access/accounts.ts';
import type { PendingAccountStore } from '../store/access/pending-accounts.ts';
import type { SessionRow, SessionStore, SessionWithAccountRow } from '../store/access/sessions.ts';
import type { Transactions } from '../store/transactions.ts';
import { AccountError } from './account-error.ts';
import { parseFormEmail, parseFormPassword } from './account-input.ts';
import type { AccountLifecycle } from './account-lifecycle.ts';
import { customerPrefix, networkPrefix, regionPrefix, sitePrefix } from './address-prefixes.ts';
import { generateId } from './api-key-format.ts';
import type { DeviceCookies } from './device-cookies.ts';
import { digestOf } from './hashing.ts';
import type { Passwords } from './passwords.ts';
import type { Throttle } from './throttle.ts';
import { signUpThrottleKeys, type ThrottleKey } from './throttle-rules.ts';

/** Where a request comes from: the address as the server sees it, and what the browser says of itself. */
export type BrowserInfo = {
  address: string;
  userAgent: string;
  /** What `sessions.mark` gave this browser before. */
  known?: string | undefined;
};

export type Session = {
  /** ses_…: names the session to its owner; it lets nobody in. */
  id: string;
  account: { id: string; email: string; plan: Plan };
  /** What every form of this session carries, bound to its token. */
  csrf: string;
  /** What the cookie holds. */
  token: string;
  address: string;
  userAgent: string;
  createdTs: number;
  usedTs: number;
};
export type SessionSummary = Omit<Session, 'account' | 'csrf' | 'token'>;

const maxIdleMs = 14 * dayMs;
/** How long a session lasts at most, in ms; its cookie no longer. */
export const maxSessionMs = 30 * dayMs;
/** `usedTs` is for people: to five minutes is enough. */
const touchIntervalMs = 300_000;
/** Of more than these, the ones unused for longest end. */
const maxSessions = 50;
const tokenPattern = /^[\w-]{43}$/;

export type SessionDependencies = {
  transactions: Transactions;
  accounts: AccountStore;
  sessions: SessionStore;
  pending: PendingAccountStore;
  membership: AccountLifecycle;
  passwords: Passwords;
  throttle: Throttle;
  marks: DeviceCookies;
  clock: Clock;
};

export class Sessions {
  readonly #parts: SessionDependencies;

  constructor(parts: SessionDependencies) {
    this.#parts = parts;
  }

  /**
   * A new account, signed in. Rejects with a `AccountError`: `email`, `password` (cannot be used), `reservedSchemes` (a service that
   * sends no mail has no other way to say it), `slow` (too many tries).
   */
  async signUp(email: string, password: string, from: BrowserInfo): Promise<Session> {
    const { throttle, passwords, membership, transactions } = this.#parts;
    const folded = parseFormEmail(email);
    const chosen = parseFormPassword(password, folded);
    const toll = signUpThrottleKeys(from.address);
    await throttle.consume(toll.allOf, toll.anyOf);
    const hashed = await passwords.hash(chosen, regionPrefix(from.address));
    const made = await transactions.writeDurably(() => {
      const account = membership.insert(folded, 'free', hashed);
      return account === null ? null : this.#insert(account, from);
    });
    if (made === null)
      throw new AccountError('taken', 'There is an account with this email already. Sign in to it.');
    await throttle.refund(toll.taken);
    return made;
  }

  /**
   * Signs in. Rejects with a `AccountError`: `credentials`, the same after the same work whether the email has no account
   * or the password is wrong; `slow` after too many of those; `pending` where both are right and the operator has not
   * admitted the account yet.
   */
  async signIn(email: string, password: string, from: BrowserInfo): Promise<Session> {
    const folded = email.trim().toLowerCase();
    const account = await this.#verified(folded, password, from);
    const session = await this.#parts.transactions.write(() => {
      const row = this.#parts.accounts.byId(account);
      return row === undefined ? null : this.#insert(row, from);
    });
    if (session === null) throw wrongCredentials();
    return session;
  }

  /** The session of a cookie's token; null where there is none, or it is over. */
  async find(token: string | undefined): Promise<Session | null> {
    const { transactions, sessions, clock } = this.#parts;
    if (token === undefined || !tokenPattern.test(token)) return null;
    const row = await transactions.read(() => sessions.byToken(digestOf(token)));
    const now = clock.now();
    if (row === undefined || !isAlive(row, now)) return null;
    if (now - row.last_used_ts > touchIntervalMs) await transactions.write(() => sessions.touch(row.id, now));
    return toSession(row, token);
  }

  /** What the browser of who has signed in is to keep, beyond the session: see `DeviceCookies`. */
  issueDeviceCookie(session: Session, from: BrowserInfo): string {
    return this.#parts.marks.issue(from.known ?? '', session.account.id, this.#parts.clock.now());
  }

  async signOut(session: Session): Promise<void> {
    await this.revoke(session.account.id, session.id);
  }

  /** Ends every session of the account, this one too; gives how many there were. */
  async signOutEverywhere(account: string): Promise<number> {
    return this.#parts.transactions.writeDurably(() => this.#parts.sessions.deleteOthers(account, ''));
  }

  /** The open sessions of an account, the last used first. */
  async list(account: string): Promise<SessionSummary[]> {
    const rows = await this.#parts.transactions.read(() => this.#parts.sessions.ofAccount(account));
    const now = this.#parts.clock.now();
    return rows.filter((row) => isAlive(row, now)).map(toSessionSummary);
  }

  /** Ends a session of an account; false if it has no such session. */
  revoke(account: string, id: string): Promise<boolean> {
    return this.#parts.transactions.writeDurably(() => this.#parts.sessions.delete(account, id));
  }

  /**
   * Changes the password, ends all sessions, and returns a new one. Rejects with an `AccountError`: `password` (the new one
   * is refused), `credentials` (the current one is wrong), `slow`.
   */
  async changePassword(session: Session, present: string, next: string, from: BrowserInfo): Promise<Session> {
    const { passwords, transactions, accounts, sessions } = this.#parts;
    const { id, email } = session.account;
    const chosen = parseFormPassword(next, email);
    await this.#verified(email, present, from);
    const hashed = await passwords.hash(chosen, regionPrefix(from.address));
    const made = await transactions.writeDurably(() => {
      const row = accounts.byId(id);
      if (row === undefined) return null;
      accounts.setPassword(email, hashed);
      sessions.deleteOthers(id, '');
      return this.#insert(row, from);
    });
    if (made === null) throw wrongCredentials();
    return made;
  }

  /**
   * Deletes an account with all its data. Rejects with an `AccountError`: `email` (not that of the account), `credentials`,
   * `slow`.
   */
  async deleteAccount(session: Session, email: string, password: string, from: BrowserInfo): Promise<void> {
    const { account } = session;
    if (email.trim().toLowerCase() !== account.email) {
      throw new AccountError('email', `Type ${account.email} to delete this account.`);
    }
    await this.#verified(account.email, password, from);
    await this.#parts.transactions.writeDurably(() => this.#parts.membership.delete(account));
  }

  /** Deletes expired sessions, within a write transaction. */
  prune(): void {
    const now = this.#parts.clock.now();
    this.#parts.sessions.prune(now - maxSessionMs, now - maxIdleMs);
  }

  /** Verifies email and password, and returns the id of the account. */
  async #verified(email: string, password: string, from: BrowserInfo): Promise<string> {
    const { transactions, accounts, pending, passwords, throttle } = this.#parts;
    const row = await transactions.read(() => accounts.passwordHashOf(email));
    const waiting = await transactions.read(() => pending.byEmail(email));
    const subjects = await this.#subjectsOf(email, row?.id, from);
    await throttle.consume(subjects);
    // No password is longer: do not hash it.
    const candidate = password.length > 4_000 ? '' : password;
    const hashed = row === undefined ? waiting?.password_hash : row.password_hash;
    if (!(await passwords.matches(hashed ?? null, candidate, regionPrefix(from.address))))
      throw wrongCredentials();
    await throttle.refund(subjects);
    if (row === undefined)
      throw new AccountError('pending', 'This account waits for the operator to admit it.');
    return row.id;
  }

  /**
   * The counters of a sign-in attempt. Attempts from elsewhere slow down neither a browser with a device cookie of the
   * account, nor an address with an open session.
   */
  async #subjectsOf(email: string, account: string | undefined, from: BrowserInfo): Promise<ThrottleKey[]> {
    const now = this.#parts.clock.now();
    const mark = this.#parts.marks.identify(from.known ?? '', account ?? '', now);
    if (account !== undefined && mark !== null) return [{ rule: 'browser', value: `${email} ${mark}` }];
    const address = networkPrefix(from.address);
    const open = account === undefined ? [] : await this.list(account);
    const own: ThrottleKey[] = [
      { rule: 'pair', value: `${email} ${address}` },
      { rule: 'address', value: address },
    ];
    if (open.some((session) => networkPrefix(session.address) === address)) return own;
    // Per hour: a counter that never resets would lock out the owner in the end.
    const hour = Math.floor(now / 3_600_000);
    return [
      ...own,
      { rule: 'site', value: sitePrefix(from.address) },
      { rule: 'customer', value: customerPrefix(from.address) },
      { rule: 'region', value: `${email} ${regionPrefix(from.address)}` },
      { rule: 'account', value: `${email} ${hour}` },
    ];
  }

  /** Within a write transaction. */
  #insert(account: Session['account'], from: BrowserInfo): Session {
    const { sessions, clock } = this.#parts;
    const now = clock.now();
    const token = randomBytes(32).toString('base64url');
    const row = {
      id: generateId('ses'),
      account_id: account.id,
      address: from.address,
      user_agent: from.userAgent.replace(/\p{Cc}+/gu, ' ').slice(0, 300),
      created_ts: now,
      last_used_ts: now,
    };
    for (const old of sessions.ofAccount(account.id).slice(maxSessions - 1)) {
      sessions.delete(account.id, old.id);
    }
    sessions.insert({ ...row, token_hash: digestOf(token) });
    return toSession({ ...row, email: account.email, plan: account.plan }, token);
  }
}

const isAlive = (row: SessionRow, now: number): boolean =>
  now - row.created_ts < maxSessionMs && now - row.last_used_ts < maxIdleMs;

function wrongCredentials(): AccountError {
  return new AccountError(
    'credentials',
    'Email and password do not match an account. Check both, then try again.',
  );
}

function toSessionSummary(row: SessionRow): SessionSummary {
  return {
    id: row.id,
    address: row.address,
    userAgent: row.user_agent,
    createdTs: row.created_ts,
    usedTs: row.last_used_ts,
  };
}

function toSession(row: SessionWithAccountRow, token: string): Session {
  return {
    ...toSessionSummary(row),
    account: { id: row.account_id, email: row.email, plan: row.plan },
    csrf: createHmac('sha256', token).update('cratebase form').digest('base64url'),
    token,
  };
}
