/**
 * Properties of the REST API, from its own document: requests that it describes and mutated ones are answered with a
 * status that it names and a body that fits its schema, and never with a 5xx.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { z } from 'zod';
import type { OpenApiDocument, OpenApiOperation } from '../../src/contract/openapi.ts';
import { type Chance, fuzz, type Outcome } from '../fuzz/fuzzer.ts';
import { mutated } from '../fuzz/mutate.ts';
import { feed, feedNow } from '../support/feed.ts';
import {
  type Answer,
  type Asked,
  importFeed,
  runJson,
  type Server,
  startServer,
  temporaryFolder,
} from '../support/program.ts';

type Node = Record<string, unknown>;
type Parameter = {
  name: string;
  in: 'path' | 'query';
  required?: boolean;
  example?: string;
  schema: { type: string; minimum?: number; enum?: string[]; examples?: string[] };
};
type Request = { operation: OpenApiOperation; target: string; asked: Asked; isValid: boolean };

const folder = temporaryFolder();
let server: Server;
let document: OpenApiDocument;
let operations: { path: string; get: OpenApiOperation }[];
/** Values that lists gave for the path parameter of each name, and cursors by the path that gave them. */
const slugs = new Map<string, string[]>();
const cursors = new Map<string, string[]>();
const schemas = new Map<string, z.ZodType>();

before(async () => {
  const dataFile = join(folder.path, 'catalogue.db');
  importFeed(dataFile, feed);
  server = await startServer({ dataFile, now: feedNow, plan: 'pro', window: 1e7, quota: 1e7 });
  document = (await server.get('/openapi.json')).json() as OpenApiDocument;
  operations = Object.entries(document.paths).map(([path, { get }]) => ({ path, get }));
  await learnValues();
});
after(async () => {
  await server?.stop();
  folder.remove();
});

/** Walks the lists without a path parameter, and then those below their records. */
async function learnValues(): Promise<void> {
  for (const { path } of operations.filter(({ path }) => !path.includes('{')))
    for (const { slug } of await firstPage(path)) remember(slugs, path, String(slug));
  for (const festival of slugs.get('/festivals') ?? [])
    for (const { edition } of await firstPage(`/festivals/${festival}/editions`))
      remember(slugs, '/festivals/{slug}/editions', `${festival} ${edition}`);
  for (const podcast of slugs.get('/podcasts') ?? [])
    for (const { slug } of await firstPage(`/podcasts/${podcast}/episodes`))
      remember(slugs, '/episodes', String(slug));
}

async function firstPage(path: string): Promise<Node[]> {
  const answer = await server.get(`/api/v1${path}?limit=3`);
  if (answer.status !== 200) return [];
  const { data, page } = answer.json() as { data: Node[]; page?: { next_cursor: string | null } };
  if (page?.next_cursor) remember(cursors, path, page.next_cursor);
  return Array.isArray(data) ? data : [];
}

const remember = (into: Map<string, string[]>, key: string, value: string): void => {
  into.set(key, [...(into.get(key) ?? []), value]);
};

// ------------------------------------------------------------------------------------------------- requests

/** What a local reference points to. */
const resolve = (value: unknown): unknown => {
  if (typeof value !== 'object' || value === null || !('$ref' in value)) return value;
  const names = String(value.$ref).slice(2).split('/');
  return names.reduce<unknown>((at, name) => (at as Node)[name], document);
};

/** The path with values that exist, or of the kind that the document asks for. */
function fillPath(path: string, chance: Chance, isValid: boolean): string {
  const [, collection = ''] = path.split('/');
  const pairs = slugs.get('/festivals/{slug}/editions') ?? [];
  const [festival = '', edition = ''] = chance.of(pairs).split(' ');
  return path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const known = path.includes('{edition}')
      ? name === 'slug'
        ? festival
        : edition
      : chance.of(slugs.get(`/${collection}`) ?? ['']);
    return encodeURIComponent(isValid ? known : mutated(known, chance).toWellFormed() || 'x');
  });
}

/** A value that the schema of a parameter takes; it need not mean anything to the service. */
function sampleOf({ name, schema, example }: Parameter, path: string, chance: Chance): string {
  if (name === 'cursor') return chance.of(cursors.get(path) ?? ['']);
  if (schema.type === 'integer') return String((schema.minimum ?? 0) + chance.below(200));
  if (schema.type === 'boolean') return chance.of(['true', 'false']);
  if (schema.enum) return chance.of(schema.enum);
  const examples = [...(schema.examples ?? []), ...(example === undefined ? [] : [example])];
  // A text without examples may be any: slugs of records, and what is none.
  return chance.of(examples.length > 0 ? examples : [...(slugs.get(`/${name}s`) ?? []), 'berlin', 'é 1']);
}

function makeRequest(chance: Chance): Request {
  const { path, get: operation } = chance.of(operations);
  const isValid = chance.once(2);
  const parameters = operation.parameters.map((one) => resolve(one) as Parameter);
  const query = new URLSearchParams();
  for (const parameter of parameters) {
    const isLeftOut = isValid ? !parameter.required && !chance.once(3) : !chance.once(2);
    if (parameter.in === 'path' || isLeftOut) continue;
    // A cursor belongs to the list and the filters that gave it.
    if (isValid && parameter.name === 'cursor') continue;
    const value = sampleOf(parameter, path, chance);
    const times = !isValid && chance.once(8) ? 1 + chance.below(30) : 1;
    for (let count = 0; count < times; count++)
      query.append(parameter.name, isValid ? value : mutated(value, chance).toWellFormed());
  }
  if (isValid) keepOneArea(query, chance);
  const target = `/api/v1${fillPath(path, chance, isValid || chance.once(2))}?${query}`;
  return { operation, target: target.slice(0, 8_000), asked: askedOf(chance, isValid), isValid };
}

/** One area per request: `near`, with or without `radius`, or `bbox`. */
function keepOneArea(query: URLSearchParams, chance: Chance): void {
  if (query.has('near') && query.has('bbox')) query.delete(chance.of(['near', 'bbox']));
  if (!query.has('near')) query.delete('radius');
}

function askedOf(chance: Chance, isValid: boolean): Asked {
  if (isValid) return {};
  const headers: Record<string, string> = {};
  if (chance.once(6)) headers['if-none-match'] = chance.of(['*', 'W/"x"', '"', ',,,']);
  if (chance.once(6)) headers.accept = chance.of(['text/html', 'application/xml;q=1', '*/*', ';']);
  if (chance.once(6)) headers['accept-encoding'] = chance.of(['zstd;q=0', 'gzip;q=x', 'identity;q=0, *;q=0']);
  return {
    headers,
    ...(chance.once(12) ? { key: chance.of([null, 'cb_live_x', '']) } : {}),
    ...(chance.once(12) ? { method: chance.of(['HEAD', 'OPTIONS', 'POST', 'DELETE']) } : {}),
  };
}

// ------------------------------------------------------------------------------------------------- answers

/** The schema of the document by its name, with all references written out. */
function schemaOf(reference: string): z.ZodType {
  let schema = schemas.get(reference);
  if (schema === undefined) {
    const inline = (value: unknown): unknown => {
      const target = resolve(value);
      if (Array.isArray(target)) return target.map(inline);
      if (typeof target !== 'object' || target === null) return target;
      return Object.fromEntries(Object.entries(target).map(([key, inner]) => [key, inline(inner)]));
    };
    schema = z.fromJSONSchema(inline({ $ref: reference }) as Parameters<typeof z.fromJSONSchema>[0]);
    schemas.set(reference, schema);
  }
  return schema;
}

/** Asserts that an answer is one of those that the document names for the operation. */
function assertDescribed({ operation, target, asked, isValid }: Request, answer: Answer): void {
  const shown = `${operation.operationId} ${target.slice(0, 300)}: ${answer.status} ${answer.text.slice(0, 300)}`;
  assert.ok(answer.status < 500, shown);
  if (isValid) assert.equal(answer.status, 200, shown);
  if (asked.method !== undefined) return;
  const described = resolve(operation.responses[answer.status]) as Node | undefined;
  assert.ok(described, `not described: ${shown}`);
  for (const name of Object.keys(described.headers as Node))
    if (name !== 'Link') assert.ok(answer.headers[name.toLowerCase()] !== undefined, `${name}: ${shown}`);
  const content = described.content as Record<string, { schema: { $ref: string } }> | undefined;
  if (content === undefined) {
    assert.equal(answer.text, '', shown);
    return;
  }
  const schema = schemaOf((content['application/json'] as { schema: { $ref: string } }).schema.$ref);
  const { error } = schema.safeParse(answer.json());
  assert.equal(error?.message, undefined, shown);
}

test('requests of the document are answered as it says', (context) =>
  fuzz<Request>(context, {
    runs: 4_000,
    clock: 'wall',
    maxMs: 5_000,
    make: makeRequest,
    async attempt(request): Promise<Outcome> {
      const answer = await server.get(request.target, request.asked);
      assertDescribed(request, answer);
      return answer.status < 400 ? 'read' : 'rejected';
    },
  }));

test('a key for agents alone is refused as the document says', async () => {
  runJson(['accounts', 'create', 'agent@example.org', '--data', server.dataFile]);
  const created = runJson<{ key: string }>([
    ...['keys', 'create', 'agent@example.org', '--name', 'agent', '--scope', 'agents'],
    ...['--data', server.dataFile],
  ]);
  for (const { path, get: operation } of operations.filter(({ path }) => !path.includes('{'))) {
    const asked = { key: created.key };
    const request = { operation, target: `/api/v1${path}?q=a`, asked, isValid: false };
    const answer = await server.get(request.target, asked);
    assert.equal(answer.status, 403);
    assertDescribed(request, answer);
  }
});

test('the schemas of the document refuse bodies that do not fit', async () => {
  const listing = '#/components/schemas/EventList';
  const body = (await server.get('/api/v1/events')).json() as { data: Node[] };
  assert.ok(schemaOf(listing).safeParse(body).success);
  for (const name of Object.keys(body.data[0] as Node)) {
    const { [name]: _, ...rest } = body.data[0] as Node;
    assert.equal(schemaOf(listing).safeParse({ ...body, data: [rest] }).success, false, name);
  }
});
