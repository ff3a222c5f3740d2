/** Stores API keys. The file holds only a hash of each secret. */
import type { KeyScope } from '../../contract/scopes.ts';
import {
  changesRows,
  execute,
  pick,
  query,
  selectAll,
  selectCount,
  selectFirst,
} from '../engine/statement.ts';
import type { Row } from '../tables.ts';

/** The key is refused from `expires_ts` on; null: never. */
type StoredKey = Row<'api_keys'> & { scope: KeyScope };
/** The public description of a key; `email` is its account's. */
export type ApiKeyRow = Omit<StoredKey, 'secret_hash'> & { email: string };
/** The hash that a presented secret is verified against. */
export type ApiKeyToVerify = Pick<StoredKey, (typeof columnsToVerify)[number]>;
type NewApiKey = Omit<StoredKey, 'last_used_ts' | 'revoked_ts'>;

const columnsToVerify = ['id', 'account_id', 'secret_hash', 'revoked_ts', 'expires_ts', 'scope'] as const;

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

/**
 * Stores API keys. Look-ups return revoked and expired keys too: the caller compares `revoked_ts` and `expires_ts` with
 * its clock.
 */
export class ApiKeyStore {
  /** Inserts a key; false if its public id is taken. */
  readonly insert = changesRows<[key: NewApiKey]>((key) =>
    query
      .insertInto('api_keys')
      .values({
        ...pick(key, [
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
  readonly findForVerification = selectFirst<[publicId: string], ApiKeyToVerify>((publicId) =>
    query.selectFrom('api_keys').select(columnsToVerify).where('public_id', '=', publicId),
  );
  readonly byId = selectFirst<[id: string], ApiKeyRow>((id) => keyRows.where('k.id', '=', id));
  readonly byPublicId = selectFirst<[publicId: string], ApiKeyRow>((publicId) =>
    keyRows.where('k.public_id', '=', publicId),
  );
  /** All keys in the order of creation, including revoked ones. */
  readonly all = selectAll<[], ApiKeyRow>(() => keyRowsInOrder);
  /** The keys of the account with this email, in the order of creation. */
  readonly ofAccount = selectAll<[email: string], ApiKeyRow>((email) =>
    keyRowsInOrder.where('a.email', '=', email),
  );
  /** The keys of an account by its id, in the order of creation. */
  readonly ofAccountId = selectAll<[account: string], ApiKeyRow>((account) =>
    keyRowsInOrder.where('k.account_id', '=', account),
  );
  /** A key by its id; undefined if it belongs to another account. */
  readonly findOwned = selectFirst<[account: string, id: string], ApiKeyRow>((account, id) =>
    keyRows.where('k.id', '=', id).where('k.account_id', '=', account),
  );
  /** Lets a key expire at `expires` (ms), unless it expires earlier. */
  readonly expire = execute<[id: string, expires: number]>((id, expires) =>
    query
      .updateTable('api_keys')
      .set({ expires_ts: expires })
      .where('id', '=', id)
      .where((eb) => eb.or([eb('expires_ts', 'is', null), eb('expires_ts', '>', expires)])),
  );
  /** Revokes a key. A key that is already revoked keeps its time of revocation. */
  readonly revoke = execute<[id: string, now: number]>((id, now) =>
    query
      .updateTable('api_keys')
      .set({ revoked_ts: now })
      .where('id', '=', id)
      .where('revoked_ts', 'is', null),
  );
  /** The number of keys that are neither revoked nor expired. */
  readonly countValid = selectCount<[now: number]>((now) =>
    query
      .selectFrom('api_keys')
      .where('revoked_ts', 'is', null)
      .where((eb) => eb.or([eb('expires_ts', 'is', null), eb('expires_ts', '>', now)]))
      .select((eb) => eb.fn.countAll<number>().as('count')),
  );
}
