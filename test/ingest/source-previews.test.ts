/** The preview of a source shows what its import would do, and the result of a run contains no key. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../../src/failure.ts';
import { createGuardedFetch } from '../../src/fetch/guarded-fetch.ts';
import { SourceRegistry } from '../../src/ingest/schedule/source-registry.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';
import { serve } from '../support/source-server.ts';

const clock = { now: () => matchingNow };
const calendar = [
  'BEGIN:VCALENDAR',
  'BEGIN:VEVENT',
  'UID:1',
  'SUMMARY:Night',
  'DTSTART:20270304T220000Z',
  'CATEGORIES:Techno,Party',
  'END:VEVENT',
  'END:VCALENDAR',
  '',
].join('\r\n');

test('a preview recognizes the genres of the catalogue, as the import does', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [{ kind: 'genre', external_id: 'g', name: 'Techno' }]);
  const address = await serve(t, (_, response) =>
    response.writeHead(200, { 'content-type': 'text/calendar' }).end(calendar),
  );
  const registry = new SourceRegistry(sqlite, clock, {
    fetch: createGuardedFetch({ allow: ['127.0.0.0/8'], userAgent: 'test' }),
    secretSettings: () => ({}),
    blockedHostOf: () => null,
  });
  const source = {
    name: 'nights',
    type: 'ical',
    url: `${address}/nights.ics`,
    rules: { include: ['genre:techno'] },
  };
  const { preview } = await registry.previewUrl(source);
  assert.deepEqual(
    preview.kept.map(({ name }) => name),
    ['Night'],
  );
  const { reading } = await registry.recognize(source);
  assert.equal(reading?.preview.kept.length, 1);
  registry.add(source, 'terminal:ada');
  assert.equal((await registry.previewRead('nights')).preview.kept.length, 1);
  assert.equal((await registry.sync('nights')).kinds.event?.created, 1);
});

test('an error that quotes an address does not store a key from the environment', async (t) => {
  const sqlite = freshFile(t);
  const key = 'secret+key/1';
  const registry = new SourceRegistry(sqlite, clock, {
    fetch: async (url) => {
      throw new Failure(`${url} (${key}) is broken.`);
    },
    secretSettings: () => ({ apikey: key }),
    blockedHostOf: () => null,
  });
  registry.add(
    { name: 'seller', type: 'seatgeek', url: 'https://api.seatgeek.com/2/events' },
    'terminal:ada',
  );
  const { error } = await registry.sync('seller');
  assert.match(error ?? '', /client_id=\(hidden\).* \(\(hidden\)\) is broken/);
  assert.equal(registry.summary('seller').last_error, error);
  assert.ok(!sqlite.serialize().includes(key));
});
