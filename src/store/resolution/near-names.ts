/** Reads what tells a bare record from a richer one whose name is one letter away. */
import type { FeedKind } from '../../contract/feed.ts';
import { filledFields, isBareBeside, type NamedByListings, SimilarNames } from '../answers/similar-names.ts';
import { SqliteStore } from '../statement.ts';
import type { RecordPairKey } from './match-store.ts';

/** A name of a record that is shown. */
type NearNameRow = { record: number; words: string; is_alias: 0 | 1 };

/** Whether listings create records of a kind from a bare name, which may be misspelled. */
export const isNamedByListings = (kind: FeedKind): kind is NamedByListings =>
  kind === 'artist' || kind === 'venue';

/** A record is named by its source records, or by one of its slugs. */
const keysOf = (record: string): string => `
  SELECT s.name AS source, r.external_id FROM source_records r JOIN sources s ON s.id = r.source_id
    WHERE r.record_id = ${record} AND r.kind = @kind
  UNION ALL SELECT '', slug FROM slugs WHERE record_id = ${record} AND kind = @kind`;

const columns = 'record_id AS record, words, is_alias';

/** Reads names, details and decisions of artists and venues, for the review of names that are one letter apart. */
export class NearNameStore extends SqliteStore {
  readonly #weights = new SimilarNames(this.sqlite);
  readonly #names = this.sqlite.prepare<[NamedByListings], NearNameRow>(
    `SELECT ${columns} FROM names WHERE kind = ? AND terms <> ''`,
  );
  readonly #namesOf = this.sqlite.prepare<[number], NearNameRow>(
    `SELECT ${columns} FROM names WHERE record_id = ? AND terms <> ''`,
  );
  readonly #cityOf = this.sqlite.prepare('SELECT city_id, city, country FROM venues WHERE id = ?').raw();
  readonly #key = this.sqlite.prepare<
    { kind: FeedKind; record: number },
    { source: string; external_id: string }
  >(`SELECT * FROM (${keysOf('@record')}) ORDER BY source = '', source, external_id LIMIT 1`);
  readonly #isDecided = this.sqlite.prepare(
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

  /** The records of a kind without details. */
  bare(kind: NamedByListings): Set<number> {
    const bare = this.sqlite.prepare<[], number>(
      `SELECT r.id FROM ${kind}s r WHERE ${filledFields[kind]} = 0`,
    );
    return new Set(bare.pluck().all());
  }

  /** The names of all records of a kind, or of one record, as `normalizeForSearch` returns names. */
  names(of: NamedByListings | number): NearNameRow[] {
    return typeof of === 'number' ? this.#namesOf.all(of) : this.#names.all(of);
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
    const [one, two] = [a, b].map((record) => this.#key.get({ kind, record }));
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
