/**
 * The storage of the authorization server, and the authentication of access tokens (docs/spec/credentials.md). Codes,
 * tokens, ids of requests and secrets are stored as SHA-256: they are random and long, so no slower hash is needed.
 * The clock is real time even if the clock of the service is frozen, because the OAuth library reads no other.
 */
import { randomBytes } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { GrantDescription } from '../store/access/oauth.ts';
import type { Tx } from '../store/engine/engine.ts';
import {
  ClientRegistration,
  maxIdleClientMs,
  type Registration,
  TooManyClients,
} from './client-registration.ts';
import type { Credential } from './credential.ts';
import { digestOf } from './hashing.ts';
import type { Services } from './services.ts';
import { authorizationThrottleKeys } from './throttle-rules.ts';

export type OAuthPayload = Record<string, unknown>;
/** How an app is shown to a person (`ConnectedApp`). */
export type AppDescription = Omit<GrantDescription, 'verified' | 'scopes'> & {
  verified: boolean;
  scopes: readonly string[];
};
/** A grant or item cannot be stored: the grant or its account was deleted meanwhile. */
export class GrantRevoked extends Error {}

type CachedToken = { credential: Credential; expiresTs: number; audience: unknown };

const second = 1_000;
const hour = 3_600 * second;
const day = 24 * hour;
/** Authorization requests that wait for a person. */
const maxPendingRequests = { own: 50, around: 250, all: 2_000 };
/**
 * How long a rotated refresh token returns its successor again, for clients that send it twice or lost the response
 * (RFC 9700, section 4.14.2). It is always the same successor, so a stolen token starts no second chain.
 */
const graceMs = 10 * second;
/** Expired items are kept for this time, so that their reuse is noticed. */
const expiredRetentionMs = hour;
const maxUnusedClientMs = 7 * day;
/** A token of the library: 43 characters, 256 bits. */
const tokenPattern = /^[\w-]{43}$/;
/** Whether a text has the format of an access token. */
export const looksLikeToken = (text: string): boolean => tokenPattern.test(text);
/** The kind that is rotated: each item has one successor of the same kind. */
const rotatedKind = 'RefreshToken';

/** The stored state of the authorization server: clients, grants, items such as tokens, and its secrets. */
export class OAuthRepository {
  readonly #parts: Services;
  readonly #clients: ClientRegistration;
  readonly #cache = new LRUCache<string, CachedToken>({ max: 10_000 });

  constructor(parts: Services) {
    this.#parts = parts;
    this.#clients = new ClientRegistration(parts);
  }

  /**
   * Returns the credential of an access token; null if it is unknown, expired, or issued for another audience. A
   * revocation takes effect in the meter, at the next request.
   */
  async authenticate(text: string, audience: string): Promise<Credential | null> {
    if (!tokenPattern.test(text)) return null;
    const digest = digestOf(text);
    let token = this.#cache.get(digest);
    if (token === undefined) {
      token = await this.#read(digest);
      if (token === undefined) return null;
      this.#cache.set(digest, token);
    }
    const isGood = token.expiresTs > this.#parts.clock.now() && token.audience === audience;
    return isGood ? token.credential : null;
  }

  async #read(digest: string): Promise<CachedToken | undefined> {
    const { engine, oauth } = this.#parts;
    const row = await engine.read((tx) => oauth.token(tx, digest));
    if (row === undefined) return undefined;
    const { aud } = JSON.parse(row.payload) as { aud?: unknown };
    const credential = { id: row.grant_id, account: row.account_id, scope: 'agents' as const };
    return { credential, expiresTs: row.expires_ts, audience: aud };
  }

  /** A key or secret of this instance. The first process creates it; all get the same. */
  async secret(name: string, make: () => Promise<string>): Promise<string> {
    const { engine, oauth } = this.#parts;
    const storedSecret = await engine.read((tx) => oauth.settings.read(tx, name));
    if (storedSecret !== undefined) return storedSecret;
    const secret = await make();
    return engine.write(async (tx) => {
      await oauth.settings.add(tx, name, secret);
      return (await oauth.settings.read(tx, name)) as string;
    });
  }

  /** Whether an account exists and is not suspended. */
  async accountExists(id: string): Promise<boolean> {
    const { engine, accounts } = this.#parts;
    const row = await engine.read((tx) => accounts.byId(tx, id));
    return row !== undefined && row.suspended_ts === null;
  }

  /** The id that all clients with this identity share. @param identity what makes an app the same (`sharedIdentity`) */
  sharedClientId(identity: string): string {
    return this.#clients.sharedId(identity);
  }

  /** Stores a client that registers from an address, or finds the stored one of a shared id. Rejects with `TooManyClients`. */
  registerClient(id: string, metadata: OAuthPayload, address: string): Promise<Registration> {
    return this.#clients.register(id, metadata, address);
  }

  /** The metadata of a registered client, with the digest of its secret (`matchesClientSecret`). */
  async client(id: string): Promise<OAuthPayload | undefined> {
    const { engine, oauth } = this.#parts;
    const metadata = await engine.read((tx) => oauth.client(tx, id));
    return metadata === undefined ? undefined : (JSON.parse(metadata) as OAuthPayload);
  }

  /** Generates the id of a grant: `app_` and 22 random characters. */
  generateGrantId(): string {
    return `app_${randomBytes(16).toString('base64url').replace(/[-_]/g, 'x')}`;
  }

  /** Stores a grant. Rejects with `GrantRevoked` if its account was deleted meanwhile. */
  async saveGrant(id: string, payload: OAuthPayload): Promise<void> {
    const { engine, oauth, clock } = this.#parts;
    const { accountId, clientId } = payload as { accountId: string; clientId: string };
    const row = { id, account_id: accountId, client_id: clientId, payload: JSON.stringify(payload) };
    await this.#withGrant(() => engine.writeDurably((tx) => oauth.setGrant(tx, row, clock.now())));
  }

  /** Sets how a grant is shown to its account, and marks its client as used. */
  async describeGrant(id: string, client: string, facts: AppDescription): Promise<void> {
    const { engine, oauth, clock } = this.#parts;
    const verified = facts.verified ? 1 : 0;
    await engine.write(async (tx) => {
      await oauth.describeGrant(tx, id, { ...facts, verified, scopes: facts.scopes.join(' ') });
      await oauth.markClientUsed(tx, client, clock.now());
    });
  }

  /** Returns the payload of a grant; undefined if it was revoked. */
  async grant(id: string): Promise<OAuthPayload | undefined> {
    const { engine, oauth } = this.#parts;
    const payload = await engine.read((tx) => oauth.grant(tx, id));
    return payload === undefined ? undefined : (JSON.parse(payload) as OAuthPayload);
  }

  /** Revokes a grant, from the next request on in every process. */
  async revokeGrant(id: string): Promise<void> {
    const { engine, oauth } = this.#parts;
    await engine.writeDurably((tx) => oauth.deleteGrant(tx, id));
  }

  /**
   * Stores an item for `seconds` under the digest of `id`. Rejects with `GrantRevoked` if its grant is gone.
   *
   * @param from the address of an item that waits for a person. Their number is limited: rejects with `TooManyClients`
   */
  async saveItem(
    kind: string,
    id: string,
    payload: OAuthPayload,
    seconds: number,
    from?: string,
  ): Promise<void> {
    const { engine, oauth, clock } = this.#parts;
    const item = {
      kind,
      id: digestOf(id),
      grant_id: typeof payload.grantId === 'string' ? payload.grantId : null,
      payload: JSON.stringify(payload),
      expires_ts: clock.now() + seconds * second,
    };
    const origin = from === undefined ? null : this.#clients.originOf(from);
    const row = { ...item, origin: origin?.origin ?? null, region: origin?.region ?? null };
    const write = async (tx: Tx) => {
      const isNew = from !== undefined && (await oauth.item(tx, kind, item.id)) === undefined;
      if (isNew) {
        const wait = await this.#parts.throttle.tryConsume(tx, authorizationThrottleKeys(from));
        if (wait > 0) throw tooManyRequests(wait);
      }
      await oauth.setItem(tx, row);
      if (origin !== null) await oauth.cleanup.trimPending(tx, origin, maxPendingRequests, clock.now());
    };
    await this.#withGrant(() => engine.write(write));
  }

  /**
   * The successor of a refresh token. It is derived from the token and the key of this instance, so it is always the same and
   * need not be stored.
   */
  successorOf(refreshToken: string): string {
    return this.#parts.secret.digest('refresh token successor', refreshToken);
  }

  /** A stored item; with `consumed` (seconds since 1970) if it may not be used again. */
  async findItem(kind: string, id: string): Promise<OAuthPayload | undefined> {
    const { engine, oauth, clock } = this.#parts;
    const row = await engine.read((tx) => oauth.item(tx, kind, digestOf(id)));
    if (row === undefined) return undefined;
    const payload = JSON.parse(row.payload) as OAuthPayload;
    if (row.consumed_ts === null) return payload;
    const consumed = row.consumed_ts;
    const isRepeated = await engine.read((tx) => this.#mayRepeat(tx, kind, id, consumed, clock.now()));
    return isRepeated ? payload : { ...payload, consumed: Math.floor(consumed / second) };
  }

  /**
   * Consumes an item. Of several concurrent calls, one gets true; for a refresh token, all within the grace period until
   * its successor is used.
   */
  async consumeItem(kind: string, id: string): Promise<boolean> {
    const { engine, oauth, clock } = this.#parts;
    const digest = digestOf(id);
    return engine.write(async (tx) => {
      const now = clock.now();
      if (await oauth.consume(tx, kind, digest, now)) return true;
      const consumed = (await oauth.item(tx, kind, digest))?.consumed_ts ?? null;
      return consumed !== null && (await this.#mayRepeat(tx, kind, id, consumed, now));
    });
  }

  /** Whether a consumed item may be used again: a rotated token whose successor is unused. */
  async #mayRepeat(tx: Tx, kind: string, id: string, consumed: number, now: number): Promise<boolean> {
    if (kind !== rotatedKind || Math.abs(now - consumed) >= graceMs) return false;
    const successor = await this.#parts.oauth.item(tx, kind, digestOf(this.successorOf(id)));
    return (successor?.consumed_ts ?? null) === null;
  }

  /** Deletes an item, such as a revoked token. */
  async deleteItem(kind: string, id: string): Promise<void> {
    const { engine, oauth } = this.#parts;
    await engine.writeDurably((tx) => oauth.deleteItem(tx, kind, digestOf(id)));
  }

  /** Deletes all items of one kind that belong to a grant. */
  async deleteItemsOfGrant(kind: string, grant: string): Promise<void> {
    const { engine, oauth } = this.#parts;
    await engine.writeDurably((tx) => oauth.deleteItemsOf(tx, grant, kind));
  }

  /** Deletes expired items and unused clients, within a write transaction. */
  async prune(tx: Tx): Promise<void> {
    const { oauth, clock } = this.#parts;
    const now = clock.now();
    await oauth.cleanup.pruneItems(tx, now - expiredRetentionMs);
    await oauth.cleanup.pruneClients(tx, now - maxUnusedClientMs, now - maxIdleClientMs);
  }

  async #withGrant(work: () => Promise<void>): Promise<void> {
    try {
      await work();
    } catch (failure) {
      const { code } = failure as { code?: unknown };
      throw foreignKeyCodes.has(code) ? new GrantRevoked() : failure;
    }
  }
}

/** What SQLite and PostgreSQL (foreign_key_violation) call a row whose parent does not exist. */
const foreignKeyCodes = new Set<unknown>(['SQLITE_CONSTRAINT_FOREIGNKEY', '23503']);

const tooManyRequests = (waitMs: number): TooManyClients =>
  new TooManyClients('Too many requests wait for a person.', Math.ceil(waitMs / second));
