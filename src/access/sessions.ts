/**
 * Sessions of people in browsers, and signing in with email and password. The token of a session is 32 random bytes in a cookie; the
 * file stores their SHA-256. Each sign-in creates a new session. It ends two weeks after its last use, and 30 days after
 * its start.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { dayMs } from '../clock.ts';
import type { Plan } from '../contract/plans.ts';
import type { Role } from '../contract/roles.ts';
import type { SessionRow, SessionWithAccountRow } from '../store/access/sessions.ts';
import type { Tx } from '../store/engine/engine.ts';
import { AccountError } from './account-error.ts';
import { parseFormEmail, parseFormPassword } from './account-input.ts';
import { networkPrefix, regionPrefix } from './address-prefixes.ts';
import { generateId } from './api-key-format.ts';
import type { BrowserInfo } from './device-cookies.ts';
import { digestOf } from './hashing.ts';
import { record } from './parts.ts';
import type { Services } from './services.ts';
import { SecondFactorRequired, type SecondFactors } from './sign-in/second-factors.ts';
import { passwordThrottleKeys, signUpThrottleKeys, type ThrottleKey } from './throttle-rules.ts';

export type Session = {
  /** ses_…: identifies the session to its owner; it is not a credential. */
  id: string;
  account: { id: string; email: string; plan: Plan; role: Role };
  /** The CSRF token of the session's forms, bound to `token`. */
  csrf: string;
  /** The value of the session cookie. */
  token: string;
  address: string;
  userAgent: string;
  createdTs: number;
  usedTs: number;
};
export type SessionSummary = Omit<Session, 'account' | 'csrf' | 'token'>;

const maxIdleMs = 14 * dayMs;
/** Maximum lifetime of a session and its cookie, in ms. */
export const maxSessionMs = 30 * dayMs;
/** For so long after signing in, an account without a password needs no other proof for changes of its ways in, ms. */
const freshSessionMs = 15 * 60_000;
/** `usedTs` is only displayed, so a precision of five minutes is sufficient. */
const touchIntervalMs = 300_000;
/** Maximum number of sessions of an account. Beyond it, the least recently used ones end. */
const maxSessions = 50;
const tokenPattern = /^[\w-]{43}$/;

type Dependencies = Services & { secondFactors: SecondFactors };

/** Signs people up and in with a password, and opens, finds and ends their sessions. */
export class Sessions {
  readonly #parts: Dependencies;

  constructor(parts: Dependencies) {
    this.#parts = parts;
  }

  /**
   * Creates an account and signs in. Rejects with an `AccountError`: `email`, `password` (invalid), `taken` (revealed
   * because a service without mail cannot report it otherwise), `slow` (too many attempts).
   */
  async signUp(email: string, password: string, from: BrowserInfo): Promise<Session> {
    const { throttle, passwords, lifecycle, engine } = this.#parts;
    const foldedEmail = parseFormEmail(email);
    const newPassword = parseFormPassword(password, foldedEmail);
    const throttleKeys = signUpThrottleKeys(from.address);
    await throttle.consume(throttleKeys.allOf, throttleKeys.anyOf);
    const passwordHash = await passwords.hash(newPassword, regionPrefix(from.address));
    const session = await engine.writeDurably(async (tx) => {
      const account = await lifecycle.insert(tx, foldedEmail, 'free', passwordHash);
      return account === null ? null : await this.#insert(tx, account, from);
    });
    if (session === null)
      throw new AccountError('taken', 'There is an account with this email already. Sign in to it.');
    await throttle.refund(throttleKeys.taken);
    return session;
  }

  /**
   * Signs in. Rejects with an `AccountError`: `credentials` for an unknown email or a wrong password, after the same
   * work; `slow` after too many failures; `pending` if both are correct but the account is not approved yet; `suspended`
   * if both are correct but the account is suspended; a `SecondFactorRequired` if a code is needed too.
   */
  async signIn(email: string, password: string, from: BrowserInfo): Promise<Session> {
    const foldedEmail = email.trim().toLowerCase();
    const account = await this.verifyPassword(foldedEmail, password, from);
    if (await this.#parts.secondFactors.isEnabled(account)) throw new SecondFactorRequired(account);
    return this.open(account, from);
  }

  /**
   * Opens a session for a person who has proved to own the account. Rejects with an `AccountError`: `suspended`,
   * `credentials` (the account was deleted meanwhile).
   */
  async open(account: string, from: BrowserInfo): Promise<Session> {
    const { engine, accounts } = this.#parts;
    const session = await engine.write(async (tx) => {
      const row = await accounts.byId(tx, account);
      if (row === undefined) return null;
      return row.suspended_ts === null ? await this.#insert(tx, row, from) : 'suspended';
    });
    if (session === null) throw wrongCredentials();
    if (session !== 'suspended') return session;
    throw new AccountError('suspended', 'This account is suspended. Ask the operator of this service.');
  }

  /**
   * Verifies that a signed-in person owns the account, before a change of its ways in: by the password, or without one by
   * a session of the last 15 minutes. Rejects with an `AccountError`: `credentials`, `slow`, `stale`.
   * @param allowsPassword false with `--local-passwords off`
   */
  async confirmIdentity(
    session: Session,
    password: string,
    from: BrowserInfo,
    allowsPassword = true,
  ): Promise<void> {
    const { engine, accounts, clock } = this.#parts;
    const { email } = session.account;
    const row = await engine.read((tx) => accounts.passwordHashOf(tx, email));
    if (allowsPassword && row?.password_hash != null) {
      await this.verifyPassword(email, password, from);
      return;
    }
    if (clock.now() - session.createdTs < freshSessionMs) return;
    throw new AccountError('stale', 'You signed in a while ago. Sign out, sign in again, then repeat this.');
  }

  /** Whether the account has a password; without one, `confirmIdentity` needs a new session. */
  async hasPassword(session: Session): Promise<boolean> {
    const { engine, accounts } = this.#parts;
    const row = await engine.read((tx) => accounts.passwordHashOf(tx, session.account.email));
    return row?.password_hash != null;
  }

  /** Returns the session of a cookie's token; null if there is none, it has expired, or the account is suspended. */
  async find(token: string | undefined): Promise<Session | null> {
    const { engine, sessionStore, clock } = this.#parts;
    if (token === undefined || !tokenPattern.test(token)) return null;
    const row = await engine.read((tx) => sessionStore.byToken(tx, digestOf(token)));
    const now = clock.now();
    if (row === undefined || !isAlive(row, now)) return null;
    if (now - row.last_used_ts > touchIntervalMs)
      await engine.write((tx) => sessionStore.touch(tx, row.id, now));
    return toSession(row, token);
  }

  /** Returns the device cookie for a signed-in browser; it outlives the session, see `DeviceCookies`. */
  issueDeviceCookie(session: Session, from: BrowserInfo): string {
    return this.#parts.deviceCookies.issue(from.known ?? '', session.account.id, this.#parts.clock.now());
  }

  /** Ends a session. */
  async signOut(session: Session): Promise<void> {
    await this.revoke(session.account.id, session.id);
  }

  /** Ends all sessions of the account, including this one, and returns their number. */
  async signOutEverywhere(account: string): Promise<number> {
    return this.#parts.engine.writeDurably((tx) => this.#parts.sessionStore.deleteOthers(tx, account, ''));
  }

  /** Returns the open sessions of an account, most recently used first. */
  async list(account: string): Promise<SessionSummary[]> {
    const rows = await this.#parts.engine.read((tx) => this.#parts.sessionStore.ofAccount(tx, account));
    const now = this.#parts.clock.now();
    return rows.filter((row) => isAlive(row, now)).map(toSessionSummary);
  }

  /** Ends a session of an account. Returns false if the account has no such session. */
  revoke(account: string, id: string): Promise<boolean> {
    return this.#parts.engine.writeDurably((tx) => this.#parts.sessionStore.delete(tx, account, id));
  }

  /**
   * Changes the password, ends all sessions and links for a new password, and returns a new session. Rejects with an `AccountError`: `password` (the new one
   * is refused), and as `confirmIdentity`.
   */
  async changePassword(session: Session, present: string, next: string, from: BrowserInfo): Promise<Session> {
    const { passwords, engine, accounts, sessionStore, linkStore } = this.#parts;
    const { id, email } = session.account;
    const newPassword = parseFormPassword(next, email);
    await this.confirmIdentity(session, present, from);
    const passwordHash = await passwords.hash(newPassword, regionPrefix(from.address));
    const newSession = await engine.writeDurably(async (tx) => {
      const row = await accounts.byId(tx, id);
      if (row === undefined) return null;
      await accounts.setPassword(tx, email, passwordHash);
      await sessionStore.deleteOthers(tx, id, '');
      await linkStore.deleteOf(tx, id, 'reset');
      return await this.#insert(tx, row, from);
    });
    if (newSession === null) throw wrongCredentials();
    return newSession;
  }

  /**
   * Deletes an account with all its data. Rejects with an `AccountError`: `email` (not that of the account),
   * `only_operator`, and as `confirmIdentity`.
   */
  async deleteAccount(
    session: Session,
    email: string,
    password: string,
    from: BrowserInfo,
    allowsPassword = true,
  ): Promise<void> {
    const { account } = session;
    if (email.trim().toLowerCase() !== account.email) {
      throw new AccountError('email', `Type ${account.email} to delete this account.`, {
        code: 'email_differs',
        value: account.email,
      });
    }
    await this.confirmIdentity(session, password, from, allowsPassword);
    await this.#parts.engine.writeDurably((tx) => this.#delete(tx, account));
  }

  async #delete(tx: Tx, { id, email }: Session['account']): Promise<void> {
    const { accounts, lifecycle } = this.#parts;
    const row = await accounts.byId(tx, id);
    if (row === undefined) return;
    if (await accounts.isOnlyOperator(tx, row)) {
      throw new AccountError(
        'only_operator',
        'You are the only operator of this service. Give another account the role operator first.',
      );
    }
    await record(this.#parts, tx, `account:${email}`, {
      action: 'account.delete',
      subject: id,
      details: { by: 'the owner' },
    });
    await lifecycle.delete(tx, row);
  }

  /** Deletes expired sessions, within a write transaction. */
  async prune(tx: Tx): Promise<void> {
    const now = this.#parts.clock.now();
    await this.#parts.sessionStore.prune(tx, now - maxSessionMs, now - maxIdleMs);
  }

  /**
   * Verifies email and password, and returns the id of the account. It opens no session. Rejects with an `AccountError`:
   * `credentials`, `slow`, `pending`.
   */
  async verifyPassword(email: string, password: string, from: BrowserInfo): Promise<string> {
    const { engine, accounts, pending, passwords, throttle } = this.#parts;
    const row = await engine.read((tx) => accounts.passwordHashOf(tx, email));
    const request = await engine.read((tx) => pending.byEmail(tx, email));
    const throttleKeys = await this.#throttleKeysOf(email, row?.id, from);
    await throttle.consume(throttleKeys);
    // No valid password is this long, so it is not hashed.
    const candidate = password.length > 4_000 ? '' : password;
    const passwordHash = row === undefined ? request?.password_hash : row.password_hash;
    if (!(await passwords.matches(passwordHash || null, candidate, regionPrefix(from.address))))
      throw wrongCredentials();
    await throttle.refund(throttleKeys);
    if (row === undefined)
      throw new AccountError('pending', 'This account waits for the operator to admit it.');
    return row.id;
  }

  /**
   * The counters of a sign-in attempt. Attempts from elsewhere slow down neither a browser with a device cookie of the
   * account, nor an address with an open session.
   */
  async #throttleKeysOf(
    email: string,
    account: string | undefined,
    from: BrowserInfo,
  ): Promise<ThrottleKey[]> {
    const now = this.#parts.clock.now();
    const mark = this.#parts.deviceCookies.identify(from.known ?? '', account ?? '', now);
    if (account !== undefined && mark !== null) return [{ rule: 'browser', value: `${email} ${mark}` }];
    const address = networkPrefix(from.address);
    const open = account === undefined ? [] : await this.list(account);
    const isAtHome = open.some((session) => networkPrefix(session.address) === address);
    return passwordThrottleKeys(email, from.address, isAtHome, now);
  }

  /** Inserts a session, within a write transaction. */
  async #insert(tx: Tx, account: Session['account'], from: BrowserInfo): Promise<Session> {
    const { sessionStore, clock } = this.#parts;
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
    for (const old of (await sessionStore.ofAccount(tx, account.id)).slice(maxSessions - 1)) {
      await sessionStore.delete(tx, account.id, old.id);
    }
    await sessionStore.insert(tx, { ...row, token_hash: digestOf(token) });
    return toSession({ ...row, email: account.email, plan: account.plan, role: account.role }, token);
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
    account: { id: row.account_id, email: row.email, plan: row.plan, role: row.role },
    csrf: createHmac('sha256', token).update('cratebase form').digest('base64url'),
    token,
  };
}
