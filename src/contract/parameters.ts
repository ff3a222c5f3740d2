/** Query parameters: parsing, and the error message of invalid values (docs/spec/lists.md). */
import { iso31661 } from 'iso-3166';
import { z } from 'zod';
import { type ExternalService, eventStatuses, externalServices, searchableTypes } from './fields.ts';
import { placeFilters } from './place-parameters.ts';
import { pageLimits } from './plans.ts';

/** Assigned ISO 3166-1 codes, and XK, the user-assigned code that is commonly used for Kosovo. */
export const countryCodes: ReadonlySet<string> = new Set([...iso31661.map((entry) => entry.alpha2), 'XK']);

/** A bound on an event's start: a local calendar date as the number yyyymmdd, or an instant in ms. */
export type TimeBound = { date: number } | { instant: number };

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timestampPattern =
  /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(?:[Zz]|[+\- ](\d{2}):(\d{2}))$/;

/** Parses a date `yyyy-mm-dd` to the number yyyymmdd; null if the date does not exist. */
export function parseDate(text: string): number | null {
  const match = datePattern.exec(text);
  if (!match) return null;
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])];
  const probe = new Date(0);
  probe.setUTCFullYear(year, month - 1, day);
  const real = year > 0 && probe.getUTCMonth() === month - 1 && probe.getUTCDate() === day;
  return real ? year * 10_000 + month * 100 + day : null;
}

/**
 * Parses an RFC 3339 timestamp with an offset or Z to ms since 1970, or returns null. A space in place of the
 * offset's sign is read as `+`, because an unescaped `+` in a URL arrives as a space.
 */
export function parseInstant(text: string): number | null {
  const match = timestampPattern.exec(text);
  if (!match || parseDate(match[1] as string) === null) return null;
  const [hour, minute, second] = [Number(match[2]), Number(match[3]), Number(match[4] ?? 0)];
  if (hour > 23 || minute > 59 || second > 59 || Number(match[5] ?? 0) > 23 || Number(match[6] ?? 0) > 59)
    return null;
  const clock = text.replace(/^(.{10})[t ]/, '$1T').replace('z', 'Z');
  const time = Date.parse(clock.replace(/ (\d{2}:\d{2})$/, '+$1'));
  return Number.isNaN(time) ? null : time;
}

const parseTimeBound = (text: string): TimeBound | null => {
  const date = parseDate(text);
  if (date !== null) return { date };
  const instant = parseInstant(text);
  return instant === null ? null : { instant };
};

const acceptedTimeFormat =
  'is a date (2026-12-31) or a timestamp with an offset or Z (2026-12-31T23:00:00+01:00).';
const window = (description: string, parameter: string) => ({
  description,
  schema: z.string().meta({ examples: ['2026-12-31', '2026-12-31T23:00:00+01:00'] }),
  read: parseTimeBound,
  error: `${parameter} ${acceptedTimeFormat}`,
});

/** How many slugs or external ids one request may list. */
const maxListedValues = 100;
const tooManyValues = `at most ${maxListedValues}, separated by commas`;

/** Splits a list at its commas. Returns null if it holds nothing or too much. */
function parseList(text: string): string[] | null {
  const values = text
    .split(',', maxListedValues * 2)
    .map((value) => value.trim())
    .filter((value) => value !== '');
  return values.length === 0 || values.length > maxListedValues ? null : values;
}

/** Reads a list whose values are of a fixed set, in any case; null if one is not. */
const parseWords =
  <T extends string>(words: readonly T[]) =>
  (text: string): T[] | null => {
    const values = parseList(text)?.map((value) => words.find((word) => word === value.toLowerCase()));
    return values?.every((value) => value !== undefined) ? values : null;
  };
const words = <T extends string>(parameter: string, values: readonly T[], description: string) => ({
  description: `${description} Several are separated by commas: ${values.join(', ')}.`,
  schema: z.string().meta({ examples: [values[0] as string, values.slice(0, 2).join(',')] }),
  read: parseWords(values),
  error: `${parameter} takes ${values.join(', ')}; several are separated by commas.`,
});
/**
 * Reads one value as a text, and several as a list. Cursors are bound to filters as they are read, and those with one
 * value must read as they did before several were accepted.
 */
const oneOrMore =
  (parse: (text: string) => string[] | null) =>
  (text: string): string | string[] | null => {
    const values = parse(text);
    return values?.length === 1 ? (values[0] as string) : values;
  };
/** Returns the values of a filter that takes one or several; undefined if it is absent. */
export const valuesOf = (value: string | readonly string[] | undefined): readonly string[] | undefined =>
  typeof value === 'string' ? [value] : value;

const slugs = (parameter: string, description: string) => ({
  description: `${description} Several are separated by commas, ${maxListedValues} at most; events of any of them are listed. An unknown slug matches nothing.`,
  schema: z.string(),
  read: oneOrMore(parseList),
  error: `${parameter} takes slugs, ${tooManyValues}.`,
});
const flag = (parameter: string, description: string) => ({
  description: `${description} The only value is \`true\`.`,
  schema: z.enum(['true']),
  read: (text: string): true | null => (text.toLowerCase() === 'true' ? true : null),
  error: `${parameter} takes the value true. Leave it out to list everything.`,
});
const since = (parameter: string, description: string) => ({
  description: `${description} A timestamp with an offset or Z (RFC 3339). The order stays that of the list.`,
  schema: z.string().meta({ examples: ['2026-11-20T12:00:00Z'] }),
  read: parseInstant,
  error: `${parameter} is a timestamp with an offset or Z (2026-11-20T12:00:00Z).`,
});

function parseCountries(text: string): string[] | null {
  const codes = parseList(text)?.map((code) => code.toUpperCase());
  return codes?.every((code) => countryCodes.has(code)) ? codes : null;
}

/** The texts of a filter whose values may contain commas: the whole text first, then its parts. */
function parseTexts(text: string): string[] | null {
  const values = parseList(text);
  return values === null || (values.length === 1 && values[0] === text) ? values : [text, ...values];
}

/** The id of an event at one of the sources of this catalogue. */
export type SourceIdFilter = { source: string; id: string };

/** Names of sources contain no colon. An id with commas is found if it is asked for alone. */
function parseSourceIds(text: string): SourceIdFilter[] | null {
  const values = parseTexts(text);
  const ids = values?.map((value): SourceIdFilter | null => {
    const at = value.indexOf(':');
    return at < 1 || at === value.length - 1 ? null : { source: value.slice(0, at), id: value.slice(at + 1) };
  });
  if (ids === undefined || ids[0] === null) return null;
  const valid = ids.filter((id) => id !== null);
  // The parts of one id with commas are no ids, but then the first text is one.
  return valid.length === ids.length || text.includes(',') ? valid : null;
}

/** The id of a record at another service. */
export type ExternalIdFilter = { service: ExternalService; id: string };

function parseExternalIds(text: string): ExternalIdFilter[] | null {
  const values = parseList(text)?.map((value): ExternalIdFilter | null => {
    const at = value.indexOf(':');
    const service = externalServices.find((one) => one === value.slice(0, at).toLowerCase());
    const id = value.slice(at + 1);
    return service === undefined || id === '' ? null : { service, id };
  });
  return values?.every((value) => value !== null) ? values : null;
}

/**
 * The filters. `read` returns the value, or null for invalid text; `error` then describes the accepted values. Empty
 * values count as absent and are never passed.
 */
export const filters = {
  country: {
    description: `ISO 3166-1 alpha-2 code, in any case. Several are separated by commas, ${maxListedValues} at most.`,
    schema: z
      .string()
      .regex(/^[A-Za-z]{2}(?:,[A-Za-z]{2})*$/)
      .meta({ examples: ['DE', 'DE,NL'] }),
    read: oneOrMore(parseCountries),
    error: 'country is a two-letter ISO 3166-1 code such as DE, GB or US; several are separated by commas.',
  },
  city: {
    description: `City, as free text: equal to the city's name on the event but for case and diacritics. Several are separated by commas, ${maxListedValues} at most. Prefer /cities/{slug}/events.`,
    schema: z.string().meta({ examples: ['Berlin', 'Berlin,Leipzig'] }),
    read: oneOrMore(parseTexts),
    error: `city takes names of cities, ${tooManyValues}.`,
  },
  slug: {
    description: `Slugs of the records, ${tooManyValues}. Former slugs count too; unknown ones are absent from the response.`,
    schema: z.string().meta({ examples: ['ben-klock,dvs1'] }),
    read: parseList,
    error: `slug takes slugs, ${tooManyValues}.`,
  },
  external_id: {
    description: `Ids at other services, as service:id, in any case, ${tooManyValues}. Unknown ones are absent from the response.`,
    schema: z.string().meta({ examples: ['musicbrainz:26ce4e31-e67b-4b7d-8d33-7a5d1e6a0b27,discogs:73902'] }),
    read: parseExternalIds,
    error: `external_id takes ids as service:id, ${tooManyValues}. Services: ${externalServices.join(', ')}.`,
  },
  source_id: {
    parameter: 'external_id',
    description: `Ids of events at the sources of this catalogue, as source:id, ${tooManyValues}: the \`name\` and \`external_id\` of \`sources\` in the event's detail. Unknown ones are absent from the response.`,
    schema: z.string().meta({ examples: ['berghain:12345', 'resident:1,resident:2'] }),
    read: parseSourceIds,
    error: `external_id takes ids as source:id, ${tooManyValues}. The source is the name that the event's detail shows under sources.`,
  },
  venue: slugs('venue', 'Slug of a venue.'),
  genre: slugs('genre', 'Slug of a genre; the genres below it are included.'),
  artist: slugs('artist', 'Slug of an artist.'),
  ...placeFilters,
  status: words(
    'status',
    eventStatuses,
    'Only events of this stated status. Most sources state none: the status of their events is null, and they are in none of these lists.',
  ),
  venue_status: {
    ...words('status', ['open', 'closed'], 'Only venues of this status.'),
    parameter: 'status',
  },
  label_status: {
    ...words('status', ['active', 'closed'], 'Only labels of this status.'),
    parameter: 'status',
  },
  life_status: {
    ...words('status', ['active', 'ended'], 'Only records of this status.'),
    parameter: 'status',
  },
  has_tickets: flag('has_tickets', 'Only events with ticket links.'),
  upcoming: flag('upcoming', 'Only records with an event, or a festival edition, that is not over.'),
  name: {
    description:
      'Only cities of this name or alias, but for case and diacritics. Several are separated by commas, 100 at most.',
    schema: z.string().meta({ examples: ['Berlin', 'Köln,Munich'] }),
    read: parseTexts,
    error: `name takes names of cities, ${tooManyValues}.`,
  },
  type: words('type', searchableTypes, 'Only matches of this kind.'),
  updated_since: since('updated_since', 'Only records that changed here at this time or later.'),
  created_since: since('created_since', 'Only records that came into this catalogue at this time or later.'),
  from: window(
    'Earliest start, inclusive: a date is compared with the local calendar date, a timestamp with the instant.',
    'from',
  ),
  to: window(
    'Latest start, inclusive: a date is compared with the local calendar date, a timestamp with the instant.',
    'to',
  ),
} as const;
export type FilterName = keyof typeof filters;

/** Returns the query parameter of a filter. Filters of different lists may share one. */
export const parameterOf = (name: FilterName): string => {
  const filter: object = filters[name];
  return 'parameter' in filter ? String(filter.parameter) : name;
};
/** The parsed filters of a request. */
export type Filters = { -readonly [K in FilterName]?: NonNullable<ReturnType<(typeof filters)[K]['read']>> };

/**
 * Returns the filters as cursors are bound to them. A city with commas was one text before several were accepted, and
 * the whole text comes first.
 */
export const cursorFilters = (values: Filters): Record<string, unknown> =>
  Array.isArray(values.city) ? { ...values, city: values.city[0] } : values;

/**
 * Parameters other than filters. They never cause an error, except for `cursor`, which has its own error, and a blank
 * `q`.
 */
export const otherParameters = {
  limit: (kind: keyof typeof pageLimits) => ({
    description: `How many entries, 1 to ${pageLimits[kind].maximum}. A larger value is capped; anything else means ${pageLimits[kind].default}.`,
    schema: z.int().min(1).default(pageLimits[kind].default),
  }),
  cursor: {
    description: '`page.next_cursor` of the previous response to the same path and filters.',
    schema: z.string(),
  },
  q: {
    description:
      'What to look for. The last word counts as a prefix; case, diacritics and punctuation do not matter.',
    schema: z
      .string()
      .min(1)
      .meta({ examples: ['ben klo'] }),
  },
} as const;

/** Parses `limit`: decimal digits, at least 1, capped at the maximum. Any other text means the default. */
export function parsePageLimit(text: string | undefined, kind: keyof typeof pageLimits): number {
  const limits = pageLimits[kind];
  if (text === undefined || !/^\d+$/.test(text)) return limits.default;
  const value = Number(text);
  return value < 1 ? limits.default : Math.min(value, limits.maximum);
}
