/** What a question asks for besides events: the clubs or the festivals of a city. */
import type { VNode } from 'preact';
import { chooseEditions, festivalsInText } from '../../catalogue/festival-editions.ts';
import type { FestivalMatch } from '../../catalogue/festival-names.ts';
import type { EventQuery, EventResults } from '../../catalogue/find-events.ts';
import { clubWords, festivalWords } from '../../catalogue/stop-words.ts';
import type { TimeBound } from '../../contract/parameters.ts';
import { withQuery } from '../components/pagination.tsx';
import { cityText, EditionList, NavigationLinks } from '../components/parts.tsx';
import { CityFestivals } from '../days/city-festivals.tsx';
import { dateText } from '../days/scope.ts';
import type { PageContext } from '../page-context.ts';

/** The date of a bound, yyyy-mm-dd. */
export const boundDate = (bound: TimeBound): string =>
  'date' in bound ? dateText(bound.date) : new Date(bound.instant).toISOString().slice(0, 10);

const maxEditions = 50;

/** The festivals of some days, in a country or anywhere; the next ones if there are none. */
function FestivalsAnywhere({
  context,
  results: { window, country },
}: {
  context: PageContext;
  results: EventResults;
}): VNode {
  const { days: words } = context.messages;
  const { prefix } = context.siteUrl;
  const [first = '', last] = [window.from, window.to].map((bound) => bound && boundDate(bound));
  const begins = Math.max(context.now, Date.parse(`${first}T00:00:00Z`));
  const inCountry = (edition: { country: string | null }): boolean =>
    country === null || edition.country === country.code;
  const editions = context.site.relations
    .nextEditions(begins, maxEditions)
    .filter((edition) => inCountry(edition) && (last === undefined || startOf(edition) <= last));
  const next =
    editions.length > 0 ? [] : context.site.relations.nextEditions(context.now, 3).filter(inCountry);
  return (
    <section aria-labelledby="asked-festivals">
      <h2 id="asked-festivals">{words.festivals}</h2>
      {editions.length === 0 && <p class="empty">{words.noFestivals}</p>}
      <EditionList context={context} editions={editions.length > 0 ? editions : next} />
      <NavigationLinks links={[{ href: `${prefix}/festivals`, label: words.allFestivals }]} />
    </section>
  );
}

/** The first day of an edition, yyyy-mm-dd. */
const startOf = ({ start_at, edition }: { start_at: string | null; edition: string }): string =>
  start_at?.slice(0, 10) ?? edition;

/** The festivals that a question names ("tomorrowland 2024 lineup"), and the section with their editions. */
export type AskedFestivals = { festivals: FestivalMatch[]; section: VNode | null };

/** Finds the festivals that a question names, and their editions: those of its year, otherwise the next or last. */
export function askedFestivals(
  context: PageContext,
  { query, results }: { query: EventQuery; results: EventResults },
): AskedFestivals {
  const festivals = festivalsInText(query, results, context);
  const ids = festivals.length === 0 ? [] : chooseEditions(query, results, context).map(({ id }) => id);
  if (ids.length === 0) return { festivals, section: null };
  return {
    festivals,
    section: (
      <section aria-labelledby="asked-festivals">
        <h2 id="asked-festivals">{context.messages.days.festivals}</h2>
        <EditionList context={context} editions={context.site.relations.editions(ids)} />
      </section>
    ),
  };
}

const openAirWords: ReadonlySet<string> = new Set(['open', 'air', 'openair']);
/** Words beside which a question still asks for a list. */
const listWords = [clubWords, festivalWords, openAirWords];

/** The lists that a question asks for, and its words that ask for them. */
export function askedLists(
  context: PageContext,
  q: string,
  results: EventResults,
): { lists: VNode | null; understood: ReadonlySet<string> } {
  const { names, window, unread, words: inName } = results;
  const place = names.find(({ kind }) => kind === 'city');
  const city = place?.region === null ? place.match : null;
  const questionWords = new Set(q.toLowerCase().match(/\p{L}+/gu));
  const clubs = [...clubWords].filter((word) => questionWords.has(word));
  const festivals = [...festivalWords].filter((word) => questionWords.has(word));
  // The name of a venue or artist may contain these words, and that of an event.
  const isName =
    inName
      .toLowerCase()
      .split(' ')
      .some((word) => word !== '' && !listWords.some((words) => words.has(word))) ||
    names.some(({ kind }) => kind === 'venue' || kind === 'artist');
  const none = { lists: null, understood: new Set<string>() };
  if (isName || clubs.length + festivals.length === 0) return none;
  if (place === undefined)
    return names.length > 0 || festivals.length === 0 || window.from === undefined
      ? none
      : {
          lists: <FestivalsAnywhere context={context} results={results} />,
          understood: new Set([...festivals, ...openAirWords]),
        };
  if (city == null) return none;
  const { prefix } = context.siteUrl;
  const cityName = cityText(context.messages, city.name, city.country);
  const [first, last] = [window.from, window.to].map((bound) => (bound ? boundDate(bound) : null));
  const lists = (
    <>
      {clubs.length > 0 && (
        <NavigationLinks
          links={[
            {
              href: withQuery(`${prefix}/venues`, { city: city.slug }),
              label: context.messages.days.venuesIn(cityName),
            },
          ]}
        />
      )}
      {festivals.length > 0 && (
        <CityFestivals
          context={context}
          city={{ id: city.id, name: cityName }}
          days={{ first: first ?? null, last: last ?? null, zone: place.zone }}
        />
      )}
    </>
  );
  const understood = unread.filter((word) => [...clubs, ...festivals].includes(word.toLowerCase()));
  return { lists, understood: new Set(understood) };
}
