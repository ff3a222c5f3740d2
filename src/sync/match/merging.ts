/** Making two records one, by a match or an operator's word. */
import type { FeedKind } from '../../contract/feed.ts';
import type { MergeStore } from '../../store/merging.ts';
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
   * what else is shown with either waits to be.
   */
  merge(kind: FeedKind, from: number, into: number): void {
    const { writer, names, sources, context } = this.#desk;
    if (kind === 'festival') {
      for (const [one, two] of this.#store.commonEditions(from, into)) this.merge('edition', one, two);
    }
    const row = writer.row(kind, from);
    writer.noteMerged(kind, from, into);
    for (const one of this.#store.dependents(kind, from)) writer.markStale(one);
    if (kind === 'event') this.#unrank(from, row?.venue_id as number | null | undefined);
    // Known by name alone: nobody would say the name again.
    if (sources.said(from).length === 0 && typeof row?.name === 'string')
      this.#store.giveName(into, row.name);
    this.keepName(kind, into);
    names.remove(from);
    this.#store.absorb(kind, from, into);
    writer.forgetRow(from);
    writer.forgetRow(into);
    if (prominent.includes(kind)) names.markStale(into);
    context.resolver.forget();
    context.lookup.forgetGenres();
    writer.markStale(into);
    writer.touch(kind, into, context.now);
  }

  /** Before sources speak of a record that was known by name alone: its name goes on meaning it. */
  keepName(kind: FeedKind, id: number): void {
    if (this.#desk.sources.said(id).length > 0) return;
    const name = this.#desk.writer.row(kind, id)?.name;
    if (typeof name === 'string') this.#store.giveName(id, name);
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
