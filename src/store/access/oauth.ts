/**
 * Stores OAuth clients, grants, codes, tokens and pending requests. Each operation is a single statement of
 * portable SQL. Callers pass the ids of items as digests.
 */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';
import { OAuthCleanup, type OriginRow } from './oauth-cleanup.ts';

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

export class OAuthStore {
  readonly #cleanup: OAuthCleanup;
  readonly #insertClient: PreparedStatement<OAuthClientRow, never>;
  readonly #client: PreparedStatement<{ id: string }, { metadata: string }>;
  readonly #useClient: PreparedStatement<{ id: string; now: number }, never>;
  readonly #countRegistrations: PreparedStatement<OriginSince, { own: number; around: number }>;
  readonly #insertGrant: PreparedStatement<OAuthGrantRow & { now: number }, never>;
  readonly #describe: PreparedStatement<GrantDescription & { id: string }, never>;
  readonly #grant: PreparedStatement<{ id: string }, { payload: string }>;
  readonly #deleteGrant: PreparedStatement<{ id: string }, never>;
  readonly #deleteGrantOf: PreparedStatement<{ id: string; account: string }, never>;
  readonly #apps: PreparedStatement<{ account: string; now: number }, ConnectedAppRow>;
  readonly #setItem: PreparedStatement<OAuthItemRow, never>;
  readonly #item: PreparedStatement<OAuthItemKey, OAuthItemRow & { consumed_ts: number | null }>;
  readonly #consume: PreparedStatement<OAuthItemKey & { now: number }, never>;
  readonly #deleteItem: PreparedStatement<OAuthItemKey, never>;
  readonly #deleteItemsOf: PreparedStatement<{ kind: string; grant: string }, never>;
  readonly #token: PreparedStatement<{ id: string }, AccessTokenRow>;
  readonly #setting: PreparedStatement<{ key: string }, { value: string }>;
  readonly #setSetting: PreparedStatement<{ key: string; value: string }, never>;

  constructor(sqlite: Database.Database) {
    this.#cleanup = new OAuthCleanup(sqlite);
    this.#insertClient = prepare(sqlite, (p) =>
      query.insertInto('oauth_clients').values({
        id: p.id,
        metadata: p.metadata,
        origin: p.origin,
        region: p.region,
        created_ts: p.created_ts,
        last_used_ts: null,
      }),
    );
    this.#client = prepare(sqlite, (p) =>
      query.selectFrom('oauth_clients').select('metadata').where('id', '=', p.id),
    );
    this.#useClient = prepare(sqlite, (p) =>
      query.updateTable('oauth_clients').set({ last_used_ts: p.now }).where('id', '=', p.id),
    );
    this.#countRegistrations = prepare(sqlite, (p) =>
      query
        .selectFrom('oauth_clients')
        .select((eb) => [
          eb.fn.countAll<number>().filterWhere('origin', '=', p.origin).as('own'),
          eb.fn.countAll<number>().filterWhere('region', '=', p.region).as('around'),
        ])
        .where('created_ts', '>', p.since),
    );
    this.#insertGrant = prepare(sqlite, (p) =>
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
    this.#describe = prepare(sqlite, (p) =>
      query
        .updateTable('oauth_grants')
        .set({ name: p.name, uri: p.uri, host: p.host, verified: p.verified, scopes: p.scopes })
        .where('id', '=', p.id),
    );
    this.#grant = prepare(sqlite, (p) =>
      query.selectFrom('oauth_grants').select('payload').where('id', '=', p.id),
    );
    this.#deleteGrant = prepare(sqlite, (p) => query.deleteFrom('oauth_grants').where('id', '=', p.id));
    this.#deleteGrantOf = prepare(sqlite, (p) =>
      query.deleteFrom('oauth_grants').where('id', '=', p.id).where('account_id', '=', p.account),
    );
    this.#apps = prepare(sqlite, (p) =>
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
    this.#setItem = prepare(sqlite, (p) =>
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
    this.#item = prepare(sqlite, (p) =>
      query
        .selectFrom('oauth_items')
        .select(['kind', 'id', 'grant_id', 'payload', 'expires_ts', 'consumed_ts', 'origin', 'region'])
        .where('kind', '=', p.kind)
        .where('id', '=', p.id),
    );
    this.#consume = prepare(sqlite, (p) =>
      query
        .updateTable('oauth_items')
        .set({ consumed_ts: p.now })
        .where('kind', '=', p.kind)
        .where('id', '=', p.id)
        .where('consumed_ts', 'is', null),
    );
    this.#deleteItem = prepare(sqlite, (p) =>
      query.deleteFrom('oauth_items').where('kind', '=', p.kind).where('id', '=', p.id),
    );
    this.#deleteItemsOf = prepare(sqlite, (p) =>
      query.deleteFrom('oauth_items').where('grant_id', '=', p.grant).where('kind', '=', p.kind),
    );
    this.#token = prepare(sqlite, (p) =>
      query
        .selectFrom('oauth_items as i')
        .innerJoin('oauth_grants as g', 'g.id', 'i.grant_id')
        .select(['g.id as grant_id', 'g.account_id', 'i.payload', 'i.expires_ts'])
        .where('i.kind', '=', 'AccessToken')
        .where('i.id', '=', p.id),
    );
    this.#setting = prepare(sqlite, (p) =>
      query.selectFrom('settings').select('value').where('key', '=', p.key),
    );
    this.#setSetting = prepare(sqlite, (p) =>
      query
        .insertInto('settings')
        .values({ key: p.key, value: p.value })
        .onConflict((conflict) => conflict.column('key').doNothing()),
    );
  }

  insertClient(client: OAuthClientRow): void {
    this.#insertClient.run(client);
  }

  client(id: string): string | undefined {
    return this.#client.get({ id })?.metadata;
  }

  /** Records that a user authorized the client. */
  markClientUsed(id: string, now: number): void {
    this.#useClient.run({ id, now });
  }

  /** Counts the clients registered since then, from this network and from the wider one around it. */
  countRegistrations(from: OriginRow, since: number): { own: number; around: number } {
    return this.#countRegistrations.get({ ...from, since }) ?? { own: 0, around: 0 };
  }

  setGrant(grant: OAuthGrantRow, now: number): void {
    this.#insertGrant.run({ ...grant, now });
  }

  describeGrant(id: string, facts: GrantDescription): void {
    this.#describe.run({ id, ...facts });
  }

  grant(id: string): string | undefined {
    return this.#grant.get({ id })?.payload;
  }

  /** Deletes a grant and its tokens. */
  deleteGrant(id: string): void {
    this.#deleteGrant.run({ id });
  }

  /** Deletes a grant of the account; false if it has no such grant. */
  deleteGrantOf(account: string, id: string): boolean {
    return this.#deleteGrantOf.run({ id, account }).changes > 0;
  }

  /** The grants of an account with a valid token at `now`, newest first. */
  connectedApps(account: string, now: number): ConnectedAppRow[] {
    return this.#apps.all({ account, now });
  }

  /** Inserts or replaces an item. Throws if its grant was deleted. */
  setItem(item: OAuthItemRow): void {
    this.#setItem.run(item);
  }

  item(kind: string, id: string): (OAuthItemRow & { consumed_ts: number | null }) | undefined {
    return this.#item.get({ kind, id });
  }

  /** Marks an item as consumed. Of concurrent calls only one returns true. */
  consume(kind: string, id: string, now: number): boolean {
    return this.#consume.run({ kind, id, now }).changes > 0;
  }

  deleteItem(kind: string, id: string): void {
    this.#deleteItem.run({ kind, id });
  }

  deleteItemsOf(grant: string, kind: string): void {
    this.#deleteItemsOf.run({ grant, kind });
  }

  token(id: string): AccessTokenRow | undefined {
    return this.#token.get({ id });
  }

  setting(key: string): string | undefined {
    return this.#setting.get({ key })?.value;
  }

  /** Adds a setting; an existing value stays. */
  addSetting(key: string, value: string): void {
    this.#setSetting.run({ key, value });
  }

  /** Deletes unused clients above a number; see `OAuthCleanup`. */
  trimUnusedClients(maxClients: number, since: number): void {
    this.#cleanup.trimUnusedClients(maxClients, since);
  }

  /** Deletes the oldest pending requests above the limits of a network, its region and in total. */
  trimPending(from: OriginRow, limits: { own: number; around: number; all: number }, now: number): void {
    this.#cleanup.trimPending(from, limits, now);
  }

  /** Deletes items that expired before `ended`, and grants created before then that have no items. */
  pruneItems(ended: number): void {
    this.#cleanup.pruneItems(ended);
  }

  /** Deletes clients without grants that are unused or idle, and the rate windows of deleted grants. */
  pruneClients(unused: number, idle: number): void {
    this.#cleanup.pruneClients(unused, idle);
  }
}
