/** Reads the possible matches that an editor can decide, and stores which of them an editor postponed. */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { Kind } from '../../contract/fields.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { kindTables } from '../records/kind-tables.ts';
import { prepareValue, SqliteStore } from '../statement.ts';
import type { PossibleMatchRow, RecordPairKey } from './match-store.ts';

/** A possible match of two different records that exist, with their ids in ascending order. */
export type OpenMatch = PossibleMatchRow & { ids: [number, number] };

type JoinedRow = PossibleMatchRow & {
  a_id: number | null;
  b_id: number | null;
  is_decided: 0 | 1;
  a_digest: number | null;
  b_digest: number | null;
};

/** Selects the record that one side of the possible match `m` belongs to now. */
const recordOf = (side: 'a' | 'b'): string => `
  CASE WHEN m.${side}_source = ''
    THEN (SELECT record_id FROM slugs WHERE kind = m.kind AND slug = m.${side}_external_id)
    ELSE (SELECT r.record_id FROM sources s JOIN source_records r ON r.source_id = s.id
          WHERE s.name = m.${side}_source AND r.kind = m.kind AND r.external_id = m.${side}_external_id)
  END`;

const isDecided = (one: 'a' | 'b', other: 'a' | 'b'): string => `EXISTS (
  SELECT 1 FROM match_decisions d WHERE d.kind = m.kind
    AND d.a_source = m.${one}_source AND d.a_external_id = m.${one}_external_id
    AND d.b_source = m.${other}_source AND d.b_external_id = m.${other}_external_id)`;

const joinedRows = `
  SELECT m.kind, m.a_source, m.a_external_id, m.b_source, m.b_external_id, m.score, m.rule, m.reasons,
    ${recordOf('a')} AS a_id, ${recordOf('b')} AS b_id,
    (${isDecided('a', 'b')} OR ${isDecided('b', 'a')}) AS is_decided, p.a_digest, p.b_digest
  FROM possible_matches m LEFT JOIN postponed_matches p
    ON p.kind = m.kind AND p.a_source = m.a_source AND p.a_external_id = m.a_external_id
      AND p.b_source = m.b_source AND p.b_external_id = m.b_external_id`;

const isPair =
  'kind = @kind AND a_source = @a_source AND a_external_id = @a_external_id AND b_source = @b_source AND b_external_id = @b_external_id';

// A record is named by its source records, or by one of its slugs.
const keys = `
  SELECT s.name AS source, r.external_id FROM source_records r JOIN sources s ON s.id = r.source_id
    WHERE r.record_id = @record AND r.kind = @kind
  UNION ALL SELECT '', slug FROM slugs WHERE record_id = @record AND kind = @kind`;

/**
 * Reads the queue of possible matches. A postponed pair returns to it when one of its source records changes or is
 * withdrawn.
 */
export class ReviewStore extends SqliteStore {
  readonly #rows = new Map<Kind, Database.Statement>();
  readonly #page = this.sqlite.prepare<unknown[], JoinedRow>(
    `${joinedRows}
     WHERE (m.kind, m.a_source, m.a_external_id, m.b_source, m.b_external_id)
         > (@kind, @a_source, @a_external_id, @b_source, @b_external_id)
     ORDER BY m.kind, m.a_source, m.a_external_id, m.b_source, m.b_external_id LIMIT @limit`,
  );
  readonly #ofRecord = this.sqlite.prepare<unknown[], JoinedRow>(
    `${joinedRows} JOIN (${keys}) k ON m.a_source = k.source AND m.a_external_id = k.external_id WHERE m.kind = @kind
     UNION
     ${joinedRows} JOIN (${keys}) k ON m.b_source = k.source AND m.b_external_id = k.external_id WHERE m.kind = @kind
     ORDER BY 6 DESC, 2, 3, 4, 5`,
  );
  readonly #digests = this.sqlite.prepare(`SELECT a_digest, b_digest FROM postponed_matches WHERE ${isPair}`);
  readonly #content = this.sqlite.prepare(
    `SELECT r.content, r.withdrawn_ts FROM source_records r JOIN sources s ON s.id = r.source_id
     WHERE s.name = ? AND r.kind = ? AND r.external_id = ?`,
  );

  /**
   * Reads stored possible matches in the order of their keys, and keeps those that are open: of two different records
   * that are shown, without a decision, and not put off.
   * @param after the position that the last call returned; null to begin
   * @returns the open ones, and the position after the last row read; null at the end
   */
  page(after: RecordPairKey | null, limit: number): { open: OpenMatch[]; next: RecordPairKey | null } {
    const start = after ?? { kind: '', a_source: '', a_external_id: '', b_source: '', b_external_id: '' };
    const rows = this.#page.all({ ...start, limit });
    const last = rows.at(-1);
    const next = rows.length < limit || last === undefined ? null : toPosition(last);
    return { open: rows.flatMap((row) => this.#toOpen(row)), next };
  }

  /** The open possible matches between two records, highest score first. */
  between(kind: FeedKind, one: number, other: number): OpenMatch[] {
    return this.#rowsBetween(kind, one, other).flatMap((row) => this.#toOpen(row));
  }

  /** All possible matches between two records, open or not. */
  storedBetween(kind: FeedKind, one: number, other: number): PossibleMatchRow[] {
    return this.#rowsBetween(kind, one, other).map(toStored);
  }

  /**
   * Takes the possible matches between two records out of the queue until one of their source records changes.
   * @param near the keys of the two if their names are near and no possible match is stored
   */
  postpone(kind: FeedKind, one: number, other: number, now: number, near: RecordPairKey | null = null): void {
    const insert = this.sqlite.prepare(
      `INSERT OR REPLACE INTO postponed_matches
         (kind, a_source, a_external_id, b_source, b_external_id, a_digest, b_digest, postponed_ts)
       VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @a_digest, @b_digest, @now)`,
    );
    const rows: RecordPairKey[] = this.#rowsBetween(kind, one, other);
    for (const match of rows.length === 0 && near !== null ? [near] : rows)
      insert.run({
        ...toPosition(match),
        now,
        a_digest: this.#digest(kind, match.a_source, match.a_external_id),
        b_digest: this.#digest(kind, match.b_source, match.b_external_id),
      });
  }

  /** Puts the possible matches between two records back into the queue. */
  resume(kind: FeedKind, one: number, other: number, near: RecordPairKey | null = null): void {
    const remove = this.sqlite.prepare(`DELETE FROM postponed_matches WHERE ${isPair}`);
    const rows: RecordPairKey[] = this.#rowsBetween(kind, one, other);
    for (const match of near === null ? rows : [...rows, near]) remove.run(toPosition(match));
  }

  /** Whether a pair was put off and is not back in the queue. */
  isPostponed(kind: FeedKind, one: number, other: number, near: RecordPairKey | null = null): boolean {
    const rows = this.#rowsBetween(kind, one, other);
    if (rows.length === 0) return near !== null && this.isNearPostponed(near);
    return rows.every((row) => this.#isPostponed(row));
  }

  /** Whether a pair without a possible match was put off. */
  isNearPostponed(key: RecordPairKey): boolean {
    const digests = this.#digests.get(toPosition(key)) as
      | Pick<JoinedRow, 'a_digest' | 'b_digest'>
      | undefined;
    return digests !== undefined && this.#isPostponed({ ...key, ...digests });
  }

  /** Stores possible matches again that a decision removed, as far as matching did not find them again. */
  restore(matches: readonly PossibleMatchRow[]): void {
    const insert = this.sqlite.prepare(
      `INSERT OR IGNORE INTO possible_matches
         (kind, a_source, a_external_id, b_source, b_external_id, score, rule, reasons, checksum)
       VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @score, @rule, @reasons, @checksum)`,
    );
    for (const match of matches) insert.run({ ...match, checksum: checksumOf(match.rule, match.reasons) });
  }

  /** When an event ends (ms), 0 for other kinds; null if the record has no row: it is removed or merged. */
  endOf(kind: Kind, id: number): number | null {
    let statement = this.#rows.get(kind);
    if (statement === undefined) {
      const { table } = kindTables[kind];
      const column = kind === 'event' ? 'ends_ts' : '0';
      statement = this.sqlite.prepare(`SELECT ${column} FROM ${table} WHERE id = ?`).pluck();
      this.#rows.set(kind, statement);
    }
    return (statement.get(id) as number | undefined) ?? null;
  }

  /** Changes whenever a person decides; with the revision of the catalogue, the state that the queue depends on. */
  lastDecision(): number {
    return prepareValue<number | null>(this.sqlite, 'SELECT max(id) FROM audit_log').one() ?? 0;
  }

  /** The number of events of an artist or venue, editions of a festival, artists of a label. */
  counts(kind: FeedKind, id: number): Record<string, number> {
    const entry = countedRows[kind];
    if (entry === undefined) return {};
    const [what, table, column] = entry;
    const count = this.sqlite.prepare(`SELECT count(*) FROM ${table} WHERE ${column} = ?`).pluck();
    return { [what]: count.get(id) as number };
  }

  #rowsBetween(kind: FeedKind, one: number, other: number): JoinedRow[] {
    const rows = this.#ofRecord.all({ kind, record: one });
    return rows.filter(
      ({ a_id, b_id }) => (a_id === one && b_id === other) || (a_id === other && b_id === one),
    );
  }

  #toOpen(row: JoinedRow): OpenMatch[] {
    const { a_id, b_id } = row;
    if (a_id === null || b_id === null || a_id === b_id || row.is_decided === 1) return [];
    if (this.endOf(row.kind, a_id) === null || this.endOf(row.kind, b_id) === null) return [];
    if (this.#isPostponed(row)) return [];
    return [{ ...toStored(row), ids: a_id < b_id ? [a_id, b_id] : [b_id, a_id] }];
  }

  #isPostponed(row: RecordPairKey & Pick<JoinedRow, 'a_digest' | 'b_digest'>): boolean {
    return (
      row.a_digest !== null &&
      row.a_digest === this.#digest(row.kind, row.a_source, row.a_external_id) &&
      row.b_digest === this.#digest(row.kind, row.b_source, row.b_external_id)
    );
  }

  #digest(kind: FeedKind, source: string, externalId: string): number {
    if (source === '') return 0;
    const row = this.#content.get(source, kind, externalId) as
      | { content: string | null; withdrawn_ts: number | null }
      | undefined;
    return (row && checksumOf(row.content, row.withdrawn_ts)) ?? 0;
  }
}

const countedRows: Partial<Record<FeedKind, [what: string, table: string, column: string]>> = {
  artist: ['events', 'event_artists', 'artist_id'],
  venue: ['events', 'events', 'venue_id'],
  festival: ['editions', 'editions', 'festival_id'],
  label: ['artists', 'label_artists', 'label_id'],
};

const toPosition = ({
  kind,
  a_source,
  a_external_id,
  b_source,
  b_external_id,
}: RecordPairKey): RecordPairKey => ({
  kind,
  a_source,
  a_external_id,
  b_source,
  b_external_id,
});
const toStored = ({ score, rule, reasons, ...row }: PossibleMatchRow): PossibleMatchRow => ({
  ...toPosition(row),
  score,
  rule,
  reasons,
});
