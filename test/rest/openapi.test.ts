/** The OpenAPI document: valid, whole, closed, stable, and true to the contract that it is made from. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createConfig, lintFromString } from '@redocly/openapi-core';
import { z } from 'zod';
import { apiKeyPrefix } from '../../src/access/api-key-format.ts';
import { errorTypes } from '../../src/contract/errors.ts';
import { externalServices } from '../../src/contract/fields.ts';
import { type OpenApiDocument, openApiDocument } from '../../src/contract/openapi.ts';
import { type OperationDefinition, operationIds, operations } from '../../src/contract/operations.ts';
import { filters, parameterOf } from '../../src/contract/parameters.ts';
import { limitHeaders } from '../../src/contract/plans.ts';

const facts = { baseUrl: 'https://music.test', name: 'Crate of Ours', version: '1.2.3' };
const document = openApiDocument(facts);
const rows: Record<string, OperationDefinition> = operations;

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null;

/** Every object in a document, with the way to it. */
function* nodes(value: unknown, path = '#'): Generator<[path: string, node: Node]> {
  if (!isNode(value)) return;
  yield [path, value];
  for (const [key, inner] of Object.entries(value)) yield* nodes(inner, `${path}/${key}`);
}

/** What a local reference points to. */
function resolve(reference: string): unknown {
  return reference
    .slice(2)
    .split('/')
    .reduce<unknown>((at, key) => (isNode(at) ? at[key] : undefined), document);
}

test('passes Redocly without errors', async () => {
  const problems = await lintFromString({
    source: JSON.stringify(document),
    config: await createConfig({ extends: ['recommended'] }),
  });
  const told = problems.map(({ severity, ruleId, message }) => `${severity} ${ruleId}: ${message}`);
  // What the data may be used for depends on the caller's plan: there is no one licence to name.
  assert.deepEqual(told, ['warn info-license: Info object should contain `license` field.']);
});

test('has the 33 operations and nothing else', () => {
  assert.equal(operationIds.length, 33);
  assert.deepEqual(
    Object.keys(document.paths),
    operationIds.map((id) => rows[id]?.path),
  );
  const ids = Object.values(document.paths).map(({ get }) => get.operationId);
  assert.deepEqual(ids, operationIds);
  assert.equal(new Set(ids).size, ids.length);
});

test('each operation has its parameters and its answers', () => {
  for (const { get } of Object.values(document.paths)) {
    const row = rows[get.operationId] as OperationDefinition;
    const parameters = get.parameters.map((parameter) => resolve(String(parameter.$ref)) as Node);
    const names = (place: string) => parameters.filter((p) => p.in === place).map((p) => p.name);
    assert.deepEqual(
      names('path'),
      [...row.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      row.path,
    );
    const rest = { list: ['limit', 'cursor'], search: ['q', 'limit'], detail: [] }[row.shape];
    assert.deepEqual(names('query'), [...(row.filters ?? []).map(parameterOf), ...rest], row.path);
    const statuses = ['200', '304', '401', '429', '500', '503'];
    if (row.shape !== 'detail') statuses.push('400');
    if (row.path.includes('{')) statuses.push('404');
    assert.deepEqual(Object.keys(get.responses), statuses.sort(), row.path);
    if (row.order) assert.match(String(get.description), new RegExp(row.order), row.path);
  }
  for (const name of Object.keys(filters)) assert.ok(document.components.parameters[name], name);
});

test('names every header where it stands', () => {
  const headersOf = (name: string) => Object.keys(document.components.responses[name]?.headers as Node);
  for (const name of ['NotModified', 'BadRequest', 'NotFound', 'TooManyRequests']) {
    for (const header of limitHeaders) assert.ok(headersOf(name).includes(header), `${name} ${header}`);
  }
  for (const name of Object.keys(document.components.responses)) {
    assert.ok(headersOf(name).includes('X-Request-Id'), name);
  }
  for (const name of ['TooManyRequests', 'Unavailable'])
    assert.ok(headersOf(name).includes('Retry-After'), name);
  assert.ok(headersOf('Unauthorized').includes('WWW-Authenticate'));
  for (const { get } of Object.values(document.paths)) {
    const headers = Object.keys(get.responses[200]?.headers as Node);
    const isList = rows[get.operationId]?.shape === 'list';
    const own = ['X-Request-Id', 'ETag', ...(isList ? ['Link'] : []), 'Cache-Control'];
    assert.deepEqual(headers, [...own, ...limitHeaders]);
  }
});

test('every object schema is closed and has nothing optional', () => {
  let objects = 0;
  for (const [path, node] of nodes(document.components.schemas)) {
    if (node.type !== 'object' || !isNode(node.properties)) continue;
    objects += 1;
    assert.equal(node.additionalProperties, false, path);
    assert.deepEqual(node.required, Object.keys(node.properties), path);
  }
  assert.ok(objects > 50);
});

test('every reference leads somewhere, and every component is used', () => {
  const used = new Set<string>();
  for (const [path, node] of nodes(document)) {
    if (typeof node.$ref !== 'string') continue;
    assert.ok(isNode(resolve(node.$ref)), `${path}: ${node.$ref}`);
    used.add(node.$ref);
  }
  for (const section of ['schemas', 'parameters', 'headers', 'responses'] as const) {
    for (const name of Object.keys(document.components[section])) {
      assert.ok(used.has(`#/components/${section}/${name}`), `${section}/${name} is never used`);
    }
  }
});

test('says whose it is', () => {
  assert.equal(document.openapi, '3.1.1');
  assert.equal(document.info.title, facts.name);
  assert.equal(document.info.version, facts.version);
  assert.match(document.info.description, /Data from Crate of Ours \(https:\/\/music\.test\)/);
  assert.deepEqual(document.servers, [{ url: 'https://music.test/api/v1' }]);
  for (const type of Object.keys(errorTypes)) assert.ok(document.info.description.includes(type), type);
  const { scheme, description } = document.components.securitySchemes.apiKey as Node;
  assert.equal(scheme, 'bearer');
  assert.ok(String(description).includes(apiKeyPrefix));
});

test('the same facts give the same document, other facts another', () => {
  const text = JSON.stringify(document);
  assert.equal(JSON.stringify(openApiDocument({ ...facts })), text);
  assert.notEqual(JSON.stringify(openApiDocument({ ...facts, baseUrl: 'https://b.test' })), text);
});

/** A schema of the document, read back: references written out, then made a parser. */
function parserOf(name: string, from: OpenApiDocument): z.ZodType {
  const inline = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(inline);
    if (!isNode(value)) return value;
    if (typeof value.$ref === 'string') return inline(resolve(value.$ref));
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, inline(inner)]));
  };
  return z.fromJSONSchema(inline(from.components.schemas[name]) as Parameters<typeof z.fromJSONSchema>[0]);
}

const eventItem = {
  id: 'evt_00000a',
  slug: 'klubnacht-2026-12-31',
  name: 'Klubnacht',
  start_at: '2026-12-31T23:00:00+01:00',
  end_at: null,
  timezone: 'Europe/Berlin',
  status: null,
  venue: { slug: null, name: null, city: 'Berlin', country: 'DE', latitude: null, longitude: null },
  url: 'https://music.test/events/klubnacht-2026-12-31',
  lineup: [{ slug: 'ben-klock', name: 'Ben Klock' }],
};
const label = {
  id: 'lbl_00000b',
  slug: 'ostgut-ton',
  name: 'Ostgut Ton',
  country: 'DE',
  founded_year: 2005,
  image_url: null,
  closed_at: null,
  status: 'active',
  url: 'https://music.test/labels/ostgut-ton',
  description: null,
  parent: null,
  website: 'https://ostgut.test/',
  aliases: [],
  links: [{ type: 'website', url: 'https://ostgut.test/' }],
  external_ids: Object.fromEntries(externalServices.map((service) => [service, null])),
  artist_count: 0,
  updated_at: '2026-11-20T12:00:00Z',
};
const page = { next_cursor: null, has_more: false };
const error = { type: 'not_found', message: 'No such path.', param: null, request_id: 'r1' };

const samples: { schema: string; right: Node; wrong: Node[] }[] = [
  {
    schema: 'EventList',
    right: { data: [eventItem], page },
    wrong: [
      { data: [eventItem] },
      { data: [{ ...eventItem, extra: 1 }], page },
      { data: [{ ...eventItem, status: 'on' }], page },
      { data: [{ ...eventItem, id: 'art_00000a' }], page },
      { data: [{ ...eventItem, venue: null }], page },
      { data: [{ ...eventItem, end_at: undefined }], page },
    ],
  },
  {
    schema: 'LabelDetail',
    right: { data: label },
    wrong: [
      { data: [label] },
      { data: label, page },
      { data: { ...label, external_ids: {} } },
      { data: { ...label, country: 'Germany' } },
      { data: { ...label, parent: { slug: 'x' } } },
      { data: { ...label, artist_count: -1 } },
    ],
  },
  {
    schema: 'SearchHitList',
    right: { data: [], page },
    wrong: [
      { data: {}, page },
      { data: [], page: { has_more: false } },
    ],
  },
  {
    schema: 'Error',
    right: { error },
    wrong: [{ error: { ...error, type: 'oops' } }, { error: { ...error, stack: '' } }, error],
  },
];

for (const { schema, right, wrong } of samples) {
  test(`${schema} takes a right body and refuses ${wrong.length} wrong ones`, () => {
    const parser = parserOf(schema, document);
    assert.deepEqual(parser.safeParse(right).error, undefined);
    for (const body of wrong)
      assert.ok(!parser.safeParse(JSON.parse(JSON.stringify(body))).success, JSON.stringify(body));
  });
}
