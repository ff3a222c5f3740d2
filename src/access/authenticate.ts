/**
 * Authenticates API keys and access tokens. argon2 takes tens of milliseconds, so a key is verified once and then cached
 * under a digest of the whole key. The meter notices at the next request that a key was revoked or has expired.
 */
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { Clock } from '../clock.ts';
import type { ApiKeyStore, ApiKeyToVerify } from '../store/access/api-keys.ts';
import type { Engine } from '../store/engine/engine.ts';
import { looksLikeApiKey, parseApiKey } from './api-key-format.ts';
import type { Credential } from './credential.ts';
import { FairLimiter } from './fair-limiter.ts';
import { matchesSecret } from './hashing.ts';
import { hasExpired } from './key-terms.ts';
import { looksLikeToken, type OAuthRepository } from './oauth-repository.ts';

/** What a header contains by its format: `mistyped` is a key with a wrong checksum. */
export type CredentialKind = 'none' | 'key' | 'mistyped' | 'token' | 'other';

const maxCachedKeys = 10_000;
/** argon2 runs on the four threads of libuv. */
const maxConcurrentVerifications = Math.min(4, availableParallelism());
const bearerPattern = /^bearer +([^ ]+) *$/i;

const digestOf = (key: string): string => hash('sha256', key, 'base64');

/** The text of a header that looks like an API key; undefined for other headers. */
function keyIn(authorization: string | undefined): string | undefined {
  const key = authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
  return key !== undefined && looksLikeApiKey(key) ? key : undefined;
}

/** Verifies the credentials of requests: API keys, and access tokens through `OAuthRepository`. */
export class Authenticator {
  readonly #engine: Engine;
  readonly #keys: ApiKeyStore;
  readonly #tokens: OAuthRepository;
  readonly #clock: Clock;
  readonly #valid = new LRUCache<string, Credential>({ max: maxCachedKeys });
  /** The hash that a wrong secret was compared with. A cache of its own, so that forged keys evict no valid one. */
  readonly #invalid = new LRUCache<string, string>({ max: maxCachedKeys });
  /** Wrong secrets that were compared since `takeComparison` was asked for them. */
  readonly #compared = new LRUCache<string, true>({ max: 1_000 });
  readonly #digests = new WeakMap<Credential, string>();
  readonly #pending = new Map<string, Promise<Credential | null>>();
  readonly #limiter = new FairLimiter(maxConcurrentVerifications);

  constructor(engine: Engine, keys: ApiKeyStore, tokens: OAuthRepository, clock: Clock) {
    this.#engine = engine;
    this.#keys = keys;
    this.#tokens = tokens;
    this.#clock = clock;
  }

  /**
   * Returns the credential of an `Authorization` header; null if it is absent, malformed, mistyped, unknown, revoked
   * or expired (docs/spec/credentials.md).
   *
   * @param audience the resource for which access tokens are accepted; without it, only keys are
   */
  async authenticate(authorization: string | undefined, audience?: string): Promise<Credential | null> {
    const key = authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
    if (key === undefined) return null;
    if (!looksLikeApiKey(key))
      return audience === undefined ? null : this.#tokens.authenticate(key, audience);
    const digest = digestOf(key);
    const cached = this.#valid.get(digest);
    if (cached !== undefined) return cached;
    const parts = parseApiKey(key);
    if (parts === null) return null;
    // A client that opens many connections at once sends the same new key on each.
    let verification = this.#pending.get(digest);
    if (verification === undefined) {
      verification = this.#verify(digest, parts.publicId, parts.secret).finally(() =>
        this.#pending.delete(digest),
      );
      this.#pending.set(digest, verification);
    }
    return verification;
  }

  /** The credential of a header with a key that was verified before; undefined for any other header. */
  verified(authorization: string | undefined): Credential | undefined {
    const key = keyIn(authorization);
    return key === undefined ? undefined : this.#valid.get(digestOf(key));
  }

  /** Whether a header has a well-formed key that was never compared, nor is just now: argon2 may have to compare its secret. */
  needsComparison(authorization: string | undefined): boolean {
    const key = keyIn(authorization);
    if (key === undefined) return false;
    const digest = digestOf(key);
    const isKnown = this.#valid.has(digest) || this.#invalid.has(digest) || this.#pending.has(digest);
    return !isKnown && parseApiKey(key) !== null;
  }

  /** Whether argon2 compared the secret of a header in vain since the last call for this header. */
  takeComparison(authorization: string | undefined): boolean {
    const key = keyIn(authorization);
    return key !== undefined && this.#compared.delete(digestOf(key));
  }

  /** Classifies an `Authorization` header by its format, for the message of a 401. */
  credentialKind(authorization: string | undefined): CredentialKind {
    if (authorization === undefined) return 'none';
    const presented = bearerPattern.exec(authorization)?.[1];
    if (presented === undefined) return 'other';
    if (looksLikeApiKey(presented)) return parseApiKey(presented) === null ? 'mistyped' : 'key';
    return looksLikeToken(presented) ? 'token' : 'other';
  }

  /** Removes a revoked or expired credential from the cache. */
  evict(credential: Credential): void {
    const digest = this.#digests.get(credential);
    if (digest !== undefined) this.#valid.delete(digest);
  }

  async #verify(digest: string, publicId: string, secret: string): Promise<Credential | null> {
    const row = await this.#engine.read((tx) => this.#keys.findForVerification(tx, publicId));
    if (row === undefined || row.revoked_ts !== null || hasExpired(row, this.#clock.now())) return null;
    if (this.#invalid.get(digest) === row.secret_hash) return null;
    const matches = await this.#limiter.run(publicId, () => matchesSecret(row.secret_hash, secret));
    return matches ? this.#remember(digest, row) : this.#refuse(digest, row);
  }

  #remember(digest: string, row: ApiKeyToVerify): Credential {
    const credential: Credential = { id: row.id, account: row.account_id, scope: row.scope };
    this.#valid.set(digest, credential);
    this.#digests.set(credential, digest);
    return credential;
  }

  #refuse(digest: string, row: ApiKeyToVerify): null {
    this.#invalid.set(digest, row.secret_hash);
    this.#compared.set(digest, true);
    return null;
  }
}
