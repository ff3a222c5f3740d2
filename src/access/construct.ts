/**
 * Constructs `Access`: accounts, their keys, sessions and ways to sign in, pending accounts, audit log, OAuth, plans, usage
 * and the meter. All but the meter store their rows through one `Engine`: SQLite, or the PostgreSQL of a cluster.
 */
import type { Clock } from '../clock.ts';
import { AccountAuditLog } from '../store/access/account-audit-log.ts';
import { AccountStateStore } from '../store/access/account-states.ts';
import { AccountStore } from '../store/access/accounts.ts';
import { ApiKeyStore } from '../store/access/api-keys.ts';
import { AttemptStore } from '../store/access/attempts.ts';
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
import type { Engine } from '../store/engine/engine.ts';
import { AccountLifecycle } from './account-lifecycle.ts';
import { AccountUndo } from './account-undo.ts';
import { Accounts } from './accounts.ts';
import { ApiKeys } from './api-keys.ts';
import { AuditReader } from './audit-reader.ts';
import { Authenticator, type CredentialKind } from './authenticate.ts';
import { type ConnectedAppList, ConnectedApps } from './connected-apps.ts';
import type { AdmissionResult, ApiChannel, Counting, PendingRequest } from './counting.ts';
import type { Credential } from './credential.ts';
import { DeviceCookies } from './device-cookies.ts';
import { ExportPermission } from './export-permission.ts';
import type { InstanceSecret } from './instance-secret.ts';
import { Meter } from './meter.ts';
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

export type Access = {
  readonly accounts: Accounts;
  readonly keys: ApiKeys;
  /** Sessions of people in browsers. */
  readonly sessions: Sessions;
  /** Ways to sign in besides the password, and links that replace a forgotten one. */
  readonly signIn: SignIn;
  /** Accounts that wait for approval. */
  readonly pending: PendingAccounts;
  /** The audit log as its rows are with the accounts: in a cluster, the entries about accounts, keys and plans. */
  readonly auditLog: AuditReader;
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
  /** The number of accounts, and of keys that are neither revoked nor expired. */
  counts(): Promise<{ accounts: number; keys: number }>;
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
  /** The same at once, for an API key that this process verified before; undefined for any other header. */
  verifiedCredential(authorization: string | undefined): Credential | undefined;
  /** Classifies an `Authorization` header by its format alone, for the message of a 401. */
  credentialKind(authorization: string | undefined): CredentialKind;
  /**
   * Counts a request and decides whether it may be answered. `revoked` means 401: the credential was revoked, or has expired. Rejects with `unavailable` if the data
   * file stays locked for ten seconds.
   *
   * @param cost 0 for a 304, a 5xx and an MCP notification; the number of requests in a batch; else 1
   */
  admit(credential: Credential, cost: number, channel: ApiChannel): Promise<AdmissionResult>;
  /** The same without a promise, for requests that are many. */
  enqueue(request: PendingRequest): void;
  /** Closes the connection; waiting requests are rejected with `unavailable`. */
  close(): void;
};

export type AccessParts = {
  /** Runs the transactions of everything but the meter. */
  engine: Engine;
  /** Creates the counter of requests. */
  counting: (plans: PlanLimits) => Counting;
  /** The secret of the installation, the same in each process. */
  secret: InstanceSecret;
  clock: Clock;
  /** The clock of throttles and tokens: real time even if `clock` is frozen. */
  throttleClock: Clock;
  close: () => void;
};

export function constructAccess(parts: AccessParts): Access {
  const { engine, secret, clock, throttleClock } = parts;
  const accounts = new AccountStore();
  const keys = new ApiKeyStore();
  const sessionStore = new SessionStore();
  const usage = new UsageStore();
  const audit = new AccountAuditLog();
  const pending = new PendingAccountStore();
  const lifecycle = new AccountLifecycle({ accounts, pending, usage, audit, clock, secret });
  const throttle = new Throttle(engine, new AttemptStore(), throttleClock, secret);
  const oauth = new OAuthStore();
  const apps = new ConnectedApps(engine, oauth, throttleClock);
  const oauthRepository = new OAuthRepository({
    engine,
    store: oauth,
    accounts,
    secret,
    throttle,
    clock: throttleClock,
  });
  const plans = new PlanLimits({ engine, store: new PlanLimitStore(), audit, clock });
  const history = new UsageHistory(engine, accounts, usage, plans, clock);
  const people = { engine, accounts, keys, lifecycle, apps, clock };
  const passwords = new Passwords();
  const deviceCookies = new DeviceCookies(secret);
  const states = new AccountStateStore();
  const signInParts = { ...people, pending, passwords, throttle };
  const requests = new PendingAccounts({ ...signInParts, audit });
  const factors = new SecondFactorStore();
  const secondFactors = new SecondFactors({
    engine,
    states,
    factors,
    throttle,
    deviceCookies,
    secret,
    audit,
    clock: throttleClock,
  });
  const sessions = new Sessions({
    ...signInParts,
    sessions: sessionStore,
    secondFactors,
    deviceCookies,
    audit,
  });
  const signIn = openSignIn({
    ...signInParts,
    states,
    sessionStore,
    sessions,
    secondFactors,
    requests,
    links: new OneTimeLinkStore(),
    logins: new ExternalLoginStore(),
    passkeyStore: new PasskeyStore(),
    secret,
    audit,
    clock: throttleClock,
  });
  const identifier = new Authenticator(engine, keys, oauthRepository, clock);
  const meter = new Meter(parts.counting(plans), (credential) => identifier.evict(credential));
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
    keys: new ApiKeys({ engine, accounts, keys, audit, clock }),
    sessions,
    signIn,
    pending: requests,
    auditLog: new AuditReader(engine, audit),
    accountUndo: new AccountUndo({ engine, accounts, audit, clock }),
    operatorLinks: new OperatorLinks({
      ...signInParts,
      links: new OneTimeLinkStore(),
      audit,
      clock: throttleClock,
    }),
    apps,
    oauth: oauthRepository,
    usage: history,
    plans,
    exports: new ExportPermission({
      engine,
      accounts,
      store: new ExportPlanStore(),
      audit,
      clock,
    }),
    counts: () =>
      engine.read(async (tx) => ({
        accounts: await accounts.count(tx),
        keys: await keys.countValid(tx, clock.now()),
      })),
    formToken: (cookie) => secret.digest('form', cookie),
    async accountNameForLog(email) {
      const folded = email.trim().toLowerCase();
      const row = await engine.read((tx) => accounts.byEmail(tx, folded));
      return row?.id ?? `unknown_${secret.digest('log', folded).slice(0, 16)}`;
    },
    prune: () =>
      engine.write(async (tx) => {
        await sessions.prune(tx);
        await signIn.prune(tx);
        await throttle.prune(tx);
        await requests.prune(tx);
        await oauthRepository.prune(tx);
        await history.prune(tx);
      }),
    authenticate: (authorization, audience) => identifier.authenticate(authorization, audience),
    verifiedCredential: (authorization) => identifier.verified(authorization),
    credentialKind: (authorization) => identifier.credentialKind(authorization),
    admit: (credential, cost, channel) => meter.admit(credential, cost, channel),
    enqueue: (request) => meter.enqueue(request),
    close: parts.close,
  };
}
