/** Stores API keys. The file holds only a hash of each secret. */
import type Database from 'better-sqlite3';
import type { KeyScope } from '../../contract/scopes.ts';
import { type PreparedStatement, prepare, query } from '../statement.ts';

/** The public description of a key; `email` is its account's. */
export type ApiKeyRow = {
  id: string;
  account_id: string;
  email: string;
  public_id: string;
  name: string;
  last_four: string;
  created_ts: number;
  last_used_ts: number | null;
  revoked_ts: number | null;
  /** The key is refused from then on; null: never. */
  expires_ts: number | null;
  scope: KeyScope;
};
/** The hash that a presented secret is verified against. */
export type ApiKeyToVerify = {
  id: string;
  account_id: string;
  secret_hash: string;
  revoked_ts: number | null;
  expires_ts: number | null;
  scope: KeyScope;
};
export type NewApiKey = {
  id: string;
  account_id: string;
  public_id: string;
  name: string;
  secret_hash: string;
  last_four: string;
  created_ts: number;
  expires_ts: number | null;
  scope: KeyScope;
};
type NoParams = Record<never, never>;

const keyRows = query
  .selectFrom('api_keys as k')
  .innerJoin('accounts as a', 'a.id', 'k.account_id')
  .select([
    'k.id',
    'k.account_id',
    'a.email',
    'k.public_id',
    'k.name',
    'k.last_four',
    'k.created_ts',
    'k.last_used_ts',
    'k.revoked_ts',
    'k.expires_ts',
    'k.scope',
  ]);
const keyRowsInOrder = keyRows.orderBy('k.created_ts').orderBy('k.id');

export class ApiKeyStore {
  readonly #insert: PreparedStatement<NewApiKey, never>;
  readonly #toVerify: PreparedStatement<{ publicId: string }, ApiKeyToVerify>;
  readonly #byId: PreparedStatement<{ id: string }, ApiKeyRow>;
  readonly #byPublicId: PreparedStatement<{ publicId: string }, ApiKeyRow>;
  readonly #all: PreparedStatement<NoParams, ApiKeyRow>;
  readonly #ofAccount: PreparedStatement<{ email: string }, ApiKeyRow>;
  readonly #ofAccountId: PreparedStatement<{ account: string }, ApiKeyRow>;
  readonly #own: PreparedStatement<{ account: string; id: string }, ApiKeyRow>;
  readonly #expire: PreparedStatement<{ id: string; expires: number }, never>;
  readonly #revoke: PreparedStatement<{ id: string; now: number }, never>;

  constructor(sqlite: Database.Database) {
    this.#insert = prepare(sqlite, (p) =>
      query
        .insertInto('api_keys')
        .values({
          id: p.id,
          account_id: p.account_id,
          public_id: p.public_id,
          name: p.name,
          secret_hash: p.secret_hash,
          last_four: p.last_four,
          created_ts: p.created_ts,
          last_used_ts: null,
          revoked_ts: null,
          expires_ts: p.expires_ts,
          scope: p.scope,
        })
        .onConflict((conflict) => conflict.column('public_id').doNothing()),
    );
    this.#toVerify = prepare(sqlite, (p) =>
      query
        .selectFrom('api_keys')
        .select(['id', 'account_id', 'secret_hash', 'revoked_ts', 'expires_ts', 'scope'])
        .where('public_id', '=', p.publicId),
    );
    this.#byId = prepare(sqlite, (p) => keyRows.where('k.id', '=', p.id));
    this.#byPublicId = prepare(sqlite, (p) => keyRows.where('k.public_id', '=', p.publicId));
    this.#all = prepare(sqlite, () => keyRowsInOrder);
    this.#ofAccount = prepare(sqlite, (p) => keyRowsInOrder.where('a.email', '=', p.email));
    this.#ofAccountId = prepare(sqlite, (p) => keyRowsInOrder.where('k.account_id', '=', p.account));
    this.#own = prepare(sqlite, (p) =>
      keyRows.where('k.id', '=', p.id).where('k.account_id', '=', p.account),
    );
    this.#expire = prepare(sqlite, (p) =>
      query
        .updateTable('api_keys')
        .set({ expires_ts: p.expires })
        .where('id', '=', p.id)
        .where((eb) => eb.or([eb('expires_ts', 'is', null), eb('expires_ts', '>', p.expires)])),
    );
    this.#revoke = prepare(sqlite, (p) =>
      query
        .updateTable('api_keys')
        .set({ revoked_ts: p.now })
        .where('id', '=', p.id)
        .where('revoked_ts', 'is', null),
    );
  }

  /** Inserts a key; false if its public id is taken. */
  insert(key: NewApiKey): boolean {
    return this.#insert.run(key).changes > 0;
  }

  findForVerification(publicId: string): ApiKeyToVerify | undefined {
    return this.#toVerify.get({ publicId });
  }

  byId(id: string): ApiKeyRow | undefined {
    return this.#byId.get({ id });
  }

  byPublicId(publicId: string): ApiKeyRow | undefined {
    return this.#byPublicId.get({ publicId });
  }

  /** All keys in the order of creation, including revoked ones. */
  all(): ApiKeyRow[] {
    return this.#all.all({});
  }

  ofAccount(email: string): ApiKeyRow[] {
    return this.#ofAccount.all({ email });
  }

  /** The keys of an account by its id, in the order of creation. */
  ofAccountId(account: string): ApiKeyRow[] {
    return this.#ofAccountId.all({ account });
  }

  /** A key by its id; undefined if it belongs to another account. */
  findOwned(account: string, id: string): ApiKeyRow | undefined {
    return this.#own.get({ account, id });
  }

  /** Lets a key expire at `expires` (ms), unless it expires earlier. */
  expire(id: string, expires: number): void {
    this.#expire.run({ id, expires });
  }

  /** Revokes a key. A key that is already revoked keeps its time of revocation. */
  revoke(id: string, now: number): void {
    this.#revoke.run({ id, now });
  }
}
