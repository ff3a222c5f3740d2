/** The houses of cities that are merged, and parted again. */
import type { RowOf } from '../../store/writer.ts';
import type { Workbench } from '../workbench.ts';

export class CityHouses {
  readonly #bench: Workbench;

  constructor(bench: Workbench) {
    this.#bench = bench;
  }

  /** Files a city's houses anew: they are looked for under its name. */
  file(city: number): void {
    const { name, country } = this.#bench.writer.row('city', city) as { name: string; country: string };
    for (const [id, house] of this.#housesIn(city))
      this.#bench.matching.houses.file(id, [house.name as string], { city: name, country });
  }

  /** Before a city goes into another one: which of its houses stand here for all that is known, though nobody states it. */
  remember(city: number): void {
    const { matching, writer, sources } = this.#bench;
    const place = writer.row('city', city)?.slug as string;
    for (const [id, house] of this.#housesIn(city)) {
      if (sources.said(id).length === 0)
        matching.merging.giveName(id, { name: house.name as string, place, slug: '' });
    }
  }

  /** Puts those houses of a city that another one had, before it went into this one, back there. */
  giveBack(from: number, to: number): void {
    const { context, writer, matching } = this.#bench;
    const city = writer.row('city', to);
    for (const [id, house] of city ? this.#housesIn(from) : []) {
      const known = context.lookup
        .given(id)
        .find(({ name, place }) => name === house.name && place === city?.slug);
      if (known === undefined) continue;
      matching.merging.dropName(id, known);
      writer.save('venue', id, { city_id: to }, () => [], context.now);
      writer.markStale(id);
    }
  }

  #housesIn(city: number): [id: number, RowOf][] {
    const { matching, writer, context } = this.#bench;
    return matching.merging.dependents('city', city).flatMap((id): [number, RowOf][] => {
      const house = context.lookup.kindOf(id) === 'venue' ? writer.row('venue', id) : undefined;
      return house ? [[id, house]] : [];
    });
  }
}
