/** What operators decided of pairs: merge, split, never-merge (feed.md, promise 4). */
import type { FeedKind } from '../../contract/feed.ts';
import type { DecisionRow, MatchStore, PairKey } from '../../store/matching.ts';
import { type Anchor, anchorText, byAnchor, type Verdict } from './cluster.ts';

/** The key of a pair, whichever is named first. */
export function pairKey(kind: FeedKind, a: Anchor, b: Anchor): PairKey {
  const [one, two] = byAnchor(a, b) <= 0 ? [a, b] : [b, a];
  return {
    kind,
    a_source: one.source,
    a_external: one.externalId,
    b_source: two.source,
    b_external: two.externalId,
  };
}

export class Decisions {
  readonly #store: MatchStore;

  constructor(store: MatchStore) {
    this.#store = store;
  }

  /** Whether anything was ever decided. */
  any(): boolean {
    return this.#store.hasDecisions();
  }

  /** What was decided of one; most files have no decision at all. */
  of(kind: FeedKind, one: Anchor): DecisionRow[] {
    return this.#store.hasDecisions() ? this.#store.decisionsOf(kind, one.source, one.externalId) : [];
  }

  /** What was decided of two. */
  between(kind: FeedKind, a: Anchor, b: Anchor): Verdict | undefined {
    const text = anchorText(b);
    return this.of(kind, a).find((row) => anchorText(other(row, a)) === text)?.verdict;
  }

  /** Those that were decided to be the same as this one. */
  partners(kind: FeedKind, one: Anchor): Anchor[] {
    return this.of(kind, one)
      .filter(({ verdict }) => verdict === 'same')
      .map((row) => other(row, one));
  }
}

/** The other one of a decided pair. */
export const other = (row: PairKey, one: Anchor): Anchor =>
  row.a_source === one.source && row.a_external === one.externalId
    ? { source: row.b_source, externalId: row.b_external }
    : { source: row.a_source, externalId: row.a_external };
