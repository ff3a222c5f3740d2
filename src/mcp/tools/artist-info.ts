/** artist_info: the record of an artist. */

import { linkArtists } from '../../catalogue/linking/artists.ts';
import type { Candidate } from '../../catalogue/linking/candidates.ts';
import { countryName, countryNameWithArticle } from '../../catalogue/places/countries.ts';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import {
  type ToolEdition,
  type ToolEventRef,
  type ToolInput,
  toolInputs,
  toolOutputs,
  toolPlans,
} from '../../contract/tools.ts';
import type { Mix } from '../../store/answers/artist-extras.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { eventRefLine, toEventRef } from './event-text.ts';
import { editionLines, toToolEdition } from './festivals.ts';
import { finishText, joinSome, matchLines, toToolMatch, withOwnUrls } from './format.ts';

const maxLabels = 50;
const maxFestivals = 10;
const maxMixes = 3;
const maxTracks = 40;
const maxLinks = 5;
const maxAliases = 10;
const maxBiographyLength = 600;

export const artistInfo: Tool = {
  name: 'artist_info',
  title: 'About an artist',
  description: `Describes an electronic-music artist, DJ or live act: country, genres, aliases, real name, biography, links, labels, next and latest event, coming festivals, newest mixes with tracklists.
Use it for "who is Ben Klock?" or "which label is Âme on?".
Returns the chosen artist (match) and the whole record; unknown values are null. It does not list all events (use search_events with "artist") or releases. One artist per call.
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
  // If a name has several artists, the first is returned and the others are named.
  const partners = further.flatMap(({ match }) => (match ? [match] : []));
  const match = first?.match ?? null;
  const others = [...partners, ...(first?.alternatives ?? [])].filter(
    ({ id }, at, all) => id !== match?.id && all.findIndex((one) => one.id === id) === at,
  );
  const artist = match === null ? null : loadArtist(match, call);
  const more = match === null ? noExtras : loadExtras(match, call);
  const lines = artist === null ? [] : [...artistLines(artist), ...extraLines(more)];
  const advice = match === null ? ['Pass the full name as on posters, or the slug.'] : [];
  return {
    structured: {
      match: match && toToolMatch(match),
      other_matches: others.map(toToolMatch),
      artist,
      ...more,
    },
    text: finishText(
      [...lines, ...(first ? matchLines(first) : []), ...severalArtistsNote(match, partners), ...advice],
      call,
    ),
  };
}

type ArtistExtra = {
  labels: RecordRef[];
  next_event: ToolEventRef | null;
  last_event: ToolEventRef | null;
  festivals: ToolEdition[];
  mixes: Mix[];
};
const noExtras: ArtistExtra = { labels: [], next_event: null, last_event: null, festivals: [], mixes: [] };

/** Loads labels, the next and the latest event, coming festivals and the newest mixes. */
function loadExtras({ id }: Candidate, call: ToolContext): ArtistExtra {
  const { events, artistExtras, editionSearch } = call.catalogue.reader;
  const [[next] = []] = events.source({ artist: id, upcomingAt: call.now }).fetch(null, 1, null);
  const [[last] = []] = events.newest({ artist: id, pastAt: call.now }, 1);
  const editions = editionSearch.ofArtist(id, call.now).slice(0, maxFestivals);
  const mixes = artistExtras.mixes(id, maxMixes, maxTracks);
  return {
    labels: artistExtras.labels(id),
    next_event: next === undefined ? null : toEventRef(String(next), call),
    last_event: last === undefined ? null : toEventRef(String(last), call),
    festivals: editions.map((edition) => toToolEdition({ id: edition.id, artists: [id] }, call)),
    mixes: withOwnUrls(mixes, call.baseUrl),
  };
}

function extraLines({ labels, next_event, last_event, festivals, mixes }: ArtistExtra): string[] {
  return [
    ...(labels.length === 0
      ? []
      : [
          `Labels: ${joinSome(
            labels.map(({ name }) => name),
            maxLabels,
          )}`,
        ]),
    ...(next_event === null ? [] : [`Next event: ${eventRefLine(next_event)}`]),
    ...(last_event === null ? [] : [`Latest past event: ${eventRefLine(last_event)}`]),
    ...(festivals.length === 0 ? [] : ['Festivals:', ...editionLines(festivals)]),
    ...mixes.map(mixLine),
  ];
}

/** Formats a mix with its tracklist on one line. */
function mixLine({ name, podcast, published_at, url, tracks }: Mix): string {
  const list = tracks.map(
    ({ position, artist_name, title }) => `${position}. ${artist_name ?? 'unknown'}: ${title ?? 'untitled'}`,
  );
  const day = published_at === null ? '' : `, ${published_at.slice(0, 10)}`;
  const tracklist = list.length === 0 ? '' : ` Tracks: ${list.join('; ')}`;
  return `Mix: ${name} (${podcast.name}${day}) ${url}${tracklist}`;
}

/** Returns a note about a name of several artists. */
function severalArtistsNote(match: Candidate | null, partners: readonly Candidate[]): string[] {
  if (match === null || partners.length === 0) return [];
  const rest = partners.map(({ name, slug }) => `${name} [${slug}]`).join(', ');
  return [`These are several artists, and this is ${match.name}. Call once for each of the others: ${rest}.`];
}

type ToolArtist = ApiRecord<'Artist'> & { location: string | null };

/** Loads the record of REST, with the name of the country. */
function loadArtist({ id }: Candidate, { catalogue: { reader }, now, baseUrl }: ToolContext): ToolArtist {
  const artist = reader.details.artist(id, reader.upcoming(now));
  return {
    ...withOwnUrls(artist, baseUrl),
    location: artist.country === null ? null : countryName(artist.country),
  };
}

function artistLines(artist: ToolArtist): string[] {
  const { name, country, genres, aliases, real_name, biography, links } = artist;
  const optional = (label: string, text: string | null) => (text ? [`${label}: ${text}`] : []);
  return [
    `${name}${country === null ? '' : `, from ${countryNameWithArticle(country)} (${country})`}`,
    ...optional(artist.status === 'ended' ? 'Ended' : 'Ends', artist.ended_at),
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

/** Returns the beginning of a text on one line, cut at the end of a word. */
function shortened(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  if (line.length <= maxBiographyLength) return line;
  return `${line.slice(0, maxBiographyLength).replace(/\s+\S*$/, '')} …`;
}
