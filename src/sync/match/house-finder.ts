/** Houses, filed and found by the words of their names in a city. */
import type { Statement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import type { MatchStore } from '../../store/matching.ts';
import type { RowOf } from '../../store/writer.ts';
import type { Desk } from './desk.ts';
import { namesOfCity } from './evidence.ts';
import { mayBeOneCity, tagOf } from './keys.ts';
import type { VenueFacts } from './listing.ts';
import { namedKeys, wholeKeys } from './named-keys.ts';
import { judgeVenues } from './venues.ts';

/** Where a house is said to stand. */
type Where = { city: string | null; country: string | null; address?: string | null | undefined };

export class HouseFinder {
  readonly #desk: Desk;
  readonly #store: MatchStore;

  constructor(desk: Desk, store: MatchStore) {
    this.#desk = desk;
    this.#store = store;
  }

  /** Files a house under the words of its names. */
  file(record: number, names: readonly string[], { city, country, address }: Where): void {
    const keys = namedKeys('venue', { names, country, address });
    const [known = city] = this.#namesOf({ city, country });
    this.#store.addKeys(keys, record, tagOf(0, known));
  }

  /** What a city is called, by the name it has here first; none where it is not known. */
  #namesOf({ city, country }: Where): string[] {
    if (city === null) return [];
    const { lookup } = this.#desk.context;
    const found = lookup
      .byName('city', fold(city))
      .filter((one) => country === null || one.country === country);
    const [only] = found;
    return only !== undefined && found.length === 1
      ? namesOfCity(this.#desk.writer.row('city', only.id))
      : [];
  }

  /** The house that a name in a city stands for: the likeliest of those that are the same. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null {
    const facts = { name, city, country };
    const found = this.like([name], { city, country })
      .filter(isFree)
      .flatMap((id) => {
        const row = this.#desk.writer.row('venue', id);
        return row
          ? this.#facesIn(city, id, row).map((face) => ({ id, row, judgement: judgeVenues(facts, face) }))
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
  #facesIn(city: string, id: number, row: RowOf): VenueFacts[] {
    const own = houseOf(row);
    if (own.city == null || fold(own.city) === fold(city)) return [own];
    const { context, sources, writer } = this.#desk;
    const said = sources.said(id).map(({ statement }) => JSON.parse(statement) as Statement<'venue'>);
    const given = context.lookup.given(id).flatMap(({ name, place }) => {
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
  like(names: readonly string[], where: Where): number[] {
    const named = { names, country: where.country, address: where.address };
    const [keys, wholes] = [namedKeys('venue', named), wholeKeys(named)];
    const tags = [where.city, ...this.#namesOf(where)].map((city) => tagOf(0, city));
    const near = this.#store
      .near(keys.flatMap((key) => [key, key]))
      .filter(
        ([range, , theirs]) =>
          wholes.has(keys[range] as number) || tags.some((tag) => mayBeOneCity(theirs, tag)),
      );
    return [...new Set(near.map(([, record]) => record))];
  }
}

/** What the record of a house says. */
const houseOf = (row: Record<string, string | number | null>): VenueFacts => ({
  name: row.name as string,
  aliases: JSON.parse(row.aliases as string) as string[],
  city: row.city as string | null,
  country: row.country as string | null,
});
