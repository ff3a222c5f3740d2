/**
 * What the authorization server keeps, and whose an access token is (docs/spec/credentials.md). Whatever a client
 * or a browser presents (codes, tokens, ids of requests, secrets) is kept as its SHA-256 alone; all of them are random
 * and long, so nothing slower is needed. Time is real time here, also where the service's clock stands still: the
 * library that uses this reads no other.
 */
import { hash, randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { AccountStore } from '../store/accounts.ts';
import type { GrantFacts, OAuthStore, OriginRow } from '../store/oauth.ts';
import type { Transactions } from '../store/transactions.ts';
import { withoutSecret } from './client-secret.ts';
import type { Credential } from './credential.ts';
import { network, region } from './network.ts';
import { clientToll, requestToll, type Toll } from './rules.ts';
import type { FileSecret } from './secret.ts';
import type { Throttle } from './throttle.ts';

export type Payload = Record<string, unknown>;
/** What a person is told about an app: see `App`. */
export type AppFacts = Omit<GrantFacts, 'verified' | 'scopes'> & {
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
export class GrantEnded extends Error {}

type Parts = {
  transactions: Transactions;
  store: OAuthStore;
  accounts: AccountStore;
  secret: FileSecret;
  throttle: Throttle;
  clock: Clock;
};
type Remembered = { credential: Credential; expiresTs: number; audience: unknown };

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
/** New clients within an hour, from one network and from the wider one around it. */
const mostFromOne = 30;
const mostFromAround = 120;
/**
 * Of clients that nobody has let in; for one more, the oldest of the region that has most of them gives way. As many as
 * register within an hour at most (`rules.ts`): each is kept for as long as its authorization request can last.
 */
const mostUnused = 1_000;
/** Requests that wait for a person, likewise. */
const mostPending = { own: 50, around: 250, all: 2_000 };
/**
 * For so long a rotated refresh token gives its successor once more, for clients that race with themselves or lost the
 * answer (RFC 9700, 4.14.2). It is always the same successor: a thief gets no branch of his own.
 */
const graceMs = 10 * second;
/** What has ended is kept a little, so that using it again is noticed. */
const keptMs = hour;
const unusedClientMs = 7 * day;
const idleClientMs = 180 * day;
/** What the library makes: 43 characters, 256 bits. */
const tokenPattern = /^[\w-]{43}$/;
/** Whether it could be an access token of ours. */
export const looksLikeToken = (text: string): boolean => tokenPattern.test(text);
/** What is rotated: each has one successor, which has the same kind. */
const rotated = 'RefreshToken';

const digestOf = (text: string): string => hash('sha256', text, 'base64url');

export class Tokens {
  readonly #parts: Parts;
  readonly #known = new LRUCache<string, Remembered>({ max: 10_000 });

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Whose an access token is; null where it is unknown, has expired, or is not meant for `audience`. That its grant has
   * not ended meanwhile, the meter says at every request.
   */
  async identify(token: string, audience: string): Promise<Credential | null> {
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

  async #read(digest: string): Promise<Remembered | undefined> {
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
  async register(id: string, metadata: Payload, address: string): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const from = this.#originOf(address);
    await transactions.write(() => {
      const now = clock.now();
      const { own, around } = store.registered(from, now - hour);
      if (own >= mostFromOne || around >= mostFromAround) throw tooManyClients(hour);
      this.#take(clientToll(address), tooManyClients);
      store.insertClient({ id, metadata: JSON.stringify(withoutSecret(metadata)), ...from, created_ts: now });
      store.trimUnusedClients(mostUnused, now - hour);
    });
  }

  /** Within a write transaction: books a try, or throws what `refuse` makes of the time to wait (ms). */
  #take(toll: Toll, refuse: (waitMs: number) => Error): void {
    const wait = this.#parts.throttle.take(toll);
    if (wait > 0) throw refuse(wait);
  }

  /** By what of an address things are counted; the file knows no address. */
  #originOf(address: string): OriginRow {
    const { secret } = this.#parts;
    return {
      origin: secret.digest('oauth client', network(address)),
      region: secret.digest('oauth client', region(address)),
    };
  }

  /** A client that registered itself; of its secret there is the digest (`matchesClientSecret`). */
  async client(id: string): Promise<Payload | undefined> {
    const { transactions, store } = this.#parts;
    const metadata = await transactions.read(() => store.client(id));
    return metadata === undefined ? undefined : (JSON.parse(metadata) as Payload);
  }

  /** A new id for what a person allows. */
  grantId(): string {
    return `app_${randomBytes(16).toString('base64url').replace(/[-_]/g, 'x')}`;
  }

  async saveGrant(id: string, payload: Payload): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const { accountId, clientId } = payload as { accountId: string; clientId: string };
    const row = { id, account_id: accountId, client_id: clientId, payload: JSON.stringify(payload) };
    await this.#withGrant(() => transactions.writeDurably(() => store.setGrant(row, clock.now())));
  }

  /** How the grant is shown to its account from now on; its client counts as used. */
  async describeGrant(id: string, client: string, facts: AppFacts): Promise<void> {
    const { transactions, store, clock } = this.#parts;
    const verified = facts.verified ? 1 : 0;
    await transactions.write(() => {
      store.describe(id, { ...facts, verified, scopes: facts.scopes.join(' ') });
      store.useClient(client, clock.now());
    });
  }

  async grant(id: string): Promise<Payload | undefined> {
    const { transactions, store } = this.#parts;
    const payload = await transactions.read(() => store.grant(id));
    return payload === undefined ? undefined : (JSON.parse(payload) as Payload);
  }

  /** Ends all that was allowed with it, in every process, from the next request on. */
  async endGrant(id: string): Promise<void> {
    const { transactions, store } = this.#parts;
    await transactions.writeDurably(() => store.deleteGrant(id));
  }

  /**
   * Keeps something for `seconds`, under the digest of `id`. Rejects with `GrantEnded` where its grant is gone. What
   * waits for a person names the address that it came `from`: of those only so many are kept, the newest of each region;
   * rejects with `TooManyClients` where too many come.
   */
  async save(kind: string, id: string, payload: Payload, seconds: number, from?: string): Promise<void> {
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
      if (isNew) this.#take(requestToll(from), tooManyRequests);
      store.setItem(row);
      if (origin !== null) store.trimPending(origin, mostPending, clock.now());
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
  async find(kind: string, id: string): Promise<Payload | undefined> {
    const { transactions, store, clock } = this.#parts;
    const row = await transactions.read(() => store.item(kind, digestOf(id)));
    if (row === undefined) return undefined;
    const payload = JSON.parse(row.payload) as Payload;
    if (row.consumed_ts === null) return payload;
    const consumed = row.consumed_ts;
    const isRepeated = await transactions.read(() => this.#mayRepeat(kind, id, consumed, clock.now()));
    return isRepeated ? payload : { ...payload, consumed: Math.floor(consumed / second) };
  }

  /**
   * Uses something up. Of several at once, one gets true; of a refresh token, all within its grace as long as its
   * successor was not used.
   */
  async consume(kind: string, id: string): Promise<boolean> {
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
    if (kind !== rotated || Math.abs(now - consumed) >= graceMs) return false;
    const successor = this.#parts.store.item(kind, digestOf(this.successorOf(id)));
    return (successor?.consumed_ts ?? null) === null;
  }

  async destroy(kind: string, id: string): Promise<void> {
    const { transactions, store } = this.#parts;
    await transactions.writeDurably(() => store.deleteItem(kind, digestOf(id)));
  }

  async destroyAll(kind: string, grant: string): Promise<void> {
    const { transactions, store } = this.#parts;
    await transactions.writeDurably(() => store.deleteItemsOf(grant, kind));
  }

  /** Forgets what is past; within a write transaction. */
  prune(): void {
    const { store, clock } = this.#parts;
    const now = clock.now();
    store.pruneItems(now - keptMs);
    store.pruneClients(now - unusedClientMs, now - idleClientMs);
  }

  async #withGrant(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      const { code } = failure as { code?: unknown };
      throw code === 'SQLITE_CONSTRAINT_FOREIGNKEY' ? new GrantEnded() : failure;
    }
  }
}

const tooManyClients = (waitMs: number): TooManyClients =>
  new TooManyClients('Too many clients have registered of late.', Math.ceil(waitMs / second));
const tooManyRequests = (waitMs: number): TooManyClients =>
  new TooManyClients('Too many requests wait for a person.', Math.ceil(waitMs / second));
