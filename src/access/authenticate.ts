/**
 * Whose key is this? argon2 takes tens of milliseconds, so a key is verified once and then remembered under a digest of
 * the whole key. Whether it is still good is not decided here but by the meter, at every request.
 */
import { hash } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { LRUCache } from 'lru-cache';
import type { ApiKeyStore, ApiKeyToVerify } from '../store/access/api-keys.ts';
import type { Transactions } from '../store/transactions.ts';
import { looksLikeApiKey, parseApiKey } from './api-key-format.ts';
import type { Credential } from './credential.ts';
import { FairLimiter } from './fair-limiter.ts';
import { matchesSecret } from './hashing.ts';
import { looksLikeToken, type OAuthRepository } from './oauth-repository.ts';

/** What a header holds by its looks: `mistyped` is a key whose checksum is wrong. */
export type CredentialKind = 'none' | 'key' | 'mistyped' | 'token' | 'other';

const maxCachedKeys = 10_000;
/** argon2 runs on libuv's threads: no more at once than the machine can carry, and never more than its four. */
const maxConcurrentVerifications = Math.min(4, availableParallelism());
const bearerPattern = /^bearer +([^ ]+) *$/i;

export class Authenticator {
  readonly #transactions: Transactions;
  readonly #keys: ApiKeyStore;
  readonly #tokens: OAuthRepository;
  readonly #good = new LRUCache<string, Credential>({ max: maxCachedKeys });
  /** The hash that a wrong secret was compared with. Apart from the good ones, so that a flood displaces none. */
  readonly #wrong = new LRUCache<string, string>({ max: maxCachedKeys });
  readonly #digests = new WeakMap<Credential, string>();
  readonly #underway = new Map<string, Promise<Credential | null>>();
  readonly #turnstile = new FairLimiter(maxConcurrentVerifications);

  constructor(transactions: Transactions, keys: ApiKeyStore, tokens: OAuthRepository) {
    this.#transactions = transactions;
    this.#keys = keys;
    this.#tokens = tokens;
  }

  /**
   * The credential of an `Authorization` header; null where there is none, or it is malformed, mistyped, unknown, or
   * was revoked before it was met (docs/spec/credentials.md). An access token is one only for the resource
   * that it was issued for: `audience`.
   */
  async authenticate(authorization: string | undefined, audience?: string): Promise<Credential | null> {
    const key = authorization === undefined ? undefined : bearerPattern.exec(authorization)?.[1];
    if (key === undefined) return null;
    if (!looksLikeApiKey(key))
      return audience === undefined ? null : this.#tokens.authenticate(key, audience);
    const digest = hash('sha256', key, 'base64');
    const known = this.#good.get(digest);
    if (known !== undefined) return known;
    const parts = parseApiKey(key);
    if (parts === null) return null;
    // A client that opens with many connections at once sends the same new key on each.
    let verification = this.#underway.get(digest);
    if (verification === undefined) {
      verification = this.#verify(digest, parts.publicId, parts.secret).finally(() =>
        this.#underway.delete(digest),
      );
      this.#underway.set(digest, verification);
    }
    return verification;
  }

  /** What an `Authorization` header holds by its looks, good or not: so that whoever is refused is told what to do. */
  credentialKind(authorization: string | undefined): CredentialKind {
    if (authorization === undefined) return 'none';
    const presented = bearerPattern.exec(authorization)?.[1];
    if (presented === undefined) return 'other';
    if (looksLikeApiKey(presented)) return parseApiKey(presented) === null ? 'mistyped' : 'key';
    return looksLikeToken(presented) ? 'token' : 'other';
  }

  /** A credential that is no longer good is looked up anew when its key comes again. */
  evict(credential: Credential): void {
    const digest = this.#digests.get(credential);
    if (digest !== undefined) this.#good.delete(digest);
  }

  async #verify(digest: string, publicId: string, secret: string): Promise<Credential | null> {
    const row = await this.#transactions.read(() => this.#keys.findForVerification(publicId));
    if (row === undefined || row.revoked_ts !== null || this.#wrong.get(digest) === row.secret_hash) {
      return null;
    }
    const matches = await this.#turnstile.run(publicId, () => matchesSecret(row.secret_hash, secret));
    return matches ? this.#remember(digest, row) : this.#refuse(digest, row);
  }

  #remember(digest: string, row: ApiKeyToVerify): Credential {
    const credential: Credential = { id: row.id, account: row.account_id };
    this.#good.set(digest, credential);
    this.#digests.set(credential, digest);
    return credential;
  }

  #refuse(digest: string, row: ApiKeyToVerify): null {
    this.#wrong.set(digest, row.secret_hash);
    return null;
  }
}
