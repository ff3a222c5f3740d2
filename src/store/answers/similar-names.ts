/** Compares records with almost equal names: which of them has details, and which is a bare name. */
import { prepareValue, SqliteStore } from '../statement.ts';
import { mapKeys } from '../values.ts';

/** The kinds that listings create from a bare name. */
export type NamedByListings = 'artist' | 'venue';
/** How much a record says: its filled fields, and up to `maxEvents` events. */
export type RecordWeight = { fields: number; events: number };

const maxEvents = 50;
/** The number of filled fields of the row `r`, as SQL. */
export const filledFields: Record<NamedByListings, string> = {
  artist: `(r.country IS NOT NULL) + (r.biography IS NOT NULL) + (r.image_url IS NOT NULL) + (r.real_name IS NOT NULL)
    + (r.links <> '[]') + (r.external_ids <> '{}')`,
  venue: `(r.address IS NOT NULL) + (r.latitude IS NOT NULL) + (r.capacity IS NOT NULL) + (r.website IS NOT NULL)
    + (r.links <> '[]') + (r.external_ids <> '{}')`,
};
const eventTables: Record<NamedByListings, string> = {
  artist: 'event_artists x WHERE x.artist_id = r.id',
  venue: 'events x WHERE x.venue_id = r.id',
};

/**
 * Finds artists and venues by name, and weighs how much each record says. Events beyond 50 do not count; an unknown id
 * has no weight.
 */
export class SimilarNames extends SqliteStore {
  readonly #weight = mapKeys(['artist', 'venue'], (kind: NamedByListings) =>
    this.sqlite.prepare<[number], RecordWeight>(
      `SELECT ${filledFields[kind]} AS fields, (SELECT count(*) FROM (SELECT 1 FROM ${eventTables[kind]} LIMIT ${maxEvents})) AS events
       FROM ${kind}s r WHERE r.id = ?`,
    ),
  );
  readonly #named = prepareValue<number>(
    this.sqlite,
    `SELECT DISTINCT n.record_id FROM json_each(?) v CROSS JOIN names n INDEXED BY names_by_words
         ON n.words = v.value AND n.terms <> '' WHERE n.kind = ? LIMIT 20`,
  );

  /** How much a record says. */
  weight(kind: NamedByListings, id: number): RecordWeight {
    return this.#weight[kind].get(id) ?? { fields: 0, events: 0 };
  }

  /** The records of a kind with one of these names, as `normalizeForSearch` returns names. */
  named(kind: NamedByListings, names: readonly string[]): number[] {
    return this.#named.all(JSON.stringify(names), kind);
  }
}

/** Whether one record is a bare name beside the other, which has details or several times its events. */
export const isBareBeside = (bare: RecordWeight, rich: RecordWeight): boolean =>
  bare.fields === 0 && (rich.fields > 0 || rich.events > 3 * bare.events + 2);
