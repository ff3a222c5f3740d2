/** artist_info: who an artist is. */

import { linkArtists } from '../../catalogue/linking/artists.ts';
import type { Candidate } from '../../catalogue/linking/candidates.ts';
import { countryName, countryNameWithArticle } from '../../catalogue/places/countries.ts';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { type ToolInput, toolInputs, toolOutputs, toolPlans } from '../../contract/tools.ts';
import { withBaseUrl } from '../../store/records/serialize.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { finishText, joinSome, matchLines, toToolMatch } from './format.ts';

const maxGenres = 50;
const maxLinks = 5;
const maxAliases = 10;
const maxBiographyLength = 600;

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
    return call.catalogue.reader.snapshot(() => answerArtist(artist, call));
  },
};

function answerArtist(name: string, call: ToolContext): ToolResult {
  const [first, ...further] = linkArtists(call.catalogue, name);
  // Of several artists in one name, the first is told of and the others are mentioned.
  const together = further.flatMap(({ match }) => (match ? [match] : []));
  const match = first?.match ?? null;
  const others = [...together, ...(first?.alternatives ?? [])].filter(
    ({ id }, at, all) => id !== match?.id && all.findIndex((one) => one.id === id) === at,
  );
  const artist = match === null ? null : loadArtist(match, call);
  const lines = artist === null ? [] : artistLines(artist);
  const advice = match === null ? ['Give the whole name as it stands on posters, or its slug.'] : [];
  return {
    structured: {
      match: match && toToolMatch(match),
      other_matches: others.map(toToolMatch),
      artist,
    },
    text: finishText(
      [...lines, ...(first ? matchLines(first) : []), ...severalArtistsNote(match, together), ...advice],
      call,
    ),
  };
}

/** What to do about a name of several artists. */
function severalArtistsNote(match: Candidate | null, together: readonly Candidate[]): string[] {
  if (match === null || together.length === 0) return [];
  const rest = together.map(({ name, slug }) => `${name} [${slug}]`).join(', ');
  return [`These are several artists, and this is ${match.name}. Ask for the rest one by one: ${rest}.`];
}

type ToolArtist = ApiRecord<'Artist'> & { genres: RecordRef[]; location: string | null };

/** The record of an artist, as REST shows it, with genres and the country by name. */
function loadArtist({ id }: Candidate, { catalogue: { reader }, now, baseUrl }: ToolContext): ToolArtist {
  const artist = reader.details.artist(id, reader.upcoming(now));
  const genres = reader.byName
    .source('genre', { artist: id }, true)
    .fetch(null, maxGenres, null)
    .map(([json]) => JSON.parse(json) as RecordRef);
  return {
    ...(JSON.parse(withBaseUrl(JSON.stringify(artist), baseUrl)) as ApiRecord<'Artist'>),
    genres,
    location: artist.country === null ? null : countryName(artist.country),
  };
}

function artistLines(artist: ToolArtist): string[] {
  const { name, country, genres, aliases, real_name, biography, links } = artist;
  const optional = (label: string, text: string | null) => (text ? [`${label}: ${text}`] : []);
  return [
    `${name}${country === null ? '' : `, from ${countryNameWithArticle(country)} (${country})`}`,
    ...optional('Genres', genres.map((genre) => genre.name).join(', ')),
    ...optional('Also known as', joinSome(aliases, maxAliases)),
    ...optional('Real name', real_name),
    ...optional('About', biography === null ? null : shortened(biography)),
    ...optional(
      'Links',
      joinSome(
        links.map(({ url }) => url),
        maxLinks,
      ),
    ),
    `Upcoming events: ${artist.upcoming_event_count}${artist.upcoming_event_count > 0 ? ` (search_events with artist "${artist.slug}" lists them)` : ''}`,
    artist.url,
  ];
}

/** The beginning of a text on one line, up to the end of a word. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxBiographyLength) return line;
  return `${line.slice(0, maxBiographyLength).replace(/\s+\S*$/, '')} …`;
}
