/**
 * The documents of records in the change feed and in exports (docs/spec/changes.md): the detail of the API without
 * the members that follow from other records or from the clock, and the record's own lists.
 */
import type { Kind } from '../../contract/fields.ts';
import { schemas } from '../../contract/records.ts';
import type { ListEntry } from '../../store/lists/pagination.ts';
import type { RecordReferences } from '../../store/mirror/record-references.ts';
import type { CatalogueReader } from '../../store/reader.ts';
import { publicId } from '../../store/records/serialize.ts';

/** Raised when lists of documents change, so that mirrors start again. */
const documentVersion = 1;

/** The schema of each kind's detail. */
export const detailSchemas = {
  event: 'Event',
  artist: 'Artist',
  venue: 'Venue',
  festival: 'Festival',
  edition: 'Edition',
  city: 'City',
  label: 'Label',
  genre: 'Genre',
  podcast: 'Podcast',
  episode: 'Episode',
} as const satisfies Record<Kind, keyof typeof schemas>;

/**
 * Members of details that change without the record: they depend on the clock, or are computed from other records of
 * the catalogue. Documents lack them.
 */
export const derivedMembers: Record<Kind, readonly string[]> = {
  event: [],
  artist: ['status', 'upcoming_event_count'],
  venue: ['status', 'upcoming_event_count'],
  festival: ['status', 'edition_count', 'latest_edition', 'next_edition', 'upcoming_event_count'],
  edition: [],
  city: ['venue_count', 'upcoming_event_count'],
  label: ['status', 'upcoming_event_count'],
  genre: ['children', 'artist_count', 'upcoming_event_count'],
  podcast: ['episode_count', 'latest_episode_at'],
  episode: [],
};

/** The members of documents as a text, part of the epoch: mirrors start again when members were added. */
export const documentFormat = JSON.stringify([
  documentVersion,
  Object.entries(detailSchemas).map(([kind, name]) => [kind, Object.keys(schemas[name].shape)]),
  derivedMembers,
]);

/** Nothing is counted in this range: counts are not part of documents. */
const emptyRange = { now: 8e15, since: 8e15 };

/** Renders documents of records from the present state of the reader; nothing is cached. */
export class RecordDocuments {
  readonly #reader: CatalogueReader;
  readonly #references: RecordReferences;

  constructor(reader: CatalogueReader, references: RecordReferences) {
    this.#reader = reader;
    this.#references = references;
  }

  /**
   * The members `data` and `lists` of a record's line as JSON text without braces, with the placeholder for the base
   * URL. The record must have a row.
   */
  members(kind: Kind, id: number): string {
    return `"data":${this.#data(kind, id)},"lists":{${this.#lists(kind, id)}}`;
  }

  #data(kind: Kind, id: number): string {
    if (kind === 'event') return this.#reader.details.event(id);
    const detail = this.#detail(kind, id) as Record<string, unknown>;
    for (const member of derivedMembers[kind]) delete detail[member];
    return JSON.stringify(detail);
  }

  #detail(kind: Exclude<Kind, 'event'>, id: number): object {
    const { details } = this.#reader;
    const { now } = emptyRange;
    if (kind === 'artist') return details.artist(id, emptyRange);
    if (kind === 'venue') return details.venue(id, emptyRange);
    if (kind === 'festival') return details.festivals.festival(id, now);
    if (kind === 'edition') return details.festivals.edition(id);
    if (kind === 'city') return details.city(id, emptyRange);
    if (kind === 'label') return details.label(id, now);
    if (kind === 'genre') return details.genre(id, emptyRange);
    if (kind === 'podcast') return details.podcast(id);
    return details.episode(id);
  }

  #lists(kind: Kind, id: number): string {
    const { nestedLists } = this.#reader;
    const nested = (name: 'lineup' | 'tickets' | 'tracks') =>
      `"${name}":[${nestedLists.all(name, id).map(([json]: ListEntry) => json)}]`;
    if (kind === 'event' || kind === 'edition') return `${nested('lineup')},${nested('tickets')}`;
    if (kind === 'episode') return nested('tracks');
    if (kind === 'artist') return `"genres":${JSON.stringify(this.#references.genresOfArtist(id))}`;
    if (kind === 'label') return `"artists":${JSON.stringify(this.#references.artistsOfLabel(id))}`;
    return '';
  }
}

/** The first members of a line: which record it is about, and when it changed. */
export const lineHead = (revision: number, kind: Kind, id: number, slug: string | null): string =>
  `{"revision":${revision},"kind":"${kind}","id":"${publicId(kind, id)}","slug":${JSON.stringify(slug)}`;
