/** The lease that lets one process at a time write the catalogue. */
import { SqliteStore } from '../statement.ts';

export type WriteLease = { holder: string; purpose: string; expires_ts: number };

/** The name of a request for a turn is this and the one who asks. */
const requestPrefix = 'turn of ';

/** Leases by name. They are taken rarely, so their speed does not matter. */
export class WriteLeases extends SqliteStore {
  /** Returns the lease of a name, also if it has expired; undefined if there is none. */
  readonly find = this.selectFirst<[name: string], WriteLease>(
    'SELECT holder, purpose, expires_ts FROM write_leases WHERE name = ?',
  );
  readonly #acquire = this.sqlite.prepare(
    `INSERT INTO write_leases (name, holder, purpose, expires_ts) VALUES (@name, @holder, @purpose, @until)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, purpose = excluded.purpose, expires_ts = excluded.expires_ts
     WHERE holder = excluded.holder OR holder = @instead OR expires_ts <= @now`,
  );
  readonly #release = this.sqlite.prepare('DELETE FROM write_leases WHERE name = ? AND holder = ?');
  readonly #releaseAll = this.sqlite.prepare('DELETE FROM write_leases WHERE holder = ?');
  /** Those who ask for a turn at `now` (ms). */
  readonly requests = this.selectAll<[now: number], WriteLease>(
    `SELECT holder, purpose, expires_ts FROM write_leases
     WHERE name = '${requestPrefix}' || holder AND expires_ts > ? ORDER BY rowid`,
  );
  // Those of processes that were killed while they waited.
  readonly #dropRequests = this.sqlite.prepare(
    `DELETE FROM write_leases WHERE name = '${requestPrefix}' || holder AND expires_ts <= ?`,
  );
  readonly #rename = this.sqlite.prepare(
    'UPDATE write_leases SET holder = @to, purpose = @purpose, expires_ts = @until WHERE name = @name AND holder = @from',
  );

  /** Asks the holder of the lease for a turn, until a time in ms since 1970. */
  request(request: { holder: string; purpose: string; until: number; now: number }): void {
    this.acquire(requestPrefix + request.holder, request);
  }

  /**
   * Lends the lease to one who asks for a turn. The request is kept as the note to whom the lease returns.
   * @returns false if the lease has another holder, or the request is withdrawn
   */
  lend(name: string, lender: { holder: string; purpose: string }, to: WriteLease, until: number): boolean {
    return this.sqlite
      .transaction(() => {
        const request = { name: requestPrefix + to.holder, from: to.holder, to: lender.holder };
        if (this.#rename.run({ ...request, purpose: lender.purpose, until }).changes === 0) return false;
        const lease = { name, from: lender.holder, to: to.holder, purpose: to.purpose, until };
        if (this.#rename.run(lease).changes > 0) return true;
        this.#release.run(request.name, lender.holder);
        return false;
      })
      .immediate();
  }

  /** Ends the lease and the request of a holder. A lease that was lent returns to its lender, if that still waits. */
  end(name: string, holder: string, { now, until }: { now: number; until: number }): void {
    this.sqlite
      .transaction(() => {
        const lender = this.find(requestPrefix + holder);
        if (lender !== undefined && lender.holder !== holder)
          this.#rename.run({ name, from: holder, to: lender.holder, purpose: lender.purpose, until });
        this.#release.run(requestPrefix + holder, lender?.holder ?? holder);
        this.#releaseAll.run(holder);
        this.#dropRequests.run(now);
      })
      .immediate();
  }

  /**
   * Acquires or renews the lease. A lease of another holder is replaced if it has expired, or if that holder is `instead`,
   * whose process is known to have ended. All times in ms since 1970.
   * @returns false if another holder has the lease
   */
  acquire(
    name: string,
    lease: { holder: string; purpose: string; until: number; now: number; instead?: string | null },
  ): boolean {
    return this.#acquire.run({ name, instead: null, ...lease }).changes > 0;
  }
}
