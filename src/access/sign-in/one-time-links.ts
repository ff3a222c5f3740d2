/** Links that work once, within a time. A token is 32 random bytes; only its SHA-256 is stored. */

import { randomBytes } from 'node:crypto';
import type { Clock } from '../../clock.ts';
import type { LinkPurpose, OneTimeLinkRow, OneTimeLinkStore } from '../../store/access/one-time-links.ts';
import type { Tx } from '../../store/engine/engine.ts';
import { digestOf } from '../hashing.ts';

export type OneTimeLink = { accountId: string | null; payload: string | null; expiresTs: number };
export type IssuedLink = { token: string; expiresTs: number };

const tokenPattern = /^[\w-]{43}$/;

/** Call all methods but `find` within a write transaction. */
export class OneTimeLinks {
  readonly #store: OneTimeLinkStore;
  readonly #clock: Clock;

  constructor(store: OneTimeLinkStore, clock: Clock) {
    this.#store = store;
    this.#clock = clock;
  }

  /**
   * Creates a link. Earlier links of the account for the same purpose become void.
   * @param accountId null: the link belongs to no account yet
   * @param payload what the link does, for its purpose
   * @param lifetimeMs how long it is valid, in ms
   */
  async issue(
    tx: Tx,
    purpose: LinkPurpose,
    accountId: string | null,
    payload: string | null,
    lifetimeMs: number,
  ): Promise<IssuedLink> {
    const token = randomBytes(32).toString('base64url');
    const now = this.#clock.now();
    if (accountId !== null) await this.#store.deleteOf(tx, accountId, purpose);
    await this.#store.insert(tx, {
      token_hash: digestOf(token),
      purpose,
      account_id: accountId,
      payload,
      created_ts: now,
      expires_ts: now + lifetimeMs,
    });
    return { token, expiresTs: now + lifetimeMs };
  }

  /** Returns a link that is valid now, or null. */
  async find(tx: Tx, purpose: LinkPurpose, token: string): Promise<OneTimeLink | null> {
    if (!tokenPattern.test(token)) return null;
    const row = await this.#store.find(tx, digestOf(token), purpose);
    return row === undefined || row.expires_ts <= this.#clock.now() ? null : toLink(row);
  }

  /** Removes a link and returns it; null if it is not valid any more. */
  async take(tx: Tx, purpose: LinkPurpose, token: string): Promise<OneTimeLink | null> {
    const link = await this.find(tx, purpose, token);
    return link !== null && (await this.#store.delete(tx, digestOf(token), purpose)) ? link : null;
  }

  /**
   * Marks a challenge as used until it expires (ms since 1970); false if it was used before.
   */
  async markUsed(tx: Tx, challenge: string, expiresTs: number): Promise<boolean> {
    return await this.#store.insert(tx, {
      token_hash: digestOf(challenge),
      purpose: 'challenge',
      account_id: null,
      payload: null,
      created_ts: this.#clock.now(),
      expires_ts: expiresTs,
    });
  }

  /** Deletes expired links. */
  async prune(tx: Tx): Promise<void> {
    await this.#store.prune(tx, this.#clock.now());
  }
}

const toLink = (row: OneTimeLinkRow): OneTimeLink => ({
  accountId: row.account_id,
  payload: row.payload,
  expiresTs: row.expires_ts,
});
