/**
 * References of a feed (docs/spec/feed-format.md): by the source's own id when the source gave one, else by folded name, alias and place.
 * What is not on record yet is put there under its name alone, so that nothing a feed says is lost.
 */
import { LRUCache } from 'lru-cache';
import type { FeedKind, PlaceReference } from '../contract/feed.ts';
import { fold } from '../store/fold.ts';
import type { Candidate, GivenName, Lookup } from '../store/lookup.ts';
import type { Names } from '../store/names.ts';
import type { Sources } from '../store/sources.ts';
import type { RowOf, Writer } from '../store/writer.ts';
import { editionSlug, emptyEdition } from './bare-rows.ts';
import { CityFinder, type Town } from './city-finder.ts';
import { isAlsoIn } from './match/called.ts';
import { nameForms } from './match/name-forms.ts';
import { isNoPlace } from './match/no-place.ts';
import { NameFinder } from './name-finder.ts';
import type { Chosen, Whereabouts } from './namesakes.ts';
import { jointNames } from './reading/entry.ts';
import { type Making, type Named, Stubs } from './stubs.ts';

/** So many names of one credit are looked up. */
const maxCredited = 20;

export type NamedReference = { external_id?: string | null | undefined; name: string };
/** Who speaks: the source, and the run it speaks in. */
export type Speaker = { sourceId: number; run: number };

export { isNoPlace };

/** What a source calls a record means that one, wherever and under whatever name it is said. */
const externalKey = (kind: FeedKind, source: number, externalId: string): string =>
  `${kind}\0#${source}\0${externalId}`;

/** Under what a reference is kept at hand: the source's own id, else its name and place. */
function keyOf(
  kind: FeedKind,
  { external_id: external, name }: NamedReference,
  { sourceId }: Speaker,
  place: string,
): string {
  return external == null ? `${kind}\0${place}\0${fold(name)}` : externalKey(kind, sourceId, external);
}

/** Houses by names that are nearly theirs. */
export type Houses = {
  /** The house in this city that is meant by a name, the only one or the likeliest; null where none is. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null;
  file(record: number, names: readonly string[], where: Town): void;
};

/** Labels and festivals by names that are nearly theirs. */
export type Directory = { fileName(kind: 'label' | 'festival', record: number, name: string): void };

/** What is to be read again when more is known of artists (match/wholes.ts). */
export type Wholes = {
  file(record: number, parts: readonly string[]): void;
  partKnown(name: string): void;
  wholeKnown(name: string): void;
  nameKnown(record: number, name: string, isAlias: boolean): void;
};

export class Resolver {
  readonly #writer: Writer;
  readonly #sources: Sources;
  readonly #lookup: Lookup;
  readonly #making: Making;
  readonly #finder: NameFinder;
  readonly #stubs: Stubs;
  readonly #cache = new LRUCache<string, number>({ max: 100_000 });
  readonly cities: CityFinder;
  /** Set once there is one: it needs this resolver's own world to be there. */
  houses: Houses | null = null;
  /** As above. */
  wholes: Wholes | null = null;
  /** As above. */
  directory: Directory | null = null;
  /** The ids of whom is spoken for are the slugs of another catalogue. */
  idsAreSlugs = false;

  constructor(writer: Writer, names: Names, sources: Sources, lookup: Lookup, making: Making) {
    this.#writer = writer;
    this.#sources = sources;
    this.#lookup = lookup;
    this.#making = making;
    this.#finder = new NameFinder(writer, sources, lookup);
    this.#stubs = new Stubs(writer, names, lookup, making);
    this.cities = new CityFinder({
      writer,
      sources,
      lookup,
      finder: this.#finder,
      cache: this.#cache,
      stub: (name, more) => this.#stub('city', name, more),
    });
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

  /**
   * The artist that a reference means, found by reading alone and kept at hand; null where `artist` would write: put one
   * on record, or bind the source's id to one.
   */
  knownArtist(reference: NamedReference, speaker: Speaker): number | null {
    const key = keyOf('artist', reference, speaker, '');
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const external = reference.external_id ?? null;
    const found =
      external === null
        ? this.#finder.find('artist', fold(reference.name), () => true)
        : this.#sources.find({ source: speaker.sourceId, kind: 'artist', externalId: external })?.record_id;
    if (found == null) return null;
    this.#cache.set(key, found);
    return found;
  }

  /** Whether a source speaks of an artist under this name, or has an id for it, and does not only name it. */
  isArtist(name: string): boolean {
    return nameForms('artist', name).some((form) =>
      this.#lookup.byName('artist', form).some(({ id }) => this.#sources.anchors(id).length > 0),
    );
  }

  /** "A & B": the names of those that it stands for, where they are on record and it is not; else the name itself. */
  namesIn(name: string): string[] {
    const parts = jointNames(name);
    if (parts.length === 0 || this.isArtist(name)) return [name];
    return parts.every((part) => this.artistNamed(part) !== null) ? parts : [name];
  }

  /** The artist other than `except` that has a name as an alias, and is meant by it; null where none or several may be. */
  artistWithAlias(name: string, except: number): number | null {
    const found = this.#lookup.byName('artist', fold(name)).filter(({ id }) => id !== except);
    return this.#finder.artistCalled(found, fold(name));
  }

  /** The artist on record that a name means; null where there is none. */
  artistNamed(name: string): number | null {
    return this.#finder.find('artist', fold(name), () => true);
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

  /**
   * The venue of a reference; null for what is no place, and for one that nobody can place.
   * @param place the city beside the reference, where that names none, and what else is said of where it is
   */
  venue(reference: PlaceReference, place: Town & { where: Whereabouts }, speaker: Speaker): number | null {
    if (isNoPlace(reference.name)) return null;
    const cityName = reference.city ?? place.city;
    const countryCode = reference.country ?? place.country;
    const town = this.cities.choose(cityName, countryCode, place.where);
    const house = this.#venueIn(reference, town, countryCode, speaker);
    // Put into the foremost of several cities of one name for want of anything better, it is worked out again.
    if (
      house !== null &&
      town?.isTold &&
      this.#isElsewhere(house, town.id) &&
      this.cities.namesakes.isUnplaced(house)
    )
      this.#writer.markStale(house);
    return house;
  }

  #isElsewhere(house: number, city: number): boolean {
    return this.#writer.row('venue', house)?.city_id !== city;
  }

  #venueIn(
    reference: PlaceReference,
    town: Chosen | null,
    countryCode: string | null,
    speaker: Speaker,
  ): number | null {
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
    if (town === null) return this.#unplacedVenue(reference, countryCode, speaker);
    return this.#resolve(
      'venue',
      reference,
      speaker,
      town.isTold ? `${town.id}!` : String(town.id),
      (venue) => venue.city_id === town.id,
      () => this.#house(reference, town, speaker),
    );
  }

  /** A house that is on record under nearly the same name, else a new one. */
  #house(reference: PlaceReference, { id: cityId, isTold, among }: Chosen, speaker: Speaker): number {
    const city = this.#writer.row('city', cityId) as { name: string; country: string };
    const others = among.filter((id) => id !== cityId);
    const isFree = (id: number) =>
      (reference.external_id == null || !this.#sources.knows(speaker.sourceId, 'venue', id)) &&
      !(
        isTold &&
        others.includes(this.#writer.row('venue', id)?.city_id as number) &&
        !this.cities.namesakes.isLoose(id)
      );
    const found =
      this.#formerHouse(reference.name, cityId, isFree) ??
      this.houses?.find(reference.name, city.name, city.country, isFree) ??
      null;
    if (found !== null) return found;
    const id = this.#stub('venue', reference.name, { city_id: cityId });
    this.houses?.file(id, [reference.name], { city: city.name, country: city.country });
    if (others.length > 0) this.cities.namesakes.restaleShows(reference.name, others);
    return id;
  }

  /** A house of another city that is, or was, also put into this one. */
  #formerHouse(name: string, cityId: number, isFree: (id: number) => boolean): number | null {
    const folded = fold(name);
    const isCity = (named: string, country: string | null) =>
      this.cities.onRecord(fold(named), country) === cityId;
    const found = this.#lookup
      .byName('venue', folded)
      .filter(
        ({ id }) => isFree(id) && isAlsoIn(this.#lookup, this.#sources, id, { folded, city: cityId, isCity }),
      );
    return found.length === 1 ? (found[0] as Candidate).id : null;
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
    const find = (name: string) => this.artistNamed(name);
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
    this.#making.created('edition');
    const festival = this.#writer.row('festival', festivalId) as { name: string; slug: string };
    const id = this.#writer.newRecord('edition');
    this.#writer.save(
      'edition',
      id,
      emptyEdition(festivalId, edition, `${festival.name} ${edition}`),
      () => [editionSlug(festival.slug, edition)],
      this.#making.now,
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
    const key = keyOf(kind, reference, speaker, place);
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
    speaker: Speaker,
    fits: (candidate: Candidate) => boolean,
    create: () => number,
  ): number {
    const key = { source: speaker.sourceId, kind, externalId };
    const bound = this.#sources.find(key);
    if (bound) return bound.record_id;
    const id =
      this.#finder.find(
        kind,
        fold(name),
        (candidate) => fits(candidate) && !this.#sources.knows(speaker.sourceId, kind, candidate.id),
      ) ?? this.#create(externalId, create);
    this.#sources.bind(key, id, null, this.#making.now, speaker.run);
    if (kind === 'artist') this.wholes?.wholeKnown(name);
    return id;
  }

  #create(externalId: string, create: () => number): number {
    if (this.idsAreSlugs) this.#writer.wishSlug(externalId);
    return create();
  }

  /** A record that went into another one is one of its own again, known by name alone, under the slug it had. */
  again(kind: Named, { name, place, slug }: GivenName): number {
    this.#writer.wishSlug(slug, true);
    const id = this.#stub(kind, name, this.#stubs.whereOf(kind, place));
    if (kind === 'venue') this.houses?.file(id, [name], this.#writer.row(kind, id) as Town);
    return id;
  }

  /** What no source speaks of any more is known by this name alone. */
  bare(kind: Named, id: number, given: GivenName): void {
    this.#stubs.strip(kind, id, given);
  }

  #stub(kind: Named, name: string, more: RowOf): number {
    const id = this.#stubs.make(kind, name, more);
    if (kind === 'artist') this.wholes?.partKnown(name);
    if (kind === 'label' || kind === 'festival') this.directory?.fileName(kind, id, name);
    return id;
  }
}
