/**
 * Finds bare records whose name is one letter from that of a richer record. Matching does not compare them, because a
 * letter more or less is another name as often as a typo; people decide.
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { ExplainedEvidence } from '../../contract/review-items.ts';
import { doubtfulThreshold } from '../../matching/model.ts';
import type { NamedByListings } from '../../store/answers/similar-names.ts';
import type { PossibleMatchRow } from '../../store/resolution/match-store.ts';
import { isNamedByListings, NearNameStore } from '../../store/resolution/near-names.ts';
import { areNamesOneEditApart, maxComparedLength, pairsOneEditApart } from '../../text/one-edit.ts';

/** Two records with almost equal names: `a` has details, `b` is a bare name. */
export type NearName = PossibleMatchRow & { ids: [a: number, b: number] };

const rule = 'one letter apart';
const reasons: readonly ExplainedEvidence[] = [
  { evidence: 'name.one-letter', weight: 1, text: 'the names differ in one letter' },
  { evidence: 'name.bare', weight: 1, text: 'one record is a bare name without details' },
];
/** More pairs are not listed. */
const maxPairs = 10_000;

/** Finds pairs of almost equal names. Only reads. */
export class NearNames {
  readonly #store: NearNameStore;

  constructor(sqlite: Database.Database) {
    this.#store = new NearNameStore(sqlite);
  }

  /** The undecided pairs of a kind, or of all kinds. Takes about two seconds of processor time for 300,000 names. */
  all(kind: FeedKind | null): NearName[] {
    const kinds = (['artist', 'venue'] as const).filter((one) => kind === null || kind === one);
    return kinds.flatMap((one) => this.candidates(one).flatMap(([a, b]) => this.between(one, a, b) ?? []));
  }

  /** The ids of pairs with almost equal names, decided or not: the record with details, the bare one. */
  candidates(kind: NamedByListings): [number, number][] {
    const bare = this.#store.bare(kind);
    const names = this.#store.names(kind).map(({ record, words, is_alias }) => ({
      record,
      words,
      isSought: is_alias === 0 && bare.has(record),
    }));
    const pairs: [number, number][] = [];
    for (const [{ record: b }, { record: a }] of pairsOneEditApart(names)) {
      if (pairs.length === maxPairs) break;
      if (this.#store.isBareBeside(kind, b, a)) pairs.push([a, b]);
    }
    return pairs;
  }

  /** The undecided pair of two records, in either order; null if their names differ more, or both have details. */
  between(kind: FeedKind, one: number, other: number): NearName | null {
    if (!isNamedByListings(kind)) return null;
    for (const [a, b] of [
      [one, other],
      [other, one],
    ] as const) {
      if (!this.#store.isBareBeside(kind, b, a) || !this.#areNear(a, b)) continue;
      const pair = this.#store.keys(kind, a, b);
      if (pair === null || pair.isDecided) return null;
      return { ...pair.key, score: doubtfulThreshold, rule, reasons: JSON.stringify(reasons), ids: [a, b] };
    }
    return null;
  }

  #areNear(rich: number, bare: number): boolean {
    const name = this.#store.names(bare).find(({ is_alias }) => is_alias === 0)?.words ?? '';
    return (
      name.length <= maxComparedLength &&
      this.#store.names(rich).some(({ words }) => areNamesOneEditApart(name, words))
    );
  }
}
