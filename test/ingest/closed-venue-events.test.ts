/** Events at venues that closed before: they are taken, and the source says so (docs/decisions/27-closed-and-ended.md). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { closedVenuesBySource, closedVenuesOf } from '../../src/ingest/schedule/closed-venues.ts';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';

const venue = (name: string, closed_at?: string) => ({
  kind: 'venue',
  external_id: name,
  name,
  city: 'Hamburg',
  country: 'DE',
  ...(closed_at === undefined ? {} : { closed_at }),
});
const night = (id: string, place: string, start_at: string) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at,
  timezone: 'Europe/Berlin',
  venue: { name: place, city: 'Hamburg', country: 'DE' },
});

test('only events after the last day of the year, month or day count, for each source that lists them', async (t) => {
  const sqlite = freshFile(t);
  const venues = [
    venue('Kornspeicher', '2024-12-31'),
    venue('Ostwerk', '2026'),
    venue('Dekade', '2027-02'),
    venue('Halle'),
  ];
  await says(sqlite, 'seed', venues);
  await says(sqlite, 'club', [
    night('a', 'Kornspeicher', '2024-12-31T23:00'),
    night('b', 'Kornspeicher', '2025-01-01T00:30'),
    night('c', 'Kornspeicher', '2027-01-09T23:00'),
    night('d', 'Ostwerk', '2026-12-31T22:00'),
    night('e', 'Ostwerk', '2027-01-01T01:00'),
    night('f', 'Dekade', '2027-02-28T23:00'),
    night('g', 'Dekade', '2027-03-01'),
    night('h', 'Halle', '2027-03-01'),
  ]);
  await says(sqlite, 'seller', [night('x', 'Kornspeicher', '2027-01-09T23:00')]);
  const { events, venue_count, venues: listed } = closedVenuesOf(sqlite, 'club', matchingNow);
  assert.deepEqual([events, venue_count], [4, 3]);
  assert.deepEqual(
    listed.map(({ slug, city, closed_at, events: count, next_date }) => [
      slug,
      city,
      closed_at,
      count,
      next_date,
    ]),
    [
      ['kornspeicher', 'Hamburg', '2024-12-31', 2, '2027-01-09'],
      ['dekade', 'Hamburg', '2027-02', 1, '2027-03-01'],
      ['ostwerk', 'Hamburg', '2026', 1, '2027-01-01'],
    ],
  );
  const bySource = closedVenuesBySource(sqlite, matchingNow);
  assert.deepEqual([...bySource].map(([name, one]) => [name, one.events]).sort(), [
    ['club', 4],
    ['seller', 1],
  ]);
  // The events are in the catalogue, and the venue stays closed.
  assert.ok(ask(sqlite, 'listEvents', {}).some(({ name }: { name: string }) => name === 'Night c'));
  assert.equal(ask(sqlite, 'getVenue', { slug: 'kornspeicher' }).status, 'closed');
});

test('the notice ends when the venue opens again, or the source withdraws the event', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'seed', [venue('Kornspeicher', '2024'), venue('Ostwerk', '2024')]);
  const all = [night('a', 'Kornspeicher', '2027-01-09'), night('b', 'Ostwerk', '2027-01-10')];
  await says(sqlite, 'club', all);
  const count = () => closedVenuesOf(sqlite, 'club', matchingNow).events;
  assert.equal(count(), 2);
  await new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' }).set('venue/ostwerk', [
    parseChange('closed='),
  ]);
  assert.equal(count(), 1);
  await says(sqlite, 'club', [all[1] as object], { complete: true, force: true, now: matchingNow + 1 });
  assert.equal(count(), 0);
});
