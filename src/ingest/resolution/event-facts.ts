/** Listings made of what lies in the file: a statement, and what is known of the places and people it names. */
import { LRUCache } from 'lru-cache';
import type { FeedRecordContent, FeedVenueReference } from '../../contract/feed.ts';
import type { EventFacts, VenueFacts } from '../../matching/model.ts';
import type { NameMatch } from '../../store/resolution/record-lookup.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import type { RecordRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { cityWithoutRegion } from '../../text/tokens.ts';
import type { RebuildContext } from '../records/rebuild-context.ts';

/** A statement of an event with who made it. */
export type SourceEvent = {
  source: string;
  sourceId: number;
  clock: 'instant' | 'local';
  externalId: string;
  statement: FeedRecordContent<'event'>;
};

type CachedVenue = { facts: VenueFacts; zone: string | null };

export class EventFactsBuilder {
  readonly #context: RebuildContext;
  readonly #sources: SourceRecords;
  readonly #venues = new LRUCache<string, CachedVenue>({ max: 20_000 });
  readonly #cityNames = new LRUCache<string, string>({ max: 20_000 });
  readonly #aliases = new LRUCache<string, readonly string[]>({ max: 20_000 });

  /** Cities as they were looked up since the work on one statement began. */
  readonly #cities = new Map<string, RecordRow | undefined>();

  constructor(context: RebuildContext, sources: SourceRecords) {
    this.#context = context;
    this.#sources = sources;
  }

  /** Forget what is kept at hand: records changed. */
  clearCache(): void {
    this.startRecord();
    if (this.#venues.size > 0) this.#venues.clear();
    if (this.#cityNames.size > 0) this.#cityNames.clear();
    if (this.#aliases.size > 0) this.#aliases.clear();
  }

  /** Forget which cities were looked up: the work on another statement begins. */
  startRecord(): void {
    if (this.#cities.size > 0) this.#cities.clear();
  }

  /** A statement as the judge reads it. */
  factsOf({ source, sourceId, clock, externalId, statement }: SourceEvent): EventFacts {
    const { venue } = statement;
    const known = venue ? this.#venue(venue, statement, sourceId) : null;
    const city = statement.city ?? venue?.city ?? known?.facts.city ?? null;
    const country = statement.country ?? venue?.country ?? known?.facts.country ?? null;
    return {
      source,
      externalId,
      clock,
      name: statement.name,
      startAt: statement.start_at,
      endAt: statement.end_at,
      zone: statement.timezone ?? known?.zone ?? this.#zoneOf(city, country),
      venue: known?.facts ?? null,
      city,
      cityAliases: known ? null : cityNamesOf(this.#cityRow(city, country)),
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

  /** What is known of a house that a statement names: its own words, and those of the record it stands for. */
  #venue(
    reference: FeedVenueReference,
    statement: FeedRecordContent<'event'>,
    sourceId: number,
  ): CachedVenue {
    const city = reference.city ?? statement.city ?? null;
    const country = reference.country ?? statement.country ?? null;
    // Without an id of its own, what a source names is what any other one names so.
    const own = reference.external_id == null ? '' : `${sourceId}\0${reference.external_id}`;
    const key = `${own}\0${reference.name}\0${city}\0${country}`;
    let known = this.#venues.get(key);
    if (known === undefined) {
      known = this.#readVenue(reference, city, country, sourceId);
      this.#venues.set(key, known);
    }
    return known;
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
      city: city ?? (row?.city as string | null | undefined),
      country: country ?? (row?.country as string | null | undefined),
    };
    // Another source may have put the house into a district that no list has: what this one says counts as well.
    const said = this.#cityRow(city, country);
    const stands = row?.city_id == null ? said : this.#context.writer.row('city', row.city_id as number);
    const cityAliases = said === stands ? cityNamesOf(said) : [...cityNamesOf(said), ...cityNamesOf(stands)];
    if (row === undefined) return { facts: { ...facts, cityAliases }, zone: null };
    return {
      zone: row.timezone as string | null,
      facts: {
        ...facts,
        record: record,
        aliases: [row.name as string, ...(JSON.parse(row.aliases as string) as string[])],
        cityAliases,
        address: row.address as string | null,
        postalCode: row.postal_code as string | null,
        latitude: row.latitude as number | null,
        longitude: row.longitude as number | null,
        website: row.website as string | null,
        externalIds: JSON.parse(row.external_ids as string),
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
      const bound = this.#sources.find({
        source: sourceId,
        kind: 'venue',
        externalId: reference.external_id,
      });
      if (bound) return bound.record_id;
    }
    const cityRow = this.#cityRow(city, country);
    const found = this.#context.lookup.byName('venue', fold(reference.name)).filter((venue) => {
      if (country !== null && venue.country !== null && venue.country !== country) return false;
      if (cityRow) return venue.city_id === cityRow.id;
      const where = city === null ? null : this.#context.writer.row('venue', venue.id)?.city;
      return city === null || (typeof where === 'string' && fold(where) === fold(city));
    });
    if (found.length > 0) return found.length === 1 ? (found[0] as NameMatch).id : null;
    return cityRow ? this.#similarlyNamed(reference.name, cityRow) : null;
  }

  /** The house that this name will be taken for once the show is put on record: whether it is already must not matter. */
  #similarlyNamed(name: string, city: RecordRow): number | null {
    const { venueIndex: houses } = this.#context.resolver;
    return houses?.find(name, city.name as string, city.country as string, () => true) ?? null;
  }

  #cityRow(city: string | null, country: string | null): RecordRow | undefined {
    if (city === null) return undefined;
    const key = country === null ? city : `${country}\0${city}`;
    if (!this.#cities.has(key)) this.#cities.set(key, this.#readCity(city, country));
    return this.#cities.get(key);
  }

  #readCity(city: string, country: string | null): RecordRow | undefined {
    const named = (name: string) =>
      this.#context.lookup
        .byName('city', fold(name))
        .filter((one) => country === null || one.country === country);
    const whole = named(city);
    const found = whole.length === 0 && city.includes(',') ? named(cityWithoutRegion(city)) : whole;
    return found.length === 1 ? this.#context.writer.row('city', (found[0] as NameMatch).id) : undefined;
  }

  /** The name by which a city is known here, whatever a seller calls it ("Praha", "Kiev"); null where none is said. */
  cityName(city: string | null | undefined, country: string | null | undefined): string | null {
    if (!city) return null;
    const key = country ? country + city : city;
    let name = this.#cityNames.get(key);
    if (name === undefined) {
      name = (this.#cityRow(city, country ?? null)?.name as string | undefined) ?? city;
      this.#cityNames.set(key, name);
    }
    return name;
  }

  #zoneOf(city: string | null, country: string | null): string | null {
    return (this.#cityRow(city, country)?.timezone as string | null | undefined) ?? null;
  }

  /** Other names of an artist, where the name is of one alone. */
  #aliasesOf(name: string): readonly string[] {
    let aliases = this.#aliases.get(name);
    if (aliases === undefined) {
      aliases = this.#readAliases(name);
      this.#aliases.set(name, aliases);
    }
    return aliases;
  }

  #readAliases(name: string): readonly string[] {
    const found = this.#context.lookup.byName('artist', fold(name));
    if (found.length !== 1) return [];
    const row = this.#context.writer.row('artist', (found[0] as NameMatch).id);
    if (row === undefined || row.aliases === '[]') return [];
    const names = [row.name as string, ...(JSON.parse(row.aliases as string) as string[])];
    // An alias that is an artist of its own is not another name.
    return names.filter((one) => this.#context.lookup.byName('artist', fold(one)).length === 1);
  }
}

/** What a city is called, by its record; none where the record is of a name alone, which may be a district's. */
export function cityNamesOf(row: RecordRow | undefined): string[] {
  if (row === undefined || (row.timezone === null && row.latitude === null)) return [];
  return [row.name as string, ...(JSON.parse(row.aliases as string) as string[])];
}
