/** artist_info: who an artist is. */
import type { Candidate } from '../../catalogue/candidates.ts';
import { chooseArtists } from '../../catalogue/choose-artists.ts';
import { countryInText, countryName } from '../../catalogue/countries.ts';
import type { Ref, Shown } from '../../contract/records.ts';
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import { withBaseUrl } from '../../store/show.ts';
import type { Tool, ToolAnswer, ToolCall } from '../tool.ts';
import { finish, matchLines, showMatch, someOf } from './show.ts';

const mostGenres = 50;
const mostLinks = 5;
const mostAliases = 10;
const longestBiography = 600;

export const artistInfo: Tool = {
  name: 'artist_info',
  title: 'About an artist',
  description: `Tells who an electronic-music artist, DJ or live act is: country, genres, other names, real name, biography, links, ids elsewhere, and how many upcoming events there are.
Use it for questions such as "who is Ben Klock?", "what does Âme play?" or "what else is Aphex Twin called?".
Returns the artist that was chosen (match, with other_matches where the name is ambiguous) and the whole record; what is not known is null. Where nobody has the name, match and artist are null.
It does not list events (search_events with "artist" does), records or tracks, and knows one artist a call.
Example: {"artist": "Ben Klock"}`,
  plans: toolPlans.artist_info,
  input: toolInputs.artist_info,
  output: toolOutputs.artist_info,
  run(input, call) {
    const { artist } = input as ToolInput<'artist_info'>;
    return call.catalogue.reader.snapshot(() => answer(artist, call));
  },
};

function answer(name: string, call: ToolCall): ToolAnswer {
  const [first, ...further] = chooseArtists(call.catalogue, name);
  // Of several artists in one name, the first is told of and the others are mentioned.
  const together = further.flatMap(({ match }) => (match ? [match] : []));
  const match = first?.match ?? null;
  const others = [...together, ...(first?.others ?? [])].filter(
    ({ id }, at, all) => id !== match?.id && all.findIndex((one) => one.id === id) === at,
  );
  const artist = match === null ? null : record(match, call);
  const lines = artist === null ? [] : describe(artist);
  const advice = match === null ? ['Give the whole name as it stands on posters, or its slug.'] : [];
  return {
    structured: {
      match: match && showMatch(match),
      other_matches: others.map(showMatch),
      artist,
    },
    text: finish(
      [...lines, ...(first ? matchLines(first) : []), ...several(match, together), ...advice],
      call,
    ),
  };
}

/** What to do about a name of several artists. */
function several(match: Candidate | null, together: readonly Candidate[]): string[] {
  if (match === null || together.length === 0) return [];
  const rest = together.map(({ name, slug }) => `${name} [${slug}]`).join(', ');
  return [`These are several artists, and this is ${match.name}. Ask for the rest one by one: ${rest}.`];
}

type ToolArtist = Shown<'Artist'> & { genres: Ref[]; location: string | null };

/** The record of an artist, as REST shows it, with genres and the country by name. */
function record({ id }: Candidate, { catalogue: { reader }, now, baseUrl }: ToolCall): ToolArtist {
  const artist = reader.details.artist(id, reader.upcoming(now));
  const genres = reader.byName
    .source('genre', { artist: id }, true)
    .fetch(null, mostGenres, null)
    .map(([json]) => JSON.parse(json) as Ref);
  return {
    ...(JSON.parse(withBaseUrl(JSON.stringify(artist), baseUrl)) as Shown<'Artist'>),
    genres,
    location: artist.country === null ? null : countryName(artist.country),
  };
}

function describe(artist: ToolArtist): string[] {
  const { name, country, genres, aliases, real_name, biography, links } = artist;
  const optional = (label: string, text: string | null) => (text ? [`${label}: ${text}`] : []);
  return [
    `${name}${country === null ? '' : `, from ${countryInText(country)} (${country})`}`,
    ...optional('Genres', genres.map((genre) => genre.name).join(', ')),
    ...optional('Also known as', someOf(aliases, mostAliases)),
    ...optional('Real name', real_name),
    ...optional('About', biography === null ? null : shortened(biography)),
    ...optional(
      'Links',
      someOf(
        links.map(({ url }) => url),
        mostLinks,
      ),
    ),
    `Upcoming events: ${artist.upcoming_event_count}${artist.upcoming_event_count > 0 ? ` (search_events with artist "${artist.slug}" lists them)` : ''}`,
    artist.url,
  ];
}

/** The beginning of a text on one line, up to the end of a word. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= longestBiography) return line;
  return `${line.slice(0, longestBiography).replace(/\s+\S*$/, '')} …`;
}
