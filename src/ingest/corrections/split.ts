/** One record that an operator parts into several: each group of its parts becomes a record, the first stays. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import type { NameOnlyKind } from '../records/placeholder-records.ts';
import type { WriteSession } from '../write-session.ts';
import type { CorrectionApplier } from './apply.ts';
import type { CityVenues } from './city-venues.ts';
import type { DecisionWriter } from './decisions.ts';
import { takeFormerSlug } from './former-slug.ts';
import {
  groupParts,
  isMergedName,
  isStatementPart,
  type MergedNamePart,
  partsOf,
  partText,
  type RecordPart,
} from './parts.ts';

/** What a record known by name alone does not have. */
const ownChildTables = {
  artist: 'artist_genres',
  label: 'label_artists',
  festival: 'festival_genres',
} as const;

/** What a record was before it is parted: the parts that an operator merged into it, the slugs that led to it. */
type RecordBeforeSplit = {
  mergedParts: ReadonlySet<RecordPart>;
  formerSlugs: string[];
  /** The one of them that what leaves is to have, where it was named. */
  slug: string | undefined;
};

export class SplitCorrection {
  readonly #session: WriteSession;
  readonly #decisions: DecisionWriter;
  readonly #applier: CorrectionApplier;
  readonly #cityVenues: CityVenues;

  constructor(
    bench: WriteSession,
    deciding: DecisionWriter,
    settling: CorrectionApplier,
    houses: CityVenues,
  ) {
    this.#session = bench;
    this.#decisions = deciding;
    this.#applier = settling;
    this.#cityVenues = houses;
  }

  /** Parts a record; see `Corrections.split`. Gives the ids of what was made, and the number of decisions. */
  split(record: RecordIdentity, named: readonly string[]): { made: number[]; decisions: number } {
    const kind = record.kind as FeedKind;
    const anchors = this.#decisions.recordKeys(record);
    const all = partsOf(this.#session, record);
    const { decisions: decided } = this.#session.matcher;
    const guests = new Set(all.filter((part) => decided.isMergedInto(kind, part, anchors)));
    const former = this.#session.matcher.merger.formerSlugs(kind, record.id);
    const slug = named.find((text) => former.includes(text) && !all.some((part) => partText(part) === text));
    const parts = named.filter((text) => text !== slug);
    const groups = groupParts(all, parts.length > 0 ? parts : named, {
      slug: record.slug,
      record: `${kind}/${record.slug}`,
      isGuest: (part) => guests.has(part),
    });
    const decisions = this.#decisions.cannotLink(kind, groups);
    return {
      made: this.#part(kind, record, groups, { mergedParts: guests, formerSlugs: former, slug }),
      decisions,
    };
  }

  /** Makes records of all groups but the first. */
  #part(
    kind: FeedKind,
    record: RecordIdentity,
    groups: RecordPart[][],
    { mergedParts: guests, formerSlugs: former, slug }: RecordBeforeSplit,
  ): number[] {
    const { matcher: matching, context, writer } = this.#session;
    const { id } = record;
    const leaving = groups.slice(1);
    const slugs = formerSlugsOf(kind, leaving, former, guests);
    if (slug !== undefined) slugs.set(leaving[0] as RecordPart[], slug);
    const hasNames = groups.flat().some(isMergedName);
    if (hasNames) this.#decisions.cannotLinkNamed(kind, record);
    const made = leaving.map((group) =>
      group.some(isStatementPart)
        ? this.#splitStatements(kind, id, group, slugs.get(group) ?? null)
        : this.#splitNames(kind, id, group),
    );
    if (hasNames) matching.merger.unbindNamed(id);
    this.#rebuildRemaining(kind, id, groups[0] as RecordPart[]);
    // In the order they were parted in: none may find another before it is whole.
    for (const one of made) {
      this.#session.rebuild(kind, one);
      this.#restoreIds(kind, id, one);
      if (kind === 'city') this.#cityVenues.restoreVenues(id, one);
    }
    for (const one of matching.merger.dependents(kind, id)) writer.markStale(one);
    context.resolver.clearCache();
    writer.beginSavepoint();
    const isTakenBack = leaving.every((group) =>
      group.every((part) => guests.has(part) || isMergedName(part)),
    );
    this.#applier.regroup(kind, [id, ...made], isTakenBack);
    return made;
  }

  /**
   * The id that a record had before it was merged leads to it again: ids are never used twice. So do the slugs and ids of
   * what had gone into it by then.
   */
  #restoreIds(kind: FeedKind, from: number, id: number): void {
    const { matcher: matching, writer } = this.#session;
    const slug = writer.row(kind, id)?.slug as string | undefined;
    const former = slug === undefined ? null : matching.merger.formerId(from, slug);
    if (former === null || former === id) return;
    writer.recordMerge(kind, former, id, slug);
    for (const one of matching.merger.mergedRecords(former)) {
      if (writer.moveSlug(kind, one.slug, from, id)) writer.recordMerge(kind, one.id, id, one.slug);
    }
  }

  /** What stays is worked out again: from what is said of it, else it is known by its name alone, as it was. */
  #rebuildRemaining(kind: FeedKind, id: number, staying: readonly RecordPart[]): void {
    const { matcher: matching, context, writer, sources } = this.#session;
    const own = staying.find(isMergedName);
    if (sources.statementsOf(id).length > 0) this.#session.rebuild(kind, id);
    else if (own !== undefined && !staying.some((part) => !isMergedName(part))) {
      matching.merger.dropName(id, own.name);
      if (kind in ownChildTables)
        writer.saveChildren(ownChildTables[kind as keyof typeof ownChildTables], id, []);
      context.resolver.reduceToName(kind as NameOnlyKind, id, own.name);
      this.#applier.rebuild(kind, id);
    } else this.#applier.rebuild(kind, id);
  }

  /** Moves statements of a record to a new one. */
  #splitStatements(kind: FeedKind, from: number, group: readonly RecordPart[], slug: string | null): number {
    const { writer, sources, matcher: matching } = this.#session;
    const said = group.filter(isStatementPart);
    writer.requestSlug(slug, true);
    const id = writer.newRecord(kind);
    for (const { source, sourceId, externalId, statement } of said) {
      sources.move({ source: sourceId, kind, externalId }, id);
      const clock = sources.findSource(source)?.clock ?? 'instant';
      const speaker = { id: sourceId, name: source, clock };
      if (kind === 'event') {
        const read = JSON.parse(statement) as FeedRecordContent<'event'>;
        matching.events.unindex(from, speaker, externalId, read);
        matching.events.index(id, speaker, externalId, read);
      } else this.#applier.index(kind, id, { source, externalId, statement });
    }
    this.#giveNames(from, id, group.filter(isMergedName));
    return id;
  }

  /** Makes a record again of what was known by name alone. */
  #splitNames(kind: FeedKind, from: number, group: readonly RecordPart[]): number {
    const { matcher: matching, context } = this.#session;
    const [first, ...others] = group.filter(isMergedName) as [MergedNamePart, ...MergedNamePart[]];
    matching.merger.dropName(from, first.name);
    const id = context.resolver.recreate(kind as NameOnlyKind, first.name);
    this.#giveNames(from, id, others);
    this.#applier.rebuild(kind, id);
    return id;
  }

  #giveNames(from: number, to: number, parts: readonly MergedNamePart[]): void {
    for (const { name } of parts) {
      this.#session.matcher.merger.dropName(from, name);
      this.#session.matcher.merger.giveName(to, name);
    }
  }
}

/** The slugs that groups had when they were records of their own; `former` are all that led to the record. */
function formerSlugsOf(
  kind: FeedKind,
  leaving: RecordPart[][],
  former: string[],
  guests: ReadonlySet<RecordPart>,
): Map<RecordPart[], string | null> {
  const slugs = new Map(
    leaving.map((group) => [
      group,
      takeFormerSlug(
        kind,
        group.filter(isStatementPart).map(({ statement }) => statement),
        former,
      ),
    ]),
  );
  const [renamed, ...more] = leaving.filter(
    (group) => guests.has(group[0] as RecordPart) && !slugs.get(group),
  );
  // Its source calls it otherwise since it was merged: the one slug that is left is its own.
  if (renamed && more.length === 0 && former.length === 1) slugs.set(renamed, former[0] as string);
  return slugs;
}
