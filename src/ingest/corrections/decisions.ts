/** Stores operators' decisions about pairs by source record keys, so that they outlive the records. */
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import type { MatchDecision, SourceRecordKey } from '../../matching/clustering.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { mergeKey, pairKey, swapSides } from '../resolution/decision-lookup.ts';
import type { WriteSession } from '../write-session.ts';
import { partText } from './parts.ts';

/** Reads, stores and revokes decisions about the source records of two records. Its writes must be called within a batch. */
export class DecisionWriter {
  readonly #session: WriteSession;
  readonly #now: number;

  constructor(session: WriteSession, now: number) {
    this.#session = session;
    this.#now = now;
  }

  /** The source record keys of a record; for one known by name only its slug, which is never reused. */
  recordKeys({ id, slug }: RecordIdentity): SourceRecordKey[] {
    const externalIds = this.#session.sources
      .externalIdsOf(id)
      .map(({ source_name, external_id }) => ({ source: source_name, externalId: external_id }));
    const inheritedNames = this.#session.lookup
      .inheritedNamesWithPlace(id)
      .filter((name) => name.slug !== '');
    const names = inheritedNames.map((name) => ({ source: '', externalId: name.slug }));
    return [...(externalIds.length > 0 ? externalIds : [{ source: '', externalId: slug }]), ...names];
  }

  /** Removes an opposite decision (`verdict`) if forced; returns whether there was one. Throws a `Failure` otherwise. */
  revoke(
    kind: FeedKind,
    a: SourceRecordKey[],
    b: SourceRecordKey[],
    verdict: MatchDecision,
    { force }: { force: boolean },
  ): boolean {
    if (!force) this.check(kind, a, b, verdict);
    const decided = this.#decidedPairs(kind, a, b, verdict);
    for (const [one, two] of decided) this.#undecide(kind, one, two);
    return decided.length > 0;
  }

  /** Throws a `Failure` if an opposite decision (`verdict`) exists. */
  check(kind: FeedKind, a: SourceRecordKey[], b: SourceRecordKey[], verdict: MatchDecision): void {
    if (this.#decidedPairs(kind, a, b, verdict).length === 0) return;
    const was = verdict === 'same' ? 'one record (merge)' : 'separate records (never-merge or split)';
    throw new Failure(
      `An earlier decision says that these are ${was}. Repeat the command with --force to replace it.`,
      1,
      { code: 'decided_otherwise' },
    );
  }

  #decidedPairs(
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
   * Links each key of `a` with each key of `b`, so that source records that differ stay together, and a split revokes
   * all of it. Returns the number of decisions.
   */
  mustLink(kind: FeedKind, a: SourceRecordKey[], b: SourceRecordKey[]): number {
    for (const survivor of a) for (const merged of b) this.#decide(kind, survivor, merged, 'same');
    return a.length * b.length;
  }

  /** Separates each group from every other. Returns the number of decisions. */
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

  /**
   * Revokes links of keys that are only referenced: they will be resolved by name again. Links inside one of the groups
   * that a split makes stay, because they belong to other merges.
   */
  cannotLinkNamed(kind: FeedKind, record: RecordIdentity, groups: readonly SourceRecordKey[][]): void {
    const { sources, matcher } = this.#session;
    const anchors = this.recordKeys(record);
    const sourceKeys = new Set(
      sources.statementsOf(record.id).map((row) => `${row.source_name}:${row.external_id}`),
    );
    const groupOf = new Map(groups.flatMap((group, at) => group.map((key) => [partText(key), at] as const)));
    for (const [at, one] of anchors.entries()) {
      for (const other of anchors.slice(at + 1)) {
        const group = groupOf.get(partText(one));
        if (group !== undefined && group === groupOf.get(partText(other))) continue;
        if (sourceKeys.has(partText(one)) && sourceKeys.has(partText(other))) continue;
        if (matcher.decisions.between(kind, one, other) === 'same')
          this.#decide(kind, one, other, 'different');
      }
    }
  }

  /** A merge decision stores which record survives, so that a split can restore both. */
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
