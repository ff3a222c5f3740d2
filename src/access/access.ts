/** Accounts, credentials and the meter that counts requests. Other rooms import only this file. */
import type Database from 'better-sqlite3';
import { type Clock, systemClock } from '../clock.ts';
import { AccountStateStore } from '../store/access/account-states.ts';
import { AccountStore } from '../store/access/accounts.ts';
import { ApiKeyStore } from '../store/access/api-keys.ts';
import { AttemptStore } from '../store/access/attempts.ts';
import { ExportPlanStore } from '../store/access/export-plans.ts';
import { ExternalLoginStore } from '../store/access/external-logins.ts';
import { MeterStore } from '../store/access/meter.ts';
import { OAuthStore } from '../store/access/oauth.ts';
import { OneTimeLinkStore } from '../store/access/one-time-links.ts';
import { PasskeyStore } from '../store/access/passkeys.ts';
import { PendingAccountStore } from '../store/access/pending-accounts.ts';
import { PlanLimitStore } from '../store/access/plan-limits.ts';
import { SecondFactorStore } from '../store/access/second-factors.ts';
import { SessionStore } from '../store/access/sessions.ts';
import { UsageStore } from '../store/access/usage.ts';
import { AuditLog } from '../store/audit-log.ts';
import { readSetting } from '../store/database.ts';
import { enableSecureDelete } from '../store/file/maintenance.ts';
import { Transactions } from '../store/transactions.ts';
import { AccountLifecycle } from './account-lifecycle.ts';
import { AccountUndo } from './account-undo.ts';
import { Accounts } from './accounts.ts';
import { ApiKeys } from './api-keys.ts';
import { Authenticator, type CredentialKind } from './authenticate.ts';
import { type ConnectedAppList, ConnectedApps } from './connected-apps.ts';
import type { Credential } from './credential.ts';
import { DeviceCookies } from './device-cookies.ts';
import { ExportPermission } from './export-permission.ts';
import { InstanceSecret } from './instance-secret.ts';
import { type AdmissionResult, type ApiChannel, Meter } from './meter.ts';
import { OAuthRepository } from './oauth-repository.ts';
import { OperatorLinks } from './operator-links.ts';
import { Passwords } from './passwords.ts';
import { PendingAccounts } from './pending-accounts.ts';
import { PlanLimits } from './plan-limits.ts';
import { Sessions } from './sessions.ts';
import { SecondFactors } from './sign-in/second-factors.ts';
import { openSignIn, type SignIn } from './sign-in/sign-in.ts';
import { Throttle } from './throttle.ts';
import { UsageHistory } from './usage-history.ts';

export { AccountError, type AccountErrorReason } from './account-error.ts';
export type { Account, AccountDetails, OwnLimits, Usage } from './account-summaries.ts';
export { customerPrefix, networkPrefix } from './address-prefixes.ts';
export { apiKeyPattern, apiKeyPrefix } from './api-key-format.ts';
export type { ApiKeySummary, CreatedApiKey, RotatedApiKey } from './api-keys.ts';
export type { BrowserInfo } from './browser-info.ts';
export type { ConnectedApp, ConnectedAppList } from './connected-apps.ts';
export type { Credential } from './credential.ts';
export type { AdmissionResult, ApiChannel, LimitHeaderValues } from './meter.ts';
export {
  type AppDescription,
  GrantRevoked,
  matchesClientSecret,
  type OAuthPayload,
  type OAuthRepository,
  TooManyClients,
} from './oauth-repository.ts';
export { type OperatorLink, operatorLinkMs } from './operator-links.ts';
export type { PlanChangeSummary, PlanSummary } from './plan-limits.ts';
export { maxSessionMs, type Session, type SessionSummary } from './sessions.ts';
export type { ExternalIdentity, ExternalSignIn } from './sign-in/external-logins.ts';
export { isSameIssuer, type LinkedLogin, type OfferedWays } from './sign-in/linked-logins.ts';
export type { CountedSignUp, SignUpMail } from './sign-in/mailed-sign-ups.ts';
export type { PasskeyRequest, PasskeySite, PasskeySummary } from './sign-in/passkeys.ts';
export type { MailedLink, ResetLink } from './sign-in/password-resets.ts';
export { SecondFactorRequired, type SecondFactorState, type TotpSetup } from './sign-in/second-factors.ts';
export type { SignIn } from './sign-in/sign-in.ts';
export type { UsagePoint, UsageReport } from './usage-history.ts';
export { VisitorLimit } from './visitor-limit.ts';

export type Access = {
  readonly accounts: Accounts;
  readonly keys: ApiKeys;
  /** Sessions of people in browsers. */
  readonly sessions: Sessions;
  /** Ways to sign in besides the password, and links that replace a forgotten one. */
  readonly signIn: SignIn;
  /** Accounts that wait for approval. */
  readonly pending: PendingAccounts;
  /** Undoes changes of accounts. */
  readonly accountUndo: AccountUndo;
  /** Links that make an account an operator. */
  readonly operatorLinks: OperatorLinks;
  /** Apps that people connected through OAuth. */
  readonly apps: ConnectedAppList;
  /** The storage of the authorization server. */
  readonly oauth: OAuthRepository;
  /** The usage of an account by day and by month. */
  readonly usage: UsageHistory;
  /** The limits of the plans. */
  readonly plans: PlanLimits;
  /** Which plans may read the change feed and the exports. */
  readonly exports: ExportPermission;
  /** The token of a form without a session. It is bound to a cookie of the browser and to this data file. */
  formToken(cookie: string): string;
  /** The id of the account with an email, for the log; without an account, a digest of the email. */
  accountNameForLog(email: string): Promise<string>;
  /** Deletes expired rows: sessions, attempts, tokens, days of usage that are not shown. */
  prune(): Promise<void>;
  /**
   * Returns the credential of an `Authorization` header: of an API key, or of an access token issued for `audience`. Null
   * means 401. Valid credentials are cached; `admit` notices a revocation.
   */
  authenticate(authorization: string | undefined, audience?: string): Promise<Credential | null>;
  /** Classifies an `Authorization` header by its format alone, for the message of a 401. */
  credentialKind(authorization: string | undefined): CredentialKind;
  /**
   * Counts a request and decides whether it may be answered. `revoked` means 401: the credential was revoked, or has expired. Rejects with `unavailable` if the data
   * file stays locked for ten seconds.
   *
   * @param cost 0 for a 304, a 5xx and an MCP notification; the number of requests in a batch; else 1
   */
  admit(credential: Credential, cost: number, door: ApiChannel): Promise<AdmissionResult>;
  /** Closes the connection; waiting requests are rejected with `unavailable`. */
  close(): void;
};

/**
 * @param sqlite a connection of its own (`openDatabase`); `close` closes it
 * @param throttleClock the clock of throttles and tokens: real time even if `clock` is frozen
 */
export function openAccess(
  sqlite: Database.Database,
  clock: Clock,
  throttleClock: Clock = systemClock,
): Access {
  enableSecureDelete(sqlite);
  const transactions = new Transactions(sqlite);
  const accounts = new AccountStore(sqlite);
  const keys = new ApiKeyStore(sqlite);
  const sessionStore = new SessionStore(sqlite);
  const usage = new UsageStore(sqlite);
  const audit = new AuditLog(sqlite);
  const pending = new PendingAccountStore(sqlite);
  const secret = new InstanceSecret(Buffer.from(readSetting(sqlite, 'cursor_key') ?? '', 'hex'));
  const membership = new AccountLifecycle({ accounts, pending, usage, audit, clock, secret });
  const throttle = new Throttle(transactions, new AttemptStore(sqlite), throttleClock, secret);
  const oauth = new OAuthStore(sqlite);
  const apps = new ConnectedApps(transactions, oauth, throttleClock);
  const tokens = new OAuthRepository({
    transactions,
    store: oauth,
    accounts,
    secret,
    throttle,
    clock: throttleClock,
  });
  const plans = new PlanLimits({ transactions, store: new PlanLimitStore(sqlite), audit, clock });
  const history = new UsageHistory(transactions, accounts, usage, plans, clock);
  const people = { transactions, accounts, keys, membership, apps, clock };
  const passwords = new Passwords();
  const marks = new DeviceCookies(secret);
  const states = new AccountStateStore(sqlite);
  const entering = { ...people, pending, passwords, throttle };
  const requests = new PendingAccounts({ ...entering, audit });
  const factors = new SecondFactorStore(sqlite);
  const secondFactors = new SecondFactors({
    transactions,
    states,
    factors,
    throttle,
    marks,
    secret,
    audit,
    clock: throttleClock,
  });
  const sessions = new Sessions({ ...entering, sessions: sessionStore, secondFactors, marks, audit });
  const signIn = openSignIn({
    ...entering,
    states,
    sessionStore,
    sessions,
    secondFactors,
    requests,
    links: new OneTimeLinkStore(sqlite),
    logins: new ExternalLoginStore(sqlite),
    passkeyStore: new PasskeyStore(sqlite),
    secret,
    audit,
    clock: throttleClock,
  });
  const identifier = new Authenticator(transactions, keys, tokens, clock);
  const meter = new Meter(transactions, new MeterStore(sqlite), plans, clock);
  return {
    accounts: new Accounts({
      ...people,
      sessions: sessionStore,
      browsers: sessions,
      history,
      plans,
      signIn,
      audit,
    }),
    keys: new ApiKeys({ transactions, accounts, keys, audit, clock }),
    sessions,
    signIn,
    pending: requests,
    accountUndo: new AccountUndo({ transactions, accounts, audit, clock }),
    operatorLinks: new OperatorLinks({
      ...entering,
      links: new OneTimeLinkStore(sqlite),
      audit,
      clock: throttleClock,
    }),
    apps,
    oauth: tokens,
    usage: history,
    plans,
    exports: new ExportPermission({
      transactions,
      accounts,
      store: new ExportPlanStore(sqlite),
      audit,
      clock,
    }),
    formToken: (cookie) => secret.digest('form', cookie),
    async accountNameForLog(email) {
      const folded = email.trim().toLowerCase();
      const row = await transactions.read(() => accounts.byEmail(folded));
      return row?.id ?? `unknown_${secret.digest('log', folded).slice(0, 16)}`;
    },
    prune: () =>
      transactions.write(() => {
        sessions.prune();
        signIn.prune();
        throttle.prune();
        requests.prune();
        tokens.prune();
        history.prune();
      }),
    authenticate: (authorization, audience) => identifier.authenticate(authorization, audience),
    credentialKind: (authorization) => identifier.credentialKind(authorization),
    async admit(credential, cost, door) {
      const verdict = await meter.admit(credential, cost, door);
      if (verdict.outcome === 'revoked') identifier.evict(credential);
      return verdict;
    },
    close: () => {
      sqlite.close();
    },
  };
}
