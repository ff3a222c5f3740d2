/** Creates, lists, rotates and revokes API keys (docs/spec/credentials.md). */

import { formatUtc } from '../clock.ts';
import type { Actor } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import type { AccountRow } from '../store/access/accounts.ts';
import type { ApiKeyRow } from '../store/access/api-keys.ts';
import type { Tx } from '../store/engine/engine.ts';
import { AccountError } from './account-error.ts';
import { parseEmail, parseFormKeyName, parseKeyName, unknownAccountFailure } from './account-input.ts';
import {
  apiKeyPrefix,
  deriveApiKey,
  deriveId,
  generateApiKey,
  generateId,
  lastFour,
  looksLikeApiKey,
  parseApiKey,
} from './api-key-format.ts';
import {
  type ApiKeySummary,
  type CreatedApiKey,
  formatTime,
  type RotatedApiKey,
  toApiKeySummary,
} from './api-key-summary.ts';
import { hashSecret, matchesSecret } from './hashing.ts';
import {
  assertRotatable,
  endOf,
  NotRotatable,
  rotationFailure,
  rotationProblem,
  successorTerms,
} from './key-rotation.ts';
import {
  defaultOverlap,
  hasExpired,
  type KeyTerms,
  type KeyTermsInput,
  parseFormKeyTerms,
  parseFormOverlap,
  parseKeyTerms,
  parseOverlap,
} from './key-terms.ts';
import { type Base, record } from './parts.ts';

type KeyOwner = Pick<AccountRow, 'id' | 'email'>;
type NewKey = {
  account: KeyOwner;
  name: string;
  terms: KeyTerms;
  /** The key itself; by default a random one. */
  key?: string;
  id?: string;
  /** For the audit log; without one, nothing is written to it. */
  actor?: Actor | undefined;
  /** The id of the key that this one replaces, and when that one ends (ms). */
  replaces?: { id: string; endsTs: number };
  /** Whether the key is refused if the account has `maxActiveKeys`. */
  isLimited?: boolean;
};
const ownerOf = ({ email }: Pick<KeyOwner, 'email'>): Actor => `account:${email}`;
/** Each key has its own rate window, so the number of keys is limited. */
const maxActiveKeys = 100;

/**
 * The API keys. Methods for the terminal and the console take emails and throw a `Failure`; those whose names end in
 * `Own` serve the pages of a signed-in account, and throw an `AccountError`.
 */
export class ApiKeys {
  readonly #parts: Base;

  constructor(parts: Base) {
    this.#parts = parts;
  }

  /** Creates a key. Fails if there is no such account. */
  async create(
    email: string,
    name: string,
    terms: KeyTermsInput = {},
    actor?: Actor,
  ): Promise<CreatedApiKey> {
    const account = await this.#account(email);
    const keyTerms = parseKeyTerms(terms, this.#parts.clock.now());
    return this.#addRandom({ account, name: parseKeyName(name), terms: keyTerms, actor });
  }

  /**
   * Creates a key for the account of a session; null if the form was submitted before (a reload, a second click).
   * Rejects with an `AccountError`: `name` or `terms` (invalid), `full` (too many active keys).
   */
  async createOwn(
    account: KeyOwner,
    name: string,
    form: string,
    terms: KeyTermsInput = {},
  ): Promise<CreatedApiKey | null> {
    const keyName = parseFormKeyName(name);
    const keyTerms = parseFormKeyTerms(terms, this.#parts.clock.now());
    const id = form === '' ? generateId('key') : deriveId('key', `${account.id}\n${form}`);
    if (await this.#hasOwn(account, id)) return null;
    return this.#addOwn({ account, name: keyName, terms: keyTerms, id, actor: ownerOf(account) });
  }

  /**
   * Replaces a key by a new one with the same name and scope. The old key stays valid for the overlap (`24h`). If the old
   * key expires, the new one has the same lifetime, unless `expires` says otherwise.
   */
  async rotate(
    id: string,
    { overlap = defaultOverlap, expires }: { overlap?: string | undefined; expires?: string | undefined },
    actor?: Actor,
  ): Promise<RotatedApiKey> {
    const now = this.#parts.clock.now();
    const overlapMs = parseOverlap(overlap);
    const { old, problem } = await this.#parts.engine.read(async (tx) => {
      const row = await this.#parts.keys.byId(tx, id);
      return { old: row, problem: row === undefined ? null : await rotationProblem(this.#parts, tx, row) };
    });
    if (old === undefined) throw unknownKeyFailure(id);
    if (problem !== null) throw rotationFailure(old, problem);
    const terms =
      expires === undefined ? successorTerms(old, now) : parseKeyTerms({ expires, scope: old.scope }, now);
    const account = { id: old.account_id, email: old.email };
    const replaces = { id: old.id, endsTs: now + overlapMs };
    const successor = await this.#addRandom({ account, name: old.name, terms, actor, replaces }).catch(
      (error) => {
        throw error instanceof NotRotatable ? rotationFailure(old, error.problem) : error;
      },
    );
    return { ...successor, replaces: await this.#summary(old.id) };
  }

  /**
   * Replaces a key of an account; `missing` if the account has no such active key, null if the form was submitted before.
   * Rejects with an `AccountError`: `terms` (invalid overlap, or the key was replaced before), `full` (too many active keys).
   */
  async rotateOwn(
    account: KeyOwner,
    id: string,
    overlap: string,
    form: string,
  ): Promise<RotatedApiKey | 'missing' | null> {
    const now = this.#parts.clock.now();
    const endsTs = now + parseFormOverlap(overlap);
    const next = deriveId('key', `${account.id}\n${form}\n${id}`);
    if (await this.#hasOwn(account, next)) return null;
    try {
      const old = await this.#parts.engine.read((tx) => this.#parts.keys.findOwned(tx, account.id, id));
      if (old === undefined) return 'missing';
      await this.#parts.engine.read((tx) => assertRotatable(this.#parts, tx, old));
      const successor = await this.#addOwn({
        account,
        name: old.name,
        terms: successorTerms(old, now),
        id: next,
        actor: ownerOf(account),
        replaces: { id, endsTs },
      });
      return successor && { ...successor, replaces: await this.#summary(id) };
    } catch (error) {
      if (!(error instanceof NotRotatable)) throw error;
      if (error.problem !== 'was replaced') return 'missing';
      throw new AccountError('terms', 'This key was replaced. Replace its successor instead.', {
        code: 'key_replaced',
      });
    }
  }

  /** The keys of an account by its id, oldest first, with revoked ones. */
  async listOwn(account: string): Promise<ApiKeySummary[]> {
    return (await this.#parts.engine.read((tx) => this.#parts.keys.ofAccountId(tx, account))).map(
      toApiKeySummary,
    );
  }

  /** A key of an account; null if the account has no such key. */
  async findOwn(account: string, id: string): Promise<ApiKeySummary | null> {
    const row = await this.#parts.engine.read((tx) => this.#parts.keys.findOwned(tx, account, id));
    return row === undefined ? null : toApiKeySummary(row);
  }

  /** Revokes a key of an account; null if the account has no such key. */
  async revokeOwn(account: string, id: string): Promise<ApiKeySummary | null> {
    const row = await this.#parts.engine.writeDurably(async (tx) => {
      const owned = await this.#parts.keys.findOwned(tx, account, id);
      if (owned === undefined) return undefined;
      await this.#revoke(tx, owned, ownerOf(owned));
      return await this.#parts.keys.findOwned(tx, account, id);
    });
    return row === undefined ? null : toApiKeySummary(row);
  }

  /** The keys of one account or of all, oldest first, with revoked ones. */
  async list(email?: string): Promise<ApiKeySummary[]> {
    if (email === undefined) {
      return (await this.#parts.engine.read((tx) => this.#parts.keys.all(tx))).map(toApiKeySummary);
    }
    const account = await this.#account(email);
    return (await this.#parts.engine.read((tx) => this.#parts.keys.ofAccount(tx, account.email))).map(
      toApiKeySummary,
    );
  }

  /**
   * Checks a key against this data file: `good`; `malformed` (not a cratebase key); `mistyped` (wrong checksum); `unknown`
   * (of another server, or of a deleted account); `revoked`; `expired`.
   */
  async checkKey(
    key: string,
  ): Promise<'good' | 'malformed' | 'mistyped' | 'unknown' | 'revoked' | 'expired'> {
    if (!looksLikeApiKey(key)) return 'malformed';
    const parts = parseApiKey(key);
    if (parts === null) return 'mistyped';
    const row = await this.#parts.engine.read((tx) =>
      this.#parts.keys.findForVerification(tx, parts.publicId),
    );
    if (row === undefined || !(await matchesSecret(row.secret_hash, parts.secret))) return 'unknown';
    if (row.revoked_ts !== null) return 'revoked';
    return hasExpired(row, this.#parts.clock.now()) ? 'expired' : 'good';
  }

  /** The email of the account that a key belongs to; null if there is no such key. The secret is not verified. */
  async accountOf(key: string): Promise<string | null> {
    const parts = parseApiKey(key);
    if (parts === null) return null;
    const row = await this.#parts.engine.read((tx) => this.#parts.keys.byPublicId(tx, parts.publicId));
    return row?.email ?? null;
  }

  /** Revokes a key permanently, from the next request on in every process. A revoked key stays unchanged. */
  async revoke(id: string, actor?: Actor): Promise<ApiKeySummary> {
    const row = await this.#parts.engine.writeDurably(async (tx) => {
      const key = await this.#parts.keys.byId(tx, id);
      if (key !== undefined) await this.#revoke(tx, key, actor);
      return await this.#parts.keys.byId(tx, id);
    });
    if (row === undefined) throw unknownKeyFailure(id);
    return toApiKeySummary(row);
  }

  /**
   * Returns the key for offline work. It is derived from the secret of the file and the account, so it is the same at each
   * start. If it was revoked, the next one is created.
   */
  async ensureDevKey(email: string, secret: Buffer): Promise<{ key: string }> {
    const account = await this.#account(email);
    for (let counter = 0; ; ) {
      const key = deriveApiKey(secret, `cratebase dev key\n${account.email}\n${counter}`);
      const publicId = (parseApiKey(key) as { publicId: string }).publicId;
      const row = await this.#parts.engine.read((tx) => this.#parts.keys.byPublicId(tx, publicId));
      if (row === undefined) {
        // If another process has just inserted it, the next iteration finds it.
        await this.#add({ account, name: 'dev', terms: { expiresTs: null, scope: 'all' }, key });
      } else if (
        endOf(row, this.#parts.clock.now()) === null &&
        row.email === account.email &&
        row.last_four === lastFour(key)
      ) {
        return { key };
      } else counter += 1;
    }
  }

  /** Adds a random key. */
  async #addRandom(key: NewKey): Promise<CreatedApiKey> {
    for (;;) {
      const createdKey = await this.#add(key);
      if (createdKey !== null) return createdKey;
    }
  }

  /** Adds a key with the id of a form; null if the form was submitted meanwhile. */
  async #addOwn(key: NewKey & { id: string }): Promise<CreatedApiKey | null> {
    const { account, id } = key;
    // Before the secret is hashed, which takes long; again in the transaction that adds the key.
    await this.#parts.engine.read((tx) => this.#assertBelowLimit(tx, account.id));
    for (;;) {
      const createdKey = await this.#add({ ...key, isLimited: true });
      if (createdKey !== null) return createdKey;
      if ((await this.#parts.engine.read((tx) => this.#parts.keys.byId(tx, id))) !== undefined) return null;
    }
  }

  /**
   * Inserts a key; null if its public id or its id is taken. Rejects with `NotRotatable` if the key that it replaces
   * ended or was replaced while the secret was hashed.
   */
  async #add(newKey: NewKey): Promise<CreatedApiKey | null> {
    const { account, name, terms, actor, replaces, isLimited = false } = newKey;
    const { key = generateApiKey(), id = generateId('key') } = newKey;
    const { publicId, secret } = parseApiKey(key) as { publicId: string; secret: string };
    const row = {
      id,
      account_id: account.id,
      public_id: publicId,
      name,
      secret_hash: await hashSecret(secret),
      last_four: lastFour(key),
      created_ts: this.#parts.clock.now(),
      expires_ts: terms.expiresTs,
      scope: terms.scope,
    };
    const isAdded = await this.#parts.engine.writeDurably(async (tx) => {
      // Deleted while the secret was hashed.
      if ((await this.#parts.accounts.byEmail(tx, account.email))?.id !== account.id)
        throw unknownAccountFailure(account.email);
      if ((await this.#parts.keys.byId(tx, id)) !== undefined) return false;
      if (isLimited) await this.#assertBelowLimit(tx, account.id);
      if (replaces !== undefined) {
        const old = await this.#parts.keys.byId(tx, replaces.id);
        if (old === undefined) throw unknownKeyFailure(replaces.id);
        await assertRotatable(this.#parts, tx, old);
      }
      if (!(await this.#parts.keys.insert(tx, row))) return false;
      if (replaces !== undefined) await this.#parts.keys.expire(tx, replaces.id, replaces.endsTs);
      await this.#record(tx, replaces === undefined ? 'key.create' : 'key.rotate', row, actor, {
        scope: terms.scope,
        expires_at: formatTime(terms.expiresTs),
        ...(replaces && { replaces: replaces.id, replaced_ends_at: formatUtc(replaces.endsTs) }),
      });
      return true;
    });
    if (!isAdded) return null;
    const times = { created_at: formatUtc(row.created_ts), expires_at: formatTime(row.expires_ts) };
    return { id, name, key, ...times, scope: row.scope };
  }

  /** Revokes a key within a write transaction. */
  async #revoke(tx: Tx, key: ApiKeyRow, actor: Actor | undefined): Promise<void> {
    if (key.revoked_ts !== null) return;
    await this.#parts.keys.revoke(tx, key.id, this.#parts.clock.now());
    await this.#record(tx, 'key.revoke', key, actor, {});
  }

  /** Writes an entry of the audit log. It has no name of the key: a deleted account leaves none behind. */
  async #record(
    tx: Tx,
    action: string,
    key: Pick<ApiKeyRow, 'id' | 'account_id'>,
    actor: Actor | undefined,
    details: object,
  ): Promise<void> {
    await record(this.#parts, tx, actor, {
      action,
      subject: key.id,
      details: { account: key.account_id, ...details },
    });
  }

  async #hasOwn(account: KeyOwner, id: string): Promise<boolean> {
    return (
      (await this.#parts.engine.read((tx) => this.#parts.keys.findOwned(tx, account.id, id))) !== undefined
    );
  }

  async #summary(id: string): Promise<ApiKeySummary> {
    return toApiKeySummary(
      (await this.#parts.engine.read((tx) => this.#parts.keys.byId(tx, id))) as ApiKeyRow,
    );
  }

  /** Rejects with an `AccountError` (`full`) if the account has as many active keys as it may have. */
  async #assertBelowLimit(tx: Tx, accountId: string): Promise<void> {
    const keys = await this.#parts.keys.ofAccountId(tx, accountId);
    if (keys.filter((row) => endOf(row, this.#parts.clock.now()) === null).length < maxActiveKeys) return;
    throw new AccountError(
      'full',
      `There are ${maxActiveKeys} active keys, which is the most. Revoke one first.`,
      { value: maxActiveKeys },
    );
  }

  async #account(input: string): Promise<AccountRow> {
    const email = parseEmail(input);
    const account = await this.#parts.engine.read((tx) => this.#parts.accounts.byEmail(tx, email));
    if (account === undefined) throw unknownAccountFailure(email);
    return account;
  }
}

const unknownKeyFailure = (id: string): Failure =>
  new Failure(
    id.startsWith(apiKeyPrefix)
      ? 'That is a key, not the id of one. `cratebase keys list` shows the ids.'
      : `There is no key with the id ${JSON.stringify(id)}. \`cratebase keys list\` shows all.`,
  );
