/** Slugs as they are given away (docs/spec/slugs.md): minted once, never changed. */
import type Database from 'better-sqlite3';
import type { Kind } from '../../contract/fields.ts';

export class SlugStore {
  readonly #take: Database.Statement;
  readonly #below: Database.Statement;
  readonly #holder: Database.Statement;
  readonly #free: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#take = sqlite.prepare('INSERT OR IGNORE INTO slugs (kind, slug, record_id) VALUES (?, ?, ?)');
    this.#below = sqlite
      .prepare("SELECT count(*) FROM slugs WHERE kind = ? AND slug >= ? || '-' AND slug < ? || '.'")
      .pluck();
    this.#holder = sqlite.prepare('SELECT record_id FROM slugs WHERE kind = ? AND slug = ?').pluck();
    this.#free = sqlite.prepare('DELETE FROM slugs WHERE kind = ? AND slug = ?');
  }

  /** Takes the first of the slugs that is free, else the last with -2, -3 …, for the record for ever. */
  mint(kind: Kind, id: number, candidates: readonly string[]): string {
    const taken = candidates.find((slug) => this.claim(kind, slug, id));
    if (taken !== undefined) return taken;
    const stem = candidates.at(-1) as string;
    let number = 2;
    while (number <= 9 && !this.claim(kind, `${stem}-${number}`, id)) number++;
    if (number <= 9) return `${stem}-${number}`;
    // Many of one name: begin where their count says that free ones begin, rather than trying each.
    number = this.#below.get(kind, stem, stem) as number;
    while (!this.claim(kind, `${stem}-${number}`, id)) number++;
    return `${stem}-${number}`;
  }

  /** Gives a slug to a record, if nobody has it. */
  claim(kind: Kind, slug: string, id: number): boolean {
    return this.#take.run(kind, slug, id).changes === 1;
  }

  /** The record that a slug answers with. */
  ownerOf(kind: Kind, slug: string): number | null {
    return (this.#holder.get(kind, slug) as number | undefined) ?? null;
  }

  /** A slug answers with nobody any more. */
  release(kind: Kind, slug: string): void {
    this.#free.run(kind, slug);
  }
}
