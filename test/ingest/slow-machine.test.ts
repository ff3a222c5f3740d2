/** A good record is imported although a slice of the work with it takes too long: a commit, or a busy machine. */
import assert from 'node:assert/strict';
import { mock, type TestContext, test } from 'node:test';
import { RecordTimeLimit } from '../../src/ingest/import/record-time-limit.ts';
import { WriteBatches } from '../../src/ingest/write-lock/write-batches.ts';
import { WriteSession } from '../../src/ingest/write-session.ts';
import { ask, freshFile, says } from '../support/matching.ts';

const maxRecordMs = 700;
const artist = (id: number) => ({ kind: 'artist', external_id: `${id}`, name: `Artist number ${id}` });
const artists = [1, 2, 3, 4].map(artist);

/** Takes longer than a record may. */
function takeLong(): void {
  const until = performance.now() + 1.5 * maxRecordMs;
  while (performance.now() < until);
}

// How much processor time a slow slice gets depends on the machine: each counts as too slow here, not as hardly run.
const { run } = RecordTimeLimit.prototype;
mock.method(RecordTimeLimit.prototype, 'run', function (this: RecordTimeLimit, work: () => unknown) {
  try {
    return run.call(this, work);
  } finally {
    this.isTooSlow = true;
  }
});

/** Calls `takeLong` before the first call of a method of the session. */
function delayOnce(t: TestContext, name: 'prepareRefresh' | 'rebuildFrom'): { delays: number } {
  const calls = { delays: 0 };
  const original = WriteSession.prototype[name] as (...values: unknown[]) => unknown;
  const spy = mock.method(WriteSession.prototype, name, function (this: WriteSession, ...values: unknown[]) {
    if (calls.delays++ === 0) takeLong();
    return original.apply(this, values);
  } as never);
  t.after(() => spy.mock.restore());
  return calls;
}

test('a record that is read slowly once is imported', async (t) => {
  const sqlite = freshFile(t);
  let delays = 0;
  const slow = Object.defineProperty({ ...artist(2) }, 'name', {
    enumerable: true,
    get: () => {
      if (delays++ === 0) takeLong();
      return artist(2).name;
    },
  });
  async function* records() {
    for (const record of [artist(1), slow, artist(3)]) yield { record };
  }
  const report = await says(sqlite, 's', [], { records: records(), maxRecordMs });
  assert.deepEqual([report.rejected, report.kinds.artist?.created], [[], 3]);
  assert.ok(delays > 1, 'it was read again');
});

test('a record that is written slowly once is imported', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'other', artists);
  const calls = delayOnce(t, 'rebuildFrom');
  const report = await says(sqlite, 's', artists, { maxRecordMs });
  assert.deepEqual([report.rejected, report.kinds.artist?.matched], [[], artists.length]);
  assert.ok(calls.delays > artists.length, 'it was written again');
});

test('the commit of a long batch does not count for the record after it', async (t) => {
  const sqlite = freshFile(t);
  const { commit, rebuildFrom } = WriteSession.prototype;
  let writes = 0;
  const spies = [
    mock.getter(WriteBatches.prototype, 'mustEndBeforeCompare', function (this: WriteBatches) {
      return this.isOpen;
    } as never),
    mock.method(WriteSession.prototype, 'commit', function (this: WriteSession) {
      takeLong();
      commit.call(this);
    }),
    mock.method(WriteSession.prototype, 'rebuildFrom', function (this: WriteSession, ...values: never) {
      writes++;
      rebuildFrom.apply(this, values);
    }),
  ];
  t.after(() => spies.forEach((spy) => void spy.mock.restore()));
  const report = await says(sqlite, 's', artists, { maxRecordMs });
  assert.deepEqual([report.rejected, report.kinds.artist?.created], [[], artists.length]);
  assert.equal(writes, artists.length, 'no batch was rolled back and repeated');
});

test('a record that is rebuilt slowly once shows the change of another', async (t) => {
  const sqlite = freshFile(t);
  const venue = { kind: 'venue', external_id: 'v', name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };
  const night = {
    kind: 'event',
    external_id: 'e',
    name: 'Tiefdruck',
    start_at: '2027-12-01T23:00',
    venue: { external_id: 'v', name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  };
  await says(sqlite, 's', [venue, night]);
  const calls = delayOnce(t, 'prepareRefresh');
  const report = await says(sqlite, 's', [{ ...venue, name: 'Speicher am Hafen' }, night], { maxRecordMs });
  assert.deepEqual(report.rejected, []);
  assert.ok(calls.delays > 1, 'it was rebuilt again');
  const [event] = ask(sqlite, 'listEvents') as { venue: { name: string } }[];
  assert.equal(event?.venue.name, 'Speicher am Hafen');
});
