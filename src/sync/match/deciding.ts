/** What operators decide of two records is noted of what sources call them: it outlives the records. */
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { RecordName } from '../../store/record-names.ts';
import type { Workbench } from '../workbench.ts';
import type { Anchor, Verdict } from './cluster.ts';
import { mergeKey, pairKey, turned } from './decisions.ts';
import { textOf } from './parting.ts';

export class Deciding {
  readonly #bench: Workbench;
  readonly #now: number;

  constructor(bench: Workbench, now: number) {
    this.#bench = bench;
    this.#now = now;
  }

  /** What sources call a record; of one known by name alone its slug, which is its own for ever. */
  anchors({ id, slug }: RecordName): Anchor[] {
    const bound = this.#bench.sources
      .anchors(id)
      .map(({ source_name, external_id }) => ({ source: source_name, externalId: external_id }));
    const given = this.#bench.context.lookup.given(id).filter((name) => name.slug !== '');
    const names = given.map((name) => ({ source: '', externalId: name.slug }));
    return [...(bound.length > 0 ? bound : [{ source: '', externalId: slug }]), ...names];
  }

  /**
   * A new decision against an old one (`verdict`) is a slip, unless it is said that it is meant: then the old one is
   * forgotten, else a `Failure` is thrown.
   */
  revoke(kind: FeedKind, a: Anchor[], b: Anchor[], verdict: Verdict, { force }: { force: boolean }): void {
    if (!force) this.check(kind, a, b, verdict);
    for (const [one, two] of this.#decided(kind, a, b, verdict)) this.#undecide(kind, one, two);
  }

  /** Throws a `Failure` where there is an old decision (`verdict`). */
  check(kind: FeedKind, a: Anchor[], b: Anchor[], verdict: Verdict): void {
    if (this.#decided(kind, a, b, verdict).length === 0) return;
    const was = verdict === 'same' ? 'to be one (merge)' : 'to stay two (never-merge or split)';
    throw new Failure(
      `It was decided before that these are ${was}. Repeat the command with --force to decide anew.`,
    );
  }

  #decided(kind: FeedKind, a: Anchor[], b: Anchor[], verdict: Verdict): [Anchor, Anchor][] {
    const { decisions } = this.#bench.matching;
    const pairs = a.flatMap((one) => b.map((two): [Anchor, Anchor] => [one, two]));
    return pairs.filter(([one, two]) => decisions.between(kind, one, two) === verdict);
  }

  /**
   * All that is said of `b` is one with all that is said of `a`: what of either disagrees with the other would be thrown
   * out else. Each of the one with each of the other, so that `part` takes back all of it. Gives the number of decisions.
   */
  join(kind: FeedKind, a: Anchor[], b: Anchor[]): number {
    for (const stays of a) for (const goes of b) this.#decide(kind, stays, goes, 'same');
    return a.length * b.length;
  }

  /** None of a group is one with any of another group. Gives the number of decisions. */
  part(kind: FeedKind, groups: Anchor[][]): number {
    let decisions = 0;
    for (const [at, one] of groups.entries()) {
      for (const other of groups.slice(at + 1)) {
        for (const a of one) for (const b of other) this.#decide(kind, a, b, 'different');
        decisions += one.length * other.length;
      }
    }
    return decisions;
  }

  /** What sources only named will find its record by name again: that it was one with others does not hold any more. */
  partNamed(kind: FeedKind, record: RecordName): void {
    const { sources, matching } = this.#bench;
    const anchors = this.anchors(record);
    const said = new Set(sources.said(record.id).map((row) => `${row.source_name}:${row.external_id}`));
    for (const [at, one] of anchors.entries()) {
      for (const other of anchors.slice(at + 1)) {
        if (said.has(textOf(one)) && said.has(textOf(other))) continue;
        if (matching.decisions.between(kind, one, other) === 'same')
          this.#decide(kind, one, other, 'different');
      }
    }
  }

  /** Of a merge, which of the two stays is remembered: a split gives each its own again. */
  #decide(kind: FeedKind, a: Anchor, b: Anchor, verdict: Verdict): void {
    this.#undecide(kind, a, b);
    const key = verdict === 'same' ? mergeKey(kind, a, b) : pairKey(kind, a, b);
    this.#bench.matching.store.decide({ ...key, verdict, decided_ts: this.#now });
  }

  #undecide(kind: FeedKind, a: Anchor, b: Anchor): void {
    const key = pairKey(kind, a, b);
    for (const one of [key, turned(key)]) this.#bench.matching.store.undecide(one);
  }
}
