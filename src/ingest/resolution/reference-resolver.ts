/**
 * References of a feed (docs/spec/feed-format.md): by the source's own id when the source gave one, else by folded name, alias and place.
 * What is not on record yet is put there under its name alone, so that nothing a feed says is lost.
 */
import { LRUCache } from 'lru-cache';
import type { FeedKind, FeedVenueReference } from '../../contract/feed.ts';
import type { InheritedName, NameMatch, RecordLookup } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { NameIndexWriter } from '../../store/search/name-index.ts';
import type { CatalogueWriter, RecordRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { splitJointName } from '../../text/lineup/entry.ts';
import { lookupForms } from '../../text/lookup-forms.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import {
  type CreationContext,
  type NameOnlyKind,
  PlaceholderRecords,
} from '../records/placeholder-records.ts';
import { defaultEditionRow, editionSlug } from '../records/row-defaults.ts';
import type { CityChoice, LocationHints } from './city-disambiguation.ts';
import { type CityReference, CityResolver } from './city-resolver.ts';
import { NameLookup } from './name-lookup.ts';
import { isPlacedInCity } from './source-names.ts';

/** So many names of one credit are looked up. */
const maxCredited = 20;

export type NamedReference = { external_id?: string | null | undefined; name: string };
/** Who speaks: the source, and the run it speaks in. */
export type SourceRun = { sourceId: number; run: number };

export { isPlaceholderVenue };

/** What a source calls a record means that one, wherever and under whatever name it is said. */
const sourceKey = (kind: FeedKind, source: number, externalId: string): string =>
  `${kind}\0#${source}\0${externalId}`;

/** Under what a reference is kept at hand: the source's own id, else its name and place. */
function cacheKey(
  kind: FeedKind,
  { external_id: external, name }: NamedReference,
  { sourceId }: SourceRun,
  place: string,
): string {
  return external == null ? `${kind}\0${place}\0${fold(name)}` : sourceKey(kind, sourceId, external);
}

/** Houses by names that are nearly theirs. */
export type VenueIndex = {
  /** The house in this city that is meant by a name, the only one or the likeliest; null where none is. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null;
  index(record: number, names: readonly string[], where: CityReference): void;
};

/** Labels and festivals by names that are nearly theirs. */
export type EntityNameIndexer = { indexName(kind: 'label' | 'festival', record: number, name: string): void };

/** What is to be read again when more is known of artists (match/wholes.ts). */
export type JointArtistIndex = {
  index(record: number, parts: readonly string[]): void;
  onArtistAdded(name: string): void;
  onJointArtistAdded(name: string): void;
  onNameAdded(record: number, name: string, isAlias: boolean): void;
};

export class ReferenceResolver {
  readonly #writer: CatalogueWriter;
  readonly #sources: SourceRecords;
  readonly #lookup: RecordLookup;
  readonly #creation: CreationContext;
  readonly #finder: NameLookup;
  readonly #placeholders: PlaceholderRecords;
  readonly #cache = new LRUCache<string, number>({ max: 100_000 });
  readonly cities: CityResolver;
  /** Set once there is one: it needs this resolver's own world to be there. */
  venueIndex: VenueIndex | null = null;
  /** As above. */
  jointArtistIndex: JointArtistIndex | null = null;
  /** As above. */
  nameIndex: EntityNameIndexer | null = null;
  /** The ids of whom is spoken for are the slugs of another catalogue. */
  externalIdsAreSlugs = false;

  constructor(
    writer: CatalogueWriter,
    names: NameIndexWriter,
    sources: SourceRecords,
    lookup: RecordLookup,
    making: CreationContext,
  ) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#creation = making;
    this.#finder = new NameLookup(writer, sources, lookup);
    this.#placeholders = new PlaceholderRecords(writer, names, lookup, making);
    this.cities = new CityResolver({
      writer,
      sources,
      lookup,
      finder: this.#finder,
      cache: this.#cache,
      createPlaceholder: (name, more) => this.#stub('city', name, more),
    });
  }

  /** Forget what was found: names changed, or a batch was undone. */
  clearCache(): void {
    this.#cache.clear();
  }

  artist(reference: NamedReference, sourceRun: SourceRun): number {
    return this.#resolve(
      'artist',
      reference,
      sourceRun,
      '',
      () => true,
      () => this.#stub('artist', reference.name, {}),
    );
  }

  /**
   * The artist that a reference means, found by reading alone and kept at hand; null where `artistReader` would write: put one
   * on record, or bind the source's id to one.
   */
  findArtist(reference: NamedReference, sourceRun: SourceRun): number | null {
    const key = cacheKey('artist', reference, sourceRun, '');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const external = reference.external_id ?? null;
    const found =
      external === null
        ? this.#finder.find('artist', fold(reference.name), () => true)
        : this.#sources.find({ source: sourceRun.sourceId, kind: 'artist', externalId: external })?.record_id;
    if (found == null) return null;
    this.#cache.set(key, found);
    return found;
  }

  /** Whether a source speaks of an artist under this name, or has an id for it, and does not only name it. */
  isArtist(name: string): boolean {
    return lookupForms('artist', name).some((form) =>
      this.#lookup.byName('artist', form).some(({ id }) => this.#sources.externalIdsOf(id).length > 0),
    );
  }

  /** "A & B": the names of those that it stands for, where they are on record and it is not; else the name itself. */
  splitJointName(name: string): string[] {
    const parts = splitJointName(name);
    if (parts.length === 0 || this.isArtist(name)) return [name];
    return parts.every((part) => this.artistByName(part) !== null) ? parts : [name];
  }

  /** The artist other than `exceptions` that has a name as an alias, and is meant by it; null where none or several may be. */
  artistByAlias(name: string, except: number): number | null {
    const found = this.#lookup.byName('artist', fold(name)).filter(({ id }) => id !== except);
    return this.#finder.artistByAlias(found, fold(name));
  }

  /** The artist on record that a name means; null where there is none. */
  artistByName(name: string): number | null {
    return this.#finder.find('artist', fold(name), () => true);
  }

  label(reference: NamedReference, sourceRun: SourceRun): number {
    return this.#resolve(
      'label',
      reference,
      sourceRun,
      '',
      () => true,
      () => this.#stub('label', reference.name, { parent_id: null }),
    );
  }

  podcast(reference: NamedReference, sourceRun: SourceRun): number {
    return this.#resolve(
      'podcast',
      reference,
      sourceRun,
      '',
      () => true,
      () => this.#stub('podcast', reference.name, {}),
    );
  }

  festival(reference: NamedReference, sourceRun: SourceRun): number {
    return this.#resolve(
      'festival',
      reference,
      sourceRun,
      '',
      () => true,
      () => this.#stub('festival', reference.name, {}),
    );
  }

  genre(name: string, sourceRun: SourceRun): number {
    return this.#resolve(
      'genre',
      { name },
      sourceRun,
      '',
      () => true,
      () => this.#stub('genre', name, {}),
    );
  }

  /**
   * The venue of a reference; null for what is no place, and for one that nobody can place.
   * @param place the city beside the reference, where that names none, and what else is said of where it is
   */
  venue(
    reference: FeedVenueReference,
    place: CityReference & { where: LocationHints },
    sourceRun: SourceRun,
  ): number | null {
    if (isPlaceholderVenue(reference.name)) return null;
    const cityName = reference.city ?? place.city;
    const countryCode = reference.country ?? place.country;
    const town = this.cities.choose(cityName, countryCode, place.where);
    const house = this.#resolveVenue(reference, town, countryCode, sourceRun);
    // Put into the foremost of several cities of one name for want of anything better, it is worked out again.
    if (
      house !== null &&
      town?.isStated &&
      this.#isInOtherCity(house, town.id) &&
      this.cities.disambiguator.hasUnstatedCity(house)
    )
      this.#writer.markStale(house);
    return house;
  }

  #isInOtherCity(house: number, city: number): boolean {
    return this.#writer.row('venue', house)?.city_id !== city;
  }

  #resolveVenue(
    reference: FeedVenueReference,
    town: CityChoice | null,
    countryCode: string | null,
    speaker: SourceRun,
  ): number | null {
    const external = reference.external_id;
    if (external != null) {
      const key = sourceKey('venue', speaker.sourceId, external);
      const cached = this.#cache.get(key);
      if (cached !== undefined) return cached;
      const bound = this.#sources.find({ source: speaker.sourceId, kind: 'venue', externalId: external });
      if (bound) {
        this.#cache.set(key, bound.record_id);
        return bound.record_id;
      }
    }
    if (town === null) return this.#unplacedVenue(reference, countryCode, speaker);
    return this.#resolve(
      'venue',
      reference,
      speaker,
      town.isStated ? `${town.id}!` : String(town.id),
      (venue) => venue.city_id === town.id,
      () => this.#house(reference, town, speaker),
    );
  }

  /** A house that is on record under nearly the same name, else a new one. */
  #house(
    reference: FeedVenueReference,
    { id: cityId, isStated: isTold, candidates: among }: CityChoice,
    speaker: SourceRun,
  ): number {
    const city = this.#writer.row('city', cityId) as { name: string; country: string };
    const others = among.filter((id) => id !== cityId);
    const isFree = (id: number) =>
      (reference.external_id == null || !this.#sources.hasRecord(speaker.sourceId, 'venue', id)) &&
      !(
        isTold &&
        others.includes(this.#writer.row('venue', id)?.city_id as number) &&
        !this.cities.disambiguator.isMovable(id)
      );
    const found =
      this.#findMergedVenue(reference.name, cityId, isFree) ??
      this.venueIndex?.find(reference.name, city.name, city.country, isFree) ??
      null;
    if (found !== null) return found;
    const id = this.#stub('venue', reference.name, { city_id: cityId });
    this.venueIndex?.index(id, [reference.name], { city: city.name, country: city.country });
    if (others.length > 0) this.cities.disambiguator.markVenueEventsStale(reference.name, others);
    return id;
  }

  /** A house of another city that is, or was, also put into this one. */
  #findMergedVenue(name: string, cityId: number, isFree: (id: number) => boolean): number | null {
    const folded = fold(name);
    const isCity = (named: string, country: string | null) =>
      this.cities.findExisting(fold(named), country) === cityId;
    const found = this.#lookup
      .byName('venue', folded)
      .filter(
        ({ id }) =>
          isFree(id) && isPlacedInCity(this.#lookup, this.#sources, id, { folded, city: cityId, isCity }),
      );
    return found.length === 1 ? (found[0] as NameMatch).id : null;
  }

  /**
   * Without a place, a venue known already is meant if it is the only one of its name. One that the source has an id for
   * is put on record all the same: its place may follow. A name alone is no venue.
   */
  #unplacedVenue(reference: FeedVenueReference, country: string | null, speaker: SourceRun): number | null {
    const found = this.#lookup
      .byName('venue', fold(reference.name))
      .filter((venue) => country === null || venue.country === country);
    const only = found.length === 1 ? (found[0] as NameMatch).id : null;
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
  creditedArtists(credit: string): number[] {
    const find = (name: string) => this.artistByName(name);
    const whole = find(credit);
    if (whole !== null) return [whole];
    const parts = credit.split(/\s*(?:,|&|\+|\/|;|\bfeat\.?|\bft\.?|\bvs\.?|\bwith\b|\bb2b\b|\band\b)\s*/i);
    if (parts.length === 1) return [];
    const found = parts.filter(Boolean).slice(0, maxCredited).map(find);
    return [...new Set(found.filter((id) => id !== null))];
  }

  /** An edition of a festival, put on record under its key alone where it is not there yet. */
  edition(festivalId: number, edition: string): number {
    const found = this.#lookup.edition(festivalId, edition);
    if (found !== null) return found;
    this.#creation.onCreated('edition');
    const festival = this.#writer.row('festival', festivalId) as { name: string; slug: string };
    const id = this.#writer.newRecord('edition');
    this.#writer.save(
      'edition',
      id,
      defaultEditionRow(festivalId, edition, `${festival.name} ${edition}`),
      () => [editionSlug(festival.slug, edition)],
      this.#creation.now,
    );
    return id;
  }

  #resolve(
    kind: FeedKind,
    reference: NamedReference,
    speaker: SourceRun,
    place: string,
    fits: (candidate: NameMatch) => boolean,
    create: () => number,
  ): number {
    const external = reference.external_id ?? null;
    const key = cacheKey(kind, reference, speaker, place);
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const folded = fold(reference.name);
    const id =
      external === null
        ? (this.#finder.find(kind, folded, fits) ?? create())
        : this.#bound(kind, external, reference.name, speaker, fits, create);
    this.#cache.set(key, id);
    return id;
  }

  /** Binds the source's id to the record that its name finds, unless the source knows that one under another id. */
  #bound(
    kind: FeedKind,
    externalId: string,
    name: string,
    speaker: SourceRun,
    fits: (candidate: NameMatch) => boolean,
    create: () => number,
  ): number {
    const key = { source: speaker.sourceId, kind, externalId };
    const bound = this.#sources.find(key);
    if (bound) return bound.record_id;
    const id =
      this.#finder.find(
        kind,
        fold(name),
        (candidate) => fits(candidate) && !this.#sources.hasRecord(speaker.sourceId, kind, candidate.id),
      ) ?? this.#create(externalId, create);
    this.#sources.bind(key, id, null, this.#creation.now, speaker.run);
    if (kind === 'artist') this.jointArtistIndex?.onJointArtistAdded(name);
    return id;
  }

  #create(externalId: string, create: () => number): number {
    if (this.externalIdsAreSlugs) this.#writer.requestSlug(externalId);
    return create();
  }

  /** A record that went into another one is one of its own again, known by name alone, under the slug it had. */
  recreate(kind: NameOnlyKind, { name, place, slug }: InheritedName): number {
    this.#writer.requestSlug(slug, true);
    const id = this.#stub(kind, name, this.#placeholders.locationColumns(kind, place));
    if (kind === 'venue') this.venueIndex?.index(id, [name], this.#writer.row(kind, id) as CityReference);
    return id;
  }

  /** What no source speaks of any more is known by this name alone. */
  reduceToName(kind: NameOnlyKind, id: number, given: InheritedName): void {
    this.#placeholders.reduceToName(kind, id, given);
  }

  #stub(kind: NameOnlyKind, name: string, more: RecordRow): number {
    const id = this.#placeholders.create(kind, name, more);
    if (kind === 'artist') this.jointArtistIndex?.onArtistAdded(name);
    if (kind === 'label' || kind === 'festival') this.nameIndex?.indexName(kind, id, name);
    return id;
  }
}
