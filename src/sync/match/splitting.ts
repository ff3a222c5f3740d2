/** One record that an operator parts into several: each group of its parts becomes a record, the first stays. */
import type { FeedKind, Statement } from '../../contract/feed.ts';
import type { RecordName } from '../../store/record-names.ts';
import type { Named } from '../stubs.ts';
import type { Workbench } from '../workbench.ts';
import type { CityHouses } from './city-houses.ts';
import type { Deciding } from './deciding.ts';
import { takeFormer } from './former-slug.ts';
import { groupsOf, isName, isSaid, type NamePart, type Part, partsOf, textOf } from './parting.ts';
import type { Settling } from './settling.ts';

/** What a record known by name alone does not have. */
const ownRows = { artist: 'artist_genres', label: 'label_artists', festival: 'festival_genres' } as const;

/** What a record was before it is parted: the parts that an operator merged into it, the slugs that led to it. */
type Before = {
  guests: ReadonlySet<Part>;
  former: string[];
  /** The one of them that what leaves is to have, where it was named. */
  slug: string | undefined;
};

export class Splitting {
  readonly #bench: Workbench;
  readonly #deciding: Deciding;
  readonly #settling: Settling;
  readonly #houses: CityHouses;

  constructor(bench: Workbench, deciding: Deciding, settling: Settling, houses: CityHouses) {
    this.#bench = bench;
    this.#deciding = deciding;
    this.#settling = settling;
    this.#houses = houses;
  }

  /** Parts a record; see `Corrections.split`. Gives the ids of what was made, and the number of decisions. */
  split(record: RecordName, named: readonly string[]): { made: number[]; decisions: number } {
    const kind = record.kind as FeedKind;
    const anchors = this.#deciding.anchors(record);
    const all = partsOf(this.#bench, record);
    const { decisions: decided } = this.#bench.matching;
    const guests = new Set(all.filter((part) => decided.isMergedInto(kind, part, anchors)));
    const former = this.#bench.matching.merging.formerSlugs(kind, record.id);
    const slug = named.find((text) => former.includes(text) && !all.some((part) => textOf(part) === text));
    const parts = named.filter((text) => text !== slug);
    const groups = groupsOf(all, parts.length > 0 ? parts : named, {
      slug: record.slug,
      record: `${kind}/${record.slug}`,
      isGuest: (part) => guests.has(part),
    });
    const decisions = this.#deciding.part(kind, groups);
    return { made: this.#part(kind, record, groups, { guests, former, slug }), decisions };
  }

  /** Makes records of all groups but the first. */
  #part(kind: FeedKind, record: RecordName, groups: Part[][], { guests, former, slug }: Before): number[] {
    const { matching, context, writer } = this.#bench;
    const { id } = record;
    const leaving = groups.slice(1);
    const slugs = slugsOf(kind, leaving, former, guests);
    if (slug !== undefined) slugs.set(leaving[0] as Part[], slug);
    const hasNames = groups.flat().some(isName);
    if (hasNames) this.#deciding.partNamed(kind, record);
    const made = leaving.map((group) =>
      group.some(isSaid)
        ? this.#partSaid(kind, id, group, slugs.get(group) ?? null)
        : this.#partNames(kind, id, group),
    );
    if (hasNames) matching.merging.unbindNamed(id);
    this.#remain(kind, id, groups[0] as Part[]);
    // In the order they were parted in: none may find another before it is whole.
    for (const one of made) {
      this.#bench.rebuild(kind, one);
      this.#leadBack(kind, id, one);
      if (kind === 'city') this.#houses.giveBack(id, one);
    }
    for (const one of matching.merging.dependents(kind, id)) writer.markStale(one);
    context.resolver.forget();
    writer.beginLine();
    const isTakenBack = leaving.every((group) => group.every((part) => guests.has(part) || isName(part)));
    this.#settling.resettle(kind, [id, ...made], isTakenBack);
    return made;
  }

  /**
   * The id that a record had before it was merged leads to it again: ids are never used twice. So do the slugs and ids of
   * what had gone into it by then.
   */
  #leadBack(kind: FeedKind, from: number, id: number): void {
    const { matching, writer } = this.#bench;
    const slug = writer.row(kind, id)?.slug as string | undefined;
    const former = slug === undefined ? null : matching.merging.formerId(from, slug);
    if (former === null || former === id) return;
    writer.noteMerged(kind, former, id, slug);
    for (const one of matching.merging.inside(former)) {
      if (writer.moveSlug(kind, one.slug, from, id)) writer.noteMerged(kind, one.id, id, one.slug);
    }
  }

  /** What stays is worked out again: from what is said of it, else it is known by its name alone, as it was. */
  #remain(kind: FeedKind, id: number, staying: readonly Part[]): void {
    const { matching, context, writer, sources } = this.#bench;
    const own = staying.find(isName);
    if (sources.said(id).length > 0) this.#bench.rebuild(kind, id);
    else if (own !== undefined && !staying.some((part) => !isName(part))) {
      matching.merging.dropName(id, own.name);
      if (kind in ownRows) writer.saveChildren(ownRows[kind as keyof typeof ownRows], id, []);
      context.resolver.bare(kind as Named, id, own.name);
      this.#settling.workOut(kind, id);
    } else this.#settling.workOut(kind, id);
  }

  /** Moves statements of a record to a new one. */
  #partSaid(kind: FeedKind, from: number, group: readonly Part[], slug: string | null): number {
    const { writer, sources, matching } = this.#bench;
    const said = group.filter(isSaid);
    writer.wishSlug(slug, true);
    const id = writer.newRecord(kind);
    for (const { source, sourceId, externalId, statement } of said) {
      sources.move({ source: sourceId, kind, externalId }, id);
      const clock = sources.named(source)?.clock ?? 'instant';
      const speaker = { id: sourceId, name: source, clock };
      if (kind === 'event') {
        const read = JSON.parse(statement) as Statement<'event'>;
        matching.events.unfile(from, speaker, externalId, read);
        matching.events.file(id, speaker, externalId, read);
      } else this.#settling.file(kind, id, { source, externalId, statement });
    }
    this.#giveNames(from, id, group.filter(isName));
    return id;
  }

  /** Makes a record again of what was known by name alone. */
  #partNames(kind: FeedKind, from: number, group: readonly Part[]): number {
    const { matching, context } = this.#bench;
    const [first, ...others] = group.filter(isName) as [NamePart, ...NamePart[]];
    matching.merging.dropName(from, first.name);
    const id = context.resolver.again(kind as Named, first.name);
    this.#giveNames(from, id, others);
    this.#settling.workOut(kind, id);
    return id;
  }

  #giveNames(from: number, to: number, parts: readonly NamePart[]): void {
    for (const { name } of parts) {
      this.#bench.matching.merging.dropName(from, name);
      this.#bench.matching.merging.giveName(to, name);
    }
  }
}

/** The slugs that groups had when they were records of their own; `former` are all that led to the record. */
function slugsOf(
  kind: FeedKind,
  leaving: Part[][],
  former: string[],
  guests: ReadonlySet<Part>,
): Map<Part[], string | null> {
  const slugs = new Map(leaving.map((group) => [group, takeFormer(kind, group.filter(isSaid), former)]));
  const [renamed, ...more] = leaving.filter((group) => guests.has(group[0] as Part) && !slugs.get(group));
  // Its source calls it otherwise since it was merged: the one slug that is left is its own.
  if (renamed && more.length === 0 && former.length === 1) slugs.set(renamed, former[0] as string);
  return slugs;
}
