/** Deletes OAuth clients, requests, grants and tokens that expired, are unused or exceed a limit. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { allRows, execute, query, selectCount } from '../engine/statement.ts';

/** Digests of the network that a request came from, and of the wider network around it. */
export type OriginRow = { origin: string; region: string };

/** That no row of another table has this column equal to one of the present row. */
const hasNo = (table: 'oauth_items' | 'oauth_grants', column: string, own: string) => {
  const other = sql.ref(`${table}.${column}`);
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM ${sql.table(table)} WHERE ${other} = ${sql.ref(own)})`;
};

const trim = (which: RawBuilder<unknown>, most: number) =>
  sql`DELETE FROM oauth_items WHERE rowid IN (
    SELECT rowid FROM oauth_items WHERE ${which} ORDER BY expires_ts DESC, rowid DESC LIMIT ${allRows} OFFSET ${most})`;

/**
 * Limits the tables of OAuth (docs/decisions/06-oauth.md): open registration lets anyone add clients and requests.
 * Times are in ms.
 */
export class OAuthCleanup {
  readonly #countUnused = selectCount<[]>(
    () => sql`SELECT count(*) AS count FROM oauth_clients WHERE last_used_ts IS NULL`,
  );
  // The newest clients of each region stay; the region with the most clients loses its oldest first.
  readonly #trimUnused = execute<[maxClients: number, since: number]>(
    (maxClients, since) => sql`DELETE FROM oauth_clients WHERE id IN (
      SELECT id FROM (
        SELECT c.id, c.created_ts, c.rowid AS place,
          row_number() OVER (PARTITION BY c.region ORDER BY c.created_ts DESC, c.rowid DESC) AS rank
        FROM oauth_clients c
        WHERE c.last_used_ts IS NULL AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.id)) AS ranked
      ORDER BY created_ts <= ${since}, rank, created_ts DESC, place DESC LIMIT ${allRows} OFFSET ${maxClients})`,
  );
  readonly #trimOrigin = execute<[origin: string, most: number]>((origin, most) =>
    trim(sql`origin = ${origin}`, most),
  );
  readonly #trimRegion = execute<[region: string, most: number]>((region, most) =>
    trim(sql`region = ${region}`, most),
  );
  readonly #countPending = selectCount<[]>(
    () => sql`SELECT count(*) AS count FROM oauth_items WHERE region IS NOT NULL`,
  );
  readonly #trimPending = execute<[most: number, now: number]>(
    (most, now) => sql`DELETE FROM oauth_items WHERE rowid IN (
      SELECT place FROM (
        SELECT rowid AS place, expires_ts,
          row_number() OVER (PARTITION BY region ORDER BY expires_ts DESC, rowid DESC) AS rank
        FROM oauth_items WHERE region IS NOT NULL) AS ranked
      ORDER BY expires_ts <= ${now}, rank, expires_ts DESC, place DESC LIMIT ${allRows} OFFSET ${most})`,
  );
  readonly #pruneItems = execute<[before: number]>((before) =>
    query.deleteFrom('oauth_items').where('expires_ts', '<', before),
  );
  readonly #pruneGrants = execute<[before: number]>((before) =>
    query
      .deleteFrom('oauth_grants')
      .where('created_ts', '<', before)
      .where(hasNo('oauth_items', 'grant_id', 'oauth_grants.id')),
  );
  readonly #pruneClients = execute<[before: number, usedBefore: number]>((before, usedBefore) =>
    query
      .deleteFrom('oauth_clients')
      .where('created_ts', '<', before)
      .where((eb) => eb.or([eb('last_used_ts', 'is', null), eb('last_used_ts', '<', usedBefore)]))
      .where(hasNo('oauth_grants', 'client_id', 'oauth_clients.id')),
  );
  readonly #pruneWindows = execute<[]>(() =>
    query
      .deleteFrom('rate_windows')
      .where('credential_id', 'like', 'app_%')
      .where(hasNo('oauth_grants', 'id', 'rate_windows.credential_id')),
  );

  /**
   * Deletes unused clients so that `maxClients` of them stay: first those created before `since`, then the oldest
   * of the region that has the most.
   */
  async trimUnusedClients(tx: Tx, maxClients: number, since: number): Promise<void> {
    if ((await this.#countUnused(tx)) > maxClients) await this.#trimUnused(tx, maxClients, since);
  }

  /**
   * Deletes the oldest pending requests above the limits of a network, its region and in total. For the total
   * limit, requests that expired at `now` go first, then those of the regions that have the most.
   */
  async trimPending(
    tx: Tx,
    { origin, region }: OriginRow,
    limits: { own: number; around: number; all: number },
    now: number,
  ): Promise<void> {
    await this.#trimOrigin(tx, origin, limits.own);
    await this.#trimRegion(tx, region, limits.around);
    if ((await this.#countPending(tx)) > limits.all) await this.#trimPending(tx, limits.all, now);
  }

  /** Deletes items that expired before a time, and grants created before it that have no items. */
  async pruneItems(tx: Tx, before: number): Promise<void> {
    await this.#pruneItems(tx, before);
    await this.#pruneGrants(tx, before);
  }

  /**
   * Deletes clients without grants that were created before `createdBefore` and not authorized since `usedBefore`, and
   * the rate windows of deleted grants.
   */
  async pruneClients(tx: Tx, createdBefore: number, usedBefore: number): Promise<void> {
    await this.#pruneClients(tx, createdBefore, usedBefore);
    await this.#pruneWindows(tx);
  }
}
