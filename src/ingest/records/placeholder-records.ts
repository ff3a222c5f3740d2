/** Records of which no more than a name is known, put on record so that nothing a feed says is lost. */
import type { FeedKind } from '../../contract/feed.ts';
import type { InheritedName, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { NameIndexWriter } from '../../store/search/name-index.ts';
import type { CatalogueWriter, RecordRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import { defaultRows } from './row-defaults.ts';

/** The kinds of which a name alone can be known. */
export type NameOnlyKind = 'artist' | 'label' | 'podcast' | 'festival' | 'genre' | 'city' | 'venue';

/** When records are made, and who is told of each that only a name was needed for. */
export type CreationContext = {
  /** ms since 1970. */
  now: number;
  onCreated(kind: FeedKind): void;
};

export class PlaceholderRecords {
  readonly #writer: CatalogueWriter;
  readonly #names: NameIndexWriter;
  readonly #lookup: RecordLookup;
  readonly #creation: CreationContext;

  constructor(
    writer: CatalogueWriter,
    names: NameIndexWriter,
    lookup: RecordLookup,
    making: CreationContext,
  ) {
    this.#writer = writer;
    this.#names = names;
    this.#lookup = lookup;
    this.#creation = making;
  }

  /** A new record that so far has only been named; `more` are columns that are known besides. */
  create(kind: NameOnlyKind, name: string, more: RecordRow): number {
    this.#creation.onCreated(kind);
    const id = this.#writer.newRecord(kind);
    const row = this.#rowOf(kind, name, more);
    this.#writer.save(kind, id, row, () => this.#slugsOf(kind, row), this.#creation.now);
    this.#names.write(kind, id, name, [], { prominence: 0 }, '', true);
    return id;
  }

  /** Leaves nothing of a record but this name and its place. */
  reduceToName(kind: NameOnlyKind, id: number, { name, place }: InheritedName): void {
    this.#writer.save(
      kind,
      id,
      this.#rowOf(kind, name, this.locationColumns(kind, place)),
      () => [],
      this.#creation.now,
    );
    this.#names.write(kind, id, name, [], { prominence: this.#names.prominence(kind, id) });
  }

  /** The columns that say where a name was meant. */
  locationColumns(kind: NameOnlyKind, place: string): RecordRow {
    if (kind === 'city') return { country: place };
    return kind === 'venue' ? { city_id: this.#lookup.cityOfSlug(place) } : {};
  }

  #rowOf(kind: NameOnlyKind, name: string, more: RecordRow): RecordRow {
    const city = kind === 'venue' ? this.#cityRow(more) : undefined;
    const placed = city && { city: city.name, country: city.country, timezone: city.timezone };
    return { ...defaultRows[kind], name, folded: fold(name), ...more, ...(placed as RecordRow | undefined) };
  }

  #cityRow({ city_id: city }: RecordRow): RecordRow | undefined {
    return city == null ? undefined : this.#writer.row('city', city as number);
  }

  #slugsOf(kind: NameOnlyKind, row: RecordRow): string[] {
    const stem = slugOf(row.name as string, kind);
    if (kind === 'city') return [stem, `${stem}-${String(row.country).toLowerCase()}`];
    const city = kind === 'venue' ? this.#cityRow(row) : undefined;
    return city ? [stem, `${stem}-${city.slug}`] : [stem];
  }
}
