/** Moves the venues of cities that are merged or split. */
import type { RowOf } from '../../store/writer.ts';
import type { WriteSession } from '../write-session.ts';

/** The venues of a city that is merged or split. All methods must be called within a batch. */
export class CityVenues {
  readonly #session: WriteSession;

  constructor(session: WriteSession) {
    this.#session = session;
  }

  /** Indexes the venues of a city under its current name. */
  reindex(city: number): void {
    const { name, country } = this.#session.writer.row('city', city) as RowOf<'city'>;
    for (const [id, venue] of this.#venuesIn(city))
      this.#session.matcher.venues.index(id, [venue.name], { city: name, country });
  }

  /** Before a city is merged: remembers which of its venues no source record places elsewhere. */
  rememberPlaces(city: number): void {
    const { matcher, writer, sources } = this.#session;
    const { slug: place } = writer.row('city', city) as RowOf<'city'>;
    for (const [id, venue] of this.#venuesIn(city)) {
      if (sources.statementsOf(id).length === 0)
        matcher.merger.store.addInheritedName(id, { name: venue.name, place, slug: '' });
    }
  }

  /** Moves the venues of a city back that it had before it was merged into this one. */
  restoreVenues(from: number, to: number): void {
    const { writer, matcher, lookup, now } = this.#session;
    const city = writer.row('city', to);
    for (const [id, venue] of city ? this.#venuesIn(from) : []) {
      const formerPlace = lookup
        .inheritedNamesWithPlace(id)
        .find(({ name, place }) => name === venue.name && place === city?.slug);
      if (formerPlace === undefined) continue;
      matcher.merger.store.removeInheritedName(id, formerPlace);
      writer.save('venue', id, { city_id: to }, () => [], now);
      writer.markStale(id);
    }
  }

  #venuesIn(city: number): [id: number, RowOf<'venue'>][] {
    const { matcher, writer, lookup } = this.#session;
    return matcher.merger.store.dependents('city', city).flatMap((id): [number, RowOf<'venue'>][] => {
      const venue = lookup.kindOf(id) === 'venue' ? writer.row('venue', id) : undefined;
      return venue ? [[id, venue]] : [];
    });
  }
}
