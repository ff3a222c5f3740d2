/** Houses, filed and found by the words of their names in a city. */
import type { Statement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import type { MatchStore } from '../../store/matching.ts';
import type { RowOf } from '../../store/writer.ts';
import type { Desk } from './desk.ts';
import { hash, houseKeys, mayBeOneCity, tagOf } from './keys.ts';
import type { VenueFacts } from './listing.ts';
import { judgeVenues } from './venues.ts';

/** The hash of a word has room for a day behind it, as the keys of shows have; houses leave it empty. */
const days = 2 ** 17;

export class HouseFinder {
  readonly #desk: Desk;
  readonly #store: MatchStore;

  constructor(desk: Desk, store: MatchStore) {
    this.#desk = desk;
    this.#store = store;
  }

  /** Files a house under the words of its names. */
  file(record: number, names: readonly string[], city: string | null): void {
    const keys = new Set(names.flatMap((name) => houseKeys(name)).map(houseKey));
    this.#store.addKeys([...keys].slice(0, 12), record, tagOf(0, city));
  }

  /** The house that a name in a city stands for: the likeliest of those that are the same. */
  find(name: string, city: string, country: string, isFree: (id: number) => boolean): number | null {
    const facts = { name, city, country };
    const found = this.like(name, city)
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

  /** Houses whose names share a word with this one, in the same city. */
  like(name: string, city: string | null): number[] {
    const ranges = houseKeys(name)
      .map(houseKey)
      .flatMap((key) => [key, key]);
    const tag = tagOf(0, city);
    const found = this.#store.near(ranges).filter(([, , theirs]) => mayBeOneCity(theirs, tag));
    return [...new Set(found.map(([, record]) => record))];
  }
}

const houseKey = (word: string): number => hash(`n ${word}`) * days;

/** What the record of a house says. */
const houseOf = (row: Record<string, string | number | null>): VenueFacts => ({
  name: row.name as string,
  aliases: JSON.parse(row.aliases as string) as string[],
  city: row.city as string | null,
  country: row.country as string | null,
});
