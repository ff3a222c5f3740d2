/** The lease that lets one process at a time write the catalogue. */
import { SqliteStore } from '../statement.ts';

export type WriteLease = { holder: string; purpose: string; expires_ts: number };

/** Leases by name. They are taken rarely, so their speed does not matter. */
export class WriteLeases extends SqliteStore {
  readonly #find = this.sqlite.prepare<unknown[], WriteLease>(
    'SELECT holder, purpose, expires_ts FROM write_leases WHERE name = ?',
  );
  readonly #acquire = this.sqlite.prepare(
    `INSERT INTO write_leases (name, holder, purpose, expires_ts) VALUES (@name, @holder, @purpose, @until)
     ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, purpose = excluded.purpose, expires_ts = excluded.expires_ts
     WHERE holder = excluded.holder OR holder = @instead OR expires_ts <= @now`,
  );
  readonly #release = this.sqlite.prepare('DELETE FROM write_leases WHERE name = ? AND holder = ?');

  /** Returns the lease of a name, also if it has expired; undefined if there is none. */
  find(name: string): WriteLease | undefined {
    return this.#find.get(name);
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

  release(name: string, holder: string): void {
    this.#release.run(name, holder);
  }
}
