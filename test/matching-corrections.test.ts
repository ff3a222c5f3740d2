/** What operators decide is remembered and outlives every sync (feed.md, promise 4), through the command line. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { folder, run } from './cli-run.ts';

type Shown = { id: string; slug: string; name: string; kind: string };
const place = { venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' } };
const event = (id: string, name: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: '2027-12-04T23:00',
  ...place,
  ...more,
});
const acts = (...names: string[]) => ({ lineup: names.map((name) => ({ name })) });

/** A catalogue in a folder of its own, and the commands that ask it. */
function catalogue() {
  const at = folder();
  const data = join(at, 'c.db');
  const command = async (...args: string[]) => run([...args, '--data', data, '--json'], { cwd: at });
  const ok = async (...args: string[]) => {
    const { status, stdout, stderr } = await command(...args);
    assert.equal(status, 0, `${args.join(' ')}: ${stderr}`);
    return JSON.parse(stdout);
  };
  const fails = async (pattern: RegExp, ...args: string[]) => {
    const { status, stderr } = await command(...args);
    assert.equal(status, 1, args.join(' '));
    assert.match(stderr, pattern);
    assert.equal(stderr.trim().split('\n').length, 1, stderr);
  };
  const says = async (source: string, ...lines: object[]) => {
    const file = join(at, `${source}.ndjson`);
    writeFileSync(file, lines.map((line) => JSON.stringify(line)).join('\n'));
    return ok('import', file, '--source', source);
  };
  const sources = async (slug: string): Promise<string[]> =>
    (await ok('show', 'event', slug)).sources.map(
      (one: { name: string; external_id: string }) => `${one.name}:${one.external_id}`,
    );
  return { ok, fails, says, sources };
}

test('pairs in doubt are listed with reasons; merge makes one of them for good', async () => {
  const { ok, fails, says, sources } = catalogue();
  const a = event('1', 'Club Night', acts('Vera Lindt'));
  const b = event('2', 'Friday Party');
  await says('one', a);
  await says('two', b);
  const { data } = await ok('duplicates', '--kind', 'event');
  assert.equal(data.length, 1);
  assert.ok(
    data[0].score > 0.3 && data[0].score < 0.9 && data[0].reasons.length >= 2,
    JSON.stringify(data[0]),
  );
  assert.equal((await ok('duplicates', '--kind', 'venue')).data.length, 0);
  const [x, y]: [Shown, Shown] = [data[0].a.record, data[0].b.record];
  await fails(/There is no record "evt_zzzzzz"/, 'merge', x.id, 'evt_zzzzzz');
  await fails(/different kinds/, 'merge', x.id, 'venue/kornspeicher');
  await fails(/Both name one record/, 'merge', x.id, `event/${x.slug}`);
  const { record } = await ok('merge', x.id, `https://any.example/events/${y.slug}`);
  assert.equal(record.id, x.id);
  assert.deepEqual((await sources(x.slug)).sort(), ['one:1', 'two:2']);
  assert.deepEqual(
    await ok('show', 'event', y.slug),
    await ok('show', 'event', x.slug),
    'the other slug goes on answering',
  );
  assert.equal((await ok('duplicates')).data.length, 0);
  // A former id is led on, and every later sync leaves it so.
  assert.equal((await ok('explain', y.id)).id, x.id);
  const { revision } = await says('two', b);
  assert.equal((await says('one', a)).revision, revision);
  await says('two', { ...b, name: 'Something else altogether', ...acts('Orrin') });
  assert.equal((await sources(x.slug)).length, 2);
  const explained = await ok('explain', x.slug);
  assert.equal(explained.links[0].decision, 'same');
  await fails(/Both name one record/, 'never-merge', x.id, y.id);
  assert.equal((await ok('verify')).ok ?? true, true);
});

test('split parts what was one, never-merge keeps apart what is alike; both outlive every sync', async () => {
  const { ok, fails, says, sources } = catalogue();
  const a = event('1', 'Tiefdruck', acts('Vera Lindt', 'Orrin'));
  const b = event('2', 'Tiefdruck', acts('Orrin', 'Vera Lindt'));
  await says('one', a);
  const { kinds } = await says('two', b);
  assert.equal(kinds.event.matched, 1);
  const slug = 'tiefdruck-2027-12-04';
  const explained = await ok('explain', slug);
  assert.equal(explained.statements.length, 2);
  assert.equal(explained.links[0].outcome, 'same');
  assert.ok(explained.links[0].reasons.some(({ evidence }: { evidence: string }) => evidence === 'line-up'));
  await fails(/has no statement "x:y"; it has one:1, two:2/, 'split', slug, '--statement', 'x:y');
  const { parts } = await ok('split', slug, '--statement', 'two:2');
  assert.equal(parts.length, 1);
  assert.deepEqual(await sources(slug), ['one:1']);
  assert.deepEqual(await sources(parts[0].slug), ['two:2']);
  await fails(/one statement only/, 'split', slug);
  await says('two', { ...b, name: 'Tiefdruck!' });
  await says('one', { ...a, name: 'TIEFDRUCK' });
  assert.deepEqual(await sources(slug), ['one:1']);
  assert.equal((await ok('explain', slug)).near[0].decision, 'different');
  await fails(/decided before that these are to stay two/, 'merge', slug, parts[0].slug);
  await ok('merge', slug, parts[0].slug, '--force');
  assert.equal((await sources(slug)).length, 2);

  await says('one', a, event('7', 'Nordlicht', acts('Juno Vale')));
  const { record } = await ok('never-merge', 'event/nordlicht-2027-12-04', slug);
  assert.equal(record.slug, 'nordlicht-2027-12-04');
  await says('three', event('9', 'Nordlicht', acts('Juno Vale')));
  assert.deepEqual((await sources('nordlicht-2027-12-04')).sort(), ['one:7', 'three:9']);
});

test('artists, venues and cities are merged with all that names them; names of stubs are remembered', async () => {
  const { ok, says } = catalogue();
  const show = (id: string, day: string, name: string, venue: string) =>
    event(id, `Night ${id}`, {
      start_at: `2027-12-${day}T22:00`,
      ...acts(name),
      venue: { name: venue, city: 'Hamburg', country: 'DE' },
    });
  const lines = [
    show('1', '01', 'Vera Lindt', 'Kornspeicher'),
    show('2', '02', 'V. Lindt', 'Alter Hafenschuppen'),
  ];
  await says('one', ...lines);
  await ok('merge', 'artist/vera-lindt', 'artist/v-lindt');
  await ok('merge', 'venue/kornspeicher', 'venue/alter-hafenschuppen');
  for (const slug of ['vera-lindt', 'v-lindt']) {
    const artist = await ok('show', 'artist', slug);
    assert.deepEqual(
      [artist.name, artist.aliases, artist.upcoming_event_count],
      ['Vera Lindt', ['V. Lindt'], 2],
    );
  }
  const second = await ok('show', 'event', 'night-2-2027-12-02');
  assert.deepEqual([second.lineup[0].slug, second.venue.slug], ['vera-lindt', 'kornspeicher']);
  // The old names go on meaning the survivor, in shows that are still to come in as well.
  await says('one', ...lines, show('3', '03', 'V. Lindt', 'Alter Hafenschuppen'));
  const third = await ok('show', 'event', 'night-3-2027-12-03');
  assert.deepEqual([third.lineup[0].slug, third.venue.slug], ['vera-lindt', 'kornspeicher']);
  assert.equal((await ok('stats')).artists, 1);
  await says('two', {
    kind: 'city',
    external_id: 'h',
    name: 'Hamborg',
    country: 'DE',
    timezone: 'Europe/Berlin',
  });
  await ok('merge', 'city/hamburg', 'city/hamborg');
  assert.equal((await ok('show', 'event', 'night-1-2027-12-01')).timezone, 'Europe/Berlin');
  assert.equal((await ok('stats')).cities, 1);
});
