/** Merges one record into another on an operator's request, and reports what moved. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import { Failure } from '../../failure.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import type { RowOf } from '../../store/writer.ts';
import { RejectedRecord } from '../records/places.ts';
import { type SourceRecord, sortByTrust, toSourceRecord } from '../records/survivorship.ts';
import type { CorrectionTools } from './apply.ts';
import { toRecordSummary } from './explain.ts';
import { partsOf, partText, takeFormerSlug } from './parts.ts';

/**
 * Why a record has its name: its source is the most trusted, states the better title of an event, is the newest, or no
 * source has another name.
 */
export type NameOwner = {
  source: string;
  external_id: string;
  because: 'trust' | 'title' | 'newest' | 'only';
};
export type MergeResult = {
  /** The merged record; its id and slug redirect to the survivor. */
  merged: RecordSummary;
  /** Number of source records that moved, and of records of each kind that referenced it. */
  moved: { statements: number; records: Partial<Record<FeedKind, number>> };
  /** Arguments of `split` that undo the merge. */
  undo: string[];
  /** Conflicts of place and date. */
  contradicts: MergeConflict[];
};

/** Merges one record into another within an open transaction. */
export class MergeCorrection {
  readonly #tools: CorrectionTools;

  constructor(tools: CorrectionTools) {
    this.#tools = tools;
  }

  /**
   * Merges `b` into `a`, which is of the same kind; `moved` is what moves with it.
   * @throws Failure if a genre or label would then be its own parent
   */
  merge(a: RecordIdentity, b: RecordIdentity, moved: MergeResult['moved']): MergeResult {
    const kind = a.kind as FeedKind;
    const absorbed = {
      merged: toRecordSummary(b),
      moved,
      undo: this.#undo(a, b),
      contradicts: this.#conflicts(kind, a.id, b.id),
    };
    if (kind === 'event') this.#moveEvent(b.id, a.id);
    else this.#moveOther(kind, b.id, a.id);
    try {
      this.#tools.applier.rebuild(kind, a.id);
    } catch (failure) {
      throw failure instanceof RejectedRecord ? ownParent(a, b) : failure;
    }
    return absorbed;
  }

  /** Counts what moves with a merged record. */
  movedWith({ kind, id }: RecordIdentity): MergeResult['moved'] {
    const { sources, matcher } = this.#tools.session;
    return {
      statements: sources.statementsOf(id).length,
      records: matcher.merger.store.countDependents(kind as FeedKind, id),
    };
  }

  /** The source record that provides the name of a record; null if none has it. */
  nameOwner(id: number, { name }: RecordSummary): NameOwner | null {
    const sourceRecords = sortByTrust(this.#tools.session.sources.parsedStatementsOf(id).map(toSourceRecord));
    const nameOf = ({ statement }: SourceRecord<FeedKind>) => (statement as { name?: string }).name;
    const owner = sourceRecords.find((one) => nameOf(one) === name);
    if (owner === undefined) return null;
    const other = sourceRecords.find((one) => nameOf(one) !== name);
    const because = other === undefined ? 'only' : reasonFor(owner, other);
    return { source: owner.sourceName, external_id: owner.externalId, because };
  }

  #undo(a: RecordIdentity, b: RecordIdentity): string[] {
    const parts = partsOf(this.#tools.session, b).map(partText);
    const slug = this.#isSlugImplied(a, b) ? [] : [b.slug];
    return [`${a.kind}/${a.slug}`, ...(parts.length > 0 ? ['--statement', ...parts, ...slug] : [])];
  }

  /** Whether a split would restore the slug of `b` without naming it. */
  #isSlugImplied(a: RecordIdentity, b: RecordIdentity): boolean {
    const { merger } = this.#tools.session.matcher;
    const kind = b.kind as FeedKind;
    const rows = this.#tools.session.sources.statementsOf(b.id);
    if (rows.length === 0) return true;
    const former = [a.id, b.id].flatMap((id) => merger.store.formerSlugs(kind, id));
    const all = [...former, b.slug].toSorted((x, y) => x.length - y.length || (x < y ? -1 : 1));
    return (
      (takeFormerSlug(
        kind,
        rows.map(({ content }) => content),
        [...all],
      ) ?? (former.length === 0 ? b.slug : null)) === b.slug
    );
  }

  #conflicts(kind: FeedKind, a: number, b: number): MergeConflict[] {
    const { writer } = this.#tools.session;
    const nameOf = (of: FeedKind, id: number) => this.#tools.names.byId(of, id)?.name ?? null;
    return findConflicts(kind, writer.row(kind, a), writer.row(kind, b), nameOf);
  }

  #moveEvent(from: number, into: number): void {
    const { events, merger } = this.#tools.session.matcher;
    const sourceRecords = events.sourceRecordsOf(from);
    for (const one of sourceRecords) events.unindex(from, one);
    merger.merge('event', from, into, { byOperator: true });
    for (const one of sourceRecords) events.index(into, one);
  }

  #moveOther(kind: FeedKind, from: number, into: number): void {
    const { matcher, sources, writer, lookup } = this.#tools.session;
    const rows = sources.statementsOf(from);
    const row = writer.row(kind, from);
    if (kind === 'city') this.#tools.cityVenues.rememberPlaces(from);
    matcher.merger.merge(kind, from, into, { byOperator: true });
    for (const { source_name, external_id, content: statement } of rows)
      this.#tools.applier.index(kind, into, { source: source_name, externalId: external_id, statement });
    const { name = '', city = null, country = null } = row ?? {};
    if (kind === 'venue')
      matcher.venues.index(into, [name, ...lookup.inheritedNames(into)], { city, country });
    if (kind === 'city') this.#tools.cityVenues.reindex(into);
  }
}

const ownParent = (a: RecordIdentity, b: RecordIdentity): Failure =>
  new Failure(
    `${a.kind}/${b.slug} and ${a.kind}/${a.slug} cannot be merged: one is below the other, and the merged ${a.kind} would be its own parent. Give the lower one a parent outside of both first: cratebase edit ${a.kind}/SLUG parent=NAME.`,
  );

/** A property that both records state differently. */
export type MergeConflict = { what: 'date' | 'venue' | 'city' | 'country'; kept: string; merged: string };
type PlaceNameOf = (kind: 'venue' | 'city', id: number) => string | null;

const comparedFields: Partial<Record<FeedKind, readonly MergeConflict['what'][]>> = {
  event: ['date', 'venue', 'city'],
  venue: ['city'],
  city: ['country'],
};

/**
 * Compares date and place of two records of a kind; a missing value is no conflict.
 * @param nameOf returns the name of a venue or city
 */
function findConflicts(
  kind: FeedKind,
  survivorRow: RowOf<FeedKind> | undefined,
  mergedRow: RowOf<FeedKind> | undefined,
  nameOf: PlaceNameOf,
): MergeConflict[] {
  return (comparedFields[kind] ?? []).flatMap((what) => {
    const [one, two] = [fieldText(what, survivorRow, nameOf), fieldText(what, mergedRow, nameOf)];
    return one === null || two === null || one === two ? [] : [{ what, kept: one, merged: two }];
  });
}

function fieldText(
  what: MergeConflict['what'],
  row: RowOf<FeedKind> | undefined,
  nameOf: PlaceNameOf,
): string | null {
  if (row === undefined) return null;
  // The local date as stated.
  if (what === 'date') return row.start_at?.slice(0, 10) ?? null;
  if (what === 'country') return row.country ?? null;
  const id = row[`${what}_id`];
  return id == null ? null : nameOf(what, id);
}

/** Why the name of a source record was chosen over that of the first other one. */
function reasonFor(owner: SourceRecord<FeedKind>, other: SourceRecord<FeedKind>): NameOwner['because'] {
  if (other.trust < owner.trust) return 'trust';
  // The newer record comes first.
  return sortByTrust([owner, other])[0] === owner ? 'newest' : 'title';
}
