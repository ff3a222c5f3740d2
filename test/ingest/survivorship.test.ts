/** Whose word a field is (docs/spec/imports.md#promises, promise 7): trust, then the newer statement; who says nothing blanks nothing. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import type Database from 'better-sqlite3';
import { ask, freshFile, matchingNow, says } from '../support/matching.ts';

const berlin = {
  kind: 'city',
  external_id: 'b',
  name: 'Berlin',
  country: 'DE',
  timezone: 'Europe/Berlin',
};
const show = {
  kind: 'event',
  external_id: '1',
  name: 'Winter Night',
  start_at: '2026-12-05T23:00:00+01:00',
  end_at: '2026-12-06T08:00:00+01:00',
  venue: { name: 'Haus am See', city: 'Berlin', country: 'DE' },
  lineup: [{ name: 'Ben Klock' }, { name: 'Marcel Dettmann' }, { name: 'Etapp Kyle' }],
};
type Shown = Record<string, unknown> & {
  slug: string;
  venue: { name: string };
  sources: { name: string }[];
};

/** The one event of a file, as its detail shows it. */
function only(sqlite: Database.Database): Shown {
  const slugs = sqlite.prepare('SELECT slug FROM events').pluck().all() as string[];
  assert.equal(slugs.length, 1, slugs.join(', '));
  return ask(sqlite, 'getEvent', { slug: slugs[0] as string }) as Shown;
}

async function importLines(t: TestContext, ...lines: object[]): Promise<Database.Database> {
  const sqlite = freshFile(t);
  await says(sqlite, 'cities', [berlin]);
  for (const [at, line] of lines.entries())
    await says(sqlite, `seller-${at}`, [line], { now: matchingNow + at * 60_000 });
  return sqlite;
}

test('a newer date removes no clock, in either order of import', async (t) => {
  const dated = { ...show, start_at: '2026-12-05', end_at: undefined };
  for (const lines of [
    [show, dated],
    [dated, show],
  ]) {
    const event = only(await importLines(t, ...lines));
    assert.equal(event.start_at, '2026-12-05T23:00:00+01:00');
    assert.equal(event.end_at, '2026-12-06T08:00:00+01:00');
    assert.equal(event.timezone, 'Europe/Berlin');
  }
  const late = { ...show, start_at: '2026-12-06T00:30:00+01:00' };
  assert.equal(only(await importLines(t, late, dated)).start_at, '2026-12-06T00:30:00+01:00');
});

test('a show that moved to another date moves, though its new clock is not known', async (t) => {
  const sqlite = await importLines(t, show);
  await says(sqlite, 'seller-0', [{ ...show, start_at: '2026-12-12', end_at: null }]);
  assert.equal(only(sqlite).start_at, '2026-12-12T00:00:00Z');
});

test('"TBA" is no place and no title: who knows better is shown', async (t) => {
  const vague = { ...show, name: 'TBA', venue: { name: 'TBA', city: 'Berlin', country: 'DE' } };
  const { venue: _, ...titled } = { ...show, name: 'T.B.C.' };
  for (const lines of [
    [show, titled],
    [titled, show],
  ]) {
    const event = only(await importLines(t, ...lines));
    assert.equal(event.name, 'Winter Night');
    assert.equal(event.venue.name, 'Haus am See');
  }
  const hidden = { ...vague, name: 'Winter Night' };
  const event = only(await importLines(t, show, hidden));
  assert.equal(event.venue.name, 'Haus am See');
  assert.equal(only(await importLines(t, vague)).venue.name, 'TBA');
});

test('another trust or clock of a source applies to its earlier records too', async (t) => {
  const sqlite = await importLines(t, show, { ...show, name: 'Winter Nights' });
  assert.equal(only(sqlite).name, 'Winter Nights');
  await says(sqlite, 'seller-0', [show], { trust: 90 });
  assert.equal(only(sqlite).name, 'Winter Night');
  const { revision } = await says(sqlite, 'seller-0', [show], { trust: 90 });
  await says(sqlite, 'seller-0', [], { trust: 10 });
  assert.equal(only(sqlite).name, 'Winter Nights');
  const after = await says(sqlite, 'seller-0', [], { trust: 10 });
  assert.equal(after.revision, revision + 1);

  const zulu = await importLines(t, { ...show, start_at: '2026-12-05T23:00:00Z', end_at: null });
  assert.equal(only(zulu).start_at, '2026-12-06T00:00:00+01:00');
  await says(zulu, 'seller-0', [], { clock: 'local' });
  assert.equal(only(zulu).start_at, '2026-12-05T23:00:00+01:00');
});

test('a show that a seller cancelled and no longer lists stays cancelled until another source states otherwise', async (t) => {
  const sqlite = await importLines(t, show, show);
  const other = { ...show, external_id: '2', name: 'Summer Night', start_at: '2027-06-05T22:00:00+02:00' };
  const third = { ...other, external_id: '3', start_at: '2027-07-05T22:00:00+02:00' };
  const listed = { complete: true, now: matchingNow + 3_600_000 };
  const all = [{ ...show, status: 'cancelled' }, other, third];
  await says(sqlite, 'seller-1', all, listed);
  const slug = 'winter-night-2026-12-05';
  const read = () => ask(sqlite, 'getEvent', { slug }) as Shown;
  assert.equal(read().status, 'cancelled');
  await says(sqlite, 'seller-1', [other, third], { ...listed, now: matchingNow + 7_200_000 });
  assert.equal(read().status, 'cancelled');
  assert.deepEqual(
    read().sources.map(({ name }) => name),
    ['seller-0'],
  );
  const again = { ...show, status: 'scheduled' };
  await says(sqlite, 'seller-0', [again], { now: matchingNow + 8_000_000 });
  assert.equal(read().status, 'scheduled');
});
