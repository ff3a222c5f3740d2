/** search_events: events by names, place, genre, dates or free text. */
import { isExactLink, linkEntity } from '../../catalogue/linking/entity-linking.ts';
import { countryCode, countryName, guessCountryCode } from '../../catalogue/places/countries.ts';
import type { CountryMatch } from '../../catalogue/query-parser.ts';
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import { type Tool, type ToolContext, ToolInputError } from '../tool.ts';
import { answerEvents } from './events.ts';

/** Parses the country; undefined if there is none. */
function parseCountry(input: string | undefined, call: ToolContext): CountryMatch | undefined {
  const text = input?.trim() ?? '';
  if (text === '') return undefined;
  const code = countryCode(text);
  if (code !== null) return { code, text };
  throw new ToolInputError(
    `country "${text.slice(0, 100)}" is unknown. Use a two-letter ISO 3166-1 alpha-2 code such as DE, GB or US, or the English name of a country.${countryHint(text, call)}`,
  );
}

/** Returns a hint at the country or city that was probably meant. */
function countryHint(text: string, { catalogue }: ToolContext): string {
  const likely = guessCountryCode(text);
  if (likely !== null) return ` ${countryName(likely)} is ${likely}.`;
  const city = linkEntity(catalogue, 'city', text);
  return city.match && isExactLink(city) ? ` ${city.match.name} is a city: pass it as "city".` : '';
}

export const searchEvents: Tool = {
  name: 'search_events',
  title: 'Search events',
  description: `Finds electronic-music events and festival editions by city, country, genre, artist, venue, festival, label, dates or free text.
Use it for "what techno is on in Berlin this weekend?", "who plays Dekmantel, and when?" or "when did X last play here?".
Returns events with start, end, place, line-up, genres, minimum age, ticket links with prices; festival editions with stages, set times and tickets. Upcoming only, unless include_past is true. All conditions must fit. Names may be inexact: the answer says which record was chosen.
It cannot sell tickets. Events whose names begin with "Sample" are invented examples.
Example: {"city": "Berlin", "genre": "techno", "from": "this weekend"}`,
  plans: toolPlans.search_events,
  input: toolInputs.search_events,
  output: toolOutputs.search_events,
  run(input, call) {
    const { include_past, country, ...query } = input as ToolInput<'search_events'>;
    return answerEvents({ ...query, country: parseCountry(country, call), includePast: include_past }, call);
  },
};
