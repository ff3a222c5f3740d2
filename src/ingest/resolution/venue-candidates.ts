/** The blocking index of venues: by the words of their names within a city. */

import { entityBlockingKeys, exactKeys } from '../../matching/entities/blocking-keys.ts';
import { compareVenues } from '../../matching/entities/compare-venues.ts';
import { mayBeSameCity, scopeOf } from '../../matching/events/blocking-keys.ts';
import type { VenueFacts } from '../../matching/model.ts';
import { parseAliases } from '../../store/records/serialize.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { RowOf } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import type { StoreContext } from '../store-context.ts';
import { cityNamesOf } from './event-facts.ts';

/** Where a source places a venue. */
type VenueLocation = { city: string | null; country: string | null; address?: string | null | undefined };

/** Indexes venues and finds those of similar names in a city. */
export class VenueCandidates {
  readonly #context: StoreContext;
  readonly #store: MatchStore;

  constructor(context: StoreContext, store: MatchStore) {
    this.#context = context;
    this.#store = store;
  }

  /** Indexes a venue under the words of its names. */
  index(record: number, names: readonly string[], { city, country, address }: VenueLocation): void {
    const keys = entityBlockingKeys('venue', { names, country, address });
    const [cityName = city] = this.#cityNames({ city, country });
    this.#store.addBlockingKeys(keys, record, scopeOf(0, cityName));
  }

  /** The names of a city, its primary name first; none if the city is unknown. */
  #cityNames({ city, country }: VenueLocation): string[] {
    if (city === null) return [];
    const { lookup } = this.#context;
    const matches = lookup
      .byName('city', fold(city))
      .filter((one) => country === null || one.country === country);
    const [only] = matches;
    return only !== undefined && matches.length === 1
      ? cityNamesOf(this.#context, this.#context.writer.row('city', only.id))
      : [];
  }

  /** The venue that best matches a name in a city; null if none matches. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null {
    const facts = { name, city, country };
    const matches = this.candidates([name], { city, country })
      .filter(isFree)
      .flatMap((id) => {
        const row = this.#context.writer.row('venue', id);
        return row
          ? this.#factsInCity(city, id, row).map((face) => ({
              id,
              row,
              judgement: compareVenues(facts, face),
            }))
          : [];
      })
      .filter(({ judgement: result }) => result.outcome === 'same');
    const byLikelihood = matches.toSorted(
      (a, b) =>
        b.judgement.score - a.judgement.score || (String(a.row.folded) < String(b.row.folded) ? -1 : 1),
    );
    return byLikelihood[0]?.id ?? null;
  }

  /** The names of a venue in a city; if its record is in another city, the names that place it in this one. */
  #factsInCity(city: string, id: number, row: RowOf<'venue'>): VenueFacts[] {
    const own = venueFactsOf(row);
    if (own.city == null || fold(own.city) === fold(city)) return [own];
    const { sources, writer, lookup } = this.#context;
    const statements = sources.parsedStatementsOf<'venue'>(id).map(({ statement }) => statement);
    const inheritedNames = lookup.inheritedNamesWithPlace(id).flatMap(({ name, place }) => {
      const cityId = lookup.cityOfSlug(place);
      const there = cityId === null ? undefined : writer.row('city', cityId);
      return there ? [{ name, city: there.name, country: there.country }] : [];
    });
    const others = [
      ...statements.map(({ name, city, country }) => ({ name, city, country })),
      ...inheritedNames,
    ];
    return [own, ...others.filter((one) => fold(one.city) === fold(city))];
  }

  /**
   * Venues in the same city whose names share a word or sound with one of these, and venues of other cities with the
   * same full name or address, because a suburb may have a city record of its own.
   */
  candidates(names: readonly string[], where: VenueLocation): number[] {
    const facts = { names, country: where.country, address: where.address };
    const [keys, exact] = [entityBlockingKeys('venue', facts), exactKeys(facts)];
    const scopes = [where.city, ...this.#cityNames(where)].map((city) => scopeOf(0, city));
    const matches = this.#store
      .findByBlockingKeys(keys.flatMap((key) => [key, key]))
      .filter(
        ([range, , scope]) =>
          exact.has(keys[range] ?? -1) || scopes.some((ownScope) => mayBeSameCity(scope, ownScope)),
      );
    return [...new Set(matches.map(([, record]) => record))];
  }
}

const venueFactsOf = (row: RowOf<'venue'>): VenueFacts => ({
  name: row.name,
  aliases: parseAliases(row.aliases),
  city: row.city,
  country: row.country,
});
