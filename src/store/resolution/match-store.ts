/** Stores the data of matching: blocking keys, external ids, decisions of operators, possible matches. */
import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import type { FeedKind } from '../../contract/feed.ts';
import type { ExplainedEvidence } from '../../contract/review-items.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { prepare, prepareValue, query, SqliteStore } from '../statement.ts';
import type { AddedKeys } from './added-keys.ts';
import { BlockingKeyIndex, type BlockingKeyRow, type FoundRanges } from './blocking-keys.ts';

/** Two records by source and external id: of a merge the survivor first, else in text order. */
export type RecordPairKey = {
  kind: FeedKind;
  a_source: string;
  a_external_id: string;
  b_source: string;
  b_external_id: string;
};
export type DecisionRow = RecordPairKey & { verdict: 'same' | 'different'; decided_ts: number };
/** `reasons` is JSON. */
export type PossibleMatchRow = RecordPairKey & { score: number; rule: string; reasons: string };
/** Parses the column `reasons`. */
export const parseReasons = (reasons: string): ExplainedEvidence[] => JSON.parse(reasons);

/** The number of candidates that were not compared with a source record. */
export type UncomparedRow = { kind: FeedKind; source: string; external: string; count: number };

/** Prepares the statements that remove the possible matches of one source record: kind, source, external id. */
export function prepareRemovalOfPossibleMatches(sqlite: Database.Database): Database.Statement[] {
  return [
    'DELETE FROM possible_matches WHERE kind = ? AND a_source = ? AND a_external_id = ?',
    // SQLite deletes by the primary key if the index is not named, and reads all pairs of the kind.
    `DELETE FROM possible_matches INDEXED BY possible_matches_by_second
     WHERE kind = ? AND b_source = ? AND b_external_id = ?`,
  ].map((text) => sqlite.prepare(text));
}

const isPair =
  'kind = @kind AND a_source = @a_source AND a_external_id = @a_external_id AND b_source = @b_source AND b_external_id = @b_external_id';

/**
 * The tables of matching (docs/decisions/05-matching.md). It caches whether decisions and counts exist, see
 * `clearCache`.
 */
export class MatchStore extends SqliteStore {
  /** Whether there are decisions, cached because it is needed for every listing; null: unknown. */
  #hasDecisions: boolean | null = null;
  /** Cached like `#hasDecisions`. */
  #hasUncompared: boolean | null = null;
  readonly #keys: BlockingKeyIndex;
  readonly #byExternal = prepareValue<number>(
    this.sqlite,
    'SELECT record_id FROM external_ids WHERE kind = ? AND service = ? AND external_id = ?',
  );
  readonly #addExternal = this.sqlite.prepare(
    'INSERT OR IGNORE INTO external_ids (kind, service, external_id, record_id, checksum) VALUES (?, ?, ?, ?, ?)',
  );
  readonly #removeExternal = this.sqlite.prepare(
    'DELETE FROM external_ids WHERE kind = ? AND service = ? AND external_id = ? AND record_id = ?',
  );
  readonly #anyDecision = this.sqlite.prepare('SELECT 1 FROM match_decisions LIMIT 1').pluck();
  readonly #decisions = prepare<{ kind: FeedKind; source: string; external: string }, DecisionRow>(
    this.sqlite,
    (p) =>
      query
        .selectFrom('match_decisions')
        .selectAll()
        .where('kind', '=', p.kind)
        .where('a_source', '=', p.source)
        .where('a_external_id', '=', p.external)
        .unionAll(
          query
            .selectFrom('match_decisions')
            .selectAll()
            .where('kind', '=', p.kind)
            .where('b_source', '=', p.source)
            .where('b_external_id', '=', p.external),
        ),
  );
  readonly #addDecision = this.sqlite.prepare(
    `INSERT OR REPLACE INTO match_decisions (kind, a_source, a_external_id, b_source, b_external_id, verdict, decided_ts)
     VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @verdict, @decided_ts)`,
  );
  readonly #removeDecision = this.sqlite.prepare(`DELETE FROM match_decisions WHERE ${isPair}`);
  readonly #addPossibleMatch = this.sqlite.prepare(
    `INSERT OR REPLACE INTO possible_matches (kind, a_source, a_external_id, b_source, b_external_id, score, rule, reasons, checksum)
     VALUES (@kind, @a_source, @a_external_id, @b_source, @b_external_id, @score, @rule, @reasons, @checksum)`,
  );
  readonly #anyPossibleMatch = this.sqlite
    .prepare(
      `SELECT 1 FROM possible_matches WHERE kind = @kind AND a_source = @source AND a_external_id = @external
       UNION ALL SELECT 1 FROM possible_matches INDEXED BY possible_matches_by_second
       WHERE kind = @kind AND b_source = @source AND b_external_id = @external LIMIT 1`,
    )
    .pluck();
  readonly #removePossibleMatches: Database.Statement[] = prepareRemovalOfPossibleMatches(this.sqlite);
  readonly #setUncompared = this.sqlite.prepare(
    'INSERT OR REPLACE INTO uncompared_counts (kind, source, external_id, count) VALUES (?, ?, ?, ?)',
  );
  readonly #removeUncompared = this.sqlite.prepare(
    'DELETE FROM uncompared_counts WHERE kind = ? AND source = ? AND external_id = ?',
  );
  readonly #anyUncompared = this.sqlite.prepare('SELECT 1 FROM uncompared_counts LIMIT 1').pluck();
  readonly #uncompared = this.sqlite.prepare<unknown[], UncomparedRow>(
    `SELECT kind, source, external_id AS external, count FROM uncompared_counts
     WHERE @kind IS NULL OR kind = @kind ORDER BY count DESC, kind, source, external`,
  );
  readonly #possibleMatches = prepare<{ kind: FeedKind | null }, PossibleMatchRow>(this.sqlite, (p) =>
    query
      .selectFrom('possible_matches')
      .selectAll()
      .where(sql<SqlBool>`(${p.kind} is null or kind = ${p.kind})`)
      .orderBy('score', 'desc')
      .orderBy('kind')
      .orderBy('a_source')
      .orderBy('a_external_id')
      .orderBy('b_source')
      .orderBy('b_external_id'),
  );

  /** @param added the blocking keys that the present import added */
  constructor(sqlite: Database.Database, added?: AddedKeys) {
    super(sqlite);
    this.#keys = new BlockingKeyIndex(sqlite, undefined, added);
  }

  /**
   * Finds records by blocking key.
   * @param ranges the first and last key of each range, one after the other
   * @param known ranges that are not read again; those read are added
   * @returns rows with the number of their range
   */
  findByBlockingKeys(ranges: readonly number[], known?: FoundRanges): BlockingKeyRow[] {
    return this.#keys.find(ranges, known);
  }

  /** Adds blocking keys of a record. */
  addBlockingKeys(keys: readonly number[], record: number, scope: number): void {
    this.#keys.add(keys, record, scope);
  }

  /** Moves recent keys to the main tree if there are too many. Call it in each batch before its end. */
  compactBlockingKeys(): void {
    this.#keys.moveToMainTree();
  }

  /** Whether a source other than this one has records of a kind. */
  hasOtherSources(kind: FeedKind, source: number): boolean {
    const hasRecords = this.sqlite.prepare(
      'SELECT 1 FROM source_records WHERE source_id = ? AND kind = ? LIMIT 1',
    );
    const sources = this.sqlite.prepare('SELECT id FROM sources WHERE id <> ?').pluck().all(source);
    return sources.some((other) => hasRecords.get(other, kind) !== undefined);
  }

  removeBlockingKey(key: number, record: number, scope: number): void {
    this.#keys.remove(key, record, scope);
  }

  /** Records of a kind that have an id at a service. */
  findByExternalId(kind: FeedKind, service: string, value: string): number[] {
    return this.#byExternal.all(kind, service, value);
  }

  addExternalId(kind: FeedKind, service: string, value: string, record: number): void {
    const checksum = checksumOf(kind, service, value) as number;
    this.#addExternal.run(kind, service, value, record, checksum + record);
  }

  removeExternalId(kind: FeedKind, service: string, value: string, record: number): void {
    this.#removeExternal.run(kind, service, value, record);
  }

  /** Whether there are decisions of an operator. */
  hasDecisions(): boolean {
    this.#hasDecisions ??= this.#anyDecision.get() !== undefined;
    return this.#hasDecisions;
  }

  /** Clears the caches. Call it after another process wrote, or after a rollback. */
  clearCache(): void {
    this.#hasDecisions = null;
    this.#hasUncompared = null;
  }

  /** The decisions about one source record. */
  decisionsOf(kind: FeedKind, source: string, external: string): DecisionRow[] {
    return this.#decisions.all({ kind, source, external });
  }

  /** Adds a decision, or replaces that about the same pair. */
  addDecision(row: DecisionRow): void {
    this.#hasDecisions = null;
    this.#addDecision.run(row);
  }

  removeDecision(pair: RecordPairKey): void {
    this.#hasDecisions = null;
    this.#removeDecision.run(pair);
  }

  /** Removes the possible matches of one source record. */
  removePossibleMatches(kind: FeedKind, source: string, external: string): void {
    // Most have none, and a deletion takes three times as long to find that out.
    if (this.#anyPossibleMatch.get({ kind, source, external }) === undefined) return;
    for (const drop of this.#removePossibleMatches) drop.run(kind, source, external);
  }

  /** Adds a possible match, or replaces that of the same pair. */
  addPossibleMatch(row: PossibleMatchRow): void {
    this.#addPossibleMatch.run({ ...row, checksum: checksumOf(row.rule, row.reasons) });
  }

  /** Sets the number of candidates that were not compared with a source record; 0 removes the count. */
  setUncomparedCount(kind: FeedKind, source: string, external: string, count: number): void {
    if (count > 0) {
      this.#hasUncompared = true;
      this.#setUncompared.run(kind, source, external, count);
      return;
    }
    this.#hasUncompared ??= this.#anyUncompared.get() !== undefined;
    if (this.#hasUncompared) this.#removeUncompared.run(kind, source, external);
  }

  /** All source records with candidates that were not compared, the highest count first. */
  uncompared(kind: FeedKind | null): UncomparedRow[] {
    return this.#uncompared.all({ kind });
  }

  /** All possible matches, highest score first. */
  possibleMatches(kind: FeedKind | null): PossibleMatchRow[] {
    return this.#possibleMatches.all({ kind });
  }
}
