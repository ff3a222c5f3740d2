/**
 * Registration of OAuth clients, with its limits (docs/decisions/47-shared-clients.md). A public client has no secret, so
 * all installations of an app get one id, which is derived from its metadata. Other clients get an id each.
 */
import type { AppKey, OriginRow } from '../store/access/oauth.ts';
import { type SharedClientRow, SharedClientStore } from '../store/access/shared-clients.ts';
import type { Tx } from '../store/engine/engine.ts';
import { networkPrefix, regionPrefix } from './address-prefixes.ts';
import { digestOf } from './hashing.ts';
import type { Services } from './services.ts';
import {
  clientThrottleKeys,
  knownClientThrottleKeys,
  repeatedClientThrottleKeys,
  type ThrottleKeys,
} from './throttle-rules.ts';

export type ClientMetadata = Record<string, unknown>;
/** Too many registrations or authorization requests; `retryAfter` is in seconds. */
export class TooManyClients extends Error {
  readonly retryAfter: number;
  constructor(message: string, retryAfter: number) {
    super(message);
    this.retryAfter = retryAfter;
  }
}
/** A registration: whether the client is new, and when its id was issued (seconds since 1970). */
export type Registration = { isNew: boolean; issuedAt: number };

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
const day = 24 * hour;
/** New clients per hour of one network, and of its region. */
const maxClientsPerNetwork = 30;
const maxClientsPerRegion = 120;
/**
 * Clients without a grant. Beyond this number, the oldest of the region with most of them is deleted. No more register
 * within an hour (`throttle-rules.ts`), so each is kept as long as its authorization request can last.
 */
const maxUnusedClients = 1_500;
/** After this time, a repeated registration renews a client that no person has authorized. */
const renewalMs = 15 * minute;
/** Clients that no person authorized in this time are deleted. */
export const maxIdleClientMs = 180 * day;
/** Ids of shared clients begin with this. */
export const sharedClientPrefix = 'shared_';

/**
 * Stores OAuth clients within the limits of their network and region. It deletes unused clients beyond a maximum.
 */
export class ClientRegistration {
  readonly #parts: Services;
  readonly #shared = new SharedClientStore();

  constructor(parts: Services) {
    this.#parts = parts;
  }

  /** The id that all clients with this identity share. @param identity what makes an app the same (`sharedIdentity`) */
  sharedId(identity: string): string {
    return sharedClientPrefix + this.#parts.secret.digest('oauth shared client', identity).slice(0, 32);
  }

  /** Stores a client that registers from an address, or finds the stored one of a shared id. Rejects with `TooManyClients`. */
  async register(id: string, metadata: ClientMetadata, address: string): Promise<Registration> {
    const { engine, clock } = this.#parts;
    return engine.write(async (tx) => {
      const now = clock.now();
      const client = id.startsWith(sharedClientPrefix) ? await this.#shared.client(tx, id) : undefined;
      if (client !== undefined) return this.#repeat(tx, id, client, address, now);
      await this.#insert(tx, id, metadata, address, now);
      return { isNew: true, issuedAt: issuedAt(metadata, now) };
    });
  }

  /** Registers a stored client again. Its metadata stays, so that a later installation cannot change it. */
  async #repeat(
    tx: Tx,
    id: string,
    client: SharedClientRow,
    address: string,
    now: number,
  ): Promise<Registration> {
    await this.#take(tx, repeatedClientThrottleKeys(address));
    const lastTs = Math.max(client.created_ts, client.last_used_ts ?? 0);
    const isDue = now - lastTs > (client.last_used_ts === null ? renewalMs : maxIdleClientMs - day);
    // A renewal counts as a new client: so many unused ones are kept for an hour, and no more.
    if (isDue && (await this.#waitForNew(tx, client.metadata, address, now)) === 0)
      await this.#shared.renew(tx, id, this.originOf(address), now);
    return { isNew: false, issuedAt: issuedAt(JSON.parse(client.metadata), client.created_ts) };
  }

  async #insert(tx: Tx, id: string, metadata: ClientMetadata, address: string, now: number): Promise<void> {
    const { oauth } = this.#parts;
    const text = JSON.stringify(hashClientSecret(metadata));
    const wait = await this.#waitForNew(tx, text, address, now);
    if (wait > 0) throw tooManyClients(wait);
    await oauth.insertClient(tx, { id, metadata: text, ...this.originOf(address), created_ts: now });
    await oauth.cleanup.trimUnusedClients(tx, maxUnusedClients, now - hour);
  }

  /** Counts a new client and returns 0; if the limits refuse it, returns how long to wait (ms). */
  async #waitForNew(tx: Tx, metadata: string, address: string, now: number): Promise<number> {
    const { oauth, secret, throttle } = this.#parts;
    const app = appKeyOf(JSON.parse(metadata) as ClientMetadata);
    if (app !== null && (await oauth.isAuthorizedApp(tx, app))) {
      const digest = secret.digest('oauth app', JSON.stringify(app));
      return throttle.tryConsume(tx, knownClientThrottleKeys(digest));
    }
    const { own, around } = await oauth.countRegistrations(tx, this.originOf(address), now - hour);
    if (own >= maxClientsPerNetwork || around >= maxClientsPerRegion) return hour;
    return throttle.tryConsume(tx, clientThrottleKeys(address));
  }

  /** Counts within a write transaction, or throws an error with the time to wait. */
  async #take(tx: Tx, keys: ThrottleKeys): Promise<void> {
    const wait = await this.#parts.throttle.tryConsume(tx, keys);
    if (wait > 0) throw tooManyClients(wait);
  }

  /** Digests of the network and region of an address: the file stores no address. */
  originOf(address: string): OriginRow {
    const { secret } = this.#parts;
    return {
      origin: secret.digest('oauth client', networkPrefix(address)),
      region: secret.digest('oauth client', regionPrefix(address)),
    };
  }
}

/** Returns the metadata by which an app is recognised; null if it has no redirect address. */
function appKeyOf({ redirect_uris: addresses, client_name: name }: ClientMetadata): AppKey | null {
  if (!Array.isArray(addresses) || addresses.length === 0) return null;
  return { redirectUris: JSON.stringify(addresses), name: typeof name === 'string' ? name : '' };
}

function issuedAt({ client_id_issued_at: stated }: ClientMetadata, createdTs: number): number {
  return typeof stated === 'number' ? stated : Math.floor(createdTs / second);
}

/** Compares a client secret with the digest in the metadata that `OAuthRepository.client` returns. */
export const matchesClientSecret = (storedDigest: unknown, secret: string): boolean =>
  storedDigest === secretDigest(secret);

const secretDigest = (secret: string): string => `sha256-${digestOf(secret)}`;

/** A client's metadata with the digest of its secret in place of the secret. */
function hashClientSecret(metadata: ClientMetadata): ClientMetadata {
  const { client_secret: secret } = metadata;
  return typeof secret === 'string' ? { ...metadata, client_secret: secretDigest(secret) } : metadata;
}

const tooManyClients = (waitMs: number): TooManyClients =>
  new TooManyClients('Too many clients have registered of late.', Math.ceil(waitMs / second));
