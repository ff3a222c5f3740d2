/** Who may call: accounts, their keys, and the meter that counts every request. The one entry to this room. */
import type Database from 'better-sqlite3';
import { type Clock, systemClock } from '../clock.ts';
import { AccountStore } from '../store/accounts.ts';
import { AttemptStore } from '../store/attempts.ts';
import { readSetting } from '../store/database.ts';
import { KeyStore } from '../store/keys.ts';
import { shredDeleted } from '../store/maintenance.ts';
import { MeterStore } from '../store/meter.ts';
import { OAuthStore } from '../store/oauth.ts';
import { PendingStore } from '../store/pending-accounts.ts';
import { SessionStore } from '../store/sessions.ts';
import { Transactions } from '../store/transactions.ts';
import { UsageStore } from '../store/usage.ts';
import { Accounts } from './accounts.ts';
import { type Apps, ConnectedApps } from './apps.ts';
import type { Credential } from './credential.ts';
import { type CredentialKind, Identifier } from './identify.ts';
import { Keys } from './keys.ts';
import { Marks } from './marks.ts';
import { Membership } from './membership.ts';
import { type Door, Meter, type Verdict } from './meter.ts';
import { Passwords } from './passwords.ts';
import { PendingAccounts } from './pending.ts';
import { FileSecret } from './secret.ts';
import { Sessions } from './sessions.ts';
import { Throttle } from './throttle.ts';
import { Tokens } from './tokens.ts';
import { UsageHistory } from './usage.ts';

export type { Account, AccountDetails, Usage } from './accounts.ts';
export type { App, Apps } from './apps.ts';
export { matchesClientSecret } from './client-secret.ts';
export type { Credential } from './credential.ts';
export { keyPattern, keyPrefix } from './key-format.ts';
export type { CreatedKey, KeySummary } from './keys.ts';
export type { Door, LimitValues, Verdict } from './meter.ts';
export { customer, network } from './network.ts';
export { Refusal, type RefusalReason } from './refusal.ts';
export { type From, type Session, type SessionSummary, sessionMs } from './sessions.ts';
export {
  type AppFacts,
  GrantEnded,
  type Payload,
  type Tokens,
  TooManyClients,
} from './tokens.ts';
export type { History, UsagePoint } from './usage.ts';
export { VisitorLimit } from './visitor-limit.ts';

export type Access = {
  readonly accounts: Accounts;
  readonly keys: Keys;
  /** People in their browsers. */
  readonly sessions: Sessions;
  /** Accounts that wait for the operator. */
  readonly pending: PendingAccounts;
  /** Apps that people let in through OAuth. */
  readonly apps: Apps;
  /** What the authorization server keeps. */
  readonly tokens: Tokens;
  /** What an account used, day by day and month by month. */
  readonly usage: UsageHistory;
  /** What a form carries that nobody signed in has opened: bound to the browser's own `cookie`, and to this file. */
  formToken(cookie: string): string;
  /** Who typed an email, for the log: the account's id; where there is none, the same word for the same email. */
  nameInLog(email: string): Promise<string>;
  /** Forgets what is past: sessions that are over, old tries, days of usage before those that are shown. */
  tidy(): Promise<void>;
  /**
   * Whose key an `Authorization` header carries, or whose access token that was issued for `audience`; null: answer 401.
   * What was good is remembered: whether it still is, `admit` says.
   */
  identify(authorization: string | undefined, audience?: string): Promise<Credential | null>;
  /** What an `Authorization` header holds by its looks: 'token' (an ended one is connected anew), 'key', 'mistyped', 'other', 'none'. */
  kindOf(authorization: string | undefined): CredentialKind;
  /**
   * Counts one request of the credential and says whether it may be answered: cost 1, or 0 for a 304, a 5xx and an MCP
   * notification, or the number of requests in a batch. `revoked`: answer 401. Rejects with `unavailable` where the file stays locked for ten seconds.
   */
  admit(credential: Credential, cost: number, door: Door): Promise<Verdict>;
  /** Closes the connection; what still waits is rejected with `unavailable`. */
  close(): void;
};

/**
 * @param sqlite a connection for this alone (`openDatabase`); `close` closes it
 * @param pace the clock by which guessing is slowed down: real time also where `clock` stands still
 */
export function openAccess(sqlite: Database.Database, clock: Clock, pace: Clock = systemClock): Access {
  shredDeleted(sqlite);
  const transactions = new Transactions(sqlite);
  const accounts = new AccountStore(sqlite);
  const keys = new KeyStore(sqlite);
  const sessionStore = new SessionStore(sqlite);
  const usage = new UsageStore(sqlite);
  const pending = new PendingStore(sqlite);
  const secret = new FileSecret(Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex'));
  const membership = new Membership({ accounts, pending, usage, clock, secret });
  const throttle = new Throttle(transactions, new AttemptStore(sqlite), pace, secret);
  const oauth = new OAuthStore(sqlite);
  const apps = new ConnectedApps(transactions, oauth, pace);
  const tokens = new Tokens({ transactions, store: oauth, accounts, secret, throttle, clock: pace });
  const history = new UsageHistory(transactions, accounts, usage, clock);
  const people = { transactions, accounts, keys, membership, apps, clock };
  const passwords = new Passwords();
  const marks = new Marks(secret);
  const entering = { ...people, pending, passwords, throttle };
  const requests = new PendingAccounts(entering);
  const sessions = new Sessions({ ...entering, sessions: sessionStore, marks });
  const identifier = new Identifier(transactions, keys, tokens);
  const meter = new Meter(transactions, new MeterStore(sqlite), clock);
  return {
    accounts: new Accounts({ ...people, sessions: sessionStore, browsers: sessions, history }),
    keys: new Keys(transactions, accounts, keys, clock),
    sessions,
    pending: requests,
    apps,
    tokens,
    usage: history,
    formToken: (cookie) => secret.digest('form', cookie),
    async nameInLog(email) {
      const folded = email.trim().toLowerCase();
      const row = await transactions.read(() => accounts.byEmail(folded));
      return row?.id ?? `unknown_${secret.digest('log', folded).slice(0, 16)}`;
    },
    tidy: () =>
      transactions.write(() => {
        sessions.prune();
        throttle.prune();
        requests.prune();
        tokens.prune();
        history.prune();
      }),
    identify: (authorization, audience) => identifier.identify(authorization, audience),
    kindOf: (authorization) => identifier.kindOf(authorization),
    async admit(credential, cost, door) {
      const verdict = await meter.admit(credential, cost, door);
      if (verdict.outcome === 'revoked') identifier.forget(credential);
      return verdict;
    },
    close: () => {
      sqlite.close();
    },
  };
}
