/** Further MCP tools, which a client asks for with `/mcp?tools=all` (docs/spec/agents.md#further-tools). */
import { z } from 'zod';
import * as records from './records.ts';
import { toolEdition, toolEvent, toolEventRef, toolMatch } from './tools.ts';

export const extraToolNames = [
  'event_info',
  'festival_info',
  'venue_info',
  'genre_info',
  'episode_tracklist',
  'search',
  'fetch',
] as const;
export type ExtraToolName = (typeof extraToolNames)[number];

const text = (parameter: string, description: string) =>
  z
    .string({ error: `${parameter} is a text.` })
    .regex(/\S/, { error: `${parameter} is a text.` })
    .meta({ description });
const optional = (parameter: string, description: string) =>
  z
    .string({ error: `${parameter} is a text.` })
    .optional()
    .meta({ description });

export const extraInputs = {
  event_info: z.strictObject({ event: text('event', 'The name or slug of the event.') }),
  festival_info: z.strictObject({ festival: text('festival', 'The name or slug of the festival.') }),
  venue_info: z.strictObject({
    venue: text('venue', 'The name or slug of the venue.'),
    city: optional('city', 'Its city, where several have the name.'),
  }),
  genre_info: z.strictObject({ genre: text('genre', 'The name or slug of the genre.') }),
  episode_tracklist: z.strictObject({
    episode: text('episode', 'The slug of an episode, or the name of an artist: then their newest mix.'),
  }),
  search: z.strictObject({ query: text('query', 'A name, or the beginning of one.') }),
  fetch: z.strictObject({ id: text('id', 'An id of `search`, such as "artists/ben-klock".') }),
} as const satisfies Record<ExtraToolName, z.ZodObject>;

const matches = { match: toolMatch.nullable(), other_matches: z.array(toolMatch) };

export const extraOutputs = {
  event_info: z.strictObject({
    event: toolEvent.nullable(),
    description: z.string().nullable(),
    lineup: z.array(records.lineupEntry),
    other_events: z.array(toolEventRef),
  }),
  festival_info: z.strictObject({
    ...matches,
    festival: records.festival.nullable(),
    editions: z.array(toolEdition),
  }),
  venue_info: z.strictObject({ ...matches, venue: records.venue.nullable() }),
  genre_info: z.strictObject({ ...matches, genre: records.genre.nullable() }),
  episode_tracklist: z.strictObject({
    episode: records.episode.nullable(),
    tracks: z.array(records.track),
  }),
  search: z.strictObject({
    results: z.array(z.strictObject({ id: z.string(), title: z.string(), url: z.string() })),
  }),
  fetch: z.strictObject({
    id: z.string(),
    title: z.string(),
    text: z.string(),
    url: z.string(),
    metadata: z.record(z.string(), z.string()),
  }),
} as const satisfies Record<ExtraToolName, z.ZodObject>;

export type ExtraInput<N extends ExtraToolName> = z.infer<(typeof extraInputs)[N]>;
