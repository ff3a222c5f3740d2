/** Lists inside a record (line-up, tickets, tracklist) as they were, for walks that began before they changed. */
import type Database from 'better-sqlite3';
import { checksumOf } from '../integrity/checksums.ts';
import { trackListSource } from './episodes.ts';
import { lineupListSource, ticketListSource } from './lineups.ts';
import type { ListEntry, ListSource } from './pagination.ts';

export type NestedList = 'lineup' | 'tickets' | 'tracks';

/** Reads the lists of records, the present ones and the former. */
export class NestedLists {
  readonly #present: Record<NestedList, (record: number) => ListSource>;
  readonly #former: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#present = {
      lineup: lineupListSource(sqlite),
      tickets: ticketListSource(sqlite),
      tracks: trackListSource(sqlite),
    };
    this.#former = sqlite
      .prepare(
        'SELECT entries FROM list_history WHERE record_id = ? AND list_name = ? AND revision > ? ORDER BY revision LIMIT 1',
      )
      .pluck();
  }

  /** The list of a record; walks that began before it changed go on in what it was. */
  source(list: NestedList, record: number): ListSource {
    const former = (since: number): ListEntry[] | null => {
      const entries = this.#former.get(record, list, since) as string | undefined;
      return entries === undefined ? null : (JSON.parse(entries) as ListEntry[]);
    };
    return { ...this.#present[list](record), entriesAt: former };
  }

  /** All entries as they are now. */
  all(list: NestedList, record: number): ListEntry[] {
    return this.#present[list](record).fetch(null, -1, null);
  }
}

/** Keeps what a list was, before it is changed in the batch of `currentRevision`. */
export class ListHistory {
  readonly #lists: NestedLists;
  readonly #keep: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#lists = new NestedLists(sqlite);
    this.#keep = sqlite.prepare(
      'INSERT OR IGNORE INTO list_history (record_id, list_name, revision, entries, checksum) VALUES (?, ?, ?, ?, ?)',
    );
  }

  save(list: NestedList, record: number, revision: number): void {
    const entries = this.#lists.all(list, record);
    if (entries.length === 0) return;
    const text = JSON.stringify(entries);
    this.#keep.run(record, list, revision, text, checksumOf(text));
  }
}
