/**
 * References of a feed (feed.md): by the source's own id when the source gave one, else by folded name, alias and place.
 * What is not on record yet is put there under its name alone, so that nothing a feed says is lost.
 */
import { LRUCache } from 'lru-cache';
import type { FeedKind, PlaceReference } from '../contract/feed.ts';
import { fold } from '../store/fold.ts';
import type { Candidate, Lookup } from '../store/lookup.ts';
import type { Names } from '../store/names.ts';
import type { Sources } from '../store/sources.ts';
import type { RowOf, Writer } from '../store/writer.ts';
import { nameForms } from './match/name-forms.ts';
import { isNoPlace } from './match/no-place.ts';
import { slugOf } from './slug.ts';

export type NamedReference = { external_id?: string | null | undefined; name: string };
/** Who speaks: the source, and the run it speaks in. */
export type Speaker = { sourceId: number; run: number };

export { isNoPlace };

/** What a source calls a record means that one, wherever and under whatever name it is said. */
const externalKey = (kind: FeedKind, source: number, externalId: string): string =>
  `${kind}\0#${source}\0${externalId}`;

export type Reports = { created(kind: FeedKind): void };

/** Houses by names that are nearly theirs. */
export type Houses = {
  /** The house in this city that is meant by a name, the only one or the likeliest; null where none is. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null;
  file(record: number, names: readonly string[], city: string | null): void;
};

export class Resolver {
  readonly #writer: Writer;
  readonly #names: Names;
  readonly #sources: Sources;
  readonly #lookup: Lookup;
  readonly #reports: Reports;
  readonly #cache = new LRUCache<string, number>({ max: 200_000 });
  now = 0;
  /** Set once there is one: it needs this resolver's own world to be there. */
  houses: Houses | null = null;
  /** The ids of whom is spoken for are the slugs of another catalogue. */
  idsAreSlugs = false;

  constructor(writer: Writer, names: Names, sources: Sources, lookup: Lookup, reports: Reports) {
    this.#writer = writer;
    this.#names = names;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#reports = reports;
  }

  /** Forget what was found: names changed, or a batch was undone. */
  forget(): void {
    this.#cache.clear();
  }

  artist(reference: NamedReference, speaker: Speaker): number {
    return this.#resolve(
      'artist',
      reference,
      speaker,
      '',
      () => true,
      () => this.#stub('artist', reference.name, {}),
    );
  }

  /** Whether a source speaks of an artist under this name, and does not only name it. */
  isArtist(name: string): boolean {
    return this.#lookup.byName('artist', fold(name)).some(({ id }) => this.#sources.said(id).length > 0);
  }

  label(reference: NamedReference, speaker: Speaker): number {
    return this.#resolve(
      'label',
      reference,
      speaker,
      '',
      () => true,
      () => this.#stub('label', reference.name, { parent_id: null }),
    );
  }

  podcast(reference: NamedReference, speaker: Speaker): number {
    return this.#resolve(
      'podcast',
      reference,
      speaker,
      '',
      () => true,
      () => this.#stub('podcast', reference.name, {}),
    );
  }

  festival(reference: NamedReference, speaker: Speaker): number {
    return this.#resolve(
      'festival',
      reference,
      speaker,
      '',
      () => true,
      () => this.#stub('festival', reference.name, {}),
    );
  }

  genre(name: string, speaker: Speaker): number {
    return this.#resolve(
      'genre',
      { name },
      speaker,
      '',
      () => true,
      () => this.#stub('genre', name, {}),
    );
  }

  /** The city of a name; without a country only one that is already known and the only one of its name. */
  city(name: string | null, country: string | null, speaker: Speaker): number | null {
    if (name === null || isNoPlace(name)) return null;
    if (country === null) {
      const found = this.#lookup.byName('city', fold(name));
      return found.length === 1 ? (found[0] as Candidate).id : null;
    }
    return this.#resolve(
      'city',
      { name },
      speaker,
      country,
      (city) => city.country === country,
      () => this.#stub('city', name, { country, timezone: null }),
    );
  }

  /** The venue of a reference; null for what is no place, and for one that nobody can place. */
  venue(
    reference: PlaceReference,
    city: string | null,
    country: string | null,
    speaker: Speaker,
  ): number | null {
    if (isNoPlace(reference.name)) return null;
    const cityName = reference.city ?? city;
    const countryCode = reference.country ?? country;
    const cityId = this.city(cityName, countryCode, speaker);
    const external = reference.external_id;
    if (external != null) {
      const key = externalKey('venue', speaker.sourceId, external);
      const cached = this.#cache.get(key);
      if (cached !== undefined) return cached;
      const bound = this.#sources.find({ source: speaker.sourceId, kind: 'venue', externalId: external });
      if (bound) {
        this.#cache.set(key, bound.record_id);
        return bound.record_id;
      }
    }
    if (cityId === null) return this.#unplacedVenue(reference, countryCode, speaker);
    return this.#resolve(
      'venue',
      reference,
      speaker,
      String(cityId),
      (venue) => venue.city_id === cityId,
      () => this.#house(reference, cityId, speaker),
    );
  }

  /** A house that is on record under nearly the same name, else a new one. */
  #house(reference: PlaceReference, cityId: number, speaker: Speaker): number {
    const city = this.#writer.row('city', cityId) as { name: string; country: string };
    const isFree = (id: number) =>
      reference.external_id == null || !this.#sources.knows(speaker.sourceId, 'venue', id);
    const found = this.houses?.find(reference.name, city.name, city.country, isFree) ?? null;
    if (found !== null) return found;
    const id = this.#stub('venue', reference.name, { city_id: cityId });
    this.houses?.file(id, [reference.name], city.name);
    return id;
  }

  /**
   * Without a place, a venue known already is meant if it is the only one of its name. One that the source has an id for
   * is put on record all the same: its place may follow. A name alone is no venue.
   */
  #unplacedVenue(reference: PlaceReference, country: string | null, speaker: Speaker): number | null {
    const found = this.#lookup
      .byName('venue', fold(reference.name))
      .filter((venue) => country === null || venue.country === country);
    const only = found.length === 1 ? (found[0] as Candidate).id : null;
    if (reference.external_id == null) return only;
    return this.#resolve(
      'venue',
      reference,
      speaker,
      '',
      (venue) => venue.id === only,
      () => this.#stub('venue', reference.name, { country }),
    );
  }

  /** The artists on record that a credit names: the whole of it as one, else its parts ("A & B", "A feat. B"). */
  credits(credit: string): number[] {
    const find = (name: string) => this.#named('artist', fold(name), () => true);
    const whole = find(credit);
    if (whole !== null) return [whole];
    const parts = credit.split(/\s*(?:,|&|\+|\/|;|\bfeat\.?|\bft\.?|\bvs\.?|\bwith\b|\bb2b\b|\band\b)\s*/i);
    if (parts.length === 1) return [];
    const found = parts.filter(Boolean).map(find);
    return [...new Set(found.filter((id) => id !== null))];
  }

  /** An edition of a festival, put on record under its key alone where it is not there yet. */
  edition(festivalId: number, edition: string): number {
    const found = this.#lookup.edition(festivalId, edition);
    if (found !== null) return found;
    this.#reports.created('edition');
    const festival = this.#writer.row('festival', festivalId) as { name: string; slug: string };
    const id = this.#writer.newRecord('edition');
    this.#writer.save(
      'edition',
      id,
      emptyEdition(festivalId, edition, `${festival.name} ${edition}`),
      () => [editionSlug(festival.slug, edition)],
      this.now,
    );
    return id;
  }

  #resolve(
    kind: FeedKind,
    reference: NamedReference,
    speaker: Speaker,
    place: string,
    fits: (candidate: Candidate) => boolean,
    create: () => number,
  ): number {
    const external = reference.external_id ?? null;
    const key =
      external === null
        ? `${kind}\0${place}\0${fold(reference.name)}`
        : externalKey(kind, speaker.sourceId, external);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const folded = fold(reference.name);
    const id =
      external === null
        ? (this.#named(kind, folded, fits) ?? create())
        : this.#bound(kind, external, folded, speaker, fits, create);
    this.#cache.set(key, id);
    return id;
  }

  /** Binds the source's id to the record that its name finds, unless the source knows that one under another id. */
  #bound(
    kind: FeedKind,
    externalId: string,
    folded: string,
    speaker: Speaker,
    fits: (candidate: Candidate) => boolean,
    create: () => number,
  ): number {
    const key = { source: speaker.sourceId, kind, externalId };
    const bound = this.#sources.find(key);
    if (bound) return bound.record_id;
    const id =
      this.#named(
        kind,
        folded,
        (candidate) => fits(candidate) && !this.#sources.knows(speaker.sourceId, kind, candidate.id),
      ) ?? this.#create(externalId, create);
    this.#sources.bind(key, id, null, this.now, speaker.run);
    return id;
  }

  #create(externalId: string, create: () => number): number {
    if (this.idsAreSlugs) this.#writer.wishSlug(externalId);
    return create();
  }

  /** The record whose own name it is; else the one that has it as an alias, or writes it otherwise, if there is just one. */
  #named(kind: FeedKind, folded: string, fits: (candidate: Candidate) => boolean): number | null {
    const found = this.#lookup.byName(kind, folded).filter(fits);
    const own = found.filter((candidate) => candidate.is_alias === 0);
    if (own.length > 1 && (kind === 'artist' || kind === 'label')) return this.#firstByAnchor(own);
    if (own[0]) return own[0].id;
    if (found.length > 0 || kind !== 'artist') return found.length === 1 ? (found[0] as Candidate).id : null;
    return this.#otherwise(kind, folded, fits);
  }

  /** "The", "DJ", "&" for "and". */
  #otherwise(kind: FeedKind, folded: string, fits: (candidate: Candidate) => boolean): number | null {
    const found = new Set<number>();
    for (const form of nameForms(kind, folded)) {
      if (form === folded) continue;
      for (const one of this.#lookup.byName(kind, form))
        if (one.is_alias === 0 && fits(one)) found.add(one.id);
    }
    return found.size === 1 ? ([...found][0] as number) : null;
  }

  /** Of several of one name the same in every file: by what sources call them, not by which came first. */
  #firstByAnchor(found: Candidate[]): number {
    const anchored = found.map(({ id }) => {
      const [first] = this.#sources.anchors(id);
      return { id, anchor: first ? `${first.source_name}\0${first.external_id}` : '\uffff' };
    });
    return anchored.reduce((a, b) => (b.anchor < a.anchor ? b : a)).id;
  }

  /** A record that so far has only been named. */
  #stub(
    kind: 'artist' | 'label' | 'podcast' | 'festival' | 'genre' | 'city' | 'venue',
    name: string,
    more: RowOf,
  ): number {
    this.#reports.created(kind);
    const id = this.#writer.newRecord(kind);
    const city =
      kind === 'venue' && more.city_id != null ? this.#writer.row('city', more.city_id as number) : undefined;
    const placed: RowOf = city
      ? {
          city: city.name as string,
          country: city.country as string,
          timezone: city.timezone as string | null,
        }
      : {};
    const row: RowOf = { ...emptyRows[kind], name, folded: fold(name), ...more, ...placed };
    const suffix =
      kind === 'city'
        ? [`${slugOf(name, kind)}-${String(more.country).toLowerCase()}`]
        : city
          ? [`${slugOf(name, kind)}-${city.slug}`]
          : [];
    this.#writer.save(kind, id, row, () => [slugOf(name, kind), ...suffix], this.now);
    this.#names.write(kind, id, name, [], { prominence: 0 }, '', true);
    return id;
  }
}

const lists = { aliases: '[]', links: '[]' };
const listsAndIds = { ...lists, external_ids: '{}' };

/** A row of each kind as it stands while only the name is known. */
const emptyRows = {
  artist: { country: null, image_url: null, real_name: null, biography: null, ...listsAndIds },
  label: {
    parent_id: null,
    country: null,
    founded_year: null,
    description: null,
    website: null,
    image_url: null,
    ...listsAndIds,
  },
  festival: {
    city_id: null,
    city: null,
    country: null,
    image_url: null,
    description: null,
    website: null,
    ...listsAndIds,
  },
  podcast: { publisher: null, description: null, website: null, feed_url: null, image_url: null, ...lists },
  genre: { parent_id: null, description: null, aliases: '[]' },
  city: { region: null, latitude: null, longitude: null, timezone: null, population: null, aliases: '[]' },
  venue: {
    city_id: null,
    city: null,
    country: null,
    timezone: null,
    address: null,
    postal_code: null,
    latitude: null,
    longitude: null,
    capacity: null,
    website: null,
    image_url: null,
    ...listsAndIds,
  },
} as const;

/** The slug of an edition's record: it is addressed by festival and edition, so this one only has to be its own. */
export const editionSlug = (festivalSlug: string, edition: string): string =>
  `${festivalSlug}-${slugOf(edition, 'edition')}`;

/** When an edition is listed whose date is not known: at the beginning of the year it names, else before all others. */
export const editionSortTs = (edition: string): number => {
  const year = /^\d{4}/.exec(edition)?.[0];
  return year === undefined ? -8_640_000_000_000_000 : Date.UTC(Number(year), 0, 1);
};

const emptyEdition = (festivalId: number, edition: string, name: string): RowOf => ({
  festival_id: festivalId,
  edition,
  name,
  start_ts: null,
  over_ts: null,
  sort_ts: editionSortTs(edition),
  start_at: null,
  end_at: null,
  timezone: null,
  status: null,
  venue_id: null,
  venue_name: null,
  city_id: null,
  city: null,
  country: null,
  description: null,
  image_url: null,
});
