/** Assertions for all REST responses (docs/spec/errors.md, docs/spec/limits.md, docs/spec/http.md#conditional-requests). */
import assert from 'node:assert/strict';
import type { z } from 'zod';
import { type ErrorType, errorBody, errorTypes } from '../../src/contract/errors.ts';
import { bodySchemas } from '../../src/contract/openapi.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { limitHeaders } from '../../src/contract/plans.ts';
import type { Answer } from './program.ts';

export type Entry = Record<string, unknown>;
export type ListBody = { data: Entry[]; page: { next_cursor: string | null; has_more: boolean } };

/** Parses the body strictly; its members must be in the order of the contract. */
function strictly<T extends z.ZodType>(schema: T, answer: Answer): z.infer<T> {
  assert.match(answer.headers['content-type'] ?? '', /^application\/json\b/);
  const raw = answer.json();
  const read = schema.safeParse(raw);
  assert.ok(read.success, `${read.error?.message}\n${answer.text.slice(0, 2_000)}`);
  // A strict parser writes the members in the order of its shape: in another order the texts would differ.
  assert.equal(JSON.stringify(raw), JSON.stringify(read.data), 'the order of the members');
  return read.data;
}

/** Asserts the headers of every response: X-Request-Id and CORS. */
export function everywhere(answer: Answer): string {
  const id = answer.headers['x-request-id'];
  assert.ok(typeof id === 'string' && /^[\x21-\x7e]{4,100}$/.test(id), `X-Request-Id: ${id}`);
  assert.equal(answer.headers['access-control-allow-origin'], '*');
  assert.equal(answer.headers['access-control-allow-credentials'], undefined);
  const exposed = (answer.headers['access-control-expose-headers'] ?? '').toLowerCase().split(/\s*,\s*/);
  for (const name of [...limitHeaders, 'X-Request-Id', 'Retry-After', 'ETag', 'WWW-Authenticate']) {
    assert.ok(exposed.includes(name.toLowerCase()), `${name} is not in Access-Control-Expose-Headers`);
  }
  return id;
}

/** Returns the six limit headers of an authenticated response as numbers. */
export function limitsOf(answer: Answer): Record<(typeof limitHeaders)[number], number> {
  return Object.fromEntries(
    limitHeaders.map((name) => {
      const value = answer.headers[name.toLowerCase()];
      assert.ok(typeof value === 'string' && /^\d+$/.test(value), `${name}: ${value}`);
      return [name, Number(value)];
    }),
  ) as Record<(typeof limitHeaders)[number], number>;
}

/** Asserts a valid 200 of an operation; returns its body. */
export function succeeded<B = { data: Entry }>(operation: OperationId, answer: Answer): B {
  assert.equal(answer.status, 200, answer.text.slice(0, 500));
  everywhere(answer);
  limitsOf(answer);
  assert.match(String(answer.headers.etag), /^W\/"[^"]+"$/);
  assert.equal(answer.headers['cache-control'], 'private, max-age=60');
  return strictly(bodySchemas[operation], answer) as B;
}

/** The same for a list, with a consistent page. */
export function listed(operation: OperationId, answer: Answer): ListBody {
  const body = succeeded<ListBody>(operation, answer);
  assert.equal(body.page.has_more, body.page.next_cursor !== null);
  return body;
}

/** Asserts a problem of this type, with this parameter. */
export function refused(type: ErrorType, answer: Answer, param: string | null = null): void {
  everywhere(answer);
  problem(type, answer, param);
}

/** The same outside of the API, without CORS headers. */
export function problem(type: ErrorType, answer: Answer, param: string | null = null): void {
  assert.equal(answer.status, errorTypes[type].status, answer.text.slice(0, 500));
  const id = answer.headers['x-request-id'];
  const { error } = strictly(errorBody, answer);
  assert.deepEqual({ type: error.type, param: error.param }, { type, param });
  assert.equal(error.request_id, id);
  assert.ok(error.message.length > 10, error.message);
  assert.doesNotMatch(answer.text, /\bat .*\.ts:|SQLITE|node_modules/, 'nothing of the inside is told');
  if (type === 'unauthorized') assert.match(String(answer.headers['www-authenticate']), /^Bearer\b/);
  if (type === 'method_not_allowed') assert.equal(answer.headers.allow, 'GET, HEAD, OPTIONS');
  if (answer.status === 429 || answer.status === 503)
    assert.match(String(answer.headers['retry-after']), /^[1-9]\d*$/);
}
