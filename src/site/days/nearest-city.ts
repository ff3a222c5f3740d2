/** Finds the cities with upcoming events near a position. */
import { nearestCities } from '../../catalogue/places/cities.ts';
import { cityText } from '../components/parts.tsx';
import type { PageContext } from '../page-context.ts';

/** Cities looked at for one with upcoming events. */
const maxCandidates = 30;

/** A city near a position, with its name in the language of the page, and its upcoming events, counted up to a limit. */
export type NearCity = { slug: string; name: string; events: number };

/** The cities with upcoming events near a position, nearest first. @param countTo the most events counted per city */
export function nearestCitiesWithEvents(
  context: PageContext,
  at: { latitude: number; longitude: number },
  countTo: number,
): NearCity[] {
  const { reader, site, now, messages } = context;
  const cities = nearestCities(context, at, maxCandidates);
  const ids = cities.map(({ id }) => id);
  const counts = site.selection.upcoming('city', ids, reader.upcoming(now), countTo);
  return cities.flatMap(({ id, slug, name, country }) => {
    const count = counts.get(id);
    return count === undefined
      ? []
      : [{ slug, name: cityText(messages, name, country), events: count.events }];
  });
}
