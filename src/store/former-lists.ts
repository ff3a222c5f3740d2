/** Lists inside a record (line-up, tickets, tracklist) as they were, for walks that began before they changed. */
import type Database from 'better-sqlite3';
import { checksumOf } from './checksums.ts';
import { trackLists } from './episodes.ts';
import { lineupLists, ticketLists } from './lineups.ts';
import type { ListSource, Row } from './list.ts';

export type InnerList = 'lineup' | 'tickets' | 'tracks';

/** Reads the lists of records, the present ones and the former. */
export class InnerLists {
  readonly #present: Record<InnerList, (record: number) => ListSource>;
  readonly #former: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#present = { lineup: lineupLists(sqlite), tickets: ticketLists(sqlite), tracks: trackLists(sqlite) };
    this.#former = sqlite
      .prepare(
        'SELECT entries FROM former_lists WHERE record_id = ? AND list = ? AND revision > ? ORDER BY revision LIMIT 1',
      )
      .pluck();
  }

  /** The list of a record; walks that began before it changed go on in what it was. */
  source(list: InnerList, record: number): ListSource {
    const former = (since: number): Row[] | null => {
      const entries = this.#former.get(record, list, since) as string | undefined;
      return entries === undefined ? null : (JSON.parse(entries) as Row[]);
    };
    return { ...this.#present[list](record), former };
  }

  /** All entries as they are now. */
  all(list: InnerList, record: number): Row[] {
    return this.#present[list](record).fetch(null, -1, null);
  }
}

/** Keeps what a list was, before it is changed in the batch of `revision`. */
export class FormerLists {
  readonly #lists: InnerLists;
  readonly #keep: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#lists = new InnerLists(sqlite);
    this.#keep = sqlite.prepare(
      'INSERT OR IGNORE INTO former_lists (record_id, list, revision, entries, checksum) VALUES (?, ?, ?, ?, ?)',
    );
  }

  keep(list: InnerList, record: number, revision: number): void {
    const entries = this.#lists.all(list, record);
    if (entries.length === 0) return;
    const text = JSON.stringify(entries);
    this.#keep.run(record, list, revision, text, checksumOf(text));
  }
}
