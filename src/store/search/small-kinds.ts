/** Finds cities, genres and podcasts by name. They have no entries in the full-text index, because they are few. */
import type Database from 'better-sqlite3';
import type { ApiRecord } from '../../contract/records.ts';
import { pageUrl } from '../records/serialize.ts';

export const smallKinds = ['city', 'genre', 'podcast'] as const;
export type SmallSearchKind = (typeof smallKinds)[number];
/** Whether `SmallKindSearch` finds the kind. */
export const isSmallKind = (kind: string): kind is SmallSearchKind =>
  (smallKinds as readonly string[]).includes(kind);

/** A name of a record, with how many others it stands before. */
export type SmallNameHit = {
  kind: SmallSearchKind;
  record_id: number;
  name: string;
  words: string;
  is_alias: number;
  prominence: number;
};
type SmallRow = { slug: string; name: string; country: string | null; image_url: string | null };

const tables: Record<SmallSearchKind, { columns: string; table: string; prominence: string }> = {
  city: {
    table: 'cities',
    columns: 'slug, name, country, NULL AS image_url',
    prominence: '(SELECT coalesce(c.population, 0) FROM cities c WHERE c.id = n.record_id)',
  },
  genre: {
    table: 'genres',
    columns: 'slug, name, NULL AS country, NULL AS image_url',
    prominence: '(SELECT count(*) FROM artist_genres a WHERE a.genre_id = n.record_id)',
  },
  podcast: {
    table: 'podcasts',
    columns: 'slug, name, NULL AS country, image_url',
    prominence: '(SELECT count(*) FROM episodes e WHERE e.podcast_id = n.record_id)',
  },
};

/** Names that are ranked; the first of the alphabet if there are more. */
const maxNames = 300;
/** Greater than every character of a folded name. */
const highestCharacter = '\uDBFF\uDFFF';

type Statements = Record<SmallSearchKind, Record<'beginning' | 'within' | 'row', Database.Statement>>;

/** Finds names of the small kinds by their beginning or by a word within, at most 300 of each; callers rank them. */
export class SmallKindSearch {
  readonly #statements: Statements;

  constructor(sqlite: Database.Database) {
    const names = (kind: SmallSearchKind, condition: string) =>
      sqlite.prepare(
        `SELECT '${kind}' AS kind, n.record_id, n.name, n.words, n.is_alias, ${tables[kind].prominence} AS prominence
         FROM names n INDEXED BY names_by_folded WHERE n.kind = '${kind}' AND ${condition} LIMIT ${maxNames}`,
      );
    this.#statements = Object.fromEntries(
      smallKinds.map((kind) => [
        kind,
        {
          beginning: names(kind, 'n.folded >= @text AND n.folded < @end'),
          within: names(kind, 'n.folded GLOB @pattern'),
          row: sqlite.prepare(`SELECT ${tables[kind].columns} FROM ${tables[kind].table} WHERE id = ?`),
        },
      ]),
    ) as Statements;
  }

  /** The names of a kind that begin with the folded text, or contain a word that begins with `word` (letters, digits). */
  find(kind: SmallSearchKind, text: string, word: string): SmallNameHit[] {
    const { beginning, within } = this.#statements[kind];
    const first = beginning.all({ text, end: text + highestCharacter }) as SmallNameHit[];
    return [...first, ...(within.all({ pattern: `*[^a-z0-9]${word}*` }) as SmallNameHit[])];
  }

  /** The search hit of a name; null if the record does not exist. */
  toHit({ kind, record_id: id, name: matched }: SmallNameHit): ApiRecord<'SearchHit'> | null {
    const row = this.#statements[kind].row.get(id) as SmallRow | undefined;
    if (row === undefined) return null;
    const { slug, name, country, image_url } = row;
    const place = { city: null, country, start_at: null, image_url };
    return { type: kind, slug, name, matched, ...place, url: pageUrl(kind, slug) };
  }
}
