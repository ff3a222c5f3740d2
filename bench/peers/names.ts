/** Search by name as most services do it: FTS5 ordered by rank, and MiniSearch in memory. */
import Database from 'better-sqlite3';
import MiniSearch from 'minisearch';

/** A record that a peer found. */
export type PeerHit = { kind: string; slug: string; name: string };
export type PeerSearch = (text: string, limit: number) => PeerHit[];

const namesSql = ['artist', 'event', 'festival', 'venue', 'label']
  .map(
    (kind) =>
      `SELECT n.record_id AS id, n.kind, n.name, t.slug FROM names n JOIN ${kind}s t ON t.id = n.record_id WHERE n.kind = '${kind}'`,
  )
  .join(' UNION ALL ');

/** The words of a query without signs that FTS5 reads as operators. */
const wordsOf = (text: string): string[] => text.split(/[^\p{L}\p{N}]+/u).filter(Boolean);

/** Indexes the names of a data file with FTS5, in memory. The last word is a prefix. */
export function openFts(file: string): PeerSearch {
  const sqlite = new Database(':memory:');
  sqlite.prepare('ATTACH ? AS source').run(file);
  sqlite.exec(`CREATE VIRTUAL TABLE hits USING fts5 (name, kind UNINDEXED, slug UNINDEXED, prefix = '1 2 3');
    INSERT INTO hits (name, kind, slug) SELECT name, kind, slug FROM (${namesSql.replaceAll(/(FROM|JOIN) (\w+)/g, '$1 source.$2')});
    INSERT INTO hits (hits) VALUES ('optimize');
    DETACH source`);
  const select = sqlite.prepare<[string, number], PeerHit>(
    'SELECT kind, slug, name FROM hits WHERE hits MATCH ? ORDER BY rank LIMIT ?',
  );
  return (text, limit) => {
    const words = wordsOf(text);
    if (words.length === 0) return [];
    return select.all(`${words.map((word) => `"${word}"`).join(' ')} *`, limit);
  };
}

/** Indexes the names of a data file with MiniSearch. The last word is a prefix. */
export function openMiniSearch(file: string): PeerSearch {
  const sqlite = new Database(file, { fileMustExist: true });
  sqlite.pragma('query_only = ON');
  const index = new MiniSearch<PeerHit & { key: number }>({
    idField: 'key',
    fields: ['name'],
    storeFields: ['kind', 'slug', 'name'],
  });
  let key = 0;
  for (const row of sqlite.prepare<[], PeerHit>(namesSql).iterate()) index.add({ ...row, key: key++ });
  sqlite.close();
  return (text, limit) =>
    index
      .search(text, { prefix: (_term, at, terms) => at === terms.length - 1, combineWith: 'AND' })
      .slice(0, limit)
      .map(({ kind, slug, name }) => ({ kind, slug, name }));
}
