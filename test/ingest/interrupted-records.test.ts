/** The time limit of a record may interrupt an import at any point: nothing is lost, doubled or left half done. */
import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { RecordTimeLimit, TimeLimitExceeded } from '../../src/ingest/import/record-time-limit.ts';
import { WorkQueue } from '../../src/ingest/import/work-queue.ts';
import { WriteBatches } from '../../src/ingest/write-lock/write-batches.ts';
import { WriteSession } from '../../src/ingest/write-session.ts';
import { ask, freshFile, partition, says } from '../support/matching.ts';

/** Interrupts the limited work at these points, and counts the points. */
const interruption = { at: [] as number[], points: [] as string[], isLimited: false, isTooSlow: false };

function passPoint(name: string): void {
  if (interruption.isLimited && interruption.at.includes(interruption.points.push(name) - 1))
    throw new TimeLimitExceeded();
}

/** The first, second and last time that each kind of point is reached. */
const chosenPoints = (points: readonly string[]): number[] =>
  [...points.keys()].filter((at) => {
    const name = points[at] as string;
    return points.lastIndexOf(name) === at || points.slice(0, at).filter((one) => one === name).length < 2;
  });

/** Makes the entry and the end of each method and accessor a point at which the work can be interrupted. */
function interrupt(prototype: object): void {
  for (const [name, property] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
    if (name === 'constructor') continue;
    const wrap = (work: (...values: unknown[]) => unknown) =>
      function wrapped(this: unknown, ...values: unknown[]) {
        passPoint(`before ${name}`);
        const result = work.apply(this, values);
        passPoint(`after ${name}`);
        return result;
      };
    if (property.get) property.get = wrap(property.get) as () => unknown;
    else property.value = wrap(property.value);
    Object.defineProperty(prototype, name, property);
    after(() => Object.defineProperty(prototype, name, property));
  }
}

for (const { prototype } of [WorkQueue, WriteBatches, WriteSession]) interrupt(prototype);
const run = RecordTimeLimit.prototype.run;
RecordTimeLimit.prototype.run = function limited<T>(this: RecordTimeLimit, work: () => T): T {
  interruption.isLimited = true;
  try {
    return run.call(this, work) as T;
  } finally {
    interruption.isLimited = false;
    if (interruption.isTooSlow) this.isTooSlow = true;
  }
};

const venue = { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };
const night = (id: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name: `Tiefdruck ${id}`,
  start_at: `2027-12-0${id}T23:00`,
  timezone: 'Europe/Berlin',
  venue,
  ...more,
});
const lines = [
  night('1', { lineup: [{ name: 'Vera Lindt' }] }),
  { kind: 'event', external_id: 'x', name: 'Without a start' },
  { kind: 'event' },
  // Differs from an earlier line, which is seen when it is planned.
  night('1', { name: 'Other' }),
  { kind: 'venue', external_id: 'v', ...venue, capacity: 300 },
  // Has no target, which is seen when it is written.
  { kind: 'artist', external_id: 'a', change: 'merged', into: 'b' },
  night('2', { lineup: [{ name: 'Orrin' }] }),
];

type File = Parameters<typeof says>[0];

async function importAll(sqlite: File) {
  const outcomes: string[] = [];
  const report = await says(sqlite, 'club', lines, {
    onRejected: ({ line, reason }) => outcomes.push(`${line}: ${reason}`),
  });
  const { kinds, rejectedCount } = report;
  return {
    report: { kinds, rejectedCount },
    outcomes,
    events: partition(sqlite),
    artists: ask(sqlite, 'listArtists').map((one: { name: string }) => one.name),
    venues: ask(sqlite, 'getVenue', { slug: 'kornspeicher' }).capacity,
    stale: sqlite.prepare('SELECT count(*) FROM stale_records').pluck().get(),
  };
}

test('an import interrupted at any point ends like one that was not', async (t) => {
  const expected = await importAll(freshFile(t));
  assert.equal(expected.report.rejectedCount, 4);
  assert.deepEqual(expected.events, ['club:1', 'club:2']);
  const { points } = interruption;
  assert.ok(points.length > 100);
  for (const at of chosenPoints(points)) {
    Object.assign(interruption, { at: [at], points: [] });
    assert.deepEqual(await importAll(freshFile(t)), expected, `interrupted ${points[at]}, point ${at}`);
  }
});

test('work that is too slow at any point costs at most the record that it belongs to', async (t) => {
  Object.assign(interruption, { at: [], points: [] });
  const expected = await importAll(freshFile(t));
  const { points } = interruption;
  interruption.isTooSlow = true;
  let skippedCount = 0;
  // A prime, so that all kinds of points are met. The retry is interrupted as well, soon or late.
  for (let at = 0; at < points.length; at += 7) {
    const retry = at + 1 + ((at * 5) % 61);
    Object.assign(interruption, { at: [at, retry], points: [] });
    const { outcomes, events } = await importAll(freshFile(t));
    const slow = outcomes.filter((one) => one.includes('takes longer'));
    const missing = expected.events.filter((one) => !events.includes(one));
    const place = `too slow ${points[at]}, points ${at} and ${retry}`;
    assert.ok(slow.length <= 1 && missing.length <= slow.length, place);
    assert.ok(outcomes.length - slow.length >= expected.outcomes.length - 1, place);
    skippedCount += slow.length;
  }
  // Some retries were interrupted within the same record, which is then left out.
  assert.ok(skippedCount > 0);
});
