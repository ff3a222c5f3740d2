/** Builds the facts of an event for comparison from its source record and the venues, cities and artists on record. */

import type { FeedKind, FeedRecordContent, FeedVenueReference } from '../../contract/feed.ts';
import type { EventFacts, VenueFacts } from '../../matching/model.ts';
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import { createLruCache } from '../../store/lru-cache.ts';
import { parseAliases, parseExternalIds } from '../../store/records/serialize.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import type { RowOf } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { cityWithoutRegion } from '../../text/tokens.ts';
import type { WriteContext } from '../write-context.ts';

/** A parsed source record, with its source and how that writes times. */
export type SourceStatement<K extends FeedKind> = {
  source: string;
  sourceId: number;
  clock: 'instant' | 'local';
  externalId: string;
  statement: FeedRecordContent<K>;
};
export type SourceEvent = SourceStatement<'event'>;

/** Where an event is. The venue is the same object as long as nothing about it changed. */
export type EventPlace = Pick<EventFacts, 'city' | 'country' | 'zone' | 'cityAliases'> & {
  venue: VenueFacts | null;
};

/** Whether two places of one event are equal. */
export const isSamePlace = (a: EventPlace, b: EventPlace): boolean =>
  a.venue === b.venue &&
  a.zone === b.zone &&
  a.city === b.city &&
  a.country === b.country &&
  (a.cityAliases?.length ?? 0) === (b.cityAliases?.length ?? 0) &&
  (a.cityAliases ?? []).every((name, at) => name === b.cityAliases?.[at]);

/** The facts as JSON: they are compared with those of before, and hashed. */
export const factsTextOf = memoizeByObject((facts: EventFacts) => JSON.stringify(facts));

/** The same without the source and its id, with which the text begins. Other facts are written again. */
export function contentTextOf(facts: EventFacts): string {
  const { source, externalId } = facts;
  const key = JSON.stringify({ source, externalId }).slice(0, -1);
  const text = factsTextOf(facts);
  return text.startsWith(key)
    ? text.slice(key.length)
    : JSON.stringify({ ...facts, source: '', externalId: '' });
}

/** Fewer names of a line-up are looked up one by one. */
const minReadAhead = 20;

type CachedVenue = { facts: VenueFacts; zone: string | null };

/** Builds facts of events and caches venues, cities and aliases that they depend on. Only reads. */
export class EventFactsBuilder {
  readonly #context: WriteContext;
  readonly #venues = createLruCache<string, CachedVenue>(20_000);
  readonly #cityNames = createLruCache<string, string>(20_000);
  readonly #aliases = createLruCache<string, readonly string[]>(20_000);

  /** City look-ups for the current source record. */
  readonly #cities = new Map<string, RowOf<'city'> | undefined>();

  #generation = 0;

  constructor(context: WriteContext) {
    this.#context = context;
  }

  /** Changes whenever the names of artists or the venues may be others than before. */
  get generation(): number {
    return this.#generation;
  }

  /** Clears the caches after records changed. */
  clearCache(): void {
    this.#generation++;
    this.startRecord();
    if (this.#venues.size > 0) this.#venues.clear();
    if (this.#cityNames.size > 0) this.#cityNames.clear();
    if (this.#aliases.size > 0) this.#aliases.clear();
  }

  /** Clears look-ups before another source record is processed. */
  startRecord(): void {
    if (this.#cities.size > 0) this.#cities.clear();
  }

  /** The facts of an event. `place` saves the look-up of a place that is known already. */
  factsOf(event: SourceEvent, place: EventPlace = this.placeOf(event)): EventFacts {
    const { source, clock, externalId, statement } = event;
    const { venue, city, country, zone, cityAliases } = place;
    this.#readAheadNames(statement.lineup ?? []);
    return {
      source,
      externalId,
      clock,
      name: statement.name,
      startAt: statement.start_at,
      endAt: statement.end_at,
      zone,
      venue,
      city,
      cityAliases,
      country,
      lineup: (statement.lineup ?? []).map(({ name, external_id, billing, stage }) => ({
        name,
        externalId: external_id,
        billing,
        stage,
        aliases: this.#aliasesOf(name),
      })),
      tickets: statement.tickets,
      url: statement.url,
      genres: statement.genres,
      festival: statement.festival
        ? { name: statement.festival.festival.name, edition: statement.festival.edition }
        : null,
      status: statement.status,
    };
  }

  /** Where the event is, from its source record and the venues and cities on record. */
  placeOf({ sourceId, statement }: SourceEvent): EventPlace {
    const { venue } = statement;
    const knownVenue = venue ? this.#venue(venue, statement, sourceId) : null;
    const city = statement.city ?? venue?.city ?? knownVenue?.facts.city ?? null;
    const country = statement.country ?? venue?.country ?? knownVenue?.facts.country ?? null;
    return {
      venue: knownVenue?.facts ?? null,
      city,
      country,
      zone: statement.timezone ?? knownVenue?.zone ?? this.#zoneOf(city, country),
      cityAliases: knownVenue ? null : cityNamesOf(this.#context, this.#cityRow(city, country)),
    };
  }

  /** The facts of a named venue, from the reference and from the record it resolves to. */
  #venue(
    reference: FeedVenueReference,
    statement: FeedRecordContent<'event'>,
    sourceId: number,
  ): CachedVenue {
    const city = reference.city ?? statement.city ?? null;
    const country = reference.country ?? statement.country ?? null;
    // Without an id, the same name means the same venue for all sources.
    const own = reference.external_id == null ? '' : `${sourceId}\0${reference.external_id}`;
    const key = `${own}\0${reference.name}\0${city}\0${country}`;
    return getOrCreate(this.#venues, key, () => this.#readVenue(reference, city, country, sourceId));
  }

  #readVenue(
    reference: FeedVenueReference,
    city: string | null,
    country: string | null,
    sourceId: number,
  ): CachedVenue {
    const record = this.#recordOf(reference, city, country, sourceId);
    const row = record === null ? undefined : this.#context.writer.row('venue', record);
    const facts: VenueFacts = {
      name: reference.name,
      externalId: reference.external_id,
      city: city ?? row?.city,
      country: country ?? row?.country,
    };
    // Another source may have placed the venue in a district that has no city record, so the stated city
    // counts too.
    const statedRow = this.#cityRow(city, country);
    const stands = row?.city_id == null ? statedRow : this.#context.writer.row('city', row.city_id);
    const namesOf = (city: RowOf<'city'> | undefined) => cityNamesOf(this.#context, city);
    const cityAliases =
      statedRow === stands ? namesOf(statedRow) : [...namesOf(statedRow), ...namesOf(stands)];
    if (row === undefined) return { facts: { ...facts, cityAliases }, zone: null };
    return {
      zone: row.timezone,
      facts: {
        ...facts,
        record,
        aliases: [row.name, ...parseAliases(row.aliases)],
        cityAliases,
        address: row.address,
        postalCode: row.postal_code,
        latitude: row.latitude,
        longitude: row.longitude,
        website: row.website,
        externalIds: parseExternalIds(row.external_ids),
      },
    };
  }

  #recordOf(
    reference: FeedVenueReference,
    city: string | null,
    country: string | null,
    sourceId: number,
  ): number | null {
    if (reference.external_id != null) {
      const row = this.#context.sources.find({
        source: sourceId,
        kind: 'venue',
        externalId: reference.external_id,
      });
      if (row) return row.record_id;
    }
    const cityRow = this.#cityRow(city, country);
    const matches = this.#context.lookup.byName('venue', fold(reference.name)).filter((venue) => {
      if (country !== null && venue.country !== null && venue.country !== country) return false;
      if (cityRow) return venue.city_id === cityRow.id;
      const where = city === null ? null : this.#context.writer.row('venue', venue.id)?.city;
      return city === null || (typeof where === 'string' && fold(where) === fold(city));
    });
    if (matches.length > 0) return matches.length === 1 ? (matches[0] as NameMatch).id : null;
    return cityRow ? this.#similarlyNamed(reference.name, cityRow) : null;
  }

  /**
   * The existing venue that this name would resolve to when the event is saved; whether it exists already must not
   * matter.
   */
  #similarlyNamed(name: string, city: RowOf<'city'>): number | null {
    const { venueIndex } = this.#context.resolver.indexes;
    return venueIndex.find(name, city.name, city.country, () => true);
  }

  #cityRow(city: string | null, country: string | null): RowOf<'city'> | undefined {
    if (city === null) return undefined;
    const key = country === null ? city : `${country}\0${city}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city, country));
    return this.#cities.get(key);
  }

  #readCity(city: string, country: string | null): RowOf<'city'> | undefined {
    const citiesNamed = (name: string) =>
      this.#context.lookup
        .byName('city', fold(name))
        .filter((one) => country === null || one.country === country);
    const exact = citiesNamed(city);
    const matches = exact.length === 0 && city.includes(',') ? citiesNamed(cityWithoutRegion(city)) : exact;
    const id =
      matches.length === 0 && country !== null
        ? this.#context.resolver.cities.places.cityNamed(city, country)
        : matches.length === 1
          ? (matches[0] as NameMatch).id
          : null;
    return id === null ? undefined : this.#context.writer.row('city', id);
  }

  /** The primary name of a city, whatever name a seller uses ("Praha", "Kiev"); null if none is given. */
  cityName(city: string | null | undefined, country: string | null | undefined): string | null {
    if (!city) return null;
    const key = country ? country + city : city;
    return getOrCreate(this.#cityNames, key, () => this.#cityRow(city, country ?? null)?.name ?? city);
  }

  #zoneOf(city: string | null, country: string | null): string | null {
    return this.#cityRow(city, country)?.timezone ?? null;
  }

  /** Looks up the names of a long line-up in one statement. */
  #readAheadNames(lineup: readonly { name: string }[]): void {
    if (lineup.length < minReadAhead) return;
    const names = lineup.flatMap(({ name }) => (this.#aliases.has(name) ? [] : [fold(name)]));
    if (names.length >= minReadAhead) this.#context.lookup.prefetchByName('artist', names);
  }

  /** Other names of an artist, if the name is unambiguous. */
  #aliasesOf(name: string): readonly string[] {
    return getOrCreate(this.#aliases, name, () => this.#readAliases(name));
  }

  #readAliases(name: string): readonly string[] {
    const matches = this.#context.lookup.byName('artist', fold(name));
    if (matches.length !== 1) return [];
    const row = this.#context.writer.row('artist', (matches[0] as NameMatch).id);
    if (row === undefined || row.aliases === '[]') return [];
    const names = [row.name, ...parseAliases(row.aliases)];
    // An alias that is also another artist is left out.
    return names.filter((one) => this.#context.lookup.byName('artist', fold(one)).length === 1);
  }
}

/** The names of a city; none if no source has a record of it, because it may be a district. */
export function cityNamesOf(
  { sources }: Pick<WriteContext, 'sources'>,
  row: RowOf<'city'> | undefined,
): string[] {
  if (row === undefined || (row.timezone === null && row.latitude === null)) return [];
  if (!sources.isDescribed(row.id)) return [];
  return [row.name, ...parseAliases(row.aliases)];
}
