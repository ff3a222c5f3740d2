/**
 * The feed format (docs/spec/feed-format.md): the members of each line. Unknown members are ignored. An absent member
 * has no effect; null means "known to be none". An invalid value (an unknown country, an impossible date) rejects the
 * line with a reason.
 */
import { z } from 'zod';
import { wellFormed } from '../well-formed.ts';
import { availabilities, billings, eventStatuses } from './fields.ts';
import { countryCodes, parseDate, parseInstant } from './parameters.ts';
import { isPartialDate } from './partial-date.ts';

/** Control characters except tab and line feed. They are removed; stored texts use U+0001 as the base URL placeholder. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern removes them
const controlCharacters = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/g;
/**
 * Tag characters spell text that people do not see and language models read. They stay in a flag of a region, which is
 * a black flag, at most six of them and a last one.
 */
const hiddenTags =
  /(\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f})|[\u{e0000}-\u{e007f}]/gu;
/** The composed form of a text (NFC), without tag characters and halves of characters. */
const normalize = (text: string): string => wellFormed(text).normalize('NFC').replace(hiddenTags, '$1');
/** ASCII words with single spaces: most names, which need no normalization. */
const tidyText = /^[!-~]+(?: [!-~]+)*$/;
const cleanText = (text: string): string =>
  tidyText.test(text) ? text : normalize(text).replace(/\r\n?/g, '\n').replace(controlCharacters, '').trim();
const nullish = <T extends z.ZodType>(schema: T) => schema.nullish();
/** Returns null for empty text, which means "none". */
const emptyToNull = (value: string): string | null => (value === '' ? null : value);
const text = nullish(
  z.string().max(100_000, 'is longer than 100,000 characters').transform(cleanText).transform(emptyToNull),
);
/**
 * Short text of a line: addresses, titles, names. Its length is limited like a name because it is matched with
 * regular expressions.
 */
const line = nullish(
  z.string().max(1_000, 'is longer than 1,000 characters').transform(cleanText).transform(emptyToNull),
);
/** Replaces control characters, with which a name could forge lines in logs and terminals. */
const cleanLine = (value: string): string =>
  tidyText.test(value)
    ? value
    : normalize(value)
        .replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ')
        // Bidirectional control characters would reverse the text printed after the name.
        .replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
        .replace(/\s+/g, ' ')
        .trim();
const name = z
  .string({ error: 'must be a text' })
  .max(1_000, 'is longer than 1,000 characters')
  .transform(cleanLine)
  .refine((value) => /[\p{L}\p{M}\p{N}\p{P}\p{S}]/u.test(value), 'must not be empty');
const optionalId = z
  .union([z.string(), z.number().transform(String)], { error: 'must be a text' })
  .transform((value) => wellFormed(value).replace(controlCharacters, ''))
  .refine((value) => value.length <= 1_000, 'is longer than 1,000 characters');
const externalId = optionalId.refine((value) => value !== '', 'must not be empty');
/** Returns the message of a value that has not the form of its field: what is expected, and the value. */
const notOfForm = (form: string) => ({
  error: ({ input }: { input?: unknown }): string =>
    `is not ${form}: ${JSON.stringify(String(input).slice(0, maxShownLength))}`,
});
/** Characters of an invalid value that its message shows. */
const maxShownLength = 60;
const country = z
  .string({ error: 'must be an ISO 3166-1 alpha-2 code' })
  .transform((code) => code.trim().toUpperCase())
  .refine(
    (code) => countryCodes.has(code),
    notOfForm('an ISO 3166-1 alpha-2 code (two letters, such as DE)'),
  );
const uriCharacters = String.raw`\w\-.~:/?#[\]@!$&'()*+,;=`;
/** Whether a text is a valid URI (RFC 3986). Clients reject a whole response that contains an invalid one. */
export const isUri = (value: string): boolean => uri.test(value);
const uri = new RegExp(`^(?:[${uriCharacters}]|%[0-9a-f]{2})*$`, 'i');
const nonUriCharacter = new RegExp(`[^${uriCharacters}%]|%(?![0-9a-f]{2})`, 'gi');
const percentEncode = (sign: string): string =>
  `%${sign.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
/** Percent-encodes invalid characters and converts international host names to Punycode. */
const toUri = (value: string): string =>
  isUri(value) ? value : new URL(value).href.replace(nonUriCharacter, percentEncode);
const url = z
  .string()
  .max(4_000, 'is longer than 4,000 characters')
  .transform((value) => value.replace(controlCharacters, '').trim())
  .refine((value) => URL.canParse(value) && /^https?:/i.test(value), 'is not an http or https address')
  .transform(toUri);
const optionalUrl = nullish(url);
/** A picture, and its author and licence where the source states them. */
const picture = { image_url: optionalUrl, image_credit: line, image_license: line };
const knownZones = new Set<string>();
const isZone = (value: string): boolean => {
  if (knownZones.has(value)) return true;
  // Intl accepts offsets ("+01:00"), but they are not IANA zones and have no daylight saving time.
  if (!/^[A-Za-z]/.test(value)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: value });
    knownZones.add(value);
    return true;
  } catch {
    return false;
  }
};
/** Words of zone names with unusual capitalisation. */
const zoneWordsWithOddCase = new Map(
  'of es au GB US NZ CHAT PRC ROC ROK W SU ACT NSW LHI IN UTC UCT GMT EST EDT CST CDT MST MDT PST PDT HST CET EET MET WET McMurdo DumontDUrville ComodRivadavia DeNoronha EasterIsland BajaNorte BajaSur'
    .split(' ')
    .map((word) => [word.toLowerCase(), word]),
);
/**
 * Returns a zone name in its official case: "Europe/Berlin" for "europe/berlin". Old names are kept, because the
 * runtime maps many of them to other zones.
 */
const toZoneCase = (value: string): string =>
  value.replace(
    /[A-Za-z]+/g,
    (word) =>
      zoneWordsWithOddCase.get(word.toLowerCase()) ??
      `${word[0]?.toUpperCase()}${word.slice(1).toLowerCase()}`,
  );
const zone = nullish(
  z.string().refine(isZone, notOfForm('an IANA time zone (such as Europe/Berlin)')).transform(toZoneCase),
);
const localPattern = /^(\d{4}-\d{2}-\d{2})[Tt ](\d{2}):(\d{2})(?::(\d{2})(?:\.\d{1,9})?)?$/;
/** Offsets in the other ISO 8601 formats, which many services use: "+0100", "+01". They are stored with a colon. */
const shortOffset = /^(.{10}[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)([+-]\d{2})(\d{2})?$/;
const isFeedTime = (value: string): boolean => {
  if (parseDate(value) !== null || parseInstant(value) !== null) return true;
  const match = localPattern.exec(value);
  return (
    match !== null &&
    parseDate(match[1] as string) !== null &&
    Number(match[2]) < 24 &&
    Number(match[3]) < 60 &&
    Number(match[4] ?? 0) < 60
  );
};
/** A day or a time by its form, which may not exist: 2026-02-30, 2026-12-31T25:00. */
const timeForm = /^\d{4}-\d{2}-\d{2}(?:[Tt ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:[Zz]|[+-]\d{2}:\d{2})?)?$/;
const timeProblem = notOfForm('a time (2026-12-31, 2026-12-31T23:00 or 2026-12-31T23:00:00+01:00)');
const time = z
  .string({ error: 'must be a time' })
  .transform((value) =>
    value.trim().replace(shortOffset, (_, clock, hours, minutes) => `${clock}${hours}:${minutes ?? '00'}`),
  )
  .refine(isFeedTime, {
    error: (issue) =>
      timeForm.test(String(issue.input))
        ? `is not a time: ${issue.input} does not exist`
        : timeProblem.error(issue),
  });
/** A year, which may be a number, a month or a day. */
const partialDate = nullish(
  z
    .union([z.string(), z.int().transform(String)], { error: 'must be a date' })
    .transform((value) => value.trim())
    .refine(isPartialDate, notOfForm('a year, month or day (2016, 2016-03 or 2016-03-12)')),
);
/**
 * Maximum number of entries of each list. Real sources have fewer: the longest line-ups of festivals have about 1,000 acts,
 * and artists up to some hundreds of name variations (docs/decisions/68-costly-records.md).
 */
export const maxEntries = {
  aliases: 500,
  artists: 2_000,
  external_ids: 100,
  genres: 200,
  lineup: 2_000,
  links: 200,
  tickets: 200,
  tracklist: 2_000,
} as const;
type ListName = keyof typeof maxEntries;

/** Returns why a list is rejected, or null if it is short enough. */
export const tooManyEntries = (list: ListName, count: number): string | null =>
  count > maxEntries[list]
    ? `has ${count.toLocaleString('en')} entries, more than the ${maxEntries[list].toLocaleString('en')} that it may have`
    : null;

const listOf = <T extends z.ZodType>(list: ListName, entry: T) =>
  nullish(
    z.array(entry).max(maxEntries[list], {
      error: ({ input }) => tooManyEntries(list, (input as unknown[]).length) ?? '',
    }),
  );
const aliases = listOf('aliases', name);
const genres = listOf('genres', name);
const latitude = nullish(z.number().min(-90).max(90));
const longitude = nullish(z.number().min(-180).max(180));
const whole = nullish(z.int().min(0));
/** A year: longer ones are mistakes, such as milliseconds since 1970. */
const maxSeconds = 366 * 86_400;
const links = listOf('links', z.object({ type: name, url }));
/** Ids at other services. An empty one means "none". */
const externalIds = nullish(
  z
    .record(z.string(), optionalId.nullable())
    .superRefine((ids, context) => {
      const services = Object.keys(ids);
      const reason = tooManyEntries('external_ids', services.length);
      if (reason !== null) context.addIssue(reason);
      if (services.some((service) => service.length > 1_000))
        context.addIssue('has a name of a service that is longer than 1,000 characters');
    })
    .transform((ids) =>
      Object.fromEntries(
        Object.entries(ids)
          .filter(([, value]) => value !== null && value !== '')
          .map(([service, value]) => [service.replace(controlCharacters, ''), value]),
      ),
    ),
);

const reference = z.object({ external_id: externalId.nullish(), name });
const place = z.object({
  external_id: externalId.nullish(),
  name,
  city: nullish(name),
  country: nullish(country),
});
const lineup = listOf(
  'lineup',
  z.object({
    external_id: externalId.nullish(),
    name,
    billing: nullish(z.enum(billings)),
    stage: line,
    set_start_at: nullish(time),
    set_end_at: nullish(time),
    set: nullish(z.int().min(1)),
  }),
);
const price = nullish(z.number().min(0));
const tickets = listOf(
  'tickets',
  z.object({
    seller: name,
    url,
    price_min: price,
    price_max: price,
    currency: nullish(
      z
        .string()
        .transform((code) => code.toUpperCase())
        .refine((code) => /^[A-Z]{3}$/.test(code), 'is not an ISO 4217 code'),
    ),
    availability: nullish(z.enum(availabilities)),
  }),
);
const status = nullish(z.enum(eventStatuses));

/** Members of editions and events. */
const occasion = {
  end_at: nullish(time),
  timezone: zone,
  status,
  venue: nullish(place),
  city: nullish(name),
  country: nullish(country),
  description: text,
  ...picture,
};

/** Members of each kind of line. A record may only refer to kinds before its own. */
export const feedRecordSchemas = {
  genre: z.object({ name, parent: nullish(name), description: text, aliases }),
  city: z.object({
    name,
    country,
    region: line,
    latitude,
    longitude,
    timezone: zone,
    population: whole,
    aliases,
  }),
  venue: z.object({
    name,
    city: name,
    country,
    address: line,
    postal_code: line,
    latitude,
    longitude,
    timezone: zone,
    capacity: whole,
    website: optionalUrl,
    ...picture,
    closed_at: partialDate,
    aliases,
    links,
    external_ids: externalIds,
  }),
  artist: z.object({
    name,
    country: nullish(country),
    aliases,
    real_name: line,
    biography: text,
    ...picture,
    genres,
    ended_at: partialDate,
    links,
    external_ids: externalIds,
  }),
  label: z.object({
    name,
    country: nullish(country),
    founded_year: nullish(z.int().min(1000).max(9999)),
    description: text,
    website: optionalUrl,
    ...picture,
    parent: nullish(reference),
    artists: listOf('artists', reference),
    closed_at: partialDate,
    aliases,
    links,
    external_ids: externalIds,
  }),
  festival: z.object({
    name,
    city: nullish(name),
    country: nullish(country),
    description: text,
    website: optionalUrl,
    ...picture,
    genres,
    ended_at: partialDate,
    aliases,
    links,
    external_ids: externalIds,
  }),
  edition: z.object({
    festival: reference,
    edition: z.union([name, z.int().transform(String)]),
    name: nullish(name),
    start_at: nullish(time),
    ...occasion,
    lineup,
    tickets,
  }),
  event: z.object({
    name,
    start_at: time,
    ...occasion,
    minimum_age: nullish(z.int().min(0).max(150)),
    url: optionalUrl,
    genres,
    lineup,
    tickets,
    festival: nullish(z.object({ festival: reference, edition: z.union([name, z.int().transform(String)]) })),
  }),
  podcast: z.object({
    name,
    publisher: line,
    description: text,
    website: optionalUrl,
    feed_url: optionalUrl,
    ...picture,
    aliases,
    links,
  }),
  episode: z.object({
    podcast: reference,
    name,
    number: whole,
    published_at: nullish(time),
    duration_seconds: nullish(z.number().min(0).max(maxSeconds).transform(Math.round)),
    description: text,
    audio_url: optionalUrl,
    ...picture,
    artists: listOf('artists', reference),
    tracklist: listOf(
      'tracklist',
      z.object({
        position: nullish(z.int().min(1)),
        start_seconds: nullish(z.number().min(0)),
        artist_name: line,
        title: line,
        label_name: line,
      }),
    ),
  }),
} as const;
export type FeedKind = keyof typeof feedRecordSchemas;
/** A parsed feed record of one kind. */
export type FeedRecordContent<K extends FeedKind> = z.infer<(typeof feedRecordSchemas)[K]>;
export type FeedVenueReference = z.infer<typeof place>;
export type TrackStatement = NonNullable<FeedRecordContent<'episode'>['tracklist']>[number];
export type FeedLineupEntry = NonNullable<z.infer<typeof lineup>>[number];
export type FeedTicket = NonNullable<z.infer<typeof tickets>>[number];

/** Members that every line has besides those of its kind. */
export const feedRecordHead = z.object({
  kind: z.enum(Object.keys(feedRecordSchemas) as [FeedKind, ...FeedKind[]]),
  external_id: externalId,
});
