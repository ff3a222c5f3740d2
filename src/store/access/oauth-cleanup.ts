/** Deletes OAuth clients, requests, grants and tokens that expired, are unused or exceed a limit. */
import type Database from 'better-sqlite3';
import { type PreparedStatement, prepare, query } from '../statement.ts';

/** Digests of the network that a request came from, and of the wider network around it. */
export type OriginRow = { origin: string; region: string };

export class OAuthCleanup {
  readonly #unused: Database.Statement;
  readonly #trimUnused: Database.Statement;
  readonly #trimOrigin: Database.Statement;
  readonly #trimRegion: Database.Statement;
  readonly #pending: Database.Statement;
  readonly #trimPending: Database.Statement;
  readonly #pruneItems: PreparedStatement<{ before: number }, never>;
  readonly #pruneGrants: PreparedStatement<{ before: number }, never>;
  readonly #pruneClients: PreparedStatement<{ before: number; usedBefore: number }, never>;
  readonly #pruneWindows: PreparedStatement<{ pattern: string }, never>;

  constructor(sqlite: Database.Database) {
    this.#unused = sqlite.prepare('SELECT count(*) FROM oauth_clients WHERE last_used_ts IS NULL').pluck();
    // The newest clients of each region stay; the region with the most clients loses its oldest first.
    this.#trimUnused = sqlite.prepare(
      `DELETE FROM oauth_clients WHERE id IN (
         SELECT id FROM (
           SELECT c.id, c.created_ts, c.rowid AS place,
             row_number() OVER (PARTITION BY c.region ORDER BY c.created_ts DESC, c.rowid DESC) AS rank
           FROM oauth_clients c
           WHERE c.last_used_ts IS NULL AND NOT EXISTS (SELECT 1 FROM oauth_grants g WHERE g.client_id = c.id))
         ORDER BY created_ts <= @since, rank, created_ts DESC, place DESC LIMIT -1 OFFSET @most)`,
    );
    const trim = (which: string) =>
      sqlite.prepare(
        `DELETE FROM oauth_items WHERE rowid IN (
           SELECT rowid FROM oauth_items WHERE ${which} ORDER BY expires_ts DESC, rowid DESC LIMIT -1 OFFSET @most)`,
      );
    this.#trimOrigin = trim('origin = @origin');
    this.#trimRegion = trim('region = @region');
    this.#pending = sqlite.prepare('SELECT count(*) FROM oauth_items WHERE region IS NOT NULL').pluck();
    this.#trimPending = sqlite.prepare(
      `DELETE FROM oauth_items WHERE rowid IN (
         SELECT place FROM (
           SELECT rowid AS place, expires_ts,
             row_number() OVER (PARTITION BY region ORDER BY expires_ts DESC, rowid DESC) AS rank
           FROM oauth_items WHERE region IS NOT NULL)
         ORDER BY expires_ts <= @now, rank, expires_ts DESC, place DESC LIMIT -1 OFFSET @most)`,
    );
    this.#pruneItems = prepare(sqlite, (p) =>
      query.deleteFrom('oauth_items').where('expires_ts', '<', p.before),
    );
    this.#pruneGrants = prepare(sqlite, (p) =>
      query
        .deleteFrom('oauth_grants')
        .where('created_ts', '<', p.before)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauth_items')
                .select('oauth_items.id')
                .whereRef('oauth_items.grant_id', '=', 'oauth_grants.id'),
            ),
          ),
        ),
    );
    this.#pruneClients = prepare(sqlite, (p) =>
      query
        .deleteFrom('oauth_clients')
        .where('created_ts', '<', p.before)
        .where((eb) => eb.or([eb('last_used_ts', 'is', null), eb('last_used_ts', '<', p.usedBefore)]))
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauth_grants')
                .select('oauth_grants.id')
                .whereRef('oauth_grants.client_id', '=', 'oauth_clients.id'),
            ),
          ),
        ),
    );
    this.#pruneWindows = prepare(sqlite, (p) =>
      query
        .deleteFrom('rate_windows')
        .where('credential_id', 'like', p.pattern)
        .where((eb) =>
          eb.not(
            eb.exists(
              eb
                .selectFrom('oauth_grants')
                .select('oauth_grants.id')
                .whereRef('oauth_grants.id', '=', 'rate_windows.credential_id'),
            ),
          ),
        ),
    );
  }

  /**
   * Deletes unused clients so that `maxClients` of them stay: first those created before `since`, then the oldest
   * of the region that has the most.
   */
  trimUnusedClients(maxClients: number, since: number): void {
    if ((this.#unused.get() as number) > maxClients) this.#trimUnused.run({ most: maxClients, since });
  }

  /**
   * Deletes the oldest pending requests above the limits of a network, its region and in total. For the total
   * limit, requests that expired at `now` go first, then those of the regions that have the most.
   */
  trimPending(
    { origin, region }: OriginRow,
    limits: { own: number; around: number; all: number },
    now: number,
  ): void {
    this.#trimOrigin.run({ origin, most: limits.own });
    this.#trimRegion.run({ region, most: limits.around });
    if ((this.#pending.get() as number) > limits.all) this.#trimPending.run({ most: limits.all, now });
  }

  /** Deletes items that expired before `ended`, and grants created before then that have no items. */
  pruneItems(ended: number): void {
    this.#pruneItems.run({ before: ended });
    this.#pruneGrants.run({ before: ended });
  }

  /**
   * Deletes clients without grants that were created before `unused` and not authorized since `idle`, and the
   * rate windows of deleted grants.
   */
  pruneClients(unused: number, idle: number): void {
    this.#pruneClients.run({ before: unused, usedBefore: idle });
    this.#pruneWindows.run({ pattern: 'app_%' });
  }
}
