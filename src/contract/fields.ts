/**
 * Every public field of the service: type, description, example. The records (`records.ts`) are built from them, and
 * from those the types, the OpenAPI document and the strict parsing in the tests.
 */
import { z } from 'zod';

const text = (description: string, example?: string) =>
  z.string().meta(example === undefined ? { description } : { description, examples: [example] });
const nullable = <T extends z.ZodType>(schema: T) => schema.nullable();
const count = (description: string) => z.int().min(0).meta({ description });

/** Services whose ids are stored; `external_ids` always has exactly these keys. */
export const externalServices = [
  'musicbrainz',
  'discogs',
  'ra',
  'spotify',
  'wikidata',
  'ticketmaster',
  'songkick',
  'setlistfm',
  'bandsintown',
  'beatport',
  'soundcloud',
  'bandcamp',
  'mixcloud',
] as const;
export type ExternalService = (typeof externalServices)[number];

export const eventStatuses = ['scheduled', 'rescheduled', 'postponed', 'cancelled'] as const;
export type EventStatus = (typeof eventStatuses)[number];
export const availabilities = ['available', 'limited', 'sold_out', 'not_on_sale'] as const;
export const billings = ['headline', 'support'] as const;

/** Id prefix of each kind (docs/spec/resources.md). */
export const idPrefixes = {
  event: 'evt',
  artist: 'art',
  venue: 'ven',
  festival: 'fst',
  edition: 'edn',
  city: 'cty',
  label: 'lbl',
  genre: 'gnr',
  podcast: 'pod',
  episode: 'eps',
} as const;
export type Kind = keyof typeof idPrefixes;
export const kinds = Object.keys(idPrefixes) as Kind[];

/** The schema of a record's id: the prefix of its kind and a number in base 36, `art_00000a`. */
export const id = (kind: Kind) =>
  z
    .string()
    .regex(new RegExp(`^${idPrefixes[kind]}_[0-9a-z]+$`))
    .meta({ description: 'Record identifier; never reused.', examples: [`${idPrefixes[kind]}_00000a`] });

export const slug = z
  .string()
  .regex(/^[a-z0-9]+(?:-[a-z0-9]+)*$/)
  .meta({ description: 'Stable key used in paths; never changes.', examples: ['ben-klock'] });
export const slugOrNull = nullable(slug);
export const name = text('Name, as its owner writes it.');
export const nameOrNull = nullable(text('Name, or null where it is not known.'));
export const country = nullable(
  z
    .string()
    .regex(/^[A-Z]{2}$/)
    .meta({ description: 'ISO 3166-1 alpha-2 code.', examples: ['DE'] }),
);
export const cityName = nullable(text("The city's name.", 'Berlin'));
export const citySlug = nullable(
  slug.meta({ description: 'The slug of the city the record lies in.', examples: ['berlin'] }),
);
export const region = nullable(text('State, province or region.', 'Berlin'));
export const url = z.url().meta({ description: "Address of the record's public page." });
export const link = z.url().meta({ description: 'Address elsewhere.' });
export const imageUrl = nullable(z.url().meta({ description: 'Address of an image.' }));
export const website = nullable(z.url().meta({ description: 'Own website.' }));
export const feedUrl = nullable(z.url().meta({ description: 'Address of the RSS or Atom feed.' }));
export const audioUrl = nullable(z.url().meta({ description: 'Address of the audio.' }));
export const description = nullable(text('Free text about the record.'));
export const biography = nullable(text('Free text about the artist.'));
export const realName = nullable(text('Civil name, where public.'));
export const publisher = nullable(text('Who publishes the podcast.'));
export const aliases = z.array(z.string()).meta({ description: 'Other names of the same record.' });

const timestamp = z.iso.datetime({ offset: true });
export const startAt = timestamp.meta({
  description:
    'When it starts: ISO 8601 with the offset of `timezone`; where `timezone` is null the clock is not trusted and stands as if UTC.',
  examples: ['2026-12-31T23:00:00+01:00'],
});
export const startAtOrNull = nullable(startAt);
export const endAt = nullable(timestamp.meta({ description: 'When it ends; often not known.' }));
export const timezone = nullable(
  text(
    'IANA time zone. On events and editions null when the stored clock time is not trusted.',
    'Europe/Berlin',
  ),
);
export const date = z.iso
  .date()
  .meta({ description: 'Local calendar date of the start.', examples: ['2026-12-31'] });
export const setStartAt = nullable(timestamp.meta({ description: 'Start of the set.' }));
export const setEndAt = nullable(timestamp.meta({ description: 'End of the set.' }));
export const stage = nullable(text('Stage or floor.', 'Panorama Bar'));
export const publishedAt = nullable(timestamp.meta({ description: 'When the episode was published.' }));
export const latestEpisodeAt = nullable(
  timestamp.meta({ description: 'When the newest episode was published.' }),
);
export const updatedAt = timestamp.meta({ description: 'When the record last changed here (UTC).' });
export const updatedAtOrNull = nullable(updatedAt);
export const lastSyncedAt = nullable(
  timestamp.meta({ description: 'When a feed was last read to its end (UTC).' }),
);

export const status = nullable(z.enum(eventStatuses).meta({ description: 'State of the event.' }));
export const availability = nullable(
  z.enum(availabilities).meta({ description: 'What the seller says of its tickets.' }),
);
export const billing = nullable(z.enum(billings).meta({ description: 'Place on the bill.' }));
export const position = z.int().min(1).meta({ description: 'Position, from 1.' });
export const set = z.int().min(1).meta({
  description:
    'Number of the set on this bill: the position of its first artist. Artists with the same number play it together (b2b).',
});
export const minimumAge = nullable(z.int().min(0).meta({ description: 'Minimum age in years.' }));
export const latitude = nullable(
  z.number().min(-90).max(90).meta({ description: 'Degrees north (WGS 84).' }),
);
export const longitude = nullable(
  z.number().min(-180).max(180).meta({ description: 'Degrees east (WGS 84).' }),
);
export const address = nullable(text('Street address.'));
export const postalCode = nullable(text('Postal code.'));
export const capacity = nullable(z.int().min(0).meta({ description: 'Persons the venue holds.' }));
export const population = nullable(z.int().min(0).meta({ description: 'Inhabitants.' }));
export const foundedYear = nullable(z.int().meta({ description: 'Year of foundation.', examples: [1991] }));
const partialDate = (description: string) =>
  nullable(
    z
      .string()
      .regex(/^\d{4}(?:-\d{2}(?:-\d{2})?)?$/)
      .meta({ description: `${description} A year, a month or a day.`, examples: ['2016', '2016-03'] }),
  );
export const closedAt = partialDate('When it closed for good; null if it is open or the date is not known.');
export const endedAt = partialDate('When it ended: death, break-up, last edition; null if not known.');
export const venueStatus = z
  .enum(['open', 'closed'])
  .meta({ description: '`closed` once `closed_at` has come, otherwise `open`.' });
export const labelStatus = z
  .enum(['active', 'closed'])
  .meta({ description: '`closed` once `closed_at` has come, otherwise `active`.' });
export const lifeStatus = z
  .enum(['active', 'ended'])
  .meta({ description: '`ended` once `ended_at` has come, otherwise `active`.' });
export const edition = text('Key of the edition within its festival, most often the year.', '2026');
export const editionOrNull = nullable(edition);
export const number = nullable(z.int().min(0).meta({ description: 'Number of the episode in its series.' }));
export const durationSeconds = nullable(z.int().min(0).meta({ description: 'Length in seconds.' }));
export const startSeconds = nullable(
  z.number().min(0).meta({ description: 'Start of the track, in seconds from the beginning.' }),
);
export const artistName = nullable(
  text('The artist as the tracklist writes it; null for an unidentified track.'),
);
export const title = nullable(text('The title as the tracklist writes it; null for an unidentified track.'));
export const labelName = nullable(text('The label as the tracklist writes it.'));
export const identified = z.boolean().meta({ description: 'False where the tracklist says "ID".' });
export const seller = text('Who sells the ticket.', 'Ticketmaster');
export const price = nullable(
  z
    .number()
    .min(0)
    .meta({ description: 'Price in major units of `currency`.', examples: [25.5] }),
);
export const lowestPrice = nullable(
  z
    .number()
    .min(0)
    .meta({
      description:
        'Lowest price of the ticket links, in major units of `currency`; null where no seller states one. Sold-out links count only if all are sold out.',
      examples: [15],
    }),
);
export const highestPrice = nullable(
  z
    .number()
    .min(0)
    .meta({ description: 'Highest price of the same ticket links.', examples: [25.5] }),
);
export const currency = nullable(
  z
    .string()
    .regex(/^[A-Z]{3}$/)
    .meta({ description: 'ISO 4217 code.', examples: ['EUR'] }),
);
export const linkType = text('What the address is.', 'website');
export const sourceName = text('Name of the source.');
export const externalId = text("The record's id at the source.");
export const sourceUrl = nullable(z.url().meta({ description: 'The listing at the source.' }));
export const license = nullable(
  text('Licence of the listing: an SPDX identifier or the address of a licence.', 'CC-BY-4.0'),
);
export const attributionText = text('The line that names the source.');
export const attributionUrl = nullable(z.url().meta({ description: 'The address that the line links to.' }));
/** Kinds that a search finds without `type`. */
export const searchedTypes = ['artist', 'event', 'festival', 'venue', 'label'] as const;
/** Kinds that a search can be limited to. */
export const searchableTypes = [...searchedTypes, 'city', 'genre', 'podcast'] as const;
export const hitType = z.enum(searchableTypes).meta({
  description: 'Kind of the record found; city, genre and podcast only if `type` asks for them.',
});
export const matched = text('The name or alias that the query met.');

export const artistCount = count('Length of its list of artists.');
export const venueCount = count('Venues in it.');
export const editionCount = count('Length of its list of editions.');
export const episodeCount = count('Length of its list of episodes.');
export const trackCount = count('Length of its tracklist.');
export const lineupCount = count('Length of its line-up.');
export const upcomingEventCount = count('Events that are not over yet, cancelled ones included.');
/** The schema of a count in the statistics. @param of what is counted, such as "artists" */
export const total = (of: string) => count(`Number of ${of}.`);
