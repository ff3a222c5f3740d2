/** What operators see of matching: what a record is made of and why, what nearly was the same, what is in doubt. */
import type { FeedKind } from '../../contract/feed.ts';
import type { MatchDecision, SourceRecordKey } from '../../matching/clustering.ts';
import { type NamedEntityKind, namedEntityKinds } from '../../matching/entities/compare-entities.ts';
import { type ExplainedEvidence, type ExplainedMatch, explainMatch } from '../../matching/explain.ts';
import { doubtfulThreshold, type MatchResult } from '../../matching/model.ts';
import type { RecordFinder, RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import type { PossibleMatchRow } from '../../store/resolution/match-store.ts';
import type { WriteSession } from '../write-session.ts';
import { findRecord } from './find-record.ts';

export type RecordSummary = { id: string; kind: FeedKind; slug: string; name: string };
export type SourceRecordSummary = { source: string; external_id: string; record: RecordSummary };
export type Duplicate = {
  kind: FeedKind;
  score: number;
  rule: string;
  reasons: ExplainedEvidence[];
  a: SourceRecordSummary;
  b: SourceRecordSummary;
};
/** What a source says of a record beside which more were found that may be the same than are compared or listed. */
export type OmittedCandidates = SourceRecordSummary & { kind: FeedKind; count: number };
export type ComparedPair = ExplainedMatch & {
  a: { source: string; external_id: string };
  b: { source: string; external_id: string };
  decision: MatchDecision | null;
};
/** What a source says of a record; `withdrawn` where it does not list it any more. */
export type StatementSummary = {
  source: string;
  external_id: string;
  name: string | null;
  /** Where and when, as the source has it: what two listings differ in. */
  start_at: string | null;
  place: string | null;
  url: string | null;
  withdrawn: boolean;
};
export type Explanation = RecordSummary & {
  statements: StatementSummary[];
  /** Names by which it is known besides: of records that went into it, and that no source speaks of. */
  given_names: { name: string; slug: string | null }[];
  /** Each two of its statements, likeliest first. */
  links: ComparedPair[];
  /** Other records that were nearly the same, each by its likeliest pair; and those an operator keeps apart. */
  near: (ComparedPair & { record: RecordSummary })[];
};

/** Below this nothing was near, unless an operator said so. */
const minNearScore = doubtfulThreshold / 2;

export class RecordExplainer {
  readonly #session: WriteSession;
  readonly #names: RecordFinder;

  constructor(bench: WriteSession, names: RecordFinder) {
    this.#session = bench;
    this.#names = names;
  }

  /** Pairs that may be one and were kept apart, likeliest first. */
  duplicates(kind: FeedKind | null): Duplicate[] {
    return this.#session.matcher.store.possibleMatches(kind).flatMap((row) => {
      const [a, b] = [this.#side(row, 'a'), this.#side(row, 'b')];
      if (a === null || b === null || a.record.id === b.record.id) return [];
      return [{ kind: row.kind, score: row.score, rule: row.rule, reasons: JSON.parse(row.reasons), a, b }];
    });
  }

  /** Records beside which more were found that may be the same than are compared or listed; those with the most first. */
  omittedCandidates(kind: FeedKind | null): OmittedCandidates[] {
    return this.#session.matcher.store.uncompared(kind).flatMap(({ kind, source, external, count }) => {
      const record = this.#recordOf(kind, { source, externalId: external });
      return record === null
        ? []
        : [{ kind, count, source, external_id: external, record: toRecordSummary(record) }];
    });
  }

  #side(row: PossibleMatchRow, side: 'a' | 'b'): SourceRecordSummary | null {
    const [source, externalId] = [row[`${side}_source`], row[`${side}_external`]];
    const record = this.#recordOf(row.kind, { source, externalId });
    return record === null ? null : { source, external_id: externalId, record: toRecordSummary(record) };
  }

  #recordOf(kind: FeedKind, { source, externalId }: SourceRecordKey): RecordIdentity | null {
    if (source === '') return this.#names.bySlug(kind, externalId);
    const id = this.#session.sources.findSource(source)?.id;
    const bound = id === undefined ? undefined : this.#session.sources.find({ source: id, kind, externalId });
    return bound ? this.#names.byId(kind, bound.record_id) : null;
  }

  /** What a record consists of and why, and what nearly was the same. */
  explain(text: string): Explanation {
    const record = findRecord(this.#names, text);
    const kind = record.kind as FeedKind;
    const given = this.#session.context.lookup.inheritedNamesWithPlace(record.id);
    return {
      ...toRecordSummary(record),
      statements: this.#session.sources.statementsOf(record.id).map(toStatementSummary),
      given_names: given.map(({ name, slug }) => ({ name, slug: slug || null })),
      links: this.#links(kind, record.id).toSorted((one, two) => two.score - one.score),
      near: this.#near(kind, record.id),
    };
  }

  #links(kind: FeedKind, id: number): ComparedPair[] {
    const { events, entities: named } = this.#session.matcher;
    if (kind === 'event') return this.#pairs(kind, events.sourceRecordsOf(id), (a, b) => events.judge(a, b));
    if (!isNamedEntityKind(kind)) return [];
    return this.#pairs(kind, named.sourceRecordsOf(kind, id), (a, b) => named.compare(kind, a, b));
  }

  #pairs<N extends SourceRecordKey>(
    kind: FeedKind,
    nodes: N[],
    judge: (a: N, b: N) => MatchResult,
  ): ComparedPair[] {
    return nodes.flatMap((a, at) => nodes.slice(at + 1).map((b) => this.#pair(kind, a, b, judge(a, b))));
  }

  #pair(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey, judgement: MatchResult): ComparedPair {
    return {
      a: { source: a.source, external_id: a.externalId },
      b: { source: b.source, external_id: b.externalId },
      ...explainMatch(judgement),
      decision: this.#session.matcher.decisions.between(kind, a, b) ?? null,
    };
  }

  /** Every other record once: by the pair that was decided, else by the likeliest. */
  #near(kind: FeedKind, id: number): Explanation['near'] {
    const { events, entities: named } = this.#session.matcher;
    const pairs =
      kind === 'event' ? events.nearMatches(id) : isNamedEntityKind(kind) ? named.nearMatches(kind, id) : [];
    const near = new Map<number, Explanation['near'][number]>();
    for (const { a, b, result: judgement } of pairs) {
      const record = b.record === null || b.record === id ? null : this.#names.byId(kind, b.record);
      if (record === null) continue;
      const pair = { record: toRecordSummary(record), ...this.#pair(kind, a, b, judgement) };
      const known = near.get(record.id);
      if (known === undefined ? isNear(pair) : known.decision === null && pair.decision !== null)
        near.set(record.id, pair);
    }
    return [...near.values()];
  }
}

const isNear = ({ score, decision }: ComparedPair): boolean => decision !== null || score >= minNearScore;

type SourceRecordColumns = {
  source_name: string;
  external_id: string;
  withdrawn_ts: number | null;
  statement: string;
};

function toStatementSummary({
  source_name,
  external_id,
  withdrawn_ts,
  statement,
}: SourceRecordColumns): StatementSummary {
  const read = JSON.parse(statement);
  const place = [read.venue?.name, read.city ?? read.venue?.city, read.country ?? read.venue?.country];
  return {
    source: source_name,
    external_id,
    name: read.name ?? null,
    start_at: read.start_at ?? null,
    place: place.filter(Boolean).join(', ') || null,
    url: read.url ?? read.website ?? null,
    withdrawn: withdrawn_ts !== null,
  };
}

export const isNamedEntityKind = (kind: FeedKind): kind is NamedEntityKind =>
  (namedEntityKinds as readonly FeedKind[]).includes(kind);

export const toRecordSummary = ({ kind, id, slug, name }: RecordIdentity): RecordSummary => ({
  id: publicId(kind, id),
  kind: kind as FeedKind,
  slug,
  name,
});
