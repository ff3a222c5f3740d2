/** Making two records one, by a match or an operator's word. */
import type { FeedKind } from '../../contract/feed.ts';
import type { MergeStore } from '../../store/resolution/merge-store.ts';
import type { InheritedName } from '../../store/resolution/record-lookup.ts';
import type { RecordRow } from '../../store/writer.ts';
import type { ResolutionContext } from './resolution-context.ts';

/** Kinds whose place in search follows from what the catalogue holds of them. */
const rankedKinds: readonly FeedKind[] = ['artist', 'venue', 'festival', 'label'];

export class RecordMerger {
  readonly #context: ResolutionContext;
  readonly #store: MergeStore;

  constructor(desk: ResolutionContext, store: MergeStore) {
    this.#context = desk;
    this.#store = store;
  }

  /**
   * Puts `from` into `into`: what sources say of it, its slugs, and all that names it. The caller works `into` out again;
   * what else is shown with either waits to be. What an operator merged can be parted again, names and slugs included;
   * a name that was misread means nobody any more.
   */
  merge(kind: FeedKind, from: number, into: number, { byOperator = false, isMisread = false } = {}): void {
    const { writer, names, sources, context } = this.#context;
    if (kind === 'festival') {
      for (const [one, two] of this.#store.commonEditions(from, into)) this.merge('edition', one, two);
    }
    const row = writer.row(kind, from);
    writer.recordMerge(kind, from, into);
    const shownWith = this.#store.dependents(kind, from);
    this.#store.markDependents(kind, from);
    if (kind === 'event') this.#unrank(from, row?.venue_id as number | null | undefined);
    // Known by name alone: nobody would say the name again.
    if (sources.statementsOf(from).length === 0 && !isMisread) this.#giveRowName(into, kind, row, byOperator);
    if (sources.statementsOf(from).length > 0 || !byOperator) this.keepName(kind, into, byOperator);
    names.remove(from);
    this.#store.merge(kind, from, into);
    // Their rows name the survivor now.
    for (const one of shownWith) writer.evictRow(one);
    writer.evictRow(from);
    writer.evictRow(into);
    if (rankedKinds.includes(kind)) names.markStale(into);
    context.resolver.clearCache();
    context.lookup.clearGenreCache();
    // An operator decided of these two alone: what lies about them stays as it is.
    if (kind !== 'event' || !byOperator) writer.markStale(into);
    writer.touch(kind, into, context.now);
  }

  /**
   * Leads some of the events that name `from` to `into`, ahead of a merge that would hold the lock for long with all of
   * them. They wait to be worked out again: where the merge does not follow, that leads them back.
   * @returns whether there may be more of them
   */
  leadSome(kind: FeedKind, from: number, into: number, limit: number): boolean {
    this.#context.writer.changed = true;
    return this.#store.leadSome(kind, from, into, limit);
  }

  /** How many records of each kind are shown with this one, or were worked out from it. */
  countDependents(kind: FeedKind, id: number): Partial<Record<FeedKind, number>> {
    return this.#store.countDependents(kind, id);
  }

  /** Before sources speak of a record that was known by name alone: its name goes on meaning it. */
  keepName(kind: FeedKind, id: number, byOperator = false): void {
    if (this.#context.sources.statementsOf(id).length > 0) return;
    this.#giveRowName(id, kind, this.#context.writer.row(kind, id), byOperator);
  }

  /** The same where the statement that comes first calls it otherwise, or puts it elsewhere. */
  keepFormerName(
    kind: FeedKind,
    id: number,
    { name, country }: { name?: string; country?: string | null },
  ): void {
    const row = this.#context.writer.row(kind, id);
    if (row === undefined || !('aliases' in row)) return;
    if (row.name !== name || (kind === 'city' && row.country !== country)) this.keepName(kind, id);
  }

  #giveRowName(id: number, kind: FeedKind, row: RecordRow | undefined, byOperator: boolean): void {
    if (typeof row?.name !== 'string') return;
    const slug = byOperator ? (row.slug as string) : '';
    this.#store.addInheritedName(id, { name: row.name, place: this.#placeOf(kind, row), slug });
  }

  /** Where a name was meant: of houses and cities there are many of one name. */
  #placeOf(kind: FeedKind, row: RecordRow): string {
    if (kind === 'city') return row.country as string;
    if (kind !== 'venue' || row.city_id === null) return '';
    return (this.#context.writer.row('city', row.city_id as number)?.slug ?? '') as string;
  }

  /** Has a record found by a name of another one that went into it. */
  giveName(id: number, name: InheritedName): void {
    this.#store.addInheritedName(id, name);
  }

  /** A name that was taken over means the record no longer. */
  dropName(id: number, name: InheritedName): void {
    this.#store.removeInheritedName(id, name);
  }

  /** Slugs that answer with a record and are not its own. */
  formerSlugs(kind: FeedKind, id: number): string[] {
    return this.#store.formerSlugs(kind, id);
  }

  /** The id of the record that went into this one while it had the slug; null where none did. */
  formerId(into: number, slug: string): number | null {
    return this.#store.findMergedId(into, slug);
  }

  /** All that had gone into a record when it went into another one itself, with the slugs they had. */
  mergedRecords(id: number): { id: number; slug: string }[] {
    return this.#store.mergedInto(id);
  }

  /** What sources only named is looked for anew, by its name. */
  unbindNamed(id: number): void {
    this.#store.unbindReferences(id);
    this.#context.context.resolver.clearCache();
  }

  /** Records that are shown with this one, or were worked out from it. */
  dependents(kind: FeedKind, id: number): number[] {
    return this.#store.dependents(kind, id);
  }

  /** Those an event counted for count one less. */
  #unrank(event: number, venue: number | null | undefined): void {
    const { writer, names } = this.#context;
    for (const [, artist] of writer.childrenOf('lineups', event)) names.markStale(artist as number);
    if (venue != null) names.markStale(venue);
  }
}
