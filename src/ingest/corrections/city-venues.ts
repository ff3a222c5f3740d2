/** The houses of cities that are merged, and parted again. */
import type { RecordRow } from '../../store/writer.ts';
import type { WriteSession } from '../write-session.ts';

export class CityVenues {
  readonly #session: WriteSession;

  constructor(bench: WriteSession) {
    this.#session = bench;
  }

  /** Files a city's houses anew: they are looked for under its name. */
  reindex(city: number): void {
    const { name, country } = this.#session.writer.row('city', city) as { name: string; country: string };
    for (const [id, house] of this.#venuesIn(city))
      this.#session.matcher.venues.index(id, [house.name as string], { city: name, country });
  }

  /** Before a city goes into another one: which of its houses stand here for all that is known, though nobody states it. */
  rememberPlaces(city: number): void {
    const { matcher: matching, writer, sources } = this.#session;
    const place = writer.row('city', city)?.slug as string;
    for (const [id, house] of this.#venuesIn(city)) {
      if (sources.statementsOf(id).length === 0)
        matching.merger.giveName(id, { name: house.name as string, place, slug: '' });
    }
  }

  /** Puts those houses of a city that another one had, before it went into this one, back there. */
  restoreVenues(from: number, to: number): void {
    const { context, writer, matcher: matching } = this.#session;
    const city = writer.row('city', to);
    for (const [id, house] of city ? this.#venuesIn(from) : []) {
      const known = context.lookup
        .inheritedNamesWithPlace(id)
        .find(({ name, place }) => name === house.name && place === city?.slug);
      if (known === undefined) continue;
      matching.merger.dropName(id, known);
      writer.save('venue', id, { city_id: to }, () => [], context.now);
      writer.markStale(id);
    }
  }

  #venuesIn(city: number): [id: number, RecordRow][] {
    const { matcher: matching, writer, context } = this.#session;
    return matching.merger.dependents('city', city).flatMap((id): [number, RecordRow][] => {
      const house = context.lookup.kindOf(id) === 'venue' ? writer.row('venue', id) : undefined;
      return house ? [[id, house]] : [];
    });
  }
}
