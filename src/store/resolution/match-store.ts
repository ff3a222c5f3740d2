/** What matching keeps in the file: keys to find candidates by, decisions of operators, pairs in doubt. */
import type Database from 'better-sqlite3';
import { type SqlBool, sql } from 'kysely';
import type { FeedKind } from '../../contract/feed.ts';
import { checksumOf } from '../integrity/checksums.ts';
import { type PreparedStatement, prepare, query } from '../statement.ts';
import { BlockingKeyIndex, type BlockingKeyRow } from './blocking-keys.ts';

/** Two records by what sources call them: of a merge the one that stays first, else in the order of their texts. */
export type RecordPairKey = {
  kind: FeedKind;
  a_source: string;
  a_external: string;
  b_source: string;
  b_external: string;
};
export type DecisionRow = RecordPairKey & { verdict: 'same' | 'different'; decided_ts: number };
export type PossibleMatchRow = RecordPairKey & { score: number; rule: string; reasons: string };

/** Of a statement, how many records may be the same and were neither compared nor listed: a row without a second side. */
export type UncomparedRow = { kind: FeedKind; source: string; external: string; count: number };
const uncomparedRule = 'left out';

export class MatchStore {
  readonly #sqlite: Database.Database;
  readonly #keys: BlockingKeyIndex;
  readonly #byExternal: Database.Statement;
  readonly #addExternal: Database.Statement;
  readonly #dropExternals: Database.Statement;
  readonly #anyDecision: Database.Statement;
  /** Asked for every listing; null where it has to be looked up. */
  #isAnyDecided: boolean | null = null;
  readonly #decisions: PreparedStatement<{ kind: FeedKind; source: string; external: string }, DecisionRow>;
  readonly #decide: Database.Statement;
  readonly #undecide: Database.Statement;
  readonly #doubt: Database.Statement;
  readonly #dropDoubts: Database.Statement[];
  readonly #dropLeftOut: Database.Statement;
  readonly #leftOut: Database.Statement;
  readonly #anyLeftOut: Database.Statement;
  /** Asked for every listing, as `#isAnyDecided` is. */
  #isAnyLeftOut: boolean | null = null;
  readonly #doubtsOf: PreparedStatement<
    { kind: FeedKind; source: string; external: string },
    PossibleMatchRow
  >;
  readonly #doubts: PreparedStatement<{ kind: FeedKind | null }, PossibleMatchRow>;

  constructor(sqlite: Database.Database) {
    this.#sqlite = sqlite;
    this.#keys = new BlockingKeyIndex(sqlite);
    this.#byExternal = sqlite
      .prepare('SELECT record_id FROM external_keys WHERE kind = ? AND service = ? AND value = ?')
      .pluck();
    this.#addExternal = sqlite.prepare(
      'INSERT OR IGNORE INTO external_keys (kind, service, value, record_id, checksum) VALUES (?, ?, ?, ?, ?)',
    );
    this.#dropExternals = sqlite.prepare(
      'DELETE FROM external_keys WHERE kind = ? AND service = ? AND value = ? AND record_id = ?',
    );
    this.#anyDecision = sqlite.prepare('SELECT 1 FROM match_decisions LIMIT 1').pluck();
    this.#decisions = prepare(
      sqlite,
      (p) =>
        query
          .selectFrom('match_decisions')
          .selectAll()
          .where('kind', '=', p.kind)
          .where('a_source', '=', p.source)
          .where('a_external', '=', p.external)
          .unionAll(
            query
              .selectFrom('match_decisions')
              .selectAll()
              .where('kind', '=', p.kind)
              .where('b_source', '=', p.source)
              .where('b_external', '=', p.external),
          ) as never,
    );
    this.#decide = sqlite.prepare(
      `INSERT OR REPLACE INTO match_decisions (kind, a_source, a_external, b_source, b_external, verdict, decided_ts)
       VALUES (@kind, @a_source, @a_external, @b_source, @b_external, @verdict, @decided_ts)`,
    );
    const isPair =
      'kind = @kind AND a_source = @a_source AND a_external = @a_external AND b_source = @b_source AND b_external = @b_external';
    this.#undecide = sqlite.prepare(`DELETE FROM match_decisions WHERE ${isPair}`);
    this.#doubt = sqlite.prepare(
      `INSERT OR REPLACE INTO match_doubts (kind, a_source, a_external, b_source, b_external, score, rule, reasons, checksum)
       VALUES (@kind, @a_source, @a_external, @b_source, @b_external, @score, @rule, @reasons, @checksum)`,
    );
    this.#dropDoubts = ['a', 'b'].map((side) =>
      sqlite.prepare(
        `DELETE FROM match_doubts WHERE kind = ? AND ${side}_source = ? AND ${side}_external = ? AND rule <> '${uncomparedRule}'`,
      ),
    );
    this.#dropLeftOut = sqlite.prepare(
      `DELETE FROM match_doubts WHERE kind = ? AND a_source = ? AND a_external = ? AND b_source = '' AND b_external = ''`,
    );
    this.#anyLeftOut = sqlite.prepare('SELECT 1 FROM match_doubts WHERE score < 0 LIMIT 1').pluck();
    this.#leftOut = sqlite.prepare(
      `SELECT kind, a_source AS source, a_external AS external, cast(reasons AS INTEGER) AS count FROM match_doubts
       WHERE score < 0 AND (@kind IS NULL OR kind = @kind) ORDER BY count DESC, kind, source, external`,
    );
    this.#doubtsOf = prepare(
      sqlite,
      (p) =>
        query
          .selectFrom('match_doubts')
          .selectAll()
          .where('kind', '=', p.kind)
          .where('rule', '<>', uncomparedRule)
          .where((eb) =>
            eb.or([
              eb.and([eb('a_source', '=', p.source), eb('a_external', '=', p.external)]),
              eb.and([eb('b_source', '=', p.source), eb('b_external', '=', p.external)]),
            ]),
          ) as never,
    );
    this.#doubts = prepare(
      sqlite,
      (p) =>
        query
          .selectFrom('match_doubts')
          .selectAll()
          .where(sql<SqlBool>`(${p.kind} is null or kind = ${p.kind})`)
          .where('rule', '<>', uncomparedRule)
          .orderBy('score', 'desc')
          .orderBy('kind')
          .orderBy('a_source')
          .orderBy('a_external')
          .orderBy('b_source')
          .orderBy('b_external') as never,
    );
  }

  /**
   * Records filed under keys.
   * @param ranges the first and last key of each range, one after the other
   * @returns rows with the number of their range
   */
  findByBlockingKeys(ranges: readonly number[]): BlockingKeyRow[] {
    return this.#keys.find(ranges);
  }

  /** Files a record under keys. */
  addBlockingKeys(keys: readonly number[], record: number, tag: number): void {
    this.#keys.add(keys, record, tag);
  }

  /** To be called in each batch, before its end. */
  compactBlockingKeys(): void {
    this.#keys.moveToMainTree();
  }

  /** Whether a source other than this one has said anything of a kind. */
  hasOtherSources(kind: FeedKind, source: number): boolean {
    const said = this.#sqlite.prepare(
      'SELECT 1 FROM provider_records WHERE source_id = ? AND kind = ? LIMIT 1',
    );
    const sources = this.#sqlite.prepare('SELECT id FROM sources WHERE id <> ?').pluck().all(source);
    return sources.some((other) => said.get(other, kind) !== undefined);
  }

  removeBlockingKey(key: number, record: number, tag: number): void {
    this.#keys.remove(key, record, tag);
  }

  /** Records of a kind that have an id at a service. */
  findByExternalId(kind: FeedKind, service: string, value: string): number[] {
    return this.#byExternal.all(kind, service, value) as number[];
  }

  addExternalId(kind: FeedKind, service: string, value: string, record: number): void {
    const checksum = checksumOf(kind, service, value) as number;
    this.#addExternal.run(kind, service, value, record, checksum + record);
  }

  removeExternalId(kind: FeedKind, service: string, value: string, record: number): void {
    this.#dropExternals.run(kind, service, value, record);
  }

  /** Whether an operator ever decided anything. */
  hasDecisions(): boolean {
    this.#isAnyDecided ??= this.#anyDecision.get() !== undefined;
    return this.#isAnyDecided;
  }

  /** To be called when others wrote, or what was written is undone. */
  clearCache(): void {
    this.#isAnyDecided = null;
    this.#isAnyLeftOut = null;
  }

  /** What was decided of one. */
  decisionsOf(kind: FeedKind, source: string, external: string): DecisionRow[] {
    return this.#decisions.all({ kind, source, external });
  }

  addDecision(row: DecisionRow): void {
    this.#isAnyDecided = null;
    this.#decide.run(row);
  }

  removeDecision(pair: RecordPairKey): void {
    this.#isAnyDecided = null;
    this.#undecide.run(pair);
  }

  /** Replaces what is in doubt of one. */
  removePossibleMatches(kind: FeedKind, source: string, external: string): void {
    for (const drop of this.#dropDoubts) drop.run(kind, source, external);
  }

  addPossibleMatch(row: PossibleMatchRow): void {
    this.#doubt.run({ ...row, checksum: checksumOf(row.rule, row.reasons) });
  }

  /** Notes how many records may be the same as what a statement speaks of, and are neither compared nor listed. */
  setUncomparedCount(kind: FeedKind, source: string, external: string, count: number): void {
    if (count === 0) {
      this.#isAnyLeftOut ??= this.#anyLeftOut.get() !== undefined;
      if (this.#isAnyLeftOut) this.#dropLeftOut.run(kind, source, external);
      return;
    }
    this.#isAnyLeftOut = true;
    this.addPossibleMatch({
      kind,
      a_source: source,
      a_external: external,
      b_source: '',
      b_external: '',
      score: -1,
      rule: uncomparedRule,
      reasons: String(count),
    });
  }

  /** All of which that was noted, those with the most first. */
  uncompared(kind: FeedKind | null): UncomparedRow[] {
    return this.#leftOut.all({ kind }) as UncomparedRow[];
  }

  possibleMatchesOf(kind: FeedKind, source: string, external: string): PossibleMatchRow[] {
    return this.#doubtsOf.all({ kind, source, external });
  }

  /** All pairs in doubt, likeliest first. */
  possibleMatches(kind: FeedKind | null): PossibleMatchRow[] {
    return this.#doubts.all({ kind });
  }
}
