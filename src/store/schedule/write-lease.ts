/** Who writes the catalogue at present. */
import type Database from 'better-sqlite3';

export type WriteLease = { holder: string; purpose: string; expires_ts: number };

/** Turns are few and far between: nothing here has to be fast. */
export class WriteLeases {
  readonly #find: Database.Statement;
  readonly #take: Database.Statement;
  readonly #end: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#find = sqlite.prepare('SELECT holder, purpose, expires_ts FROM write_leases WHERE name = ?');
    this.#take = sqlite.prepare(
      `INSERT INTO write_leases (name, holder, purpose, expires_ts) VALUES (@name, @holder, @purpose, @until)
       ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, purpose = excluded.purpose, expires_ts = excluded.expires_ts
       WHERE holder = excluded.holder OR holder = @instead OR expires_ts <= @now`,
    );
    this.#end = sqlite.prepare('DELETE FROM write_leases WHERE name = ? AND holder = ?');
  }

  /** Whose turn it is, or was last. */
  find(name: string): WriteLease | undefined {
    return this.#find.get(name) as WriteLease | undefined;
  }

  /**
   * Takes the turn where nobody has it, or its time is over, or it is `instead`'s (who is known to be gone); or goes on
   * with it. All times in ms since 1970. False where it is somebody else's.
   */
  acquire(
    name: string,
    turn: { holder: string; purpose: string; until: number; now: number; instead?: string | null },
  ): boolean {
    return this.#take.run({ name, instead: null, ...turn }).changes > 0;
  }

  release(name: string, holder: string): void {
    this.#end.run(name, holder);
  }
}
