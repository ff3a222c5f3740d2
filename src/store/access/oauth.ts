/**
 * Stores OAuth clients, grants, codes, tokens and pending requests. Each operation is a single statement of
 * portable SQL. Callers pass the ids of items as digests.
 */
import { sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { define, excluded, pick, query } from '../engine/statement.ts';
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
type OAuthItemKey = { kind: string; id: string };
type OriginSince = OriginRow & { since: number };

/** The metadata by which an app is recognised: its redirect addresses as JSON, and its name. */
export type AppKey = { redirectUris: string; name: string };

export class OAuthStore {
  readonly settings = new AccessSettingStore();
  readonly cleanup = new OAuthCleanup();
  readonly #insertClient = define<OAuthClientRow, never>((p) =>
    query
      .insertInto('oauth_clients')
      .values({ ...pick(p, ['id', 'metadata', 'origin', 'region', 'created_ts']), last_used_ts: null }),
  );
  readonly #client = define<{ id: string }, { metadata: string }>((p) =>
    query.selectFrom('oauth_clients').select('metadata').where('id', '=', p.id),
  );
  readonly #useClient = define<{ id: string; now: number }, never>((p) =>
    query.updateTable('oauth_clients').set({ last_used_ts: p.now }).where('id', '=', p.id),
  );
  readonly #authorizedApp = define<AppKey, { found: number }>((p, dialect) => {
    const isSame =
      dialect === 'sqlite'
        ? sql`json_extract(metadata, '$.redirect_uris') = ${p.redirectUris}
          AND coalesce(json_extract(metadata, '$.client_name'), '') = ${p.name}`
        : sql`(metadata::json -> 'redirect_uris')::text = ${p.redirectUris}
          AND coalesce(metadata::json ->> 'client_name', '') = ${p.name}`;
    return sql`SELECT 1 AS found FROM oauth_clients WHERE last_used_ts IS NOT NULL AND ${isSame} LIMIT 1`;
  });
  readonly #countRegistrations = define<OriginSince, { own: number; around: number }>((p) =>
    query
      .selectFrom('oauth_clients')
      .select((eb) => [
        eb.fn.countAll<number>().filterWhere('origin', '=', p.origin).as('own'),
        eb.fn.countAll<number>().filterWhere('region', '=', p.region).as('around'),
      ])
      .where('created_ts', '>', p.since),
  );
  readonly #insertGrant = define<OAuthGrantRow & { now: number }, never>((p) =>
    query
      .insertInto('oauth_grants')
      .values({
        ...pick(p, ['id', 'account_id', 'client_id', 'payload']),
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
  readonly #describe = define<GrantDescription & { id: string }, never>((p) =>
    query
      .updateTable('oauth_grants')
      .set({ name: p.name, uri: p.uri, host: p.host, verified: p.verified, scopes: p.scopes })
      .where('id', '=', p.id),
  );
  readonly #grant = define<{ id: string }, { payload: string }>((p) =>
    query.selectFrom('oauth_grants').select('payload').where('id', '=', p.id),
  );
  readonly #deleteGrant = define<{ id: string }, never>((p) =>
    query.deleteFrom('oauth_grants').where('id', '=', p.id),
  );
  readonly #deleteGrantOf = define<{ id: string; account: string }, never>((p) =>
    query.deleteFrom('oauth_grants').where('id', '=', p.id).where('account_id', '=', p.account),
  );
  readonly #apps = define<{ account: string; now: number }, ConnectedAppRow>((p) =>
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
  readonly #setItem = define<OAuthItemRow, never>((p) =>
    query
      .insertInto('oauth_items')
      .values({
        ...pick(p, ['kind', 'id', 'grant_id', 'payload', 'expires_ts', 'origin', 'region']),
        consumed_ts: null,
      })
      .onConflict((conflict) =>
        conflict.columns(['kind', 'id']).doUpdateSet(excluded('grant_id', 'payload', 'expires_ts')),
      ),
  );
  readonly #item = define<OAuthItemKey, Row<'oauth_items'>>((p) =>
    query
      .selectFrom('oauth_items')
      .select(['kind', 'id', 'grant_id', 'payload', 'expires_ts', 'consumed_ts', 'origin', 'region'])
      .where('kind', '=', p.kind)
      .where('id', '=', p.id),
  );
  readonly #consume = define<OAuthItemKey & { now: number }, never>((p) =>
    query
      .updateTable('oauth_items')
      .set({ consumed_ts: p.now })
      .where('kind', '=', p.kind)
      .where('id', '=', p.id)
      .where('consumed_ts', 'is', null),
  );
  readonly #deleteItem = define<OAuthItemKey, never>((p) =>
    query.deleteFrom('oauth_items').where('kind', '=', p.kind).where('id', '=', p.id),
  );
  readonly #deleteItemsOf = define<{ kind: string; grant: string }, never>((p) =>
    query.deleteFrom('oauth_items').where('grant_id', '=', p.grant).where('kind', '=', p.kind),
  );
  readonly #token = define<{ id: string }, AccessTokenRow>((p) =>
    query
      .selectFrom('oauth_items as i')
      .innerJoin('oauth_grants as g', 'g.id', 'i.grant_id')
      .select(['g.id as grant_id', 'g.account_id', 'i.payload', 'i.expires_ts'])
      .where('i.kind', '=', 'AccessToken')
      .where('i.id', '=', p.id),
  );

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

  item(tx: Tx, kind: string, id: string): Promise<Row<'oauth_items'> | undefined> {
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
}
