/** Explains matching to operators: the source records of a record, near matches, and possible matches. */

import type { FeedKind } from '../../contract/feed.ts';
import type { FieldEdit, FieldState, StatementSummary } from '../../contract/record-details.ts';
import type { ExplainedEvidence, RecordSummary } from '../../contract/review-items.ts';
import type { MatchDecision, SourceRecordKey } from '../../matching/clustering.ts';
import { type ExplainedMatch, explainMatch } from '../../matching/explain.ts';
import { doubtfulThreshold, type MatchResult } from '../../matching/model.ts';
import { readDerivedGenres } from '../../store/export/one-record.ts';
import type { RecordFinder, RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import type { PossibleMatchRow } from '../../store/resolution/match-store.ts';
import { parseReasons } from '../../store/resolution/match-store.ts';
import { parseMembers } from '../../store/resolution/record-content.ts';
import type { SourceStatementRow } from '../../store/resolution/source-records.ts';
import { describeDerivedLineup, describeFields } from '../edits/field-states.ts';
import { isNamedEntityKind } from '../resolution/entity-matcher.ts';
import { NearNames } from '../review/near-names.ts';
import type { WriteSession } from '../write-session.ts';
import { describeRemoval, findRecord } from './find-record.ts';

export type SourceRecordSummary = { source: string; external_id: string; record: RecordSummary };
export type Duplicate = {
  kind: FeedKind;
  score: number;
  rule: string;
  reasons: ExplainedEvidence[];
  a: SourceRecordSummary;
  b: SourceRecordSummary;
};
/** A source record with more candidates than are compared or listed. */
export type OmittedCandidates = SourceRecordSummary & { kind: FeedKind; count: number };
export type ComparedPair = ExplainedMatch & {
  a: { source: string; external_id: string };
  b: { source: string; external_id: string };
  decision: MatchDecision | null;
};
/** A field that an editor changed. */
export type ExplainedEdit = FieldEdit &
  Pick<FieldState, 'value' | 'source_value' | 'owner'> & { field: string };
/** A field that no source states: computed from other records, or read from a text of a source. */
export type DerivedField =
  | { field: 'genres'; value: string[]; from: 'lineup' }
  | { field: 'lineup'; value: string[]; from: 'description' | 'title' };
export type Explanation = RecordSummary & {
  /** Why the record is not shown and how it comes back; null if it is shown. */
  removed: string | null;
  statements: StatementSummary[];
  /** Fields that no source states: the genres of an event follow from its line-up, which may follow from its description. */
  derived: DerivedField[];
  /** Fields that an editor changed, with what the sources say instead. */
  edits: ExplainedEdit[];
  /** Names inherited from merged records without source records. */
  given_names: { name: string; slug: string | null }[];
  /** All pairs of its source records, highest score first. */
  links: ComparedPair[];
  /** Other records that nearly matched, each with its best pair, and those that an operator keeps apart. */
  near: (ComparedPair & { record: RecordSummary })[];
};

/** Pairs below this score are listed only if an operator decided them. */
const minNearScore = doubtfulThreshold / 2;

/** Lists possible duplicates and explains single records. Only reads. */
export class RecordExplainer {
  readonly #session: WriteSession;
  readonly #names: RecordFinder;

  constructor(session: WriteSession, names: RecordFinder) {
    this.#session = session;
    this.#names = names;
  }

  /**
   * Possible matches that were kept apart, and bare records whose name is one letter from that of a richer one. Highest
   * score first.
   */
  duplicates(kind: FeedKind | null): Duplicate[] {
    const storedPairs = this.#toDuplicates(this.#session.matcher.store.possibleMatches(kind));
    const idsOf = ({ a, b }: Duplicate) => [a.record.id, b.record.id].sort().join(' ');
    const storedIds = new Set(storedPairs.map(idsOf));
    const near = this.#toDuplicates(new NearNames(this.#session.writer.sqlite).all(kind));
    return [...storedPairs, ...near.filter((pair) => !storedIds.has(idsOf(pair)))].sort(
      (one, other) => other.score - one.score,
    );
  }

  #toDuplicates(rows: readonly PossibleMatchRow[]): Duplicate[] {
    return rows.flatMap((row) => {
      const [a, b] = [this.#side(row, 'a'), this.#side(row, 'b')];
      if (a === null || b === null || a.record.id === b.record.id) return [];
      return [{ kind: row.kind, score: row.score, rule: row.rule, reasons: parseReasons(row.reasons), a, b }];
    });
  }

  /** Records with more candidates than are compared or listed, most candidates first. */
  omittedCandidates(kind: FeedKind | null): OmittedCandidates[] {
    return this.#session.matcher.store.uncompared(kind).flatMap(({ kind, source, external, count }) => {
      const record = this.#recordOf(kind, { source, externalId: external });
      return record === null
        ? []
        : [{ kind, count, source, external_id: external, record: toRecordSummary(record) }];
    });
  }

  #side(row: PossibleMatchRow, side: 'a' | 'b'): SourceRecordSummary | null {
    const [source, externalId] = [row[`${side}_source`], row[`${side}_external_id`]];
    const record = this.#recordOf(row.kind, { source, externalId });
    return record === null ? null : { source, external_id: externalId, record: toRecordSummary(record) };
  }

  #recordOf(kind: FeedKind, { source, externalId }: SourceRecordKey): RecordIdentity | null {
    if (source === '') return this.#names.bySlug(kind, externalId);
    const id = this.#session.sources.findSource(source)?.id;
    const row = id === undefined ? undefined : this.#session.sources.find({ source: id, kind, externalId });
    return row ? this.#names.byId(kind, row.record_id) : null;
  }

  /** The source records of a record, why they match, and near matches. */
  explain(text: string): Explanation {
    const names = this.#names.withRemoved();
    const record = findRecord(names, text);
    const kind = record.kind as FeedKind;
    const isRemoved = names.removalOf(record.id) !== null;
    const inheritedNames = this.#session.lookup.inheritedNamesWithPlace(record.id);
    return {
      ...toRecordSummary(record),
      removed: isRemoved ? describeRemoval(names, record) : null,
      statements: this.#session.sources.statementsOf(record.id).map(toStatementSummary),
      derived: this.#derived(kind, record.id),
      edits: this.#edits(kind, record.id),
      given_names: inheritedNames.map(({ name, slug }) => ({ name, slug: slug || null })),
      links: this.#links(kind, record.id).toSorted((one, two) => two.score - one.score),
      near: this.#near(kind, record.id),
    };
  }

  #derived(kind: FeedKind, id: number): DerivedField[] {
    if (kind !== 'event') return [];
    const lineup = describeDerivedLineup(this.#session, id);
    const genres = readDerivedGenres(this.#session.writer.sqlite, id);
    return [
      ...(lineup === null ? [] : [{ field: 'lineup' as const, ...lineup }]),
      ...(genres.length === 0 ? [] : [{ field: 'genres' as const, value: genres, from: 'lineup' as const }]),
    ];
  }

  #edits(kind: FeedKind, id: number): ExplainedEdit[] {
    if (this.#session.sources.edits.of(id).length === 0) return [];
    return describeFields(this.#session, kind, id).flatMap(({ name, edit, value, source_value, owner }) =>
      edit === null ? [] : [{ field: name, value, source_value, owner, ...edit }],
    );
  }

  #links(kind: FeedKind, id: number): ComparedPair[] {
    const { events, entities: named } = this.#session.matcher;
    if (kind === 'event')
      return this.#pairs(kind, events.sourceRecordsOf(id), (a, b) => events.compare(a, b));
    if (!isNamedEntityKind(kind)) return [];
    return this.#pairs(kind, named.sourceRecordsOf(kind, id), (a, b) => named.compare(kind, a, b));
  }

  #pairs<N extends SourceRecordKey>(
    kind: FeedKind,
    records: N[],
    compare: (a: N, b: N) => MatchResult,
  ): ComparedPair[] {
    return records.flatMap((a, at) =>
      records.slice(at + 1).map((b) => this.#pair(kind, a, b, compare(a, b))),
    );
  }

  #pair(kind: FeedKind, a: SourceRecordKey, b: SourceRecordKey, result: MatchResult): ComparedPair {
    return {
      a: { source: a.source, external_id: a.externalId },
      b: { source: b.source, external_id: b.externalId },
      ...explainMatch(result),
      decision: this.#session.matcher.decisions.between(kind, a, b) ?? null,
    };
  }

  /** Each other record once: with the decided pair, otherwise the one with the highest score. */
  #near(kind: FeedKind, id: number): Explanation['near'] {
    const { events, entities: named } = this.#session.matcher;
    const pairs =
      kind === 'event' ? events.nearMatches(id) : isNamedEntityKind(kind) ? named.nearMatches(kind, id) : [];
    const near = new Map<number, Explanation['near'][number]>();
    for (const { a, b, result } of pairs) {
      const record = b.record === null || b.record === id ? null : this.#names.byId(kind, b.record);
      if (record === null) continue;
      const pair = { record: toRecordSummary(record), ...this.#pair(kind, a, b, result) };
      const earlier = near.get(record.id);
      if (earlier === undefined ? isNear(pair) : earlier.decision === null && pair.decision !== null)
        near.set(record.id, pair);
    }
    return [...near.values()];
  }
}

const isNear = ({ score, decision }: ComparedPair): boolean => decision !== null || score >= minNearScore;

function toStatementSummary({
  source_name,
  external_id,
  withdrawn_ts,
  content,
}: SourceStatementRow): StatementSummary {
  const members = parseMembers(content);
  const place = [
    members.venue?.name,
    members.city ?? members.venue?.city,
    members.country ?? members.venue?.country,
  ];
  return {
    source: source_name,
    external_id,
    name: members.name ?? null,
    start_at: members.start_at ?? null,
    place: place.filter(Boolean).join(', ') || null,
    url: members.url ?? members.website ?? null,
    withdrawn: withdrawn_ts !== null,
  };
}

/** A record by its public id, kind, slug and name, as reports and the audit log show it. */
export const toRecordSummary = ({ kind, id, slug, name }: RecordIdentity): RecordSummary => ({
  id: publicId(kind, id),
  kind: kind as FeedKind,
  slug,
  name,
});
