/**
 * What the authorization server keeps, and whose an access token is (docs/spec/credentials.md). Whatever a client
 * or a browser presents (codes, tokens, ids of requests, secrets) is kept as its SHA-256 alone; all of them are random
 * and long, so nothing slower is needed. Time is real time here, also where the service's clock stands still: the
 * library that uses this reads no other.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { AccountStore } from '../store/access/accounts.ts';
import type { GrantDescription, OAuthStore, OriginRow } from '../store/access/oauth.ts';
import type { Transactions } from '../store/transactions.ts';
import { networkPrefix, regionPrefix } from './address-prefixes.ts';
import type { Credential } from './credential.ts';
import { digestOf } from './hashing.ts';
import type { InstanceSecret } from './instance-secret.ts';
import type { Throttle } from './throttle.ts';
import { authorizationThrottleKeys, clientThrottleKeys, type ThrottleKeys } from './throttle-rules.ts';

export type OAuthPayload = Record<string, unknown>;
/** What a person is told about an app: see `ConnectedApp`. */
export type AppDescription = Omit<GrantDescription, 'verified' | 'scopes'> & {
  verified: boolean;
  scopes: readonly string[];
};
/** Why a registration or an authorization request is refused; `retryAfter` in seconds. */
export class TooManyClients extends Error {
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}
/** The grant that something was to belong to has ended meanwhile. */
export class GrantRevoked extends Error {}

type OAuthDependencies = {
  transactions: Transactions;
  store: OAuthStore;
  accounts: AccountStore;
  secret: InstanceSecret;
  throttle: Throttle;
  clock: Clock;
};
type CachedToken = { credential: Credential; expiresTs: number; audience: unknown };

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
/** New clients within an hour, from one network and from the wider one around it. */
const maxClientsPerNetwork = 30;
const maxClientsPerRegion = 120;
/**
 * Of clients that nobody has let in; for one more, the oldest of the region that has most of them gives way. As many as
 * register within an hour at most (`throttle-rules.ts`): each is kept for as long as its authorization request can last.
 */
const maxUnusedClients = 1_000;
/** Requests that wait for a person, likewise. */
const maxPendingRequests = { own: 50, around: 250, all: 2_000 };
/**
 * For so long a rotated refresh token gives its successor once more, for clients that race with themselves or lost the
 * answer (RFC 9700, 4.14.2). It is always the same successor: a thief gets no branch of his own.
 */
const graceMs = 10 * second;
/** What has ended is kept a little, so that using it again is noticed. */
const expiredRetentionMs = hour;
const maxUnusedClientMs = 7 * day;
const maxIdleClientMs = 180 * day;
/** What the library makes: 43 characters, 256 bits. */
const tokenPattern = /^[\w-]{43}$/;
/** Whether it could be an access token of ours. */
export const looksLikeToken = (text: string): boolean => tokenPattern.test(text);
/** What is rotated: each has one successor, which has the same kind. */
const rotatedKind = 'RefreshToken';

export class OAuthRepository {
  readonly #parts: OAuthDependencies;
  readonly #known = new LRUCache<string, CachedToken>({ max: 10_000 });

  constructor(parts: OAuthDependencies) {
    this.#parts = parts;
  }

  /**
   * Whose an access token is; null where it is unknown, has expired, or is not meant for `audience`. That its grant has
   * not ended meanwhile, the meter says at every request.
   */
  async authenticate(token: string, audience: string): Promise<Credential | null> {
    if (!tokenPattern.test(token)) return null;
    const digest = digestOf(token);
    let known = this.#known.get(digest);
    if (known === undefined) {
      known = await this.#read(digest);
      if (known === undefined) return null;
      this.#known.set(digest, known);
    }
    const isGood = known.expiresTs > this.#parts.clock.now() && known.audience === audience;
    return isGood ? known.credential : null;
  }

  async #read(digest: string): Promise<CachedToken | undefined> {
    const { transactions, store } = this.#parts;
    const row = await transactions.read(() => store.token(digest));
    if (row === undefined) return undefined;
    const { aud } = JSON.parse(row.payload) as { aud?: unknown };
    const credential = { id: row.grant_id, account: row.account_id };
    return { credential, expiresTs: row.expires_ts, audience: aud };
  }

  /** A key or secret of the file, made where it is not there yet: every process gets the same. */
  async secret(name: string, make: () => Promise<string>): Promise<string> {
    const { transactions, store } = this.#parts;
    const found = await transactions.read(() => store.setting(name));
    if (found !== undefined) return found;
    const made = await make();
    return transactions.write(() => {
      store.addSetting(name, made);
      return store.setting(name) as string;
    });
  }

  async accountExists(id: string): Promise<boolean> {
    const { transactions, accounts } = this.#parts;
    return (await transactions.read(() => accounts.byId(id))) !== undefined;
  }

  /** Keeps a client that registers itself from this address. Rejects with `TooManyClients`. */
  async registerClient(id: string, metadata: OAuthPayload, address: string): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const from = this.#originOf(address);
    await transactions.write(() => {
      const now = clock.now();
      const { own, around } = store.countRegistrations(from, now - hour);
      if (own >= maxClientsPerNetwork || around >= maxClientsPerRegion) throw tooManyClients(hour);
      this.#take(clientThrottleKeys(address), tooManyClients);
      store.insertClient({
        id,
        metadata: JSON.stringify(hashClientSecret(metadata)),
        ...from,
        created_ts: now,
      });
      store.trimUnusedClients(maxUnusedClients, now - hour);
    });
  }

  /** Within a write transaction: books a try, or throws what `refuse` makes of the time to wait (ms). */
  #take(toll: ThrottleKeys, refuse: (waitMs: number) => Error): void {
    const wait = this.#parts.throttle.tryConsume(toll);
    if (wait > 0) throw refuse(wait);
  }

  /** By what of an address things are counted; the file knows no address. */
  #originOf(address: string): OriginRow {
    const { secret } = this.#parts;
    return {
      origin: secret.digest('oauth client', networkPrefix(address)),
      region: secret.digest('oauth client', regionPrefix(address)),
    };
  }

  /** A client that registered itself; of its secret there is the digest (`matchesClientSecret`). */
  async client(id: string): Promise<OAuthPayload | undefined> {
    const { transactions, store } = this.#parts;
    const metadata = await transactions.read(() => store.client(id));
    return metadata === undefined ? undefined : (JSON.parse(metadata) as OAuthPayload);
  }

  /** A new id for what a person allows. */
  generateGrantId(): string {
    return `app_${randomBytes(16).toString('base64url').replace(/[-_]/g, 'x')}`;
  }

  async saveGrant(id: string, payload: OAuthPayload): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const { accountId, clientId } = payload as { accountId: string; clientId: string };
    const row = { id, account_id: accountId, client_id: clientId, payload: JSON.stringify(payload) };
    await this.#withGrant(() => transactions.writeDurably(() => store.setGrant(row, clock.now())));
  }

  /** How the grant is shown to its account from now on; its client counts as used. */
  async describeGrant(id: string, client: string, facts: AppDescription): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const verified = facts.verified ? 1 : 0;
    await transactions.write(() => {
      store.describeGrant(id, { ...facts, verified, scopes: facts.scopes.join(' ') });
      store.markClientUsed(client, clock.now());
    });
  }

  async grant(id: string): Promise<OAuthPayload | undefined> {
    const { transactions, store } = this.#parts;
    const payload = await transactions.read(() => store.grant(id));
    return payload === undefined ? undefined : (JSON.parse(payload) as OAuthPayload);
  }

  /** Ends all that was allowed with it, in every process, from the next request on. */
  async revokeGrant(id: string): Promise<void> {
    const { transactions, store } = this.#parts;
    await transactions.writeDurably(() => store.deleteGrant(id));
  }

  /**
   * Keeps something for `seconds`, under the digest of `recordId`. Rejects with `GrantRevoked` where its grant is gone. What
   * waits for a person names the address that it came `from`: of those only so many are kept, the newest of each region;
   * rejects with `TooManyClients` where too many come.
   */
  async saveItem(
    kind: string,
    id: string,
    payload: OAuthPayload,
    seconds: number,
    from?: string,
  ): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const item = {
      kind,
      id: digestOf(id),
      grant_id: typeof payload.grantId === 'string' ? payload.grantId : null,
      payload: JSON.stringify(payload),
      expires_ts: clock.now() + seconds * second,
    };
    const origin = from === undefined ? null : this.#originOf(from);
    const row = { ...item, origin: origin?.origin ?? null, region: origin?.region ?? null };
    const write = () => {
      const isNew = from !== undefined && store.item(kind, item.id) === undefined;
      if (isNew) this.#take(authorizationThrottleKeys(from), tooManyRequests);
      store.setItem(row);
      if (origin !== null) store.trimPending(origin, maxPendingRequests, clock.now());
    };
    await this.#withGrant(() => transactions.write(write));
  }

  /**
   * The token that follows a refresh token when it is rotated: always the same for the same token, so that it need not be
   * kept to be given again. It follows from the file's own key, which whoever has the token does not have.
   */
  successorOf(refreshToken: string): string {
    return this.#parts.secret.digest('refresh token successor', refreshToken);
  }

  /** What was kept; `consumed` (seconds since 1970) where it may not be used again. */
  async findItem(kind: string, id: string): Promise<OAuthPayload | undefined> {
    const { transactions, store, clock } = this.#parts;
    const row = await transactions.read(() => store.item(kind, digestOf(id)));
    if (row === undefined) return undefined;
    const payload = JSON.parse(row.payload) as OAuthPayload;
    if (row.consumed_ts === null) return payload;
    const consumed = row.consumed_ts;
    const isRepeated = await transactions.read(() => this.#mayRepeat(kind, id, consumed, clock.now()));
    return isRepeated ? payload : { ...payload, consumed: Math.floor(consumed / second) };
  }

  /**
   * Uses something up. Of several at once, one gets true; of a refresh token, all within its grace as long as its
   * successor was not used.
   */
  async consumeItem(kind: string, id: string): Promise<boolean> {
    const { transactions, store, clock } = this.#parts;
    const digest = digestOf(id);
    return transactions.write(() => {
      const now = clock.now();
      if (store.consume(kind, digest, now)) return true;
      const consumed = store.item(kind, digest)?.consumed_ts ?? null;
      return consumed !== null && this.#mayRepeat(kind, id, consumed, now);
    });
  }

  /** Whether what was consumed then may be presented once more: a rotated token whose successor nobody has used. */
  #mayRepeat(kind: string, id: string, consumed: number, now: number): boolean {
    if (kind !== rotatedKind || Math.abs(now - consumed) >= graceMs) return false;
    const successor = this.#parts.store.item(kind, digestOf(this.successorOf(id)));
    return (successor?.consumed_ts ?? null) === null;
  }

  async deleteItem(kind: string, id: string): Promise<void> {
    const { transactions, store } = this.#parts;
    await transactions.writeDurably(() => store.deleteItem(kind, digestOf(id)));
  }

  async deleteItemsOfGrant(kind: string, grant: string): Promise<void> {
    const { transactions, store } = this.#parts;
    await transactions.writeDurably(() => store.deleteItemsOf(grant, kind));
  }

  /** Forgets what is past; within a write transaction. */
  prune(): void {
    const { store, clock } = this.#parts;
    const now = clock.now();
    store.pruneItems(now - expiredRetentionMs);
    store.pruneClients(now - maxUnusedClientMs, now - maxIdleClientMs);
  }

  async #withGrant(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      const { code } = failure as { code?: unknown };
      throw code === 'SQLITE_CONSTRAINT_FOREIGNKEY' ? new GrantRevoked() : failure;
    }
  }
}

/** Compares a client secret with the digest in the metadata that `OAuthRepository.client` returns. */
export const matchesClientSecret = (storedDigest: unknown, secret: string): boolean =>
  storedDigest === secretDigest(secret);

const secretDigest = (secret: string): string => `sha256-${digestOf(secret)}`;

/** A client's metadata with the digest of its secret in place of the secret. */
function hashClientSecret(metadata: OAuthPayload): OAuthPayload {
  const { client_secret: secret } = metadata;
  return typeof secret === 'string' ? { ...metadata, client_secret: secretDigest(secret) } : metadata;
}

const tooManyClients = (waitMs: number): TooManyClients =>
  new TooManyClients('Too many clients have registered of late.', Math.ceil(waitMs / second));
const tooManyRequests = (waitMs: number): TooManyClients =>
  new TooManyClients('Too many requests wait for a person.', Math.ceil(waitMs / second));
