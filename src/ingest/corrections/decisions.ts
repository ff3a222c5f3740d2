/** What operators decide of two records is noted of what sources call them: it outlives the records. */
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { MatchDecision, SourceRecordKey } from '../../matching/clustering.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { mergeKey, pairKey, swapSides } from '../resolution/decision-lookup.ts';
import type { WriteSession } from '../write-session.ts';
import { partText } from './parts.ts';

export class DecisionWriter {
  readonly #session: WriteSession;
  readonly #now: number;

  constructor(bench: WriteSession, now: number) {
    this.#session = bench;
    this.#now = now;
  }

  /** What sources call a record; of one known by name alone its slug, which is its own for ever. */
  recordKeys({ id, slug }: RecordIdentity): SourceRecordKey[] {
    const bound = this.#session.sources
      .externalIdsOf(id)
      .map(({ source_name, external_id }) => ({ source: source_name, externalId: external_id }));
    const given = this.#session.context.lookup.inheritedNamesWithPlace(id).filter((name) => name.slug !== '');
    const names = given.map((name) => ({ source: '', externalId: name.slug }));
    return [...(bound.length > 0 ? bound : [{ source: '', externalId: slug }]), ...names];
  }

  /**
   * A new decision against an old one (`verdict`) is a slip, unless it is said that it is meant: then the old one is
   * forgotten, else a `Failure` is thrown.
   */
  revoke(
    kind: FeedKind,
    a: SourceRecordKey[],
    b: SourceRecordKey[],
    verdict: MatchDecision,
    { force }: { force: boolean },
  ): void {
    if (!force) this.check(kind, a, b, verdict);
    for (const [one, two] of this.#decided(kind, a, b, verdict)) this.#undecide(kind, one, two);
  }

  /** Throws a `Failure` where there is an old decision (`verdict`). */
  check(kind: FeedKind, a: SourceRecordKey[], b: SourceRecordKey[], verdict: MatchDecision): void {
    if (this.#decided(kind, a, b, verdict).length === 0) return;
    const was = verdict === 'same' ? 'to be one (merge)' : 'to stay two (never-merge or split)';
    throw new Failure(
      `It was decided before that these are ${was}. Repeat the command with --force to decide anew.`,
    );
  }

  #decided(
    kind: FeedKind,
    a: SourceRecordKey[],
    b: SourceRecordKey[],
    verdict: MatchDecision,
  ): [SourceRecordKey, SourceRecordKey][] {
    const { decisions } = this.#session.matcher;
    const pairs = a.flatMap((one) => b.map((two): [SourceRecordKey, SourceRecordKey] => [one, two]));
    return pairs.filter(([one, two]) => decisions.between(kind, one, two) === verdict);
  }

  /**
   * All that is said of `b` is one with all that is said of `a`: what of either disagrees with the other would be thrown
   * out else. Each of the one with each of the other, so that `part` takes back all of it. Gives the number of decisions.
   */
  mustLink(kind: FeedKind, a: SourceRecordKey[], b: SourceRecordKey[]): number {
    for (const stays of a) for (const goes of b) this.#decide(kind, stays, goes, 'same');
    return a.length * b.length;
  }

  /** None of a group is one with any of another group. Gives the number of decisions. */
  cannotLink(kind: FeedKind, groups: SourceRecordKey[][]): number {
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
  cannotLinkNamed(kind: FeedKind, record: RecordIdentity): void {
    const { sources, matcher: matching } = this.#session;
    const anchors = this.recordKeys(record);
    const said = new Set(
      sources.statementsOf(record.id).map((row) => `${row.source_name}:${row.external_id}`),
    );
    for (const [at, one] of anchors.entries()) {
      for (const other of anchors.slice(at + 1)) {
        if (said.has(partText(one)) && said.has(partText(other))) continue;
        if (matching.decisions.between(kind, one, other) === 'same')
          this.#decide(kind, one, other, 'different');
      }
    }
  }

  /** Of a merge, which of the two stays is remembered: a split gives each its own again. */
  #decide(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey, verdict: MatchDecision): void {
    this.#undecide(kind, a, b);
    const key = verdict === 'same' ? mergeKey(kind, a, b) : pairKey(kind, a, b);
    this.#session.matcher.store.addDecision({ ...key, verdict, decided_ts: this.#now });
  }

  #undecide(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey): void {
    const key = pairKey(kind, a, b);
    for (const one of [key, swapSides(key)]) this.#session.matcher.store.removeDecision(one);
  }
}
