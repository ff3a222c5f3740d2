/** The sets of a line-up that several artists play together (b2b). */
import type { FeedLineupEntry } from '../../contract/feed.ts';
import type { ChildRow } from '../../store/writer.ts';

/** A row of a line-up: [position, artist, billing, stage, set_start_at, set_end_at, set_position]. */
export type LineupColumns = ChildRow<'lineups'>;

/** Columns of such a row. */
const column = { artist: 1, stage: 3, start: 4, set: 6 } as const;

/** Collects what one source record says of sets, and notes it in the rows of the merged line-up. */
export class LineupSets {
  readonly #rows: LineupColumns[];
  /** Indexes of rows by the number of their set; null once a member cannot be joined. */
  readonly #members = new Map<number, number[] | null>();

  /** @param rows the merged line-up so far, which `join` changes */
  constructor(rows: LineupColumns[]) {
    this.#rows = rows;
  }

  /** Adds the row that an entry became. */
  add({ set }: FeedLineupEntry, index: number): void {
    if (set == null) return;
    const members = this.#members.get(set);
    if (members === undefined) this.#members.set(set, [index]);
    else members?.push(index);
  }

  /** Adds an entry whose artist another source lists already. An artist who plays twice cannot be placed. */
  addListed(entry: FeedLineupEntry, artist: number): void {
    if (entry.set == null) return;
    const indexes = this.#rows.flatMap((row, index) => (row[column.artist] === artist ? [index] : []));
    const [index, ...others] = indexes;
    if (index !== undefined && others.length === 0) this.add(entry, index);
    else this.#members.set(entry.set, null);
  }

  /** Notes the sets in the rows, unless other sources say that their artists play at different times or stages. */
  join(): void {
    for (const members of this.#members.values()) {
      if (members === null || members.length < 2) continue;
      const rows = members.map((index) => this.#rows[index] as LineupColumns);
      const artists = new Set(rows.map((row) => row[column.artist]));
      const isFree = rows.every((row) => row[column.set] === null);
      const isOnePlace = [column.stage, column.start].every(
        (name) => new Set(rows.map((row) => row[name]).filter((value) => value !== null)).size <= 1,
      );
      if (artists.size < 2 || !isFree || !isOnePlace) continue;
      const first = Math.min(...rows.map(([position]) => position));
      for (const row of rows) row[column.set] = first;
    }
  }
}
