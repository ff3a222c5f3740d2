/**
 * The fields of each kind that an editor can set above the sources (docs/guides/correcting.md). The names are those of
 * the feed format, whose schema validates the values.
 */
import type { FeedKind, feedRecordSchemas } from './feed.ts';
import { eventStatuses } from './fields.ts';

/**
 * How a value is written and shown. `line`, `text`, `url`, `country`, `time`, `zone`, `number`, `whole` and `choice` are
 * single values; `place`, `edition` and `name` refer to another record; all others are lists.
 */
export type EditableFieldType =
  | 'line'
  | 'text'
  | 'url'
  | 'country'
  | 'time'
  | 'zone'
  | 'number'
  | 'whole'
  | 'choice'
  | 'place'
  | 'edition'
  | 'name'
  | 'names'
  | 'links'
  | 'ids'
  | 'acts'
  | 'artists'
  | 'tickets'
  | 'tracks';

export type EditableField = {
  type: EditableFieldType;
  /** Whether the field cannot be "none". */
  isRequired: boolean;
  /** The values of a `choice`. */
  choices: readonly string[];
};

const field = (type: EditableFieldType, choices: readonly string[] = []): EditableField => ({
  type,
  isRequired: false,
  choices,
});
const required = (type: EditableFieldType): EditableField => ({ ...field(type), isRequired: true });

const links = { links: field('links'), external_ids: field('ids') };
const when = {
  end_at: field('time'),
  timezone: field('zone'),
  status: field('choice', eventStatuses),
  venue: field('place'),
  city: field('line'),
  country: field('country'),
  description: field('text'),
  image_url: field('url'),
};

type FeedField<K extends FeedKind> = keyof (typeof feedRecordSchemas)[K]['shape'];
type EditableFields = { readonly [K in FeedKind]: { readonly [F in FeedField<K>]?: EditableField } };

/**
 * Without the fields that identify a record within another one: the festival and key of an edition, the podcast of an
 * episode. The `url` of an event belongs to its source, and so do the author and licence of a picture: they are shown
 * only with the picture of the source that states them.
 */
export const editableFields: EditableFields = {
  genre: {
    name: required('line'),
    parent: field('name'),
    description: field('text'),
    aliases: field('names'),
  },
  city: {
    name: required('line'),
    country: required('country'),
    region: field('line'),
    latitude: field('number'),
    longitude: field('number'),
    timezone: field('zone'),
    population: field('whole'),
    aliases: field('names'),
  },
  venue: {
    name: required('line'),
    city: required('line'),
    country: required('country'),
    address: field('line'),
    postal_code: field('line'),
    latitude: field('number'),
    longitude: field('number'),
    timezone: field('zone'),
    capacity: field('whole'),
    website: field('url'),
    image_url: field('url'),
    closed_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  artist: {
    name: required('line'),
    country: field('country'),
    real_name: field('line'),
    biography: field('text'),
    image_url: field('url'),
    genres: field('names'),
    ended_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  label: {
    name: required('line'),
    country: field('country'),
    founded_year: field('whole'),
    description: field('text'),
    website: field('url'),
    image_url: field('url'),
    parent: field('name'),
    artists: field('artists'),
    closed_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  festival: {
    name: required('line'),
    city: field('line'),
    country: field('country'),
    description: field('text'),
    website: field('url'),
    image_url: field('url'),
    genres: field('names'),
    ended_at: field('line'),
    aliases: field('names'),
    ...links,
  },
  edition: {
    name: field('line'),
    start_at: field('time'),
    ...when,
    lineup: field('acts'),
    tickets: field('tickets'),
  },
  event: {
    name: required('line'),
    start_at: required('time'),
    ...when,
    minimum_age: field('whole'),
    genres: field('names'),
    lineup: field('acts'),
    tickets: field('tickets'),
    festival: field('edition'),
  },
  podcast: {
    name: required('line'),
    publisher: field('line'),
    description: field('text'),
    website: field('url'),
    feed_url: field('url'),
    image_url: field('url'),
    aliases: field('names'),
    links: field('links'),
  },
  episode: {
    name: required('line'),
    number: field('whole'),
    published_at: field('time'),
    duration_seconds: field('number'),
    description: field('text'),
    audio_url: field('url'),
    image_url: field('url'),
    artists: field('artists'),
    tracklist: field('tracks'),
  },
};

/** The editable fields of a kind, by name, in the order of its form. */
export const editableFieldsOf = (kind: FeedKind): Readonly<Record<string, EditableField>> =>
  editableFields[kind] as Readonly<Record<string, EditableField>>;

const listTypes: ReadonlySet<EditableFieldType> = new Set([
  'names',
  'links',
  'ids',
  'acts',
  'artists',
  'tickets',
  'tracks',
]);

/** Whether a field holds entries that can be added and taken away. */
export const isListField = ({ type }: EditableField): boolean => listTypes.has(type);

/** The words for one entry of a list, which name the list as well: `alias` for `aliases`. */
const singularNames = new Map<string, readonly string[]>(
  Object.entries({
    alias: ['aliases'],
    genre: ['genres'],
    link: ['links'],
    ticket: ['tickets'],
    artist: ['lineup', 'artists'],
    act: ['lineup'],
    track: ['tracklist'],
    external_id: ['external_ids'],
    image: ['image_url'],
    start: ['start_at'],
    end: ['end_at'],
    closed: ['closed_at'],
    ended: ['ended_at'],
  }),
);

/** The field that a person names: by its name, or by the word for one of its entries. Null if there is none. */
export function findEditableField(kind: FeedKind, text: string): string | null {
  const fields = editableFieldsOf(kind);
  const name = text.trim().toLowerCase().replaceAll('-', '_');
  if (Object.hasOwn(fields, name)) return name;
  return (singularNames.get(name) ?? []).find((one) => Object.hasOwn(fields, one)) ?? null;
}
