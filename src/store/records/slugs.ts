/** Assigns slugs (docs/spec/slugs.md): minted once, never changed. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';

export class SlugStore {
  readonly #insert: Database.Statement;
  readonly #countNumbered: Database.Statement;
  readonly #owner: Database.Statement;
  readonly #delete: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#insert = sqlite.prepare('INSERT OR IGNORE INTO slugs (kind, slug, record_id) VALUES (?, ?, ?)');
    this.#countNumbered = sqlite
      .prepare("SELECT count(*) FROM slugs WHERE kind = ? AND slug >= ? || '-' AND slug < ? || '.'")
      .pluck();
    this.#owner = sqlite.prepare('SELECT record_id FROM slugs WHERE kind = ? AND slug = ?').pluck();
    this.#delete = sqlite.prepare('DELETE FROM slugs WHERE kind = ? AND slug = ?');
  }

  /** Assigns the first free slug to the record for good, else the last candidate with -2, -3 … appended. */
  mint(kind: Kind, id: number, candidates: readonly string[]): string {
    const free = candidates.find((slug) => this.claim(kind, slug, id));
    if (free !== undefined) return free;
    const stem = candidates.at(-1) as string;
    let number = 2;
    while (number <= 9 && !this.claim(kind, `${stem}-${number}`, id)) number++;
    if (number <= 9) return `${stem}-${number}`;
    // For a frequent name, start at the number of its slugs instead of trying each.
    number = this.#countNumbered.get(kind, stem, stem) as number;
    while (!this.claim(kind, `${stem}-${number}`, id)) number++;
    return `${stem}-${number}`;
  }

  /** Assigns a slug to a record; false if another record has it. */
  claim(kind: Kind, slug: string, id: number): boolean {
    return this.#insert.run(kind, slug, id).changes === 1;
  }

  /** The record that a slug resolves to. */
  ownerOf(kind: Kind, slug: string): number | null {
    return (this.#owner.get(kind, slug) as number | undefined) ?? null;
  }

  /** Removes a slug from its record. */
  release(kind: Kind, slug: string): void {
    this.#delete.run(kind, slug);
  }
}
