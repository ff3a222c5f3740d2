/** What a question asks for beside events: the clubs or the festivals of a city. */
import type { VNode } from 'preact';
import type { EventResults } from '../../catalogue/find-events.ts';
import { clubWords, festivalWords } from '../../catalogue/stop-words.ts';
import type { TimeBound } from '../../contract/parameters.ts';
import { withQuery } from '../components/pagination.tsx';
import { cityText, NavigationLinks } from '../components/parts.tsx';
import { CityFestivals } from '../days/city-festivals.tsx';
import { dateText } from '../days/scope.ts';
import type { PageContext } from '../page-context.ts';

/** The date of a bound, yyyy-mm-dd. */
export const boundDate = (bound: TimeBound): string =>
  'date' in bound ? dateText(bound.date) : new Date(bound.instant).toISOString().slice(0, 10);

/** The lists that a question asks for, and its words that ask for them. */
export function askedLists(
  context: PageContext,
  q: string,
  { names, window, unread, words: inName }: EventResults,
): { lists: VNode | null; understood: ReadonlySet<string> } {
  const place = names.find(({ kind }) => kind === 'city');
  const city = place?.region === null ? place.match : null;
  const asked = new Set(q.toLowerCase().match(/\p{L}+/gu));
  const clubs = [...clubWords].filter((word) => asked.has(word));
  const festivals = [...festivalWords].filter((word) => asked.has(word));
  // The name of a venue or artist may contain these words, and that of an event.
  const isName =
    inName.split(' ').some((word) => word !== '' && !clubWords.has(word) && !festivalWords.has(word)) ||
    names.some(({ kind }) => kind === 'venue' || kind === 'artist');
  if (place === undefined || city == null || isName || clubs.length + festivals.length === 0)
    return { lists: null, understood: new Set() };
  const { prefix } = context.siteUrl;
  const [first, last] = [window.from, window.to].map((bound) => (bound ? boundDate(bound) : null));
  const lists = (
    <>
      {clubs.length > 0 && (
        <NavigationLinks
          links={[
            {
              href: withQuery(`${prefix}/venues`, { city: city.slug }),
              label: context.messages.days.venuesIn(cityText(context.messages, city.name, city.country)),
            },
          ]}
        />
      )}
      {festivals.length > 0 && (
        <CityFestivals
          context={context}
          city={city}
          days={{ first: first ?? null, last: last ?? null, zone: place.zone }}
        />
      )}
    </>
  );
  const understood = unread.filter((word) => [...clubs, ...festivals].includes(word.toLowerCase()));
  return { lists, understood: new Set(understood) };
}
