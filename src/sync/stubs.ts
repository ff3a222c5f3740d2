/** Records of which no more than a name is known, put on record so that nothing a feed says is lost. */
import type { FeedKind } from '../contract/feed.ts';
import { fold } from '../store/fold.ts';
import type { GivenName, Lookup } from '../store/lookup.ts';
import type { Names } from '../store/names.ts';
import type { RowOf, Writer } from '../store/writer.ts';
import { emptyRows } from './bare-rows.ts';
import { slugOf } from './slug.ts';

/** The kinds of which a name alone can be known. */
export type Named = 'artist' | 'label' | 'podcast' | 'festival' | 'genre' | 'city' | 'venue';

/** When records are made, and who is told of each that only a name was needed for. */
export type Making = {
  /** ms since 1970. */
  now: number;
  created(kind: FeedKind): void;
};

export class Stubs {
  readonly #writer: Writer;
  readonly #names: Names;
  readonly #lookup: Lookup;
  readonly #making: Making;

  constructor(writer: Writer, names: Names, lookup: Lookup, making: Making) {
    this.#writer = writer;
    this.#names = names;
    this.#lookup = lookup;
    this.#making = making;
  }

  /** A new record that so far has only been named; `more` are columns that are known besides. */
  make(kind: Named, name: string, more: RowOf): number {
    this.#making.created(kind);
    const id = this.#writer.newRecord(kind);
    const row = this.#rowOf(kind, name, more);
    this.#writer.save(kind, id, row, () => this.#slugsOf(kind, row), this.#making.now);
    this.#names.write(kind, id, name, [], { prominence: 0 }, '', true);
    return id;
  }

  /** Leaves nothing of a record but this name and its place. */
  strip(kind: Named, id: number, { name, place }: GivenName): void {
    this.#writer.save(
      kind,
      id,
      this.#rowOf(kind, name, this.whereOf(kind, place)),
      () => [],
      this.#making.now,
    );
    this.#names.write(kind, id, name, [], { prominence: this.#names.prominence(kind, id) });
  }

  /** The columns that say where a name was meant. */
  whereOf(kind: Named, place: string): RowOf {
    if (kind === 'city') return { country: place };
    return kind === 'venue' ? { city_id: this.#lookup.cityOfSlug(place) } : {};
  }

  #rowOf(kind: Named, name: string, more: RowOf): RowOf {
    const city = kind === 'venue' ? this.#cityIn(more) : undefined;
    const placed = city && { city: city.name, country: city.country, timezone: city.timezone };
    return { ...emptyRows[kind], name, folded: fold(name), ...more, ...(placed as RowOf | undefined) };
  }

  #cityIn({ city_id: city }: RowOf): RowOf | undefined {
    return city == null ? undefined : this.#writer.row('city', city as number);
  }

  #slugsOf(kind: Named, row: RowOf): string[] {
    const stem = slugOf(row.name as string, kind);
    if (kind === 'city') return [stem, `${stem}-${String(row.country).toLowerCase()}`];
    const city = kind === 'venue' ? this.#cityIn(row) : undefined;
    return city ? [stem, `${stem}-${city.slug}`] : [stem];
  }
}
