/** Creates, lists and revokes API keys (docs/spec/credentials.md). */
import type { Clock } from '../clock.ts';
import { Failure } from '../failure.ts';
import type { AccountRow, AccountStore } from '../store/access/accounts.ts';
import type { ApiKeyRow, ApiKeyStore } from '../store/access/api-keys.ts';
import { formatUtc } from '../store/records/serialize.ts';
import type { Transactions } from '../store/transactions.ts';
import { AccountError } from './account-error.ts';
import { parseEmail, parseFormKeyName, parseKeyName, unknownAccountFailure } from './account-input.ts';
import {
  apiKeyHint,
  apiKeyPrefix,
  deriveApiKey,
  deriveId,
  generateApiKey,
  generateId,
  lastFour,
  looksLikeApiKey,
  parseApiKey,
} from './api-key-format.ts';
import { hashSecret, matchesSecret } from './hashing.ts';

/** A new key: the only time that the key itself is shown. */
export type CreatedApiKey = { id: string; name: string; key: string; created_at: string };
/** A key without its secret; `account` is an email. */
export type ApiKeySummary = {
  id: string;
  account: string;
  name: string;
  hint: string;
  created_at: string;
  last_used_at: string | null;
  revoked_at: string | null;
};

type KeyOwner = Pick<AccountRow, 'id' | 'email'>;
/** Each key has its own rate window, so the number of keys is limited. */
const maxActiveKeys = 100;

export class ApiKeys {
  readonly #transactions: Transactions;
  readonly #accounts: AccountStore;
  readonly #keys: ApiKeyStore;
  readonly #clock: Clock;

  constructor(transactions: Transactions, accounts: AccountStore, keys: ApiKeyStore, clock: Clock) {
    this.#transactions = transactions;
    this.#accounts = accounts;
    this.#keys = keys;
    this.#clock = clock;
  }

  /** Creates a key. Fails if there is no such account. */
  async create(email: string, name: string): Promise<CreatedApiKey> {
    const account = await this.#account(email);
    const keyName = parseKeyName(name);
    for (;;) {
      const created = await this.#add(account, keyName, generateApiKey());
      if (created !== null) return created;
    }
  }

  /**
   * Creates a key for the account of a session; null if the form was submitted before (a reload, a second click).
   * Rejects with an `AccountError`: `name` (invalid), `full` (too many active keys).
   */
  async createOwn(account: KeyOwner, name: string, form: string): Promise<CreatedApiKey | null> {
    const keyName = parseFormKeyName(name);
    const id = form === '' ? generateId('key') : deriveId('key', `${account.id}\n${form}`);
    const keys = await this.#transactions.read(() => this.#keys.ofAccountId(account.id));
    if (keys.some((row) => row.id === id)) return null;
    if (keys.filter((row) => row.revoked_ts === null).length >= maxActiveKeys) {
      throw new AccountError(
        'full',
        `There are ${maxActiveKeys} active keys, which is the most. Revoke one first.`,
      );
    }
    for (;;) {
      const created = await this.#add(account, keyName, generateApiKey(), id);
      if (created !== null) return created;
      if ((await this.#transactions.read(() => this.#keys.byId(id))) !== undefined) return null;
    }
  }

  /** The keys of an account by its id, oldest first, with revoked ones. */
  async listOwn(account: string): Promise<ApiKeySummary[]> {
    return (await this.#transactions.read(() => this.#keys.ofAccountId(account))).map(toApiKeySummary);
  }

  /** A key of an account; null if the account has no such key. */
  async findOwn(account: string, id: string): Promise<ApiKeySummary | null> {
    const row = await this.#transactions.read(() => this.#keys.findOwned(account, id));
    return row === undefined ? null : toApiKeySummary(row);
  }

  /** Revokes a key of an account; null if the account has no such key. */
  async revokeOwn(account: string, id: string): Promise<ApiKeySummary | null> {
    const row = await this.#transactions.writeDurably(() => {
      if (this.#keys.findOwned(account, id) === undefined) return undefined;
      this.#keys.revoke(id, this.#clock.now());
      return this.#keys.findOwned(account, id);
    });
    return row === undefined ? null : toApiKeySummary(row);
  }

  /** The keys of one account or of all, oldest first, with revoked ones. */
  async list(email?: string): Promise<ApiKeySummary[]> {
    if (email === undefined) {
      return (await this.#transactions.read(() => this.#keys.all())).map(toApiKeySummary);
    }
    const account = await this.#account(email);
    return (await this.#transactions.read(() => this.#keys.ofAccount(account.email))).map(toApiKeySummary);
  }

  /**
   * Checks a key against this data file: `good`; `malformed` (not a cratebase key); `mistyped` (wrong checksum); `unknown`
   * (of another server, or of a deleted account); `revoked`.
   */
  async checkKey(key: string): Promise<'good' | 'malformed' | 'mistyped' | 'unknown' | 'revoked'> {
    if (!looksLikeApiKey(key)) return 'malformed';
    const parts = parseApiKey(key);
    if (parts === null) return 'mistyped';
    const row = await this.#transactions.read(() => this.#keys.findForVerification(parts.publicId));
    if (row === undefined || !(await matchesSecret(row.secret_hash, parts.secret))) return 'unknown';
    return row.revoked_ts === null ? 'good' : 'revoked';
  }

  /** Revokes a key permanently, from the next request on in every process. A revoked key stays unchanged. */
  async revoke(id: string): Promise<ApiKeySummary> {
    const row = await this.#transactions.writeDurably(() => {
      this.#keys.revoke(id, this.#clock.now());
      return this.#keys.byId(id);
    });
    if (row === undefined) {
      throw new Failure(
        id.startsWith(apiKeyPrefix)
          ? 'That is a key, not the id of one. `cratebase keys list` shows the ids.'
          : `There is no key with the id ${JSON.stringify(id)}. \`cratebase keys list\` shows all.`,
      );
    }
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
      const row = await this.#transactions.read(() => this.#keys.byPublicId(publicId));
      if (row === undefined) {
        // If another process has just inserted it, the next iteration finds it.
        await this.#add(account, 'dev', key);
      } else if (row.revoked_ts === null && row.email === account.email && row.last_four === lastFour(key)) {
        return { key };
      } else counter += 1;
    }
  }

  /** Inserts a key; null if its public id or its id is taken. */
  async #add(
    account: KeyOwner,
    name: string,
    key: string,
    id = generateId('key'),
  ): Promise<CreatedApiKey | null> {
    const { publicId, secret } = parseApiKey(key) as { publicId: string; secret: string };
    const row = {
      id,
      account_id: account.id,
      public_id: publicId,
      name,
      secret_hash: await hashSecret(secret),
      last_four: lastFour(key),
      created_ts: this.#clock.now(),
    };
    const added = await this.#transactions.writeDurably(() => {
      // Deleted while the secret was hashed.
      if (this.#accounts.byEmail(account.email)?.id !== account.id)
        throw unknownAccountFailure(account.email);
      return this.#keys.byId(id) === undefined && this.#keys.insert(row);
    });
    return added ? { id: row.id, name, key, created_at: formatUtc(row.created_ts) } : null;
  }

  async #account(input: string): Promise<AccountRow> {
    const email = parseEmail(input);
    const account = await this.#transactions.read(() => this.#accounts.byEmail(email));
    if (account === undefined) throw unknownAccountFailure(email);
    return account;
  }
}

/** Converts a row to a key without its secret. */
export function toApiKeySummary(row: ApiKeyRow): ApiKeySummary {
  return {
    id: row.id,
    account: row.email,
    name: row.name,
    hint: apiKeyHint(row.public_id, row.last_four),
    created_at: formatUtc(row.created_ts),
    last_used_at: row.last_used_ts === null ? null : formatUtc(row.last_used_ts),
    revoked_at: row.revoked_ts === null ? null : formatUtc(row.revoked_ts),
  };
}
