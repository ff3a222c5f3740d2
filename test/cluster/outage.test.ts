/** Waiting for a PostgreSQL that is away. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { awayTimeoutMs, Outage } from '../../src/cluster/outage.ts';
import { Problem } from '../../src/contract/errors.ts';

const isUnavailable = (failure: unknown): boolean =>
  failure instanceof Problem && failure.type === 'unavailable' && failure.cause === cause;
const cause = new Error('connect ECONNREFUSED');
const longAgo = () => performance.now() - awayTimeoutMs - 1;

test('the first caller tries again for two seconds', () => {
  const outage = new Outage();
  outage.note(performance.now(), cause);
  assert.equal(outage.isRecent, false);
  assert.throws(() => outage.note(longAgo(), cause), isUnavailable);
});

test('later callers are refused at once, until the server answers', () => {
  const outage = new Outage();
  assert.throws(() => outage.note(longAgo(), cause), isUnavailable);
  assert.equal(outage.isRecent, true);
  assert.throws(() => outage.note(performance.now(), cause), isUnavailable);
  outage.end();
  assert.equal(outage.isRecent, false);
  outage.note(performance.now(), cause);
});
