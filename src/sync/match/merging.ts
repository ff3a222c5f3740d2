/** Making two records one, by a match or an operator's word. */
import type { FeedKind } from '../../contract/feed.ts';
import type { GivenName } from '../../store/lookup.ts';
import type { MergeStore } from '../../store/merging.ts';
import type { RowOf } from '../../store/writer.ts';
import type { Desk } from './desk.ts';

/** Kinds whose place in search follows from what the catalogue holds of them. */
const prominent: readonly FeedKind[] = ['artist', 'venue', 'festival', 'label'];

export class Merging {
  readonly #desk: Desk;
  readonly #store: MergeStore;

  constructor(desk: Desk, store: MergeStore) {
    this.#desk = desk;
    this.#store = store;
  }

  /**
   * Puts `from` into `into`: what sources say of it, its slugs, and all that names it. The caller works `into` out again;
   * what else is shown with either waits to be. What an operator merged can be parted again, names and slugs included;
   * a name that was misread means nobody any more.
   */
  merge(kind: FeedKind, from: number, into: number, { byOperator = false, isMisread = false } = {}): void {
    const { writer, names, sources, context } = this.#desk;
    if (kind === 'festival') {
      for (const [one, two] of this.#store.commonEditions(from, into)) this.merge('edition', one, two);
    }
    const row = writer.row(kind, from);
    writer.noteMerged(kind, from, into);
    const shownWith = this.#store.dependents(kind, from);
    this.#store.markDependents(kind, from);
    if (kind === 'event') this.#unrank(from, row?.venue_id as number | null | undefined);
    // Known by name alone: nobody would say the name again.
    if (sources.said(from).length === 0 && !isMisread) this.#giveRow(into, kind, row, byOperator);
    if (sources.said(from).length > 0 || !byOperator) this.keepName(kind, into, byOperator);
    names.remove(from);
    this.#store.absorb(kind, from, into);
    // Their rows name the survivor now.
    for (const one of shownWith) writer.forgetRow(one);
    writer.forgetRow(from);
    writer.forgetRow(into);
    if (prominent.includes(kind)) names.markStale(into);
    context.resolver.forget();
    context.lookup.forgetGenres();
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
    this.#desk.writer.changed = true;
    return this.#store.leadSome(kind, from, into, limit);
  }

  /** How many records of each kind are shown with this one, or were worked out from it. */
  countDependents(kind: FeedKind, id: number): Partial<Record<FeedKind, number>> {
    return this.#store.countDependents(kind, id);
  }

  /** Before sources speak of a record that was known by name alone: its name goes on meaning it. */
  keepName(kind: FeedKind, id: number, byOperator = false): void {
    if (this.#desk.sources.said(id).length > 0) return;
    this.#giveRow(id, kind, this.#desk.writer.row(kind, id), byOperator);
  }

  /** The same where the statement that comes first calls it otherwise, or puts it elsewhere. */
  keepFormer(
    kind: FeedKind,
    id: number,
    { name, country }: { name?: string; country?: string | null },
  ): void {
    const row = this.#desk.writer.row(kind, id);
    if (row === undefined || !('aliases' in row)) return;
    if (row.name !== name || (kind === 'city' && row.country !== country)) this.keepName(kind, id);
  }

  #giveRow(id: number, kind: FeedKind, row: RowOf | undefined, byOperator: boolean): void {
    if (typeof row?.name !== 'string') return;
    const slug = byOperator ? (row.slug as string) : '';
    this.#store.giveName(id, { name: row.name, place: this.#placeOf(kind, row), slug });
  }

  /** Where a name was meant: of houses and cities there are many of one name. */
  #placeOf(kind: FeedKind, row: RowOf): string {
    if (kind === 'city') return row.country as string;
    if (kind !== 'venue' || row.city_id === null) return '';
    return (this.#desk.writer.row('city', row.city_id as number)?.slug ?? '') as string;
  }

  /** Has a record found by a name of another one that went into it. */
  giveName(id: number, name: GivenName): void {
    this.#store.giveName(id, name);
  }

  /** A name that was taken over means the record no longer. */
  dropName(id: number, name: GivenName): void {
    this.#store.dropName(id, name);
  }

  /** Slugs that answer with a record and are not its own. */
  formerSlugs(kind: FeedKind, id: number): string[] {
    return this.#store.formerSlugs(kind, id);
  }

  /** The id of the record that went into this one while it had the slug; null where none did. */
  formerId(into: number, slug: string): number | null {
    return this.#store.formerId(into, slug);
  }

  /** All that had gone into a record when it went into another one itself, with the slugs they had. */
  inside(id: number): { id: number; slug: string }[] {
    return this.#store.inside(id);
  }

  /** What sources only named is looked for anew, by its name. */
  unbindNamed(id: number): void {
    this.#store.unbindNamed(id);
    this.#desk.context.resolver.forget();
  }

  /** Records that are shown with this one, or were worked out from it. */
  dependents(kind: FeedKind, id: number): number[] {
    return this.#store.dependents(kind, id);
  }

  /** Those an event counted for count one less. */
  #unrank(event: number, venue: number | null | undefined): void {
    const { writer, names } = this.#desk;
    for (const [, artist] of writer.childrenOf('lineups', event)) names.markStale(artist as number);
    if (venue != null) names.markStale(venue);
  }
}
