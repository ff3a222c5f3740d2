/** Houses, filed and found by the words of their names in a city. */
import type { FeedRecordContent } from '../../contract/feed.ts';
import { entityBlockingKeys, exactKeys } from '../../matching/entities/blocking-keys.ts';
import { compareVenues } from '../../matching/entities/compare-venues.ts';
import { mayBeSameCity, scopeOf } from '../../matching/events/blocking-keys.ts';
import type { VenueFacts } from '../../matching/model.ts';
import type { MatchStore } from '../../store/resolution/match-store.ts';
import type { RecordRow } from '../../store/writer.ts';
import { fold } from '../../text/fold.ts';
import { cityNamesOf } from './event-facts.ts';
import type { ResolutionContext } from './resolution-context.ts';

/** Where a house is said to stand. */
type VenueLocation = { city: string | null; country: string | null; address?: string | null | undefined };

export class VenueCandidates {
  readonly #context: ResolutionContext;
  readonly #store: MatchStore;

  constructor(desk: ResolutionContext, store: MatchStore) {
    this.#context = desk;
    this.#store = store;
  }

  /** Files a house under the words of its names. */
  index(record: number, names: readonly string[], { city, country, address }: VenueLocation): void {
    const keys = entityBlockingKeys('venue', { names, country, address });
    const [known = city] = this.#cityNames({ city, country });
    this.#store.addBlockingKeys(keys, record, scopeOf(0, known));
  }

  /** What a city is called, by the name it has here first; none where it is not known. */
  #cityNames({ city, country }: VenueLocation): string[] {
    if (city === null) return [];
    const { lookup } = this.#context.context;
    const found = lookup
      .byName('city', fold(city))
      .filter((one) => country === null || one.country === country);
    const [only] = found;
    return only !== undefined && found.length === 1
      ? cityNamesOf(this.#context.writer.row('city', only.id))
      : [];
  }

  /** The house that a name in a city stands for: the likeliest of those that are the same. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null {
    const facts = { name, city, country };
    const found = this.candidates([name], { city, country })
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
      .filter(({ judgement }) => judgement.outcome === 'same');
    const byLikelihood = found.toSorted(
      (a, b) =>
        b.judgement.score - a.judgement.score || (String(a.row.folded) < String(b.row.folded) ? -1 : 1),
    );
    return byLikelihood[0]?.id ?? null;
  }

  /** What a house is called in a city: where its record stands in another one, what is said of it in this one. */
  #factsInCity(city: string, id: number, row: RecordRow): VenueFacts[] {
    const own = venueFactsOf(row);
    if (own.city == null || fold(own.city) === fold(city)) return [own];
    const { context, sources, writer } = this.#context;
    const said = sources
      .statementsOf(id)
      .map(({ content: statement }) => JSON.parse(statement) as FeedRecordContent<'venue'>);
    const given = context.lookup.inheritedNamesWithPlace(id).flatMap(({ name, place }) => {
      const at = context.lookup.cityOfSlug(place);
      const there = at === null ? undefined : writer.row('city', at);
      return there ? [{ name, city: there.name as string, country: there.country as string }] : [];
    });
    const others = [...said.map(({ name, city, country }) => ({ name, city, country })), ...given];
    return [own, ...others.filter((one) => fold(one.city) === fold(city))];
  }

  /**
   * Houses whose names share a word with one of these, or sound alike, in the same city; and those of another city that
   * have the whole name or the address: of a suburb nobody knows that it is one.
   */
  candidates(names: readonly string[], where: VenueLocation): number[] {
    const named = { names, country: where.country, address: where.address };
    const [keys, wholes] = [entityBlockingKeys('venue', named), exactKeys(named)];
    const tags = [where.city, ...this.#cityNames(where)].map((city) => scopeOf(0, city));
    const near = this.#store
      .findByBlockingKeys(keys.flatMap((key) => [key, key]))
      .filter(
        ([range, , theirs]) =>
          wholes.has(keys[range] as number) || tags.some((tag) => mayBeSameCity(theirs, tag)),
      );
    return [...new Set(near.map(([, record]) => record))];
  }
}

/** What the record of a house says. */
const venueFactsOf = (row: Record<string, string | number | null>): VenueFacts => ({
  name: row.name as string,
  aliases: JSON.parse(row.aliases as string) as string[],
  city: row.city as string | null,
  country: row.country as string | null,
});
