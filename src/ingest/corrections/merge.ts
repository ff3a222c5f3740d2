/** One record that an operator merges into another: what goes along, and what is told of it. */
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordFinder, RecordIdentity } from '../../store/records/record-finder.ts';
import { sortByTrust } from '../records/survivorship.ts';
import type { CityReference } from '../resolution/city-resolver.ts';
import type { WriteSession } from '../write-session.ts';
import type { CorrectionApplier } from './apply.ts';
import type { CityVenues } from './city-venues.ts';
import { findConflicts, type MergeConflict } from './conflicts.ts';
import { type RecordSummary, toRecordSummary } from './explain.ts';
import { takeFormerSlug } from './former-slug.ts';
import { partsOf, partText } from './parts.ts';

/** Why a record is shown under a name: of its statements the most trusted, the newest, or nobody says another. */
export type NameOwner = { source: string; external_id: string; because: 'trust' | 'newest' | 'only' };
export type MergeResult = {
  /** What went into the record; its id and slug lead there from now on. */
  merged: RecordSummary;
  /** How many statements came with it, and how many records of each kind named it. */
  moved: { statements: number; records: Partial<Record<FeedKind, number>> };
  /** What parts the two again: arguments of `splitIntoRuns`. */
  undo: string[];
  /** What the two did not agree on: place, date. */
  contradicts: MergeConflict[];
};

export class MergeCorrection {
  readonly #session: WriteSession;
  readonly #names: RecordFinder;
  readonly #applier: CorrectionApplier;
  readonly #cityVenues: CityVenues;

  constructor(bench: WriteSession, names: RecordFinder, settling: CorrectionApplier, houses: CityVenues) {
    this.#session = bench;
    this.#names = names;
    this.#applier = settling;
    this.#cityVenues = houses;
  }

  /** Merges `b`, with which `movedPattern` comes, into `a`, which is of the same kind. */
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
    this.#applier.rebuild(kind, a.id);
    return absorbed;
  }

  /** What comes with a record that is merged. */
  movedWith({ kind, id }: RecordIdentity): MergeResult['moved'] {
    const { sources, matcher: matching } = this.#session;
    return {
      statements: sources.statementsOf(id).length,
      records: matching.merger.countDependents(kind as FeedKind, id),
    };
  }

  /** Whose statement a record has its name from; null where no source says it. */
  nameOwner(id: number, { name }: RecordSummary): NameOwner | null {
    const said = sortByTrust(
      this.#session.sources.statementsOf(id).map((row) => ({
        sourceId: row.source_id,
        sourceName: row.source_name,
        trust: row.trust,
        clock: 'instant' as const,
        externalId: row.external_id,
        statedTs: row.content_updated_ts,
        withdrawnTs: row.withdrawn_ts,
        statement: JSON.parse(row.content),
      })),
    );
    const owner = said.find(({ statement }) => statement.name === name);
    if (owner === undefined) return null;
    const other = said.find(({ statement }) => statement.name !== name);
    const because = other === undefined ? 'only' : other.trust < owner.trust ? 'trust' : 'newest';
    return { source: owner.sourceName, external_id: owner.externalId, because };
  }

  #undo(a: RecordIdentity, b: RecordIdentity): string[] {
    const parts = partsOf(this.#session, b).map(partText);
    const slug = this.#isSlugImplied(a, b) ? [] : [b.slug];
    return [`${a.kind}/${a.slug}`, ...(parts.length > 0 ? ['--statement', ...parts, ...slug] : [])];
  }

  /** Whether a split would give `b` its own slug again without being told, of all that will lead to `a`. */
  #isSlugImplied(a: RecordIdentity, b: RecordIdentity): boolean {
    const { merger: merging } = this.#session.matcher;
    const kind = b.kind as FeedKind;
    const said = this.#session.sources.statementsOf(b.id);
    if (said.length === 0) return true;
    const former = [a.id, b.id].flatMap((id) => merging.formerSlugs(kind, id));
    const all = [...former, b.slug].toSorted((x, y) => x.length - y.length || (x < y ? -1 : 1));
    return (
      (takeFormerSlug(
        kind,
        said.map(({ content }) => content),
        [...all],
      ) ?? (former.length === 0 ? b.slug : null)) === b.slug
    );
  }

  #conflicts(kind: FeedKind, a: number, b: number): MergeConflict[] {
    const { writer } = this.#session;
    const nameOf = (of: FeedKind, id: number) => this.#names.byId(of, id)?.name ?? null;
    return findConflicts(kind, writer.row(kind, a), writer.row(kind, b), nameOf);
  }

  #moveEvent(from: number, into: number): void {
    const { events, merger: merging } = this.#session.matcher;
    const said = events.sourceRecordsOf(from);
    for (const one of said) events.unindex(from, toSourceIdentity(one), one.externalId, one.statement);
    merging.merge('event', from, into, { byOperator: true });
    for (const one of said) events.index(into, toSourceIdentity(one), one.externalId, one.statement);
  }

  #moveOther(kind: FeedKind, from: number, into: number): void {
    const { matcher: matching, sources, writer, context } = this.#session;
    const said = sources.statementsOf(from);
    const row = writer.row(kind, from);
    if (kind === 'city') this.#cityVenues.rememberPlaces(from);
    matching.merger.merge(kind, from, into, { byOperator: true });
    for (const { source_name, external_id, content: statement } of said)
      this.#applier.index(kind, into, { source: source_name, externalId: external_id, statement });
    const names = [row?.name as string, ...context.lookup.inheritedNames(into)];
    if (kind === 'venue')
      matching.venues.index(into, names, { city: null, country: null, ...row } as CityReference);
    if (kind === 'city') this.#cityVenues.reindex(into);
  }
}

type SourceColumns = { sourceId: number; source: string; clock: 'instant' | 'local' };

const toSourceIdentity = ({ sourceId, source, clock }: SourceColumns) => ({
  id: sourceId,
  name: source,
  clock,
});
