/** Many records in one request: `slug` and `external_id` of the lists by name (docs/spec/lists.md#filters). */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { importFeed, runJson, type Server, startServer, temporaryFolder } from '../support/program.ts';

const artists = Array.from({ length: 120 }, (_, index) => ({
  kind: 'artist',
  external_id: `artist-${index}`,
  name: `Performer ${String(index).padStart(3, '0')}`,
  country: index % 2 === 0 ? 'DE' : 'FR',
  external_ids: { discogs: String(1_000 + index), musicbrainz: `mb-${index}`, wikidata: `Q${index}` },
}));
const label = { kind: 'label', external_id: 'l', name: 'Imprint', external_ids: { discogs: '1000' } };

type Body = { data: { slug: string }[]; page: { next_cursor: string | null } };

describe('look-ups of many records', () => {
  const folder = temporaryFolder();
  const dataFile = join(folder.path, 'test.db');
  let server: Server;
  before(async () => {
    importFeed(dataFile, [...artists, label]);
    server = await startServer({ dataFile, window: 10_000 });
  });
  after(async () => {
    await server.stop();
    folder.remove();
  });
  const slugs = async (path: string): Promise<string[]> => {
    const { status, json } = await server.get(`/api/v1${path}`);
    assert.equal(status, 200, path);
    return (json() as Body).data.map(({ slug }) => slug);
  };

  it('finds records by slug in the order of the list, unknown and repeated ones left out', async () => {
    const asked = 'performer-007,nobody-has-this, performer-003 ,performer-007,';
    assert.deepEqual(await slugs(`/artists?slug=${encodeURIComponent(asked)}`), [
      'performer-003',
      'performer-007',
    ]);
    assert.deepEqual(await slugs('/artists?slug=PERFORMER-007'), []);
  });

  it('finds records by ids at other services, of their own kind alone', async () => {
    assert.deepEqual(await slugs('/artists?external_id=discogs:1000,MusicBrainz:mb-5,discogs:9'), [
      'performer-000',
      'performer-005',
    ]);
    assert.deepEqual(await slugs('/labels?external_id=discogs:1000'), ['imprint']);
    assert.deepEqual(await slugs('/venues?external_id=discogs:1000'), []);
  });

  it('finds records by ids as their details write them, and in any case', async () => {
    const { json } = await server.get('/api/v1/artists/performer-007');
    const { wikidata } = (json() as { data: { external_ids: { wikidata: string } } }).data.external_ids;
    assert.equal(wikidata, 'Q7');
    for (const id of [wikidata, wikidata.toLowerCase()])
      assert.deepEqual(await slugs(`/artists?external_id=wikidata:${id}`), ['performer-007'], id);
  });

  it('joins filters with "and"', async () => {
    assert.deepEqual(await slugs('/artists?slug=performer-001,performer-002&country=FR'), ['performer-001']);
    assert.deepEqual(await slugs('/artists?slug=performer-001,performer-002&external_id=discogs:1002'), [
      'performer-002',
    ]);
  });

  it('pages through a hundred', async () => {
    const asked = artists.slice(10, 110).map(({ name }) => name.toLowerCase().replace(' ', '-'));
    const path = `/artists?limit=30&slug=${asked.toReversed().join(',')}`;
    const found: string[] = [];
    let cursor: string | null = null;
    do {
      const { json } = await server.get(`/api/v1${path}${cursor === null ? '' : `&cursor=${cursor}`}`);
      const { data, page } = json() as Body;
      found.push(...data.map(({ slug }) => slug));
      cursor = page.next_cursor;
    } while (cursor !== null);
    assert.deepEqual(found, asked);
  });

  it('follows a merged slug, and leaves out a hidden record', async () => {
    runJson(['merge', 'artist/performer-020', 'artist/performer-021', '--data', dataFile]);
    runJson(['hide', 'artist/performer-022', '--data', dataFile]);
    assert.deepEqual(await slugs('/artists?slug=performer-021,performer-022,performer-023'), [
      'performer-020',
      'performer-023',
    ]);
    assert.deepEqual(await slugs('/artists?external_id=discogs:1021,discogs:1022'), ['performer-020']);
  });

  for (const [query, words] of [
    [`slug=${'a,'.repeat(100)}b`, /at most 100/],
    ['slug=,', /slug takes slugs/],
    ['external_id=myspace:1', /musicbrainz, discogs/],
    ['external_id=1000', /service:id/],
    [`external_id=${'discogs:1,'.repeat(101)}`, /at most 100/],
  ] as const) {
    it(`refuses ${query.slice(0, 40)}`, async () => {
      const { status, json } = await server.get(`/api/v1/artists?${query}`);
      assert.equal(status, 400);
      const { error } = json() as { error: { type: string; message: string; param: string } };
      assert.equal(error.type, 'invalid_parameter');
      assert.equal(error.param, query.split('=', 1)[0]);
      assert.match(error.message, words);
    });
  }
});
