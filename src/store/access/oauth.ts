/**
 * Stores OAuth clients, grants, codes, tokens and pending requests. Each operation is a single statement of
 * portable SQL. Callers pass the ids of items as digests.
 */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { changesRows, excluded, execute, pick, query, selectAll, selectFirst } from '../engine/statement.ts';
import type { Row } from '../tables.ts';
import { OAuthCleanup, type OriginRow } from './oauth-cleanup.ts';
import { AccessSettingStore } from './settings.ts';

export type { OriginRow } from './oauth-cleanup.ts';

type OAuthClientRow = Omit<Row<'oauth_clients'>, 'last_used_ts'>;
type OAuthGrantRow = Pick<Row<'oauth_grants'>, 'id' | 'account_id' | 'client_id' | 'payload'>;
/** The description of a grant that its account sees. */
export type GrantDescription = Pick<Row<'oauth_grants'>, 'name' | 'uri' | 'host' | 'scopes'> & {
  verified: 0 | 1;
};
export type ConnectedAppRow = GrantDescription &
  Pick<Row<'oauth_grants'>, 'id' | 'created_ts' | 'last_used_ts'>;
/** `expires_ts` in ms. `origin` and `region`: only for pending requests. */
type OAuthItemRow = Omit<Row<'oauth_items'>, 'consumed_ts'>;
/** An access token with its grant and account. */
type AccessTokenRow = { grant_id: string; account_id: string; payload: string; expires_ts: number };

/** The metadata by which an app is recognised: its redirect addresses as JSON, and its name. */
export type AppKey = { redirectUris: string; name: string };

/**
 * Stores what the OAuth server keeps (docs/decisions/06-oauth.md). `payload` and `metadata` are JSON, times are in ms.
 * Items are found until they are deleted, also expired and consumed ones.
 */
export class OAuthStore {
  readonly settings = new AccessSettingStore();
  readonly cleanup = new OAuthCleanup();
  /** Inserts a client. Throws if its id exists. */
  readonly insertClient = execute<[client: OAuthClientRow]>((client) =>
    query.insertInto('oauth_clients').values({
      ...pick(client, ['id', 'metadata', 'origin', 'region', 'created_ts']),
      last_used_ts: null,
    }),
  );
  /** Records that a user authorized the client. */
  readonly markClientUsed = execute<[id: string, now: number]>((id, now) =>
    query.updateTable('oauth_clients').set({ last_used_ts: now }).where('id', '=', id),
  );
  readonly #countRegistrations = selectFirst<
    [from: OriginRow, since: number],
    { own: number; around: number }
  >((from, since) =>
    query
      .selectFrom('oauth_clients')
      .select((eb) => [
        eb.fn.countAll<number>().filterWhere('origin', '=', from.origin).as('own'),
        eb.fn.countAll<number>().filterWhere('region', '=', from.region).as('around'),
      ])
      .where('created_ts', '>', since),
  );
  /** Inserts a grant without a description (`describeGrant`); of one that exists, only the payload is replaced. */
  readonly setGrant = execute<[grant: OAuthGrantRow, now: number]>((grant, now) =>
    query
      .insertInto('oauth_grants')
      .values({
        ...pick(grant, ['id', 'account_id', 'client_id', 'payload']),
        name: '',
        uri: null,
        host: null,
        verified: 0,
        scopes: '',
        created_ts: now,
        last_used_ts: null,
      })
      .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload: grant.payload })),
  );
  readonly describeGrant = execute<[id: string, facts: GrantDescription]>((id, facts) =>
    query
      .updateTable('oauth_grants')
      .set(pick(facts, ['name', 'uri', 'host', 'verified', 'scopes']))
      .where('id', '=', id),
  );
  /** Deletes a grant and its tokens. */
  readonly deleteGrant = execute<[id: string]>((id) => query.deleteFrom('oauth_grants').where('id', '=', id));
  /** Deletes a grant of the account; false if it has no such grant. */
  readonly deleteGrantOf = changesRows<[account: string, id: string]>((account, id) =>
    query.deleteFrom('oauth_grants').where('id', '=', id).where('account_id', '=', account),
  );
  /** The grants of an account with a valid token at `now`, newest first. */
  readonly connectedApps = selectAll<[account: string, now: number], ConnectedAppRow>((account, now) =>
    query
      .selectFrom('oauth_grants as g')
      .select(['g.id', 'g.name', 'g.uri', 'g.host', 'g.verified', 'g.scopes'])
      .select(['g.created_ts', 'g.last_used_ts'])
      .where('g.account_id', '=', account)
      // Grants without a valid token give no access.
      .where((eb) =>
        eb.exists(
          eb
            .selectFrom('oauth_items as i')
            .select('i.id')
            .whereRef('i.grant_id', '=', 'g.id')
            .where('i.kind', 'in', ['AccessToken', 'RefreshToken'])
            .where('i.consumed_ts', 'is', null)
            .where('i.expires_ts', '>', now),
        ),
      )
      .orderBy('g.created_ts', 'desc')
      .orderBy('g.id'),
  );
  /** Inserts or replaces an item. Throws if its grant was deleted. */
  readonly setItem = execute<[item: OAuthItemRow]>((item) =>
    query
      .insertInto('oauth_items')
      .values({
        ...pick(item, ['kind', 'id', 'grant_id', 'payload', 'expires_ts', 'origin', 'region']),
        consumed_ts: null,
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'id']).doUpdateSet(excluded('grant_id', 'payload', 'expires_ts')),
      ),
  );
  readonly item = selectFirst<[kind: string, id: string], Row<'oauth_items'>>((kind, id) =>
    query
      .selectFrom('oauth_items')
      .select(['kind', 'id', 'grant_id', 'payload', 'expires_ts', 'consumed_ts', 'origin', 'region'])
      .where('kind', '=', kind)
      .where('id', '=', id),
  );
  /** Marks an item as consumed. Of concurrent calls only one returns true. */
  readonly consume = changesRows<[kind: string, id: string, now: number]>((kind, id, now) =>
    query
      .updateTable('oauth_items')
      .set({ consumed_ts: now })
      .where('kind', '=', kind)
      .where('id', '=', id)
      .where('consumed_ts', 'is', null),
  );
  readonly deleteItem = execute<[kind: string, id: string]>((kind, id) =>
    query.deleteFrom('oauth_items').where('kind', '=', kind).where('id', '=', id),
  );
  readonly deleteItemsOf = execute<[grant: string, kind: string]>((grant, kind) =>
    query.deleteFrom('oauth_items').where('grant_id', '=', grant).where('kind', '=', kind),
  );
  /** An access token by its digest, also an expired one. */
  readonly token = selectFirst<[id: string], AccessTokenRow>((id) =>
    query
      .selectFrom('oauth_items as i')
      .innerJoin('oauth_grants as g', 'g.id', 'i.grant_id')
      .select(['g.id as grant_id', 'g.account_id', 'i.payload', 'i.expires_ts'])
      .where('i.kind', '=', 'AccessToken')
      .where('i.id', '=', id),
  );
  readonly #client = selectFirst<[id: string], { metadata: string }>((id) =>
    query.selectFrom('oauth_clients').select('metadata').where('id', '=', id),
  );
  readonly #grant = selectFirst<[id: string], { payload: string }>((id) =>
    query.selectFrom('oauth_grants').select('payload').where('id', '=', id),
  );
  readonly #authorizedApp = {
    sqlite: selectFirst<[app: AppKey], { found: number }>(
      (app) => sql`SELECT 1 AS found FROM oauth_clients WHERE last_used_ts IS NOT NULL
        AND json_extract(metadata, '$.redirect_uris') = ${app.redirectUris}
        AND coalesce(json_extract(metadata, '$.client_name'), '') = ${app.name} LIMIT 1`,
    ),
    postgres: selectFirst<[app: AppKey], { found: number }>(
      (app) => sql`SELECT 1 AS found FROM oauth_clients WHERE last_used_ts IS NOT NULL
        AND (metadata::json -> 'redirect_uris')::text = ${app.redirectUris}
        AND coalesce(metadata::json ->> 'client_name', '') = ${app.name} LIMIT 1`,
    ),
  };

  /** The metadata of a client as JSON. */
  async client(tx: Tx, id: string): Promise<string | undefined> {
    return (await this.#client(tx, id))?.metadata;
  }

  /** Whether a person has authorized a client with this metadata. */
  async isAuthorizedApp(tx: Tx, app: AppKey): Promise<boolean> {
    return (await this.#authorizedApp[tx.dialect](tx, app)) !== undefined;
  }

  /** Counts the clients registered since then, from this network and from the wider one around it. */
  async countRegistrations(tx: Tx, from: OriginRow, since: number): Promise<{ own: number; around: number }> {
    return (await this.#countRegistrations(tx, from, since)) ?? { own: 0, around: 0 };
  }

  /** The payload of a grant as JSON. */
  async grant(tx: Tx, id: string): Promise<string | undefined> {
    return (await this.#grant(tx, id))?.payload;
  }
}
