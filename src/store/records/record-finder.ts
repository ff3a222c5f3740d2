/** Finds a record by public id, slug or edition key. */
import type Database from 'better-sqlite3';
import { idPrefixes, type Kind } from '../../contract/fields.ts';
import { fold } from '../../text/fold.ts';
import { artistsNamed, type Namesake } from '../namesakes.ts';
import { prepareValue } from '../statement.ts';
import { kindTables } from './kind-tables.ts';
import { publicId } from './serialize.ts';

export type RecordIdentity = { kind: Kind; id: number; slug: string; name: string };
/** `by` is an actor of the audit log, or `source:NAME` if no source lists the record any more. */
export type RecordRemoval = {
  state: 'hidden' | 'deleted' | 'forgotten';
  reason: string | null;
  by: string;
  /** ms since 1970. */
  removedTs: number;
};

const maxNamesakes = 5;

/**
 * Finds the identity of a record. Public ids and slugs of merged records lead to the survivor. Look-ups return null if
 * there is no such record, or it is removed and the finder does not find removed ones.
 */
export class RecordFinder {
  readonly #sqlite: Database.Database;
  readonly #findsRemoved: boolean;

  /** @param findsRemoved whether hidden, deleted and forgotten records are found too */
  constructor(sqlite: Database.Database, { findsRemoved = false } = {}) {
    this.#sqlite = sqlite;
    this.#findsRemoved = findsRemoved;
  }

  /** A finder of the same file that finds removed records too. */
  withRemoved(): RecordFinder {
    return new RecordFinder(this.#sqlite, { findsRemoved: true });
  }

  /** The record with this public id (`evt_…`), or the record it was merged into. */
  byPublicId(text: string): RecordIdentity | null {
    const [prefix = '', digits = ''] = text.split('_', 2);
    const kind = (Object.keys(idPrefixes) as Kind[]).find((one) => idPrefixes[one] === prefix);
    const id = Number.parseInt(digits, 36);
    if (kind === undefined || !Number.isSafeInteger(id) || publicId(kind, id) !== text) return null;
    return this.byId(kind, this.#survivor(id));
  }

  /** The record that a slug resolves to. */
  bySlug(kind: Kind, slug: string): RecordIdentity | null {
    const find = this.#sqlite.prepare('SELECT record_id FROM slugs WHERE kind = ? AND slug = ?').pluck();
    const id = find.get(kind, slug) as number | undefined;
    return id === undefined ? null : this.byId(kind, id);
  }

  /** The edition of a festival by its edition key, such as `2026`. */
  edition(festivalSlug: string, edition: string): RecordIdentity | null {
    const festival = this.bySlug('festival', festivalSlug);
    if (festival === null) return null;
    const find = this.#sqlite
      .prepare('SELECT id FROM editions WHERE festival_id = ? AND edition = ?')
      .pluck();
    const id = (find.get(festival.id, edition) ?? this.#removedEdition(festival.id, edition)) as
      | number
      | undefined;
    return id === undefined ? null : this.byId('edition', id);
  }

  /** A venue with its place, as a feed refers to it. */
  venueBySlug(slug: string): { name: string; city: string | null; country: string | null } | null {
    const venue = this.bySlug('venue', slug);
    const find = this.#sqlite.prepare('SELECT name, city, country FROM venues WHERE id = ?');
    return venue && (find.get(venue.id) as { name: string; city: string | null; country: string | null });
  }

  /** A record by its internal id, or the record it was merged into; null if it has no row. */
  bySurvivor(id: number): RecordIdentity | null {
    const survivor = this.#survivor(id);
    const kind = this.#sqlite.prepare('SELECT kind FROM records WHERE id = ?').pluck().get(survivor);
    return kind === undefined ? null : this.byId(kind as Kind, survivor);
  }

  /** The present slug and name of a record; null if it has no row. */
  byId(kind: Kind, id: number): RecordIdentity | null {
    const row = this.#sqlite.prepare(`SELECT slug, name FROM ${kindTables[kind].table} WHERE id = ?`).get(id);
    const identity = row ?? this.#removed(kind, id);
    return identity === undefined ? null : { kind, id, ...(identity as { slug: string; name: string }) };
  }

  /** Other shown records of its kind that have the name of a record, or have it as an alias: at most `maxNamesakes`, oldest first. */
  namesakesOf({ kind, id, name }: RecordIdentity): RecordIdentity[] {
    const ids = this.#sqlite
      .prepare<unknown[], number>(
        `SELECT DISTINCT record_id FROM names WHERE kind = ? AND folded = ? AND record_id <> ? ORDER BY record_id LIMIT ${maxNamesakes}`,
      )
      .pluck()
      .all(kind, fold(name), id);
    return ids.flatMap((one) => this.byId(kind, one) ?? []);
  }

  /** The artists with this name, with what tells them apart (`namesakes.ts`). */
  artistsNamed(name: string): Namesake[] {
    return artistsNamed(this.#sqlite, name);
  }

  /** Why a record is not shown; null if it is. */
  removalOf(id: number): RecordRemoval | null {
    const row = this.#sqlite
      .prepare(
        'SELECT state, reason, removed_by AS "by", removed_ts AS "removedTs" FROM removed_records WHERE record_id = ?',
      )
      .get(id);
    return (row as RecordRemoval | undefined) ?? null;
  }

  #removed(kind: Kind, id: number): unknown {
    if (!this.#findsRemoved) return undefined;
    return this.#sqlite
      .prepare('SELECT slug, name FROM removed_records WHERE record_id = ? AND kind = ?')
      .get(id, kind);
  }

  #removedEdition(festival: number, edition: string): unknown {
    if (!this.#findsRemoved) return undefined;
    return this.#sqlite
      .prepare(
        `SELECT record_id FROM removed_records WHERE kind = 'edition'
         AND json_extract(saved, '$.row.festival_id') = ? AND json_extract(saved, '$.row.edition') = ?`,
      )
      .pluck()
      .get(festival, edition);
  }

  /** The catalogue's revision. */
  revision(): number {
    return prepareValue<number>(this.#sqlite, 'SELECT revision FROM catalogue').get() ?? 0;
  }

  #survivor(id: number): number {
    const into = this.#sqlite
      .prepare(
        "SELECT merged_into_id FROM changes WHERE record_id = ? AND change_type = 'merged' ORDER BY revision DESC LIMIT 1",
      )
      .pluck();
    const visited = new Set<number>();
    let at = id;
    for (let next = into.get(at); typeof next === 'number' && !visited.has(next); next = into.get(at)) {
      visited.add(next);
      at = next;
    }
    return at;
  }
}
