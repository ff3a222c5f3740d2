/**
 * Constructs `Access`: accounts, their keys, sessions and ways to sign in, pending accounts, audit log, OAuth, plans, usage
 * and the meter. All but the meter store their rows through one `Engine`: SQLite, or the PostgreSQL of a cluster.
 */
import type { Clock } from '../clock.ts';
import { AttemptStore } from '../store/access/attempts.ts';
import type { AuditFilter } from '../store/audit-log.ts';
import type { Engine } from '../store/engine/engine.ts';
import { AccountLifecycle } from './account-lifecycle.ts';
import { AccountUndo } from './account-undo.ts';
import { Accounts } from './accounts.ts';
import { ApiKeys } from './api-keys.ts';
import { Authenticator } from './authenticate.ts';
import { ConnectedApps } from './connected-apps.ts';
import type { ApiChannel, Counting, PendingRequest } from './counting.ts';
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
import { openSignIn } from './sign-in/sign-in.ts';
import { Throttle } from './throttle.ts';
import { UsageHistory } from './usage-history.ts';

export type Access = ReturnType<typeof constructAccess>;

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

/**
 * Constructs all services of the accounts over one engine. The counter of requests comes from `parts.counting`,
 * which gets the limits of the plans.
 */
export function constructAccess(parts: AccessParts) {
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
    /** Sessions of people in browsers. */
    sessions,
    /** Ways to sign in besides the password, and links that replace a forgotten one. */
    signIn,
    /** Accounts that wait for approval. */
    pending: requests,
    /** The audit log as its rows are with the accounts: in a cluster, the entries about accounts, keys and plans. */
    auditLog: {
      /** The entries that match the filter, newest first. */
      list: (filter: AuditFilter) => engine.read((tx) => audit.list(tx, filter)),
      /** The entry with an id; undefined if there is none. */
      find: (id: number) => engine.read((tx) => audit.find(tx, id)),
    },
    /** Undoes changes of accounts. */
    accountUndo: new AccountUndo(shared),
    /** Links that make an account an operator. */
    operatorLinks: new OperatorLinks(inRealTime),
    /** Apps that people connected through OAuth. */
    apps,
    /** The storage of the authorization server. */
    oauth,
    /** The usage of an account by day and by month. */
    usage: history,
    /** The limits of the plans. */
    plans,
    /** Which plans may read the change feed and the exports. */
    exports: new ExportPermission(shared),
    /** The number of accounts, and of keys that are neither revoked nor expired. */
    counts: () =>
      engine.read(async (tx) => ({
        accounts: await accounts.count(tx),
        keys: await keys.countValid(tx, clock.now()),
      })),
    /** The token of a form without a session. It is bound to a cookie of the browser and to this data file. */
    formToken: (cookie: string) => secret.digest('form', cookie),
    /** The id of the account with an email, for the log; without an account, a digest of the email. */
    async accountNameForLog(email: string) {
      const foldedEmail = email.trim().toLowerCase();
      const row = await engine.read((tx) => accounts.byEmail(tx, foldedEmail));
      return row?.id ?? `unknown_${secret.digest('log', foldedEmail).slice(0, 16)}`;
    },
    /** Deletes expired rows: sessions, attempts, tokens, days of usage that are not shown. */
    prune: () =>
      engine.write(async (tx) => {
        await sessions.prune(tx);
        await signIn.prune(tx);
        await throttle.prune(tx);
        await requests.prune(tx);
        await oauth.prune(tx);
        await history.prune(tx);
      }),
    /**
     * Returns the credential of an `Authorization` header: of an API key, or of an access token issued for `audience`. Null
     * means 401. Valid credentials are cached; `admit` notices a revocation.
     */
    authenticate: (authorization: string | undefined, audience?: string) =>
      identifier.authenticate(authorization, audience),
    /** The same at once, for an API key that this process verified before; undefined for any other header. */
    verifiedCredential: (authorization: string | undefined) => identifier.verified(authorization),
    /** Whether argon2 may have to compare the key of an `Authorization` header: it is well-formed, and new to this process. */
    needsComparison: (authorization: string | undefined) => identifier.needsComparison(authorization),
    /** Whether argon2 compared the key of a header in vain since the last call for this header. */
    takeComparison: (authorization: string | undefined) => identifier.takeComparison(authorization),
    /** Classifies an `Authorization` header by its format alone, for the message of a 401. */
    credentialKind: (authorization: string | undefined) => identifier.credentialKind(authorization),
    /**
     * Counts a request and decides whether it may be answered. `revoked` means 401: the credential was revoked, or has
     * expired. Rejects with `unavailable` if the data file stays locked for ten seconds.
     *
     * @param cost 0 for a 304, a 5xx and an MCP notification; the number of requests in a batch; else 1
     */
    admit: (credential: Credential, cost: number, channel: ApiChannel) =>
      meter.admit(credential, cost, channel),
    /** The same without a promise, for requests that are many. */
    enqueue: (request: PendingRequest) => meter.enqueue(request),
    /** Closes the connection; waiting requests are rejected with `unavailable`. */
    close: parts.close,
  };
}
