/** The queries of filtered lists read indexes in the order of the list: no scan of a table, no sort but of few ids. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, describe, it } from 'node:test';
import Database from 'better-sqlite3';
import { handleOperation } from '../../../src/catalogue/handlers.ts';
import { openSearch } from '../../../src/catalogue/search.ts';
import type { OperationId } from '../../../src/contract/operations.ts';
import { parseRequest } from '../../../src/rest/parse-request.ts';
import { CatalogueReader } from '../../../src/store/reader.ts';
import { importFeed, temporaryFolder } from '../../support/program.ts';
import { feedLines, generate } from './generated.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'plans.db');
importFeed(dataFile, feedLines(generate(3, { venues: 20, events: 60 })));
const sqlite = new Database(dataFile, { readonly: true });
after(() => {
  sqlite.close();
  folder.remove();
});

/** The texts of the statements that ran. */
const ran = new Set<string>();
const recording = new Proxy(sqlite, {
  get(target, name) {
    if (name !== 'prepare') {
      const value = Reflect.get(target, name) as unknown;
      return typeof value === 'function' ? value.bind(target) : value;
    }
    return (text: string) => {
      const statement = target.prepare(text);
      for (const method of ['all', 'get'] as const) {
        const own = statement[method].bind(statement) as (...values: unknown[]) => unknown;
        Object.assign(statement, {
          [method]: (...values: unknown[]) => {
            ran.add(text);
            return own(...values);
          },
        });
      }
      return statement;
    };
  },
});
const catalogue = { reader: new CatalogueReader(recording), search: openSearch(recording) };

/** Asks, and returns the statements on lists of events and records that ran. */
function statementsOf(operation: OperationId, query: string): string[] {
  ran.clear();
  const parameters = Object.fromEntries(new URLSearchParams(query));
  const request = parseRequest(
    operation,
    {},
    { ...parameters, limit: '3' },
    Date.parse('2026-11-20T12:00:00Z'),
  );
  const body = JSON.parse(handleOperation(request, catalogue)) as { page: { next_cursor: string | null } };
  const { next_cursor: cursor } = body.page;
  if (cursor !== null) {
    const next = { ...parameters, limit: '3', cursor };
    handleOperation(parseRequest(operation, {}, next, request.now), catalogue);
  }
  return [...ran].filter((text) => /from|FROM/.test(text) && !/search_terms|name_search/.test(text));
}

const planOf = (text: string): string[] => {
  const values = Array.from({ length: text.split('?').length - 1 }, () => 0);
  const named = /[@:$]\w+/.test(text) ? [{ day: 0, now: 0, text: '', end: '', pattern: '' }] : [];
  return (sqlite.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...values, ...named) as { detail: string }[]).map(
    ({ detail }) => detail,
  );
};

const cases: [OperationId, string][] = [
  ...[
    'near=52.52,13.40',
    'near=52.52,13.40&radius=500km',
    'near=-17,179.9&radius=400km&status=cancelled&has_tickets=true&country=DE,FJ',
    'near=52.52,13.40&genre=techno,house&from=2026-11-20',
    'bbox=-180,-90,180,90&artist=ana,bo',
    'bbox=170,-20,-170,0&updated_since=2020-01-01T00:00:00Z',
    'country=DE,NL',
    'city=Berlin,Suva',
    'genre=techno,ambient&country=DE',
    'status=cancelled',
    'status=cancelled,postponed&country=DE',
    'has_tickets=true',
    'updated_since=2020-01-01T00:00:00Z&genre=house',
  ].map((query): [OperationId, string] => ['listEvents', query]),
  ...['near=52.52,13.40', 'bbox=-180,-90,180,90', 'status=open', 'upcoming=true', 'country=DE,NL'].map(
    (query): [OperationId, string] => ['listVenues', query],
  ),
  ['listArtists', 'status=ended'],
  ['listArtists', 'upcoming=true&status=active'],
  ['listFestivals', 'upcoming=true'],
  ['listCities', 'updated_since=2020-01-01T00:00:00Z'],
  ['listPodcasts', 'created_since=2020-01-01T00:00:00Z'],
  ['listEvents', 'external_id=test:e-1,test:e-2'],
  ['listCities', 'name=Berlin'],
];

describe('query plans', () => {
  for (const [operation, query] of cases) {
    it(`${operation} ${query}`, () => {
      const statements = statementsOf(operation, query);
      assert.ok(statements.length > 0);
      for (const text of statements) {
        const plan = planOf(text);
        for (const step of plan) {
          // The constants of requests, and rows of subqueries, are no tables.
          if (
            !step.startsWith('SCAN') ||
            /json_each|SCAN j VIRTUAL TABLE|CONSTANT|SCAN catalogue|\bdays|\bregions|SCAN u$|\(subquery/.test(
              step,
            )
          )
            continue;
          assert.match(step, /USING (COVERING )?INDEX/, `${step}\n${text}`);
        }
        // Few ids are sorted: of sources and slugs, or of the records that an index found to fit.
        const isOfIds = /(?:in \(select value|select .*) from json_each\(\?\).*(order by|ORDER BY)/s.test(
          text,
        );
        if (!isOfIds || operation === 'listEvents')
          assert.ok(
            isOfIds || !plan.some((step) => /TEMP B-TREE FOR ORDER BY/.test(step)),
            `${plan}\n${text}`,
          );
      }
    });
  }
});
