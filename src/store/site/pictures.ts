/** The addresses of pictures, as the catalogue has them. */
import { sql } from 'kysely';
import { idPrefixes, type Kind, kinds } from '../../contract/fields.ts';
import { kindTables } from '../records/kind-tables.ts';
import { publicId } from '../records/serialize.ts';
import { prepare, SqliteStore } from '../statement.ts';
import { mapKeys } from '../values.ts';

/** The author and the licence of a picture, as a source states them. */
export type PictureCredit = { credit: string | null; license: string | null };

/** A record whose picture is shown: its name, and the address of its picture if it has one. */
export type PicturedRecord = { name: string; image_url: string | null };

export type PicturedKind = Exclude<Kind, 'city' | 'genre'>;
const picturedKinds = kinds.filter((kind): kind is PicturedKind => kind !== 'city' && kind !== 'genre');

/** The kinds of record with pictures, by the prefix of their ids. */
const kindByPrefix = new Map<string, PicturedKind>(picturedKinds.map((kind) => [idPrefixes[kind], kind]));

/** Reads the addresses and credits of pictures. Cities and genres have no pictures. */
export class SitePictures extends SqliteStore {
  readonly #byId = mapKeys(picturedKinds, (kind) =>
    prepare<{ id: number }, PicturedRecord>(
      this.sqlite,
      (p) => sql`select name, image_url from ${sql.table(kindTables[kind].table)} where id = ${p.id}`,
    ),
  );
  readonly #credit = prepare<{ id: number; address: string }, PictureCredit>(
    this.sqlite,
    (p) => sql`select content ->> 'image_credit' as credit, content ->> 'image_license' as license
        from source_records
        where record_id = ${p.id} and withdrawn_ts is null and content is not null
          and content ->> 'image_url' = ${p.address}
          and coalesce(content ->> 'image_credit', content ->> 'image_license') is not null
        limit 1`,
  );
  readonly #addresses = mapKeys(picturedKinds, (kind) =>
    prepare<{ ids: string }, { id: number; image_url: string }>(
      this.sqlite,
      (p) => sql`select e.id, e.image_url from json_each(${p.ids}) j
        cross join ${sql.table(kindTables[kind].table)} e on e.id = j.value where e.image_url is not null`,
    ),
  );

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
