/** A REST client for tests: single responses, whole lists, and the slugs of the feed's records. */
import assert from 'node:assert/strict';
import { apiPrefix, type OperationId } from '../../src/contract/operations.ts';
import { type Entry, type ListBody, listed } from './expect.ts';
import type { Answer, Asked, Server } from './program.ts';

/** Requests a path below /api/v1. */
export const ask = (server: Server, path: string, asked?: Asked): Promise<Answer> =>
  server.get(`${apiPrefix}${path}`, asked);

/** Adds a query parameter to a path. */
export const withQuery = (path: string, query: string): string =>
  query === '' ? path : `${path}${path.includes('?') ? '&' : '?'}${query}`;

/** Returns all entries of a list; the page sizes cycle through `limits`. */
export async function walk(
  server: Server,
  operation: OperationId,
  path: string,
  limits: readonly number[] = [100],
): Promise<Entry[]> {
  const entries: Entry[] = [];
  let cursor: string | null = null;
  for (let page = 0; page < 1_000; page += 1) {
    const limit = limits[page % limits.length] as number;
    const query = `limit=${limit}${cursor === null ? '' : `&cursor=${cursor}`}`;
    const body: ListBody = listed(operation, await ask(server, withQuery(path, query)));
    entries.push(...body.data);
    cursor = body.page.next_cursor;
    if (cursor === null) return entries;
    assert.equal(body.data.length, limit, 'only the last page is short');
    assert.match(cursor, /^[\w.~-]+$/, 'a cursor needs no escaping');
  }
  assert.fail(`${path} never ends`);
}

const collections = {
  events: 'listEvents',
  artists: 'listArtists',
  venues: 'listVenues',
  festivals: 'listFestivals',
  labels: 'listLabels',
  genres: 'listGenres',
  cities: 'listCities',
  podcasts: 'listPodcasts',
} as const satisfies Record<string, OperationId>;
export type Collection = keyof typeof collections | 'episodes';
/** Slugs by path folder and name of the record. */
export type Slugs = (collection: Collection, name: string) => string;

/** Learns the slugs of everything there is; episodes, of the one podcast of the feed that has them. */
export async function learnSlugs(server: Server): Promise<Slugs> {
  const known = new Map<string, string>();
  const slug: Slugs = (collection, name) => {
    const found = known.get(`${collection} ${name}`);
    assert.ok(found, `there is no ${name} in /${collection}`);
    return found;
  };
  const learn = (collection: Collection, entries: Entry[]) => {
    for (const entry of entries) known.set(`${collection} ${entry.name}`, String(entry.slug));
  };
  for (const [collection, operation] of Object.entries(collections)) {
    learn(collection as Collection, await walk(server, operation, `/${collection}`));
  }
  const path = `/podcasts/${slug('podcasts', 'RA Podcast')}/episodes`;
  learn('episodes', await walk(server, 'listPodcastEpisodes', path));
  return slug;
}

/** Returns what identifies an entry in its list. */
export const label = (entry: Entry): unknown => {
  if ('seller' in entry) return entry.url;
  if ('identified' in entry) return entry.title;
  return 'edition' in entry ? entry.edition : entry.name;
};
