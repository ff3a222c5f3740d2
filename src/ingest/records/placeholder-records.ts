/** Creates placeholder records, which consist of a name only, for names in feeds that match no record. */

import type { FeedKind } from '../../contract/feed.ts';
import { parseAliases } from '../../store/records/serialize.ts';
import type { InheritedName } from '../../store/resolution/record-lookup.ts';
import type { RowOf, SavedRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import type { StoreContext } from '../store-context.ts';
import { defaultRows } from './row-defaults.ts';

/** Kinds that can be known by name only. */
export type NameOnlyKind = 'artist' | 'label' | 'podcast' | 'festival' | 'genre' | 'city' | 'venue';

/** When records are created, and a callback for each placeholder. */
export type CreationContext = {
  /** ms since 1970. */
  now: number;
  onCreated(kind: FeedKind, id: number): void;
};

/** Creates, renames and reduces records that consist of a name. Its methods must be called within a batch. */
export class PlaceholderRecords {
  readonly #context: StoreContext;
  readonly #creation: CreationContext;

  constructor(context: StoreContext, creation: CreationContext) {
    this.#context = context;
    this.#creation = creation;
  }

  /** Creates a record with only a name; `more` holds other known columns. */
  create(kind: NameOnlyKind, name: string, more: SavedRow): number {
    const id = this.#context.writer.newRecord(kind);
    this.#creation.onCreated(kind, id);
    const row = this.#rowOf(kind, name, more);
    this.#context.writer.save(kind, id, row, () => this.#slugsOf(kind, row), this.#creation.now);
    const aliases = parseAliases(row.aliases);
    this.#context.names.write(kind, id, name, aliases, { prominence: 0 }, '', true);
    return id;
  }

  /** Changes the names of a city that is known by name only. */
  renameCity(id: number, name: string, aliases: readonly string[]): void {
    const columns = { name, folded: fold(name), aliases: JSON.stringify(aliases) };
    this.#context.writer.save('city', id, columns, () => [], this.#creation.now);
    this.#context.names.write('city', id, name, aliases, {
      prominence: this.#context.names.prominence('city', id),
    });
  }

  /** Reduces a record to this name and its place. */
  reduceToName(kind: NameOnlyKind, id: number, { name, place }: InheritedName): void {
    this.#context.writer.save(
      kind,
      id,
      this.#rowOf(kind, name, this.locationColumns(kind, place)),
      () => [],
      this.#creation.now,
    );
    this.#context.names.write(kind, id, name, [], { prominence: this.#context.names.prominence(kind, id) });
  }

  /** The columns of the place that an inherited name belongs to. */
  locationColumns(kind: NameOnlyKind, place: string): SavedRow {
    if (kind === 'city') return { country: place };
    return kind === 'venue' ? { city_id: this.#context.lookup.cityOfSlug(place) } : {};
  }

  #rowOf(kind: NameOnlyKind, name: string, more: SavedRow) {
    const city = kind === 'venue' ? this.#cityRow(more) : undefined;
    const cityColumns = city && { city: city.name, country: city.country, timezone: city.timezone };
    return { ...defaultRows[kind], name, folded: fold(name), ...more, ...cityColumns };
  }

  #cityRow({ city_id: city }: SavedRow): RowOf<'city'> | undefined {
    return city == null ? undefined : this.#context.writer.row('city', city);
  }

  #slugsOf(kind: NameOnlyKind, row: SavedRow & { name: string }): string[] {
    const stem = slugOf(row.name, kind);
    if (kind === 'city') return [stem, `${stem}-${String(row.country).toLowerCase()}`];
    const city = kind === 'venue' ? this.#cityRow(row) : undefined;
    return city ? [stem, `${stem}-${city.slug}`] : [stem];
  }
}
