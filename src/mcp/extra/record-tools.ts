/** event_info, festival_info, venue_info, genre_info, episode_tracklist: one record each. */

import type { z } from 'zod';
import { linkArtists } from '../../catalogue/linking/artists.ts';
import { type EntityLink, linkEntity } from '../../catalogue/linking/entity-linking.ts';
import { type ExtraInput, extraInputs, extraOutputs } from '../../contract/extra-tools.ts';
import { planNames } from '../../contract/plans.ts';
import { type ApiRecord, eventItem } from '../../contract/records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { lineSegment } from '../sanitize-text.ts';
import type { Tool, ToolContext, ToolResult } from '../tool.ts';
import { eventLines, eventRefLine, toEventRef, toToolEvent } from '../tools/event-text.ts';
import { editionLines, toToolEdition } from '../tools/festivals.ts';
import { finishText, matchLines, toToolChoice, withOwnUrls } from '../tools/format.ts';
import { venueLine } from '../tools/venue-text.ts';

const maxOthers = 10;
const maxEditions = 10;
const maxLineup = 200;

/** Returns the list items of the event with a slug or exact name, upcoming ones first. */
function findEventItems(text: string, { catalogue: { reader }, now }: ToolContext): string[] {
  const bySlug = reader.find('event', text.trim());
  if (bySlug !== null) return [reader.details.event(bySlug)];
  const words = normalizeForSearch(text);
  const upcoming = reader.eventNames.find(words, { upcomingAt: now }, maxOthers + 1);
  const all = upcoming.length > 0 ? upcoming : reader.eventNames.find(words, {}, maxOthers + 1).toReversed();
  const isExact = (json: string) => normalizeForSearch((JSON.parse(json) as { name: string }).name) === words;
  return [...all.filter(isExact), ...all.filter((json) => !isExact(json))];
}

/** Returns the members of a list item: the detail of an event has more. */
function toItem(json: string): string {
  const event = JSON.parse(json) as Record<string, unknown>;
  return JSON.stringify(Object.fromEntries(Object.keys(eventItem.shape).map((name) => [name, event[name]])));
}

function eventInfo({ event: text }: ExtraInput<'event_info'>, call: ToolContext): ToolResult {
  const { reader } = call.catalogue;
  const [first, ...others] = findEventItems(text, call);
  if (first === undefined)
    return {
      structured: { event: null, description: null, lineup: [], other_events: [] },
      text: finishText([`No event on record is named "${text.slice(0, 200)}".`], call),
    };
  const event = toToolEvent(toItem(first), call);
  const id = reader.find('event', event.slug) as number;
  const { description } = JSON.parse(reader.details.event(id)) as ApiRecord<'Event'>;
  const lineup = reader.editionSearch.lineup(id, maxLineup);
  const refs = others.slice(0, maxOthers).map((json) => toEventRef(json, call));
  return {
    structured: { event, description, lineup, other_events: refs },
    text: finishText(
      [
        ...eventLines([event], new Set()),
        ...(description === null ? [] : [lineSegment(description.slice(0, 600))]),
        ...refs.map((ref) => `Also: ${eventRefLine(ref)}`),
      ],
      call,
    ),
  };
}

/** Returns the members of a result about a name, and its lines. */
const about = (link: EntityLink) => ({ choice: toToolChoice(link), lines: matchLines(link) });

function festivalInfo({ festival: text }: ExtraInput<'festival_info'>, call: ToolContext): ToolResult {
  const { reader } = call.catalogue;
  const link = linkEntity(call.catalogue, 'festival', text);
  const { choice, lines } = about(link);
  const festival =
    link.match && withOwnUrls(reader.details.festivals.festival(link.match.id, call.now), call.baseUrl);
  const editions = (link.match ? reader.editionSearch.ofFestival(link.match.id) : [])
    .toReversed()
    .slice(0, maxEditions)
    .map(({ id }) => toToolEdition({ id, artists: [] }, call));
  const head = festival === null ? [] : [lineSegment(`${festival.name}: ${festival.url}`)];
  return {
    structured: { ...choice, festival, editions },
    text: finishText([...head, ...editionLines(editions), ...lines], call),
  };
}

function venueInfo({ venue: text, city }: ExtraInput<'venue_info'>, call: ToolContext): ToolResult {
  const { reader } = call.catalogue;
  const link = linkEntity(call.catalogue, 'venue', text, city === undefined ? {} : { city });
  const { choice, lines } = about(link);
  const upcoming = reader.upcoming(call.now);
  const venue = link.match && withOwnUrls(reader.details.venue(link.match.id, upcoming), call.baseUrl);
  return {
    structured: { ...choice, venue },
    text: finishText([...(venue === null ? [] : [venueLine(venue)]), ...lines], call),
  };
}

function genreInfo({ genre: text }: ExtraInput<'genre_info'>, call: ToolContext): ToolResult {
  const { reader } = call.catalogue;
  const link = linkEntity(call.catalogue, 'genre', text);
  const { choice, lines } = about(link);
  const genre =
    link.match && withOwnUrls(reader.details.genre(link.match.id, reader.upcoming(call.now)), call.baseUrl);
  const facts =
    genre === null
      ? []
      : [
          `${genre.name}${genre.parent === null ? '' : `, a kind of ${genre.parent.name}`}. ${genre.description ?? ''}`,
          `Subgenres: ${genre.children.map(({ name }) => name).join(', ') || 'none'}.`,
          `${genre.artist_count} artists, ${genre.upcoming_event_count} upcoming events. ${genre.url}`,
        ];
  return { structured: { ...choice, genre }, text: finishText([...facts.map(lineSegment), ...lines], call) };
}

function episodeTracklist({ episode: text }: ExtraInput<'episode_tracklist'>, call: ToolContext): ToolResult {
  const { reader } = call.catalogue;
  const id = reader.find('episode', text.trim()) ?? newestMixOf(text, call);
  if (id === null)
    return {
      structured: { episode: null, tracks: [] },
      text: finishText([`No episode on record is named "${text.slice(0, 200)}".`], call),
    };
  const episode = withOwnUrls(reader.details.episode(id), call.baseUrl);
  const tracks = reader.nestedLists
    .all('tracks', id)
    .map(([json]) => JSON.parse(String(json)) as ApiRecord<'Track'>);
  const list = tracks.map(({ position, artist_name, title, label_name }) =>
    lineSegment(
      `${position}. ${artist_name ?? 'unknown'}: ${title ?? 'untitled'}${label_name ? ` [${label_name}]` : ''}`,
    ),
  );
  const head = `${episode.name} (${episode.podcast.name}) ${episode.url}`;
  return { structured: { episode, tracks }, text: finishText([lineSegment(head), ...list], call) };
}

function newestMixOf(text: string, { catalogue }: ToolContext): number | null {
  const match = linkArtists(catalogue, text)[0]?.match;
  const [mix] = match ? catalogue.reader.artistExtras.mixes(match.id, 1, 0) : [];
  return mix === undefined ? null : catalogue.reader.find('episode', mix.slug);
}

type RecordToolName = 'event_info' | 'festival_info' | 'venue_info' | 'genre_info' | 'episode_tracklist';
type InputOf<Name extends RecordToolName> = z.infer<(typeof extraInputs)[Name]>;
const recordTool = <Name extends RecordToolName>(
  name: Name,
  title: string,
  description: string,
  run: (input: InputOf<Name>, call: ToolContext) => ToolResult,
): Tool => ({
  name,
  title,
  description,
  plans: planNames,
  input: extraInputs[name],
  output: extraOutputs[name],
  run: (input, call) => call.catalogue.reader.snapshot(() => run(input as InputOf<Name>, call)),
});

/** The tools about one record, which a client gets on request only. */
export const recordTools: readonly Tool[] = [
  recordTool(
    'event_info',
    'About an event',
    'Describes one event by its name or slug: times, place, line-up with set times, tickets, description.',
    eventInfo,
  ),
  recordTool(
    'festival_info',
    'About a festival',
    'Describes a festival and its editions, newest first: days, place, line-up by stage, tickets.',
    festivalInfo,
  ),
  recordTool(
    'venue_info',
    'About a venue',
    'Describes a venue: address, position, capacity, links.',
    venueInfo,
  ),
  recordTool(
    'genre_info',
    'About a genre',
    'Describes a genre: parent, subgenres, number of artists and events.',
    genreInfo,
  ),
  recordTool(
    'episode_tracklist',
    'Tracklist of a mix',
    'Lists the tracks of a podcast episode by its slug, or of the newest mix of an artist.',
    episodeTracklist,
  ),
];
