/** Deletes OAuth clients, requests, grants and tokens that expired, are unused or exceed a limit. */
import { type RawBuilder, sql } from 'kysely';
import type { Tx } from '../engine/engine.ts';
import { allRows, define, query } from '../engine/statement.ts';

/** Digests of the network that a request came from, and of the wider network around it. */
export type OriginRow = { origin: string; region: string };

type NoValues = Record<never, never>;

/** That no row of another table has this column equal to one of the present row. */
const hasNo = (table: 'oauth_items' | 'oauth_grants', column: string, own: string) => {
  const other = sql.ref(`${table}.${column}`);
  return sql<boolean>`NOT EXISTS (SELECT 1 FROM ${sql.table(table)} WHERE ${other} = ${sql.ref(own)})`;
};

const trim = (which: RawBuilder<unknown>, most: number) =>
  sql`DELETE FROM oauth_items WHERE rowid IN (
    SELECT rowid FROM oauth_items WHERE ${which} ORDER BY expires_ts DESC, rowid DESC LIMIT ${allRows} OFFSET ${most})`;

export class OAuthCleanup {
  readonly #unused = define<NoValues, { count: number }>(
    () => sql`SELECT count(*) AS count FROM oauth_clients WHERE last_used_ts IS NULL`,
  );
  // The newest clients of each region stay; the region with the most clients loses its oldest first.
  readonly #trimUnused = define<{ since: number; most: number }, never>(
    (p) => sql`DELETE FROM oauth_clients WHERE id IN (
      SELECT id FROM (
        SELECT c.id, c.created_ts, c.rowid AS place,
          row_number() OVER (PARTITION BY c.region ORDER BY c.created_ts DESC, c.rowid DESC) AS rank
        FROM oauth_clients c
        WHERE c.last_used_ts IS NULL AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.id)) AS ranked
      ORDER BY created_ts <= ${p.since}, rank, created_ts DESC, place DESC LIMIT ${allRows} OFFSET ${p.most})`,
  );
  readonly #trimOrigin = define<{ origin: string; most: number }, never>((p) =>
    trim(sql`origin = ${p.origin}`, p.most),
  );
  readonly #trimRegion = define<{ region: string; most: number }, never>((p) =>
    trim(sql`region = ${p.region}`, p.most),
  );
  readonly #pending = define<NoValues, { count: number }>(
    () => sql`SELECT count(*) AS count FROM oauth_items WHERE region IS NOT NULL`,
  );
  readonly #trimPending = define<{ now: number; most: number }, never>(
    (p) => sql`DELETE FROM oauth_items WHERE rowid IN (
      SELECT place FROM (
        SELECT rowid AS place, expires_ts,
          row_number() OVER (PARTITION BY region ORDER BY expires_ts DESC, rowid DESC) AS rank
        FROM oauth_items WHERE region IS NOT NULL) AS ranked
      ORDER BY expires_ts <= ${p.now}, rank, expires_ts DESC, place DESC LIMIT ${allRows} OFFSET ${p.most})`,
  );
  readonly #pruneItems = define<{ before: number }, never>((p) =>
    query.deleteFrom('oauth_items').where('expires_ts', '<', p.before),
  );
  readonly #pruneGrants = define<{ before: number }, never>((p) =>
    query
      .deleteFrom('oauth_grants')
      .where('created_ts', '<', p.before)
      .where(hasNo('oauth_items', 'grant_id', 'oauth_grants.id')),
  );
  readonly #pruneClients = define<{ before: number; usedBefore: number }, never>((p) =>
    query
      .deleteFrom('oauth_clients')
      .where('created_ts', '<', p.before)
      .where((eb) => eb.or([eb('last_used_ts', 'is', null), eb('last_used_ts', '<', p.usedBefore)]))
      .where(hasNo('oauth_grants', 'client_id', 'oauth_clients.id')),
  );
  readonly #pruneWindows = define<{ pattern: string }, never>((p) =>
    query
      .deleteFrom('rate_windows')
      .where('credential_id', 'like', p.pattern)
      .where(hasNo('oauth_grants', 'id', 'rate_windows.credential_id')),
  );

  /**
   * Deletes unused clients so that `maxClients` of them stay: first those created before `since`, then the oldest
   * of the region that has the most.
   */
  async trimUnusedClients(tx: Tx, maxClients: number, since: number): Promise<void> {
    if (((await this.#unused.get(tx, {}))?.count ?? 0) > maxClients)
      await this.#trimUnused.run(tx, { most: maxClients, since });
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
    await this.#trimOrigin.run(tx, { origin, most: limits.own });
    await this.#trimRegion.run(tx, { region, most: limits.around });
    if (((await this.#pending.get(tx, {}))?.count ?? 0) > limits.all)
      await this.#trimPending.run(tx, { most: limits.all, now });
  }

  /** Deletes items that expired before `ended`, and grants created before then that have no items. */
  async pruneItems(tx: Tx, ended: number): Promise<void> {
    await this.#pruneItems.run(tx, { before: ended });
    await this.#pruneGrants.run(tx, { before: ended });
  }

  /**
   * Deletes clients without grants that were created before `unused` and not authorized since `idle`, and the
   * rate windows of deleted grants.
   */
  async pruneClients(tx: Tx, unused: number, idle: number): Promise<void> {
    await this.#pruneClients.run(tx, { before: unused, usedBefore: idle });
    await this.#pruneWindows.run(tx, { pattern: 'app_%' });
  }
}
