/** Stores API keys. The file holds only a hash of each secret. */
import type { KeyScope } from '../../contract/scopes.ts';
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';

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
  readonly #insert: Statement<NewApiKey, never>;
  readonly #toVerify: Statement<{ publicId: string }, ApiKeyToVerify>;
  readonly #byId: Statement<{ id: string }, ApiKeyRow>;
  readonly #byPublicId: Statement<{ publicId: string }, ApiKeyRow>;
  readonly #all: Statement<NoParams, ApiKeyRow>;
  readonly #countValid: Statement<{ now: number }, { count: number }>;
  readonly #ofAccount: Statement<{ email: string }, ApiKeyRow>;
  readonly #ofAccountId: Statement<{ account: string }, ApiKeyRow>;
  readonly #own: Statement<{ account: string; id: string }, ApiKeyRow>;
  readonly #expire: Statement<{ id: string; expires: number }, never>;
  readonly #revoke: Statement<{ id: string; now: number }, never>;

  constructor() {
    this.#countValid = define((p) =>
      query
        .selectFrom('api_keys')
        .where('revoked_ts', 'is', null)
        .where((e) => e.or([e('expires_ts', 'is', null), e('expires_ts', '>', p.now)]))
        .select((e) => e.fn.countAll<number>().as('count')),
    );
    this.#insert = define((p) =>
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
    this.#toVerify = define((p) =>
      query
        .selectFrom('api_keys')
        .select(['id', 'account_id', 'secret_hash', 'revoked_ts', 'expires_ts', 'scope'])
        .where('public_id', '=', p.publicId),
    );
    this.#byId = define((p) => keyRows.where('k.id', '=', p.id));
    this.#byPublicId = define((p) => keyRows.where('k.public_id', '=', p.publicId));
    this.#all = define(() => keyRowsInOrder);
    this.#ofAccount = define((p) => keyRowsInOrder.where('a.email', '=', p.email));
    this.#ofAccountId = define((p) => keyRowsInOrder.where('k.account_id', '=', p.account));
    this.#own = define((p) => keyRows.where('k.id', '=', p.id).where('k.account_id', '=', p.account));
    this.#expire = define((p) =>
      query
        .updateTable('api_keys')
        .set({ expires_ts: p.expires })
        .where('id', '=', p.id)
        .where((eb) => eb.or([eb('expires_ts', 'is', null), eb('expires_ts', '>', p.expires)])),
    );
    this.#revoke = define((p) =>
      query
        .updateTable('api_keys')
        .set({ revoked_ts: p.now })
        .where('id', '=', p.id)
        .where('revoked_ts', 'is', null),
    );
  }

  /** Inserts a key; false if its public id is taken. */
  async insert(tx: Tx, key: NewApiKey): Promise<boolean> {
    return (await this.#insert.run(tx, key)).changes > 0;
  }

  findForVerification(tx: Tx, publicId: string): Promise<ApiKeyToVerify | undefined> {
    return this.#toVerify.get(tx, { publicId });
  }

  byId(tx: Tx, id: string): Promise<ApiKeyRow | undefined> {
    return this.#byId.get(tx, { id });
  }

  byPublicId(tx: Tx, publicId: string): Promise<ApiKeyRow | undefined> {
    return this.#byPublicId.get(tx, { publicId });
  }

  /** All keys in the order of creation, including revoked ones. */
  all(tx: Tx): Promise<ApiKeyRow[]> {
    return this.#all.all(tx, {});
  }

  ofAccount(tx: Tx, email: string): Promise<ApiKeyRow[]> {
    return this.#ofAccount.all(tx, { email });
  }

  /** The keys of an account by its id, in the order of creation. */
  ofAccountId(tx: Tx, account: string): Promise<ApiKeyRow[]> {
    return this.#ofAccountId.all(tx, { account });
  }

  /** A key by its id; undefined if it belongs to another account. */
  findOwned(tx: Tx, account: string, id: string): Promise<ApiKeyRow | undefined> {
    return this.#own.get(tx, { account, id });
  }

  /** Lets a key expire at `expires` (ms), unless it expires earlier. */
  async expire(tx: Tx, id: string, expires: number): Promise<void> {
    await this.#expire.run(tx, { id, expires });
  }

  /** Revokes a key. A key that is already revoked keeps its time of revocation. */
  async revoke(tx: Tx, id: string, now: number): Promise<void> {
    await this.#revoke.run(tx, { id, now });
  }

  /** The number of keys that are neither revoked nor expired. */
  async countValid(tx: Tx, now: number): Promise<number> {
    return (await this.#countValid.get(tx, { now }))?.count ?? 0;
  }
}
