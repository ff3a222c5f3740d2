/** Reads what tells a bare record from a richer one whose name is one letter away. */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import { filledFields, isBareBeside, type NamedByListings, SimilarNames } from '../answers/similar-names.ts';
import type { RecordPairKey } from './match-store.ts';

/** A name of a record that is shown. */
export type NearNameRow = { record: number; words: string; is_alias: 0 | 1 };

export const isNamedByListings = (kind: FeedKind): kind is NamedByListings =>
  kind === 'artist' || kind === 'venue';

/** A record is named by its source records, or by one of its slugs. */
const keysOf = (record: string): string => `
  SELECT s.name AS source, r.external_id FROM source_records r JOIN sources s ON s.id = r.source_id
    WHERE r.record_id = ${record} AND r.kind = @kind
  UNION ALL SELECT '', slug FROM slugs WHERE record_id = ${record} AND kind = @kind`;

export class NearNameStore {
  readonly #weights: SimilarNames;
  readonly #bare: Record<NamedByListings, Database.Statement>;
  readonly #names: Database.Statement;
  readonly #namesOf: Database.Statement;
  readonly #cityOf: Database.Statement;
  readonly #key: Database.Statement;
  readonly #isDecided: Database.Statement;

  constructor(sqlite: Database.Database) {
    this.#weights = new SimilarNames(sqlite);
    const bare = (kind: NamedByListings) =>
      sqlite.prepare(`SELECT r.id FROM ${kind}s r WHERE ${filledFields[kind]} = 0`).pluck();
    this.#bare = { artist: bare('artist'), venue: bare('venue') };
    const columns = 'record_id AS record, words, is_alias';
    this.#names = sqlite.prepare(`SELECT ${columns} FROM names WHERE kind = ? AND terms <> ''`);
    this.#namesOf = sqlite.prepare(`SELECT ${columns} FROM names WHERE record_id = ? AND terms <> ''`);
    this.#cityOf = sqlite.prepare('SELECT city_id, city, country FROM venues WHERE id = ?').raw();
    this.#key = sqlite.prepare(
      `SELECT * FROM (${keysOf('@record')}) ORDER BY source = '', source, external_id LIMIT 1`,
    );
    this.#isDecided = sqlite.prepare(
      `WITH one AS (${keysOf('@a')}), two AS (${keysOf('@b')})
       SELECT 1 FROM one CROSS JOIN two CROSS JOIN match_decisions d ON d.kind = @kind
         AND d.a_source = one.source AND d.a_external_id = one.external_id
         AND d.b_source = two.source AND d.b_external_id = two.external_id
       UNION ALL
       SELECT 1 FROM one CROSS JOIN two CROSS JOIN match_decisions d ON d.kind = @kind
         AND d.a_source = two.source AND d.a_external_id = two.external_id
         AND d.b_source = one.source AND d.b_external_id = one.external_id
       LIMIT 1`,
    );
  }

  /** The records of a kind without details. */
  bare(kind: NamedByListings): Set<number> {
    return new Set(this.#bare[kind].all() as number[]);
  }

  /** The names of all records of a kind, or of one record, as `normalizeForSearch` returns names. */
  names(of: NamedByListings | number): NearNameRow[] {
    return (typeof of === 'number' ? this.#namesOf.all(of) : this.#names.all(of)) as NearNameRow[];
  }

  /** Whether a record is a bare name beside the other one; venues only in one city. */
  isBareBeside(kind: NamedByListings, bare: number, rich: number): boolean {
    if (!isBareBeside(this.#weights.weight(kind, bare), this.#weights.weight(kind, rich))) return false;
    return (
      kind === 'artist' || JSON.stringify(this.#cityOf.get(bare)) === JSON.stringify(this.#cityOf.get(rich))
    );
  }

  /** A key of each of two records, and whether an editor decided about any keys of theirs. */
  keys(kind: NamedByListings, a: number, b: number): { key: RecordPairKey; isDecided: boolean } | null {
    const [one, two] = [a, b].map(
      (record) => this.#key.get({ kind, record }) as { source: string; external_id: string } | undefined,
    );
    if (one === undefined || two === undefined) return null;
    const key = {
      kind,
      a_source: one.source,
      a_external_id: one.external_id,
      b_source: two.source,
      b_external_id: two.external_id,
    };
    return { key, isDecided: this.#isDecided.get({ kind, a, b }) !== undefined };
  }
}
