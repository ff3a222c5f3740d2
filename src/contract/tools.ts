/**
 * The MCP tools as data (docs/spec/agents.md): plans, inputs and outputs. Records in their results have the fields of
 * the REST API and a line for the location.
 */
import { z } from 'zod';
import * as f from './fields.ts';
import { type Plan, planNames } from './plans.ts';
import * as records from './records.ts';

export const toolNames = [
  'search_events',
  'artist_info',
  'artist_upcoming_events',
  'venue_upcoming_events',
] as const;
export type ToolName = (typeof toolNames)[number];

/** The plans that include each tool (docs/spec/agents.md#tools-by-plan). */
export const toolPlans: Record<ToolName, readonly Plan[]> = {
  search_events: planNames,
  artist_info: planNames,
  artist_upcoming_events: ['premium', 'pro'],
  venue_upcoming_events: ['premium', 'pro'],
};

/** Default and maximum of `limit` for the tools. */
export const toolLimits = { default: 10, maximum: 50 } as const;

/** The accepted values of `from` and `to`, for error messages. */
export const acceptedTimeFormats =
  "a date (2026-12-31), a timestamp with an offset or Z (2026-12-31T23:00:00+01:00), a month (2026-12, December), a week (2026-W51), a weekday (Friday: the next one; next Friday: the one of next week), a holiday (New Year's Eve), or one of: today, tonight, tomorrow, this weekend, next weekend, this week, next week, next 7 days, this month, next month";

const textError = (parameter: string, example: string) => ({
  error: `${parameter} is a text, such as "${example}".`,
});
const optionalText = (parameter: string, description: string, example: string) =>
  z
    .string(textError(parameter, example))
    .optional()
    .meta({ description, examples: [example] });
const requiredText = (parameter: string, description: string, example: string) =>
  z
    .string(textError(parameter, example))
    .regex(/\S/, textError(parameter, example))
    .meta({ description, examples: [example] });

const limitError = { error: `limit is a whole number from 1 to ${toolLimits.maximum}.` };
const limit = z
  .int(limitError)
  .min(1, limitError)
  .max(toolLimits.maximum, limitError)
  .default(toolLimits.default)
  .meta({ description: 'How many events at most, soonest first.' });
const from = optionalText(
  'from',
  'Earliest start, inclusive: a date (2026-12-31), month, week (2026-W51), timestamp with offset, or words: "tonight", "this weekend", "Friday", "in two weeks", "first weekend of December", "next summer", "New Year\'s Eve". Days are local to the events. Words without "to" mean that whole day or period.',
  '2026-12-01',
);
const to = optionalText('to', 'Latest start, inclusive, written like "from".', '2026-12-31');
const names = 'a name as people write it (any case, no accents needed, a typo is forgiven) or a slug';
const artist = 'Who plays';
const city = optionalText(
  'city',
  `Only in this city: ${names}. A region ("Goa") stands for its cities.`,
  'Berlin',
);

/** A strict input schema: silently ignoring an unknown member would widen the result. */
const input = <S extends z.ZodRawShape>(shape: S) =>
  z.strictObject(shape, {
    error: (issue) =>
      issue.code === 'unrecognized_keys'
        ? `There is no input ${(issue.keys as string[]).map((key) => `"${key}"`).join(', ')}, only ${Object.keys(shape).join(', ')}.`
        : undefined,
  });

export const toolInputs = {
  search_events: input({
    query: optionalText(
      'query',
      'Free text: an event\'s name, or names together as in "techno in Berlin" or "Âme b2b Dixon". Prefer the fields below for what you know.',
      'techno in Berlin',
    ),
    city,
    country: optionalText(
      'country',
      'Only in this country: a two-letter ISO 3166-1 code; names are understood.',
      'DE',
    ),
    genre: optionalText('genre', `Only of this genre or one below it: ${names}.`, 'techno'),
    artist: optionalText(
      'artist',
      `${artist}: ${names}. Two joined by "b2b" or "and" must both play.`,
      'Ben Klock',
    ),
    venue: optionalText(
      'venue',
      `Where: ${names}; the city may stand beside it ("Berghain Berlin").`,
      'Berghain',
    ),
    festival: optionalText(
      'festival',
      'Only of this festival, with or without a year: a name or slug.',
      'Dekmantel Festival',
    ),
    label: optionalText('label', 'Only with artists of this record label: a name or slug.', 'Ostgut Ton'),
    from,
    to,
    include_past: z.boolean({ error: 'include_past is true or false.' }).default(false).meta({
      description: 'Also list events that are over: newest first if "to" is over.',
    }),
    limit,
  }),
  artist_info: input({ artist: requiredText('artist', `The artist: ${names}.`, 'Ben Klock') }),
  artist_upcoming_events: input({
    artist: requiredText(
      'artist',
      `${artist}: ${names}. Two joined by "b2b" or "and" must both play.`,
      'Ben Klock',
    ),
    from,
    to,
    limit,
  }),
  venue_upcoming_events: input({
    venue: requiredText(
      'venue',
      `The venue: ${names}; the city may stand beside it ("Berghain Berlin").`,
      'Berghain',
    ),
    city: optionalText(
      'city',
      'The city of the venue, or one near it, where several have its name.',
      'Berlin',
    ),
    from,
    to,
    limit,
  }),
} as const satisfies Record<ToolName, z.ZodObject>;

export const toolMatch = z
  .strictObject({
    slug: f.slug,
    name: f.name,
    country: f.country,
    score: z.number().min(0).max(1).meta({
      description:
        'How well the name fits: 1 is the name itself or the slug, below 0.95 a part of it, 0.7 or less a guess at a typo.',
    }),
  })
  .meta({ description: 'A record that a name may mean.' });
const chosenMatch = toolMatch
  .nullable()
  .meta({ description: 'The record that was chosen; null where none fits.' });
const otherMatches = z.array(toolMatch).meta({ description: 'Other readings of the name, best first.' });
const interpretedName = z
  .strictObject({
    kind: z
      .enum(['artist', 'venue', 'genre', 'city', 'festival', 'label'])
      .meta({ description: 'What the name was taken for.' }),
    text: z.string().meta({ description: 'The name as it was given.' }),
    match: chosenMatch,
    other_matches: otherMatches,
  })
  .meta({ description: 'A name in the input, and what it was read as.' });

const location = z
  .string()
  .nullable()
  .meta({ description: 'Where, on one line, as far as known.', examples: ['Berghain, Berlin, DE'] });
const dateAlone = f.date.meta({ description: 'The date alone, where the clock time is not trusted.' });

const ticket = z
  .strictObject({
    seller: records.ticketLink.shape.seller,
    url: records.ticketLink.shape.url,
    price_min: f.price,
    price_max: f.price,
    currency: f.currency,
    availability: f.availability,
  })
  .meta({ description: 'A link to a seller of tickets.' });
const tickets = z.array(ticket).meta({ description: 'Ticket links, by seller.' });

/** An event as the tools return it: the REST list item, its local date, its place on one line, details and tickets. */
export const toolEvent = z
  .strictObject({
    ...records.eventItem.shape,
    start_at: z.union([f.startAt, dateAlone]).meta({
      description: 'When it starts; the date alone where `timezone` is null.',
    }),
    end_at: z
      .union([f.endAt, dateAlone])
      .meta({ description: 'When it ends, written like `start_at`; often not known.' }),
    date: f.date,
    location,
    address: z.string().nullable().meta({ description: 'Street and postal code of the venue.' }),
    genres: z.array(records.genreRef).meta({ description: 'Genres of the event.' }),
    festival_edition: records.festivalEditionRef.nullable(),
    image_url: f.imageUrl,
    minimum_age: f.minimumAge,
    tickets,
  })
  .meta({ description: 'An event.' });

/** A festival edition with the sets that were asked for. */
export const toolEdition = z
  .strictObject({
    festival: records.festivalRef,
    edition: f.edition,
    name: f.name,
    start_at: z.union([f.startAtOrNull, dateAlone]),
    end_at: z.union([f.endAt, dateAlone]),
    timezone: f.timezone,
    status: f.status,
    location,
    url: f.url,
    lineup_count: f.lineupCount,
    lineup: z
      .array(
        z.strictObject({
          slug: f.slug,
          name: f.name,
          stage: f.stage,
          billing: f.billing,
          set_start_at: f.setStartAt,
          set_end_at: f.setEndAt,
        }),
      )
      .meta({ description: 'The sets of the artists asked for; without artists, the line-up.' }),
    tickets,
  })
  .meta({ description: 'A festival edition.' });
const festivals = z
  .array(toolEdition)
  .meta({ description: 'Festival editions that fit as well, with the sets asked for.' });

/** An event in short. */
export const toolEventRef = z.strictObject({
  slug: f.slug,
  name: f.name,
  date: f.date,
  location,
  url: f.url,
});
const eventRef = (description: string) => toolEventRef.nullable().meta({ description });

/** An artist as the tools return it: the REST detail, and the origin on one line. */
export const toolArtist = z
  .strictObject({
    ...records.artist.shape,
    location: location.meta({
      description: 'Where from, on one line, as far as known.',
      examples: ['Germany'],
    }),
  })
  .meta({ description: 'An artist.' });

const events = z.strictObject({
  match: chosenMatch.meta({
    description: 'The record chosen for the first name, or null.',
  }),
  other_matches: otherMatches,
  names: z
    .array(interpretedName)
    .meta({ description: 'All names in the input; events have to fit every one.' }),
  events: z.array(toolEvent).meta({
    description:
      'Soonest first; those named exactly like "query" before the others; newest first if the window is over.',
  }),
  has_more: z.boolean().meta({ description: 'Whether there are more than `limit`.' }),
  festivals,
  past: z
    .strictObject({
      count: z.int().nullable().meta({ description: 'How many; null where they are too many to count.' }),
      latest: toolEventRef,
    })
    .nullable()
    .meta({ description: 'Events that are over, if asked for or if none is coming.' }),
  subgenres: z.array(records.genreRef).meta({ description: 'Genres right below the one asked for.' }),
  venue: records.venue.nullable().meta({ description: 'The venue asked for.' }),
});

export const toolOutputs = {
  search_events: events,
  artist_info: z.strictObject({
    match: chosenMatch,
    other_matches: otherMatches,
    artist: toolArtist.nullable(),
    labels: z.array(records.labelRef).meta({ description: 'Labels of the artist.' }),
    next_event: eventRef('The next event.'),
    last_event: eventRef('The latest event that is over.'),
    festivals,
    mixes: z
      .array(
        z.strictObject({
          slug: f.slug,
          name: f.name,
          podcast: records.podcastRef,
          published_at: f.publishedAt,
          url: f.url,
          tracks: z.array(
            z.strictObject({
              position: f.position,
              artist_name: f.artistName,
              title: f.title,
              label_name: f.labelName,
            }),
          ),
        }),
      )
      .meta({ description: 'The newest mixes with tracklists.' }),
  }),
  artist_upcoming_events: events,
  venue_upcoming_events: events,
} as const satisfies Record<ToolName, z.ZodObject>;

export type ToolInput<N extends ToolName> = z.infer<(typeof toolInputs)[N]>;
export type ToolEvent = z.infer<typeof toolEvent>;
export type ToolEdition = z.infer<typeof toolEdition>;
export type ToolEventRef = z.infer<typeof toolEventRef>;
export type ToolTicket = z.infer<typeof ticket>;
export type ToolMatch = z.infer<typeof toolMatch>;
export type ToolInterpretedName = z.infer<typeof interpretedName>;
