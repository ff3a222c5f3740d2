/** Stores API keys. The file holds only a hash of each secret. */
import type { KeyScope } from '../../contract/scopes.ts';
import type { Tx } from '../engine/engine.ts';
import { define, pick, query } from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** The key is refused from `expires_ts` on; null: never. */
type StoredKey = Row<'api_keys'> & { scope: KeyScope };
/** The public description of a key; `email` is its account's. */
export type ApiKeyRow = Omit<StoredKey, 'secret_hash'> & { email: string };
/** The hash that a presented secret is verified against. */
export type ApiKeyToVerify = Pick<StoredKey, (typeof columnsToVerify)[number]>;
type NewApiKey = Omit<StoredKey, 'last_used_ts' | 'revoked_ts'>;

const columnsToVerify = ['id', 'account_id', 'secret_hash', 'revoked_ts', 'expires_ts', 'scope'] as const;
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
  readonly #countValid = define<{ now: number }, { count: number }>((p) =>
    query
      .selectFrom('api_keys')
      .where('revoked_ts', 'is', null)
      .where((e) => e.or([e('expires_ts', 'is', null), e('expires_ts', '>', p.now)]))
      .select((e) => e.fn.countAll<number>().as('count')),
  );
  readonly #insert = define<NewApiKey, never>((p) =>
    query
      .insertInto('api_keys')
      .values({
        ...pick(p, [
          'id',
          'account_id',
          'public_id',
          'name',
          'secret_hash',
          'last_four',
          'created_ts',
          'expires_ts',
          'scope',
        ]),
        last_used_ts: null,
        revoked_ts: null,
      })
      .onConflict((conflict) => conflict.column('public_id').doNothing()),
  );
  readonly #toVerify = define<{ publicId: string }, ApiKeyToVerify>((p) =>
    query.selectFrom('api_keys').select(columnsToVerify).where('public_id', '=', p.publicId),
  );
  readonly #byId = define<{ id: string }, ApiKeyRow>((p) => keyRows.where('k.id', '=', p.id));
  readonly #byPublicId = define<{ publicId: string }, ApiKeyRow>((p) =>
    keyRows.where('k.public_id', '=', p.publicId),
  );
  readonly #all = define<NoParams, ApiKeyRow>(() => keyRowsInOrder);
  readonly #ofAccount = define<{ email: string }, ApiKeyRow>((p) =>
    keyRowsInOrder.where('a.email', '=', p.email),
  );
  readonly #ofAccountId = define<{ account: string }, ApiKeyRow>((p) =>
    keyRowsInOrder.where('k.account_id', '=', p.account),
  );
  readonly #own = define<{ account: string; id: string }, ApiKeyRow>((p) =>
    keyRows.where('k.id', '=', p.id).where('k.account_id', '=', p.account),
  );
  readonly #expire = define<{ id: string; expires: number }, never>((p) =>
    query
      .updateTable('api_keys')
      .set({ expires_ts: p.expires })
      .where('id', '=', p.id)
      .where((eb) => eb.or([eb('expires_ts', 'is', null), eb('expires_ts', '>', p.expires)])),
  );
  readonly #revoke = define<{ id: string; now: number }, never>((p) =>
    query
      .updateTable('api_keys')
      .set({ revoked_ts: p.now })
      .where('id', '=', p.id)
      .where('revoked_ts', 'is', null),
  );

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
