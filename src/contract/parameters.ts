/** Query parameters: parsing, and the error message of invalid values (docs/spec/lists.md). */
import { iso31661 } from 'iso-3166';
import { z } from 'zod';
import { type ExternalService, externalServices } from './fields.ts';
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
const slug = (what: string) => ({
  description: `Slug of a ${what}. An unknown slug gives an empty list.`,
  schema: z.string(),
  read: (text: string): string | null => text,
  error: '',
});
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
    description: 'ISO 3166-1 alpha-2 code, in any case.',
    schema: z
      .string()
      .regex(/^[A-Za-z]{2}$/)
      .meta({ examples: ['DE'] }),
    read: (text: string): string | null => {
      const code = text.toUpperCase();
      return countryCodes.has(code) ? code : null;
    },
    error: 'country is a two-letter ISO 3166-1 code such as DE, GB or US.',
  },
  city: {
    description:
      "City, as free text: equal to the city's name on the event but for case and diacritics. Prefer /cities/{slug}/events.",
    schema: z.string().meta({ examples: ['Berlin'] }),
    read: (text: string): string | null => text,
    error: '',
  },
  slug: {
    description: `Slugs of the records, ${tooManyValues}. Former slugs count too; unknown ones are absent from the answer.`,
    schema: z.string().meta({ examples: ['ben-klock,dvs1'] }),
    read: parseList,
    error: `slug takes slugs, ${tooManyValues}.`,
  },
  external_id: {
    description: `Ids at other services, as service:id, ${tooManyValues}. Unknown ones are absent from the answer.`,
    schema: z.string().meta({ examples: ['musicbrainz:26ce4e31-e67b-4b7d-8d33-7a5d1e6a0b27,discogs:73902'] }),
    read: parseExternalIds,
    error: `external_id takes ids as service:id, ${tooManyValues}. Services: ${externalServices.join(', ')}.`,
  },
  venue: slug('venue'),
  genre: {
    ...slug('genre'),
    description: 'Slug of a genre; the genres below it are included. An unknown slug gives an empty list.',
  },
  artist: { ...slug('artist'), description: 'Slug of an artist. An unknown slug gives an empty list.' },
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
/** The parsed filters of a request. */
export type Filters = { -readonly [K in FilterName]?: NonNullable<ReturnType<(typeof filters)[K]['read']>> };

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
    description: '`page.next_cursor` of the previous answer to the same path and filters.',
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
