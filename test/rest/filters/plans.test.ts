/**
 * The queries of every read operation with every filter, and with pairs of filters, read indexes in the order of the
 * list: no scan of a table, no sort but of few rows. The operations and filters are those of the contract.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { handleOperation } from '../../../src/catalogue/handlers.ts';
import { openSearch } from '../../../src/catalogue/search.ts';
import { Problem } from '../../../src/contract/errors.ts';
import { type OperationDefinition, type OperationId, operations } from '../../../src/contract/operations.ts';
import { type FilterName, parameterOf } from '../../../src/contract/parameters.ts';
import { parseRequest } from '../../../src/rest/parse-request.ts';
import { CatalogueReader } from '../../../src/store/reader.ts';
import { importFeed, temporaryFolder } from '../../support/program.ts';
import { planFaults, planOf, recordStatements } from '../../support/query-plans.ts';
import { feedLines, generate } from './generated.ts';

const now = Date.parse('2026-11-20T12:00:00Z');
const folder = temporaryFolder();
const dataFile = join(folder.path, 'plans.db');

/** One record of each kind that the generated catalogue lacks, and a second one for lists to continue with. */
const otherLines = (suffix: string): object[] => [
  ...[1, 2].flatMap((number) => [
    { kind: 'festival', external_id: `f${number}`, name: `Fest ${number}${suffix}`, country: 'DE' },
    { kind: 'podcast', external_id: `p${number}`, name: `Cast ${number}${suffix}` },
    { kind: 'genre', external_id: `g${number}`, name: `Style ${number}${suffix}`, parent: 'Techno' },
  ]),
  { kind: 'label', external_id: 'l2', name: `Label 2${suffix}`, country: 'NL' },
  {
    kind: 'label',
    external_id: 'l1',
    name: `Label 1${suffix}`,
    country: 'DE',
    closed_at: '2020',
    artists: ['Ana', 'Bo', 'Cy'].map((name) => ({ name, external_id: `a-${name}` })),
  },
  {
    kind: 'artist',
    external_id: 'a-Ana',
    name: `Ana${suffix}`,
    country: 'DE',
    genres: ['Techno', 'House'],
    external_ids: { discogs: '1' },
  },
  { kind: 'artist', external_id: 'a-Bo', name: `Bo${suffix}`, country: 'NL', ended_at: '2019' },
  ...['2025', '2026', '2027'].map((edition) => ({
    kind: 'edition',
    external_id: `f1-${edition}`,
    festival: { external_id: 'f1', name: `Fest 1${suffix}` },
    edition,
    start_at: `${edition}-08-0${suffix === '' ? 1 : 3}`,
    lineup: ['Ana', 'Bo', 'Cy'].map((name) => ({ name, external_id: `a-${name}` })),
    tickets: ['A', 'B'].map((seller) => ({ seller, url: `https://${seller}.test/${edition}${suffix}` })),
  })),
  ...[1, 2, 3].map((number) => ({
    kind: 'episode',
    external_id: `x${number}`,
    podcast: { external_id: 'p1', name: `Cast 1${suffix}` },
    name: `Mix ${number}`,
    published_at: `2026-01-0${number + (suffix === '' ? 0 : 4)}`,
    artists: [{ name: 'Ana', external_id: 'a-Ana' }],
    tracklist: [1, 2, 3].map((position) => ({ position, title: `Track ${position}`, artist_name: 'Bo' })),
  })),
];
const generated = generate(3, { venues: 20, events: 60 });
importFeed(dataFile, [...feedLines(generated), ...otherLines('')]);

let sqlite = new Database(dataFile, { readonly: true });
after(() => {
  sqlite.close();
  folder.remove();
});

function openCatalogue() {
  const { connection, take } = recordStatements(sqlite);
  return { catalogue: { reader: new CatalogueReader(connection), search: openSearch(connection) }, take };
}
let { catalogue, take } = openCatalogue();

/** Texts of each filter: one value, and several where it takes several. A new filter needs a line here. */
const values: Record<FilterName, readonly string[]> = {
  country: ['DE', 'DE,NL'],
  city: ['Berlin', 'Berlin,Suva'],
  slug: ['ana,label-1,fest-1'],
  external_id: ['discogs:1'],
  source_id: ['test:e-1,test:e-2'],
  venue: ['VENUE', 'VENUE,VENUE2'],
  genre: ['techno', 'techno,ambient'],
  artist: ['ana', 'ana,bo'],
  near: ['52.52,13.40', '-17,179.9'],
  radius: ['500km'],
  bbox: ['13.0,52.3,13.8,52.7', '170,-90,-170,90', '-180,-90,180,90'],
  status: ['scheduled', 'cancelled', 'cancelled,postponed'],
  venue_status: ['open', 'closed'],
  label_status: ['active', 'closed'],
  life_status: ['active', 'ended'],
  has_tickets: ['true'],
  upcoming: ['true'],
  name: ['Berlin', 'Berlin,Suva'],
  type: ['artist', 'event,city', 'genre,podcast,city'],
  updated_since: ['2020-01-01T00:00:00Z'],
  created_since: ['2020-01-01T00:00:00Z'],
  from: ['2026-06-01', '2026-06-01T00:00:00Z'],
  to: ['2026-12-31', '2026-12-31T00:00:00Z'],
};

const venues = sqlite.prepare('SELECT slug FROM venues ORDER BY id LIMIT 2').pluck().all() as string[];
const resolveVenues = (text: string): string =>
  text.replace('VENUE2', String(venues[1])).replace('VENUE', String(venues[0]));

/** Searches from one letter to words that no name has. */
const searches = ['a', 'an', 'night', 'night 1', 'nihgt', 'ana b', 'zzyzx qqfoo', '!!!'];

/** The slug of a record whose lists have entries, by the first part of the path. */
const slugs: Record<string, string> = {
  artists: 'ana',
  cities: 'berlin',
  episodes: '',
  events: '',
  festivals: 'fest-1',
  genres: 'techno',
  labels: 'label-1',
  podcasts: 'cast-1',
  venues: '',
};
for (const [part, sql] of [
  ['episodes', 'SELECT e.slug FROM episodes e'],
  ['events', 'SELECT e.slug FROM events e JOIN event_sales s ON s.event_id = e.id ORDER BY e.id'],
  [
    'venues',
    'SELECT v.slug FROM events e JOIN venues v ON v.id = e.venue_id GROUP BY v.id ORDER BY count(*) DESC',
  ],
] as const)
  slugs[part] = String(sqlite.prepare(`${sql} LIMIT 1`).pluck().get());

type Query = Record<string, string>;
const allOperations = Object.entries(operations) as [OperationId, OperationDefinition][];

/** The requests of an operation: without filters, each filter alone, and each pair of filters. */
function* queriesOf(operation: OperationDefinition): Generator<Query> {
  const names = operation.filters ?? [];
  const base: Query[] = operation.shape === 'search' ? searches.map((q) => ({ q })) : [{}];
  yield* base;
  const queryOf = (name: FilterName, text: string): Query => ({
    [parameterOf(name)]: resolveVenues(text),
    // A radius belongs to a position.
    ...(name === 'radius' && { near: '52.52,13.40' }),
  });
  for (const one of base) {
    for (const [index, name] of names.entries()) {
      for (const text of values[name]) {
        yield { ...one, ...queryOf(name, text) };
        for (const other of names.slice(index + 1)) {
          if (other === 'bbox' && (name === 'near' || name === 'radius')) continue;
          for (const second of values[other]) yield { ...queryOf(other, second), ...queryOf(name, text) };
        }
      }
    }
  }
}

/** Cursors by request, from before records moved. */
const cursors = new Map<string, string>();

/** Asks for a page, and returns the cursor of the next one. */
function ask(id: OperationId, query: Query): string | null {
  const part = operations[id].path.split('/')[1] as string;
  const path = { slug: slugs[part] ?? '', edition: '2026' };
  const request = parseRequest(id, path, { ...query, limit: '1' }, now);
  try {
    const body = JSON.parse(handleOperation(request, catalogue)) as { page?: { next_cursor: string | null } };
    return body.page?.next_cursor ?? null;
  } catch (failure) {
    throw failure instanceof Problem
      ? new Error(`${id} ${JSON.stringify(query)}: ${failure.message}`)
      : failure;
  }
}

const judged = new Set<string>();
/** Judges the plans of the statements that ran, each text once. */
function judge(request: string): void {
  for (const statement of take()) {
    if (judged.has(statement.text)) continue;
    judged.add(statement.text);
    const plan = planOf(sqlite, statement);
    assert.deepEqual(planFaults(statement, plan), [], `${request}\n${plan.join('\n')}\n${statement.text}`);
  }
}

const label = (id: OperationId, query: Query): string =>
  `${id} ${decodeURIComponent(`${new URLSearchParams(query)}`)}`;

describe('query plans', () => {
  for (const [id, operation] of allOperations) {
    it(`${id}: the first and the second page of each filter and pair of filters`, () => {
      for (const query of queriesOf(operation)) {
        const cursor = ask(id, query);
        if (cursor !== null) {
          cursors.set(JSON.stringify([id, query]), cursor);
          ask(id, { ...query, cursor });
        }
        judge(label(id, query));
      }
    });
  }

  it('walks that began before records moved', () => {
    sqlite.close();
    const moved = generate(3, { venues: 20, events: 60 });
    for (const event of moved.events) event.start = event.start.replace(/T2(\d)/, 'T1$1');
    for (const venue of moved.venues) venue.name = `${venue.name} II`;
    importFeed(dataFile, [...feedLines(moved), ...otherLines(' II')]);
    sqlite = new Database(dataFile, { readonly: true });
    ({ catalogue, take } = openCatalogue());
    const kinds = sqlite.prepare('SELECT DISTINCT kind FROM sort_key_history').pluck().all();
    assert.deepEqual(kinds.length >= 7, true, `moved: ${kinds}`);
    const before = judged.size;
    for (const [key, cursor] of cursors) {
      const [id, query] = JSON.parse(key) as [OperationId, Query];
      ask(id, { ...query, cursor });
      judge(`after a move: ${label(id, query)}`);
    }
    assert.ok(judged.size > before);
  });

  it('a scan and a sort are found', () => {
    const scan = 'SELECT slug FROM artists WHERE country IS NOT NULL ORDER BY biography';
    const plan = planOf(sqlite, { text: scan, values: [] });
    assert.equal(planFaults({ text: scan, values: [] }, plan).length, 2, plan.join('\n'));
  });
});
