/**
 * Former versions of nested lists (line-up, tickets, tracklist), for pagination that began before they changed.
 */
import { checksumOf } from '../integrity/checksums.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import { trackListSource } from './episodes.ts';
import { lineupListSource, ticketListSource } from './lineups.ts';
import type { ListEntry, ListSource } from './pagination.ts';

export type NestedList = 'lineup' | 'tickets' | 'tracks';

/** Reads present and former versions of nested lists. */
export class NestedLists extends SqliteStore {
  readonly #present: Record<NestedList, (record: number) => ListSource> = {
    lineup: lineupListSource(this.sqlite),
    tickets: ticketListSource(this.sqlite),
    tracks: trackListSource(this.sqlite),
  };
  readonly #former = prepareValue<string>(
    this.sqlite,
    'SELECT entries FROM list_history WHERE record_id = ? AND list_name = ? AND revision > ? ORDER BY revision LIMIT 1',
  );

  /** The nested list of a record. Pagination that began before a change continues in the former version. */
  source(list: NestedList, record: number): ListSource {
    const entriesAt = (since: number): ListEntry[] | null => {
      const entries = this.#former.get(record, list, since);
      if (entries === undefined) return null;
      const rows = JSON.parse(entries) as ListEntry[];
      return list === 'lineup' ? rows.map(withSet) : rows;
    };
    return { ...this.#present[list](record), entriesAt };
  }

  /** All present entries. */
  all(list: NestedList, record: number): ListEntry[] {
    return this.#present[list](record).fetch(null, -1, null);
  }
}

/** Completes a line-up entry that a program of schema 8 kept: each artist is a set. */
const withSet = ([json, ...key]: ListEntry): ListEntry =>
  json.includes('"set":') ? [json, ...key] : [`${json.slice(0, -1)},"set":${key[0]}}`, ...key];

/** Saves a list before the batch of a revision changes it. */
export class ListHistory extends SqliteStore {
  readonly #lists = new NestedLists(this.sqlite);
  readonly #insert = this.sqlite.prepare(
    'INSERT OR IGNORE INTO list_history (record_id, list_name, revision, entries, checksum) VALUES (?, ?, ?, ?, ?)',
  );

  save(list: NestedList, record: number, revision: number): void {
    const entries = this.#lists.all(list, record);
    if (entries.length === 0) return;
    const text = JSON.stringify(entries);
    this.#insert.run(record, list, revision, text, checksumOf(text));
  }
}
