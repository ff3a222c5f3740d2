/**
 * Stores OAuth clients, grants, codes, tokens and pending requests. Each operation is a single statement of
 * portable SQL. Callers pass the ids of items as digests.
 */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { define, query, type Statement } from '../engine/statement.ts';
import { OAuthCleanup, type OriginRow } from './oauth-cleanup.ts';
import { AccessSettingStore } from './settings.ts';

export type { OriginRow } from './oauth-cleanup.ts';

export type OAuthClientRow = OriginRow & { id: string; metadata: string; created_ts: number };
export type OAuthGrantRow = { id: string; account_id: string; client_id: string; payload: string };
/** The description of a grant that its account sees. */
export type GrantDescription = {
  name: string;
  uri: string | null;
  host: string | null;
  verified: 0 | 1;
  scopes: string;
};
export type ConnectedAppRow = GrantDescription & {
  id: string;
  created_ts: number;
  last_used_ts: number | null;
};
/** `expires_ts` in ms. */
export type OAuthItemRow = {
  kind: string;
  id: string;
  grant_id: string | null;
  payload: string;
  expires_ts: number;
  /** Only for pending requests. */
  origin: string | null;
  region: string | null;
};
/** An access token with its grant and account. */
export type AccessTokenRow = { grant_id: string; account_id: string; payload: string; expires_ts: number };
type OAuthItemKey = { kind: string; id: string };
type OriginSince = OriginRow & { since: number };

/** The metadata by which an app is recognised: its redirect addresses as JSON, and its name. */
export type AppKey = { redirectUris: string; name: string };

export class OAuthStore {
  readonly #cleanup: OAuthCleanup;
  readonly #insertClient: Statement<OAuthClientRow, never>;
  readonly #client: Statement<{ id: string }, { metadata: string }>;
  readonly #useClient: Statement<{ id: string; now: number }, never>;
  readonly #authorizedApp: Statement<AppKey, { found: number }>;
  readonly #countRegistrations: Statement<OriginSince, { own: number; around: number }>;
  readonly #insertGrant: Statement<OAuthGrantRow & { now: number }, never>;
  readonly #describe: Statement<GrantDescription & { id: string }, never>;
  readonly #grant: Statement<{ id: string }, { payload: string }>;
  readonly #deleteGrant: Statement<{ id: string }, never>;
  readonly #deleteGrantOf: Statement<{ id: string; account: string }, never>;
  readonly #apps: Statement<{ account: string; now: number }, ConnectedAppRow>;
  readonly #setItem: Statement<OAuthItemRow, never>;
  readonly #item: Statement<OAuthItemKey, OAuthItemRow & { consumed_ts: number | null }>;
  readonly #consume: Statement<OAuthItemKey & { now: number }, never>;
  readonly #deleteItem: Statement<OAuthItemKey, never>;
  readonly #deleteItemsOf: Statement<{ kind: string; grant: string }, never>;
  readonly #token: Statement<{ id: string }, AccessTokenRow>;
  readonly #settings = new AccessSettingStore();

  constructor() {
    this.#cleanup = new OAuthCleanup();
    this.#insertClient = define((p) =>
      query.insertInto('oauth_clients').values({
        id: p.id,
        metadata: p.metadata,
        origin: p.origin,
        region: p.region,
        created_ts: p.created_ts,
        last_used_ts: null,
      }),
    );
    this.#client = define((p) => query.selectFrom('oauth_clients').select('metadata').where('id', '=', p.id));
    this.#useClient = define((p) =>
      query.updateTable('oauth_clients').set({ last_used_ts: p.now }).where('id', '=', p.id),
    );
    this.#authorizedApp = define((p, dialect) => {
      const isSame =
        dialect === 'sqlite'
          ? sql`json_extract(metadata, '$.redirect_uris') = ${p.redirectUris}
            AND coalesce(json_extract(metadata, '$.client_name'), '') = ${p.name}`
          : sql`(metadata::json -> 'redirect_uris')::text = ${p.redirectUris}
            AND coalesce(metadata::json ->> 'client_name', '') = ${p.name}`;
      return sql`SELECT 1 AS found FROM oauth_clients WHERE last_used_ts IS NOT NULL AND ${isSame} LIMIT 1`;
    });
    this.#countRegistrations = define((p) =>
      query
        .selectFrom('oauth_clients')
        .select((eb) => [
          eb.fn.countAll<number>().filterWhere('origin', '=', p.origin).as('own'),
          eb.fn.countAll<number>().filterWhere('region', '=', p.region).as('around'),
        ])
        .where('created_ts', '>', p.since),
    );
    this.#insertGrant = define((p) =>
      query
        .insertInto('oauth_grants')
        .values({
          id: p.id,
          account_id: p.account_id,
          client_id: p.client_id,
          payload: p.payload,
          name: '',
          uri: null,
          host: null,
          verified: 0,
          scopes: '',
          created_ts: p.now,
          last_used_ts: null,
        })
        .onConflict((conflict) => conflict.column('id').doUpdateSet({ payload: p.payload })),
    );
    this.#describe = define((p) =>
      query
        .updateTable('oauth_grants')
        .set({ name: p.name, uri: p.uri, host: p.host, verified: p.verified, scopes: p.scopes })
        .where('id', '=', p.id),
    );
    this.#grant = define((p) => query.selectFrom('oauth_grants').select('payload').where('id', '=', p.id));
    this.#deleteGrant = define((p) => query.deleteFrom('oauth_grants').where('id', '=', p.id));
    this.#deleteGrantOf = define((p) =>
      query.deleteFrom('oauth_grants').where('id', '=', p.id).where('account_id', '=', p.account),
    );
    this.#apps = define((p) =>
      query
        .selectFrom('oauth_grants as g')
        .select(['g.id', 'g.name', 'g.uri', 'g.host', 'g.verified', 'g.scopes'])
        .select(['g.created_ts', 'g.last_used_ts'])
        .where('g.account_id', '=', p.account)
        // Grants without a valid token give no access.
        .where((eb) =>
          eb.exists(
            eb
              .selectFrom('oauth_items as i')
              .select('i.id')
              .whereRef('i.grant_id', '=', 'g.id')
              .where('i.kind', 'in', ['AccessToken', 'RefreshToken'])
              .where('i.consumed_ts', 'is', null)
              .where('i.expires_ts', '>', p.now),
          ),
        )
        .orderBy('g.created_ts', 'desc')
        .orderBy('g.id'),
    );
    this.#setItem = define((p) =>
      query
        .insertInto('oauth_items')
        .values({
          kind: p.kind,
          id: p.id,
          grant_id: p.grant_id,
          payload: p.payload,
          expires_ts: p.expires_ts,
          consumed_ts: null,
          origin: p.origin,
          region: p.region,
        })
        .onConflict((conflict) =>
          conflict.columns(['kind', 'id']).doUpdateSet((eb) => ({
            grant_id: eb.ref('excluded.grant_id'),
            payload: eb.ref('excluded.payload'),
            expires_ts: eb.ref('excluded.expires_ts'),
          })),
        ),
    );
    this.#item = define((p) =>
      query
        .selectFrom('oauth_items')
        .select(['kind', 'id', 'grant_id', 'payload', 'expires_ts', 'consumed_ts', 'origin', 'region'])
        .where('kind', '=', p.kind)
        .where('id', '=', p.id),
    );
    this.#consume = define((p) =>
      query
        .updateTable('oauth_items')
        .set({ consumed_ts: p.now })
        .where('kind', '=', p.kind)
        .where('id', '=', p.id)
        .where('consumed_ts', 'is', null),
    );
    this.#deleteItem = define((p) =>
      query.deleteFrom('oauth_items').where('kind', '=', p.kind).where('id', '=', p.id),
    );
    this.#deleteItemsOf = define((p) =>
      query.deleteFrom('oauth_items').where('grant_id', '=', p.grant).where('kind', '=', p.kind),
    );
    this.#token = define((p) =>
      query
        .selectFrom('oauth_items as i')
        .innerJoin('oauth_grants as g', 'g.id', 'i.grant_id')
        .select(['g.id as grant_id', 'g.account_id', 'i.payload', 'i.expires_ts'])
        .where('i.kind', '=', 'AccessToken')
        .where('i.id', '=', p.id),
    );
  }

  async insertClient(tx: Tx, client: OAuthClientRow): Promise<void> {
    await this.#insertClient.run(tx, client);
  }

  async client(tx: Tx, id: string): Promise<string | undefined> {
    return (await this.#client.get(tx, { id }))?.metadata;
  }

  /** Records that a user authorized the client. */
  async markClientUsed(tx: Tx, id: string, now: number): Promise<void> {
    await this.#useClient.run(tx, { id, now });
  }

  /** Whether a person has authorized a client with this metadata. */
  async isAuthorizedApp(tx: Tx, app: AppKey): Promise<boolean> {
    return (await this.#authorizedApp.get(tx, app)) !== undefined;
  }

  /** Counts the clients registered since then, from this network and from the wider one around it. */
  async countRegistrations(tx: Tx, from: OriginRow, since: number): Promise<{ own: number; around: number }> {
    return (await this.#countRegistrations.get(tx, { ...from, since })) ?? { own: 0, around: 0 };
  }

  async setGrant(tx: Tx, grant: OAuthGrantRow, now: number): Promise<void> {
    await this.#insertGrant.run(tx, { ...grant, now });
  }

  async describeGrant(tx: Tx, id: string, facts: GrantDescription): Promise<void> {
    await this.#describe.run(tx, { id, ...facts });
  }

  async grant(tx: Tx, id: string): Promise<string | undefined> {
    return (await this.#grant.get(tx, { id }))?.payload;
  }

  /** Deletes a grant and its tokens. */
  async deleteGrant(tx: Tx, id: string): Promise<void> {
    await this.#deleteGrant.run(tx, { id });
  }

  /** Deletes a grant of the account; false if it has no such grant. */
  async deleteGrantOf(tx: Tx, account: string, id: string): Promise<boolean> {
    return (await this.#deleteGrantOf.run(tx, { id, account })).changes > 0;
  }

  /** The grants of an account with a valid token at `now`, newest first. */
  connectedApps(tx: Tx, account: string, now: number): Promise<ConnectedAppRow[]> {
    return this.#apps.all(tx, { account, now });
  }

  /** Inserts or replaces an item. Throws if its grant was deleted. */
  async setItem(tx: Tx, item: OAuthItemRow): Promise<void> {
    await this.#setItem.run(tx, item);
  }

  item(
    tx: Tx,
    kind: string,
    id: string,
  ): Promise<(OAuthItemRow & { consumed_ts: number | null }) | undefined> {
    return this.#item.get(tx, { kind, id });
  }

  /** Marks an item as consumed. Of concurrent calls only one returns true. */
  async consume(tx: Tx, kind: string, id: string, now: number): Promise<boolean> {
    return (await this.#consume.run(tx, { kind, id, now })).changes > 0;
  }

  async deleteItem(tx: Tx, kind: string, id: string): Promise<void> {
    await this.#deleteItem.run(tx, { kind, id });
  }

  async deleteItemsOf(tx: Tx, grant: string, kind: string): Promise<void> {
    await this.#deleteItemsOf.run(tx, { grant, kind });
  }

  token(tx: Tx, id: string): Promise<AccessTokenRow | undefined> {
    return this.#token.get(tx, { id });
  }

  setting(tx: Tx, key: string): Promise<string | undefined> {
    return this.#settings.read(tx, key);
  }

  /** Adds a setting; an existing value stays. */
  async addSetting(tx: Tx, key: string, value: string): Promise<void> {
    await this.#settings.add(tx, key, value);
  }

  /** Deletes unused clients above a number; see `OAuthCleanup`. */
  async trimUnusedClients(tx: Tx, maxClients: number, since: number): Promise<void> {
    await this.#cleanup.trimUnusedClients(tx, maxClients, since);
  }

  /** Deletes the oldest pending requests above the limits of a network, its region and in total. */
  async trimPending(
    tx: Tx,
    from: OriginRow,
    limits: { own: number; around: number; all: number },
    now: number,
  ): Promise<void> {
    await this.#cleanup.trimPending(tx, from, limits, now);
  }

  /** Deletes items that expired before `ended`, and grants created before then that have no items. */
  async pruneItems(tx: Tx, ended: number): Promise<void> {
    await this.#cleanup.pruneItems(tx, ended);
  }

  /** Deletes clients without grants that are unused or idle, and the rate windows of deleted grants. */
  async pruneClients(tx: Tx, unused: number, idle: number): Promise<void> {
    await this.#cleanup.pruneClients(tx, unused, idle);
  }
}
