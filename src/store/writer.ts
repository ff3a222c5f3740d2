/**
 * Writing the catalogue: rows saved only where they differ, slugs minted once, every change noted under the revision of
 * its batch. Whoever calls this has begun a transaction.
 */
import type Database from 'better-sqlite3';
import type { Kind } from '../contract/fields.ts';
import { FormerLists, type InnerList } from './former-lists.ts';

type Value = string | number | null;
export type RowOf = Record<string, Value>;

/** The table of each kind, and the columns its lists are ordered by. */
const tables: Record<Kind, { table: string; key: readonly string[] }> = {
  artist: { table: 'artists', key: ['folded', 'slug'] },
  venue: { table: 'venues', key: ['folded', 'slug'] },
  festival: { table: 'festivals', key: ['folded', 'slug'] },
  city: { table: 'cities', key: ['folded', 'slug'] },
  label: { table: 'labels', key: ['folded', 'slug'] },
  genre: { table: 'genres', key: ['folded', 'slug'] },
  podcast: { table: 'podcasts', key: ['folded', 'slug'] },
  edition: { table: 'editions', key: ['sort_ts', 'id'] },
  episode: { table: 'episodes', key: ['published_ts', 'id'] },
  event: { table: 'events', key: ['start_ts', 'id'] },
};

type KindStatements = {
  find: Database.Statement;
  insert: Database.Statement;
  update: Database.Statement;
  touch: Database.Statement;
  columns: string[];
};

/** Child rows that belong to one record: table, the column that names the owner, the rest in order. */
const children = {
  lineups: ['record_id', 'position', 'artist_id', 'billing', 'stage', 'set_start_at', 'set_end_at'],
  tickets: ['record_id', 'seller', 'url', 'price_min', 'price_max', 'currency', 'availability', 'updated_ts'],
  event_artists: ['event_id', 'artist_id', 'start_ts', 'start_date', 'over_ts'],
  event_genres: ['event_id', 'genre_id', 'start_ts', 'start_date', 'over_ts', 'direct'],
  artist_genres: ['artist_id', 'genre_id', 'direct'],
  festival_genres: ['festival_id', 'genre_id'],
  label_artists: ['label_id', 'artist_id'],
  episode_artists: ['episode_id', 'position', 'artist_id'],
  tracks: [
    'episode_id',
    'position',
    'start_seconds',
    'artist_name',
    'title',
    'label_name',
    'label_id',
    'identified',
  ],
  track_artists: ['episode_id', 'position', 'ordinal', 'artist_id'],
} as const;
export type ChildTable = keyof typeof children;

export class Writer {
  readonly sqlite: Database.Database;
  /** The revision that the batch under way will have if it changes anything. */
  revision = 0;
  /** Whether the batch under way changed anything. */
  changed = false;
  /** The first record that the line under way made. */
  #fresh = Number.POSITIVE_INFINITY;
  /** The records that the line under way made whose rows it has saved. */
  readonly #saved = new Set<number>();
  readonly #former: FormerLists;
  readonly #kinds: Record<Kind, KindStatements>;
  readonly #children: Record<
    ChildTable,
    { all: Database.Statement; clear: Database.Statement; insert: Database.Statement }
  >;
  readonly #newRecord: Database.Statement;
  readonly #touch: Database.Statement;
  readonly #takeSlug: Database.Statement;
  readonly #slugsBelow: Database.Statement;
  readonly #move: Database.Statement;
  readonly #longest: Database.Statement;
  readonly #item: Database.Statement;
  readonly #rest: Database.Statement;
  readonly #stale: Database.Statement;
  readonly #readRevision: Database.Statement;
  readonly #writeRevision: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.sqlite = sqlite;
    this.#former = new FormerLists(sqlite);
    const columnsOf = (table: string) =>
      (sqlite.pragma(`table_info(${table})`) as { name: string }[]).map((column) => column.name);
    this.#kinds = Object.fromEntries(
      Object.entries(tables).map(([kind, { table }]) => {
        const columns = columnsOf(table);
        const set = columns
          .filter((name) => name !== 'id' && name !== 'slug')
          .map((name) => `${name} = @${name}`);
        return [
          kind,
          {
            columns,
            find: sqlite.prepare(`SELECT * FROM ${table} WHERE id = ?`),
            insert: sqlite.prepare(
              `INSERT INTO ${table} (${columns.join(', ')}) VALUES (${columns.map((name) => `@${name}`).join(', ')})`,
            ),
            touch: sqlite.prepare(`UPDATE ${table} SET updated_ts = ? WHERE id = ?`),
            update: sqlite.prepare(`UPDATE ${table} SET ${set.join(', ')} WHERE id = @id`),
          },
        ];
      }),
    ) as Record<Kind, KindStatements>;
    this.#children = Object.fromEntries(
      Object.entries(children).map(([table, columns]) => [
        table,
        {
          all: sqlite
            .prepare(`SELECT ${columns.slice(1).join(', ')} FROM ${table} WHERE ${columns[0]} = ?`)
            .raw(),
          clear: sqlite.prepare(`DELETE FROM ${table} WHERE ${columns[0]} = ?`),
          insert: sqlite.prepare(
            `INSERT OR IGNORE INTO ${table} (${columns.join(', ')}) VALUES (${columns.map(() => '?').join(', ')})`,
          ),
        },
      ]),
    ) as Record<
      ChildTable,
      { all: Database.Statement; clear: Database.Statement; insert: Database.Statement }
    >;
    this.#newRecord = sqlite.prepare('INSERT INTO records (kind, revision) VALUES (?, ?)');
    this.#touch = sqlite.prepare('UPDATE records SET revision = ? WHERE id = ?');
    this.#takeSlug = sqlite.prepare('INSERT OR IGNORE INTO slugs (kind, slug, record_id) VALUES (?, ?, ?)');
    this.#slugsBelow = sqlite
      .prepare("SELECT count(*) FROM slugs WHERE kind = ? AND slug >= ? || '-' AND slug < ? || '.'")
      .pluck();
    this.#move = sqlite.prepare(
      'INSERT OR IGNORE INTO moves (kind, revision, record_id, old_key) VALUES (?, ?, ?, ?)',
    );
    this.#item = sqlite.prepare('UPDATE events SET item = @item WHERE id = @event AND item <> @item');
    this.#rest = sqlite.prepare(
      `INSERT INTO event_details (event_id, rest) VALUES (@event, @rest)
       ON CONFLICT (event_id) DO UPDATE SET rest = excluded.rest WHERE rest <> excluded.rest`,
    );
    this.#longest = sqlite.prepare('UPDATE catalogue SET longest_ms = @ms WHERE longest_ms < @ms');
    this.#stale = sqlite.prepare('INSERT OR IGNORE INTO stale_records (record_id) VALUES (?)');
    this.#readRevision = sqlite.prepare('SELECT revision FROM catalogue').pluck();
    this.#writeRevision = sqlite.prepare('UPDATE catalogue SET revision = ?');
  }

  /** Begins a batch: one transaction, one revision. */
  begin(): void {
    this.sqlite.exec('BEGIN IMMEDIATE');
    this.revision = (this.#readRevision.get() as number) + 1;
    this.changed = false;
  }

  /** Ends the batch; readers see all of it from now on. */
  commit(): void {
    if (this.changed) this.#writeRevision.run(this.revision);
    this.sqlite.exec('COMMIT');
  }

  /** Undoes the batch. */
  rollback(): void {
    if (this.sqlite.inTransaction) this.sqlite.exec('ROLLBACK');
  }

  /** A new record of the kind, still without its row. */
  newRecord(kind: Kind): number {
    this.changed = true;
    const id = Number(this.#newRecord.run(kind, this.revision).lastInsertRowid);
    this.#fresh = Math.min(this.#fresh, id);
    return id;
  }

  /** Begins a line: what it makes is new, all else was there before. */
  beginLine(): void {
    this.#fresh = Number.POSITIVE_INFINITY;
    this.#saved.clear();
  }

  /** Whether this line made the record; ids rise, so that all from its first on are its own. */
  isFresh(id: number): boolean {
    return id >= this.#fresh;
  }

  /** Takes the first of the slugs that is free, else the last with -2, -3 …, for the record for ever. */
  mintSlug(kind: Kind, id: number, candidates: string[]): string {
    const take = (slug: string) => this.#takeSlug.run(kind, slug, id).changes === 1;
    const taken = candidates.find(take);
    if (taken !== undefined) return taken;
    const stem = candidates.at(-1) as string;
    let number = 2;
    while (number <= 9 && !take(`${stem}-${number}`)) number++;
    if (number <= 9) return `${stem}-${number}`;
    // Many of one name: begin where their count says that free ones begin, rather than trying each.
    number = this.#slugsBelow.get(kind, stem, stem) as number;
    while (!take(`${stem}-${number}`)) number++;
    return `${stem}-${number}`;
  }

  /** The row of a record as it stands; undefined while it has none. */
  row(kind: Kind, id: number): RowOf | undefined {
    if (this.isFresh(id) && !this.#saved.has(id)) return undefined;
    return this.#kinds[kind].find.get(id) as RowOf | undefined;
  }

  /**
   * Saves a record's row where it differs from what is there, and says which columns did. `slugs` are the candidates for
   * a new record's slug. What a changed sort key leaves behind is kept for walks under way.
   */
  save(kind: Kind, id: number, values: RowOf, slugs: () => string[], now: number): Set<string> {
    const { insert, update, columns } = this.#kinds[kind];
    const before = this.row(kind, id);
    if (before === undefined) {
      const slug = this.mintSlug(kind, id, slugs());
      insert.run({ ...values, id, slug, updated_ts: now });
      this.#saved.add(id);
      this.changed = true;
      return new Set(columns);
    }
    const differing = new Set(columns.filter((name) => name in values && values[name] !== before[name]));
    if (differing.size === 0) return differing;
    update.run({ ...before, ...values, id });
    this.touch(kind, id, now);
    const { key } = tables[kind];
    if (key.some((name) => differing.has(name))) {
      this.#move.run(kind, this.revision, id, JSON.stringify(key.map((name) => before[name])));
    }
    return differing;
  }

  /**
   * Replaces a record's child rows where they differ, and says whether they did. Rows lack the owner; `beforeChange` is
   * called while the old ones are still there.
   */
  saveChildren(table: ChildTable, owner: number, rows: Value[][], beforeChange?: () => void): boolean {
    const { all, clear, insert } = this.#children[table];
    // A record that this line made has no child rows yet.
    const before = owner >= this.#fresh ? [] : (all.all(owner) as Value[][]);
    if (sameRows(before, rows)) return false;
    if (before.length > 0) beforeChange?.();
    if (before.length > 0) clear.run(owner);
    for (const row of rows) insert.run(owner, ...row);
    this.changed = true;
    return true;
  }

  /** Keeps a list inside a record as it is, for walks under way, before it is changed. */
  keepList(list: InnerList, record: number): void {
    if (!this.isFresh(record)) this.#former.keep(list, record, this.revision);
  }

  /** The child rows of a record, without the owner. */
  childrenOf(table: ChildTable, owner: number): Value[][] {
    return this.#children[table].all.all(owner) as Value[][];
  }

  /** Replaces an episode's tracks and whom they credit, where they differ. */
  saveTracks(episode: number, tracks: Value[][], artists: Value[][]): boolean {
    const { all, clear, insert } = this.#children.track_artists;
    const sameArtists = sameRows(all.all(episode) as Value[][], artists);
    if (sameArtists && sameRows(this.childrenOf('tracks', episode), tracks)) return false;
    this.keepList('tracks', episode);
    clear.run(episode);
    this.saveChildren('tracks', episode, tracks);
    for (const row of artists) insert.run(episode, ...row);
    this.changed = true;
    return true;
  }

  /** Stores how an event reads, in lists and beyond, and says whether any of it is new. */
  saveRendered(event: number, item: string, rest: string): boolean {
    const changed = this.#item.run({ item, event }).changes + this.#rest.run({ rest, event }).changes > 0;
    if (changed) this.changed = true;
    return changed;
  }

  /** Notes that a record changed in this batch, at `now` (ms). */
  touch(kind: Kind, id: number, now: number): void {
    this.changed = true;
    this.#touch.run(this.revision, id);
    this.#kinds[kind].touch.run(now, id);
  }

  /** Has a record worked out again after this batch. */
  markStale(id: number): void {
    this.#stale.run(id);
  }

  /** Widens how long before now an upcoming event may have started. */
  noteLength(ms: number): void {
    this.#longest.run({ ms });
  }
}

/** Whether two sets of rows are the same, in whatever order. */
function sameRows(a: Value[][], b: Value[][]): boolean {
  if (a.length !== b.length) return false;
  if (a.length === 0) return true;
  const texts = new Set(a.map((row) => JSON.stringify(row)));
  return b.every((row) => texts.has(JSON.stringify(row)));
}
