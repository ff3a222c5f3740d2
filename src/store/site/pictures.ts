/** The addresses of pictures, as the catalogue has them. */
import type Database from 'better-sqlite3';
import { sql } from 'kysely';
import { idPrefixes, type Kind } from '../../contract/fields.ts';
import { publicId } from '../records/serialize.ts';
import { type PreparedStatement, prepare } from '../statement.ts';

/** The author and the licence of a picture, as a source states them. */
export type PictureCredit = { credit: string | null; license: string | null };

/** A record whose picture is shown: its name, and the address of its picture if it has one. */
export type PicturedRecord = { name: string; image_url: string | null };

const tables = {
  event: 'events',
  artist: 'artists',
  venue: 'venues',
  festival: 'festivals',
  edition: 'editions',
  label: 'labels',
  podcast: 'podcasts',
  episode: 'episodes',
} as const satisfies Partial<Record<Kind, string>>;
export type PicturedKind = keyof typeof tables;

/** The kinds of record with pictures, by the prefix of their ids. */
const kindByPrefix = new Map<string, PicturedKind>(
  (Object.keys(tables) as PicturedKind[]).map((kind) => [idPrefixes[kind], kind]),
);

export class SitePictures {
  readonly #byId: Record<PicturedKind, PreparedStatement<{ id: number }, PicturedRecord>>;
  readonly #addresses: Record<
    PicturedKind,
    PreparedStatement<{ ids: string }, { id: number; image_url: string }>
  >;
  readonly #credit;

  constructor(sqlite: Database.Database) {
    const prepareKind = (kind: PicturedKind) =>
      prepare<{ id: number }, PicturedRecord>(
        sqlite,
        (p) => sql`select name, image_url from ${sql.raw(tables[kind])} where id = ${p.id}`,
      );
    this.#byId = Object.fromEntries(
      (Object.keys(tables) as PicturedKind[]).map((kind) => [kind, prepareKind(kind)]),
    ) as Record<PicturedKind, ReturnType<typeof prepareKind>>;
    this.#credit = prepare<{ id: number; address: string }, PictureCredit>(
      sqlite,
      (p) => sql`select content ->> 'image_credit' as credit, content ->> 'image_license' as license
        from source_records
        where record_id = ${p.id} and withdrawn_ts is null and content is not null
          and content ->> 'image_url' = ${p.address}
          and coalesce(content ->> 'image_credit', content ->> 'image_license') is not null
        limit 1`,
    );
    const prepareAddresses = (kind: PicturedKind) =>
      prepare<{ ids: string }, { id: number; image_url: string }>(
        sqlite,
        (p) => sql`select e.id, e.image_url from json_each(${p.ids}) j
          cross join ${sql.raw(tables[kind])} e on e.id = j.value where e.image_url is not null`,
      );
    this.#addresses = Object.fromEntries(
      (Object.keys(tables) as PicturedKind[]).map((kind) => [kind, prepareAddresses(kind)]),
    ) as Record<PicturedKind, ReturnType<typeof prepareAddresses>>;
  }

  /** Finds a record by its public id; undefined if there is none, or if its kind has no pictures. */
  byPublicId(id: string): PicturedRecord | undefined {
    const kind = kindByPrefix.get(id.slice(0, 3));
    const number = numberOf(id);
    return kind === undefined || !Number.isSafeInteger(number)
      ? undefined
      : this.#byId[kind].get({ id: number });
  }

  /** Author and licence of a picture of a record; undefined if no source of the record states them. */
  creditOf(id: string, address: string): PictureCredit | undefined {
    return this.#credit.get({ id: numberOf(id), address });
  }

  /** The addresses of the pictures of records of a kind, by public id; records without one are absent. */
  addressesOf(kind: PicturedKind, ids: readonly string[]): Map<string, string> {
    const rows = this.#addresses[kind].all({ ids: JSON.stringify(ids.map(numberOf)) });
    return new Map(rows.map(({ id, image_url }) => [publicId(kind, id), image_url]));
  }
}

/** The record id in a public id: `evt_00000a`. */
const numberOf = (id: string): number => Number.parseInt(id.slice(4), 36);
