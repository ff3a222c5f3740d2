/**
 * Constructs `Access`: accounts, their keys, sessions and ways to sign in, pending accounts, audit log, OAuth, plans, usage
 * and the meter. All but the meter store their rows through one `Engine`: SQLite, or the PostgreSQL of a cluster.
 */
import type { Clock } from '../clock.ts';
import { AttemptStore } from '../store/access/attempts.ts';
import type { AuditEntry, AuditFilter } from '../store/audit-log.ts';
import type { Engine } from '../store/engine/engine.ts';
import { AccountLifecycle } from './account-lifecycle.ts';
import { AccountUndo } from './account-undo.ts';
import { Accounts } from './accounts.ts';
import { ApiKeys } from './api-keys.ts';
import { Authenticator, type CredentialKind } from './authenticate.ts';
import { ConnectedApps } from './connected-apps.ts';
import type { AdmissionResult, ApiChannel, Counting, PendingRequest } from './counting.ts';
import type { Credential } from './credential.ts';
import { DeviceCookies } from './device-cookies.ts';
import { ExportPermission } from './export-permission.ts';
import type { InstanceSecret } from './instance-secret.ts';
import { Meter } from './meter.ts';
import { OAuthRepository } from './oauth-repository.ts';
import { OperatorLinks } from './operator-links.ts';
import { createStores } from './parts.ts';
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
  readonly auditLog: {
    /** The entries that match the filter, newest first. */
    list(filter: AuditFilter): Promise<AuditEntry[]>;
    /** The entry with an id; undefined if there is none. */
    find(id: number): Promise<AuditEntry | undefined>;
  };
  /** Undoes changes of accounts. */
  readonly accountUndo: AccountUndo;
  /** Links that make an account an operator. */
  readonly operatorLinks: OperatorLinks;
  /** Apps that people connected through OAuth. */
  readonly apps: ConnectedApps;
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
  const stores = createStores();
  const { accounts, keys, audit } = stores;
  const shared = { ...stores, engine, secret, clock };
  const plans = new PlanLimits(shared);
  const history = new UsageHistory({ ...shared, plans });
  const people = {
    ...shared,
    lifecycle: new AccountLifecycle(shared),
    throttle: new Throttle(engine, new AttemptStore(), throttleClock, secret),
    passwords: new Passwords(),
    deviceCookies: new DeviceCookies(secret),
  };
  const { throttle } = people;
  const inRealTime = { ...people, clock: throttleClock };
  const apps = new ConnectedApps(inRealTime);
  const oauth = new OAuthRepository(inRealTime);
  const requests = new PendingAccounts(people);
  const secondFactors = new SecondFactors(inRealTime);
  const sessions = new Sessions({ ...people, secondFactors });
  const signIn = openSignIn({ ...inRealTime, sessions, secondFactors, requests });
  const identifier = new Authenticator(engine, keys, oauth, clock);
  const meter = new Meter(parts.counting(plans), (credential) => identifier.evict(credential));
  return {
    accounts: new Accounts({ ...people, apps, sessions, history, plans, signIn }),
    keys: new ApiKeys(shared),
    sessions,
    signIn,
    pending: requests,
    auditLog: {
      list: (filter) => engine.read((tx) => audit.list(tx, filter)),
      find: (id) => engine.read((tx) => audit.find(tx, id)),
    },
    accountUndo: new AccountUndo(shared),
    operatorLinks: new OperatorLinks(inRealTime),
    apps,
    oauth,
    usage: history,
    plans,
    exports: new ExportPermission(shared),
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
        await oauth.prune(tx);
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
