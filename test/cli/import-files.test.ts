/** Files and folders by hand: `import`, as the operator has it. */
import assert from 'node:assert/strict';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Ended, folder, run } from '../support/cli-run.ts';

const cwd = folder();
const lines = (...records: object[]): string =>
  records.map((record) => `${JSON.stringify(record)}\n`).join('');
const night = (id: string, more: object = {}) => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: '2026-12-05T23:00',
  timezone: 'Europe/Berlin',
  venue: { name: 'Salon', city: 'Berlin', country: 'DE' },
  lineup: [{ name: 'Ben Klock' }, { name: 'Helena Hauff' }],
  ...more,
});
const command = (...args: string[]): Promise<Ended> => run(args, { cwd });
async function json(...args: string[]) {
  const ended = await command(...args, '--json');
  return { ...ended, report: JSON.parse(ended.stdout) };
}

test('a dry run shows what would change and why, and only what the real run would also report', async () => {
  const data = ['--data', 'dry.db'];
  writeFileSync(join(cwd, 'one.ndjson'), lines(night('a')));
  writeFileSync(
    join(cwd, 'two.ndjson'),
    `${lines(night('b', { description: 'All night.' }), night('c', { start_at: '2026-12-06T23:00', lineup: [] }))}bad\n`,
  );
  await command('import', 'one.ndjson', '--source', 'one', ...data);
  const dry = await json('import', 'two.ndjson', '--source', 'two', '--dry-run', ...data);
  assert.equal(dry.status, 1);
  const { revision, changes, matches, rejected, kinds } = dry.report;
  assert.equal(revision, null);
  assert.doesNotMatch(JSON.stringify(changes), /revision/);
  assert.deepEqual(
    changes.map(({ what, name, fields }: Record<string, unknown>) => [what, name, fields]),
    [
      ['updated', 'Night b', ['description', 'name', 'sources']],
      ['created', 'Night c', []],
    ],
  );
  assert.deepEqual(
    matches.map(({ kind, external_id, slug }: Record<string, unknown>) => [kind, external_id, slug]),
    [['event', 'b', 'night-a-2026-12-05']],
  );
  assert.match(matches[0].why, /^weighed \d\.\d+; .*Ben Klock/);
  assert.deepEqual([rejected.length, rejected[0].line], [1, 3]);
  const result = await command('import', 'two.ndjson', '--source', 'two', '--dry-run', ...data);
  assert.match(result.stdout, /\nupdated +event +night-a-2026-12-05 +Night b +description, name, sources\n/);
  assert.match(result.stdout, /\nMATCHED +KIND +SLUG +WHY\nb +event +night-a-2026-12-05 +weighed/);
  assert.match(result.stdout, /\ndry run: nothing was changed, 1 line rejected \(see above\)\n$/);
  assert.doesNotMatch(result.stdout, /revision/);
  const real = await json('import', 'two.ndjson', '--source', 'two', ...data);
  assert.deepEqual(real.report.kinds, kinds);
  assert.deepEqual([typeof real.report.revision, 'changes' in real.report], ['number', false]);
});

test('a folder of feeds is read as its feeds; for another folder the message says how to read it', async () => {
  mkdirSync(join(cwd, 'feeds'));
  writeFileSync(join(cwd, 'feeds/a.ndjson'), lines(night('a')));
  writeFileSync(
    join(cwd, 'feeds/b.ndjson.gz'),
    gzipSync(`${lines(night('b', { start_at: '2027-01-01' }))}bad\n`),
  );
  writeFileSync(join(cwd, 'feeds/notes.txt'), 'no feed');
  const { report, stderr } = await json('import', 'feeds', '--source', 'x', '--data', 'feeds.db');
  assert.equal(report.kinds.event.created, 2);
  assert.deepEqual(report.rejected[0].file, join('feeds', 'b.ndjson.gz'));
  assert.match(stderr, /feeds\/b\.ndjson\.gz:2: /);
  mkdirSync(join(cwd, 'calendars'));
  const ics =
    'BEGIN:VCALENDAR\nBEGIN:VEVENT\nUID:u\nDTSTART:20261205\nSUMMARY:Night\nEND:VEVENT\nEND:VCALENDAR\n';
  writeFileSync(join(cwd, 'calendars/a.ics'), ics);
  const wrong = await command('import', 'calendars', '--source', 'x', '--data', 'feeds.db');
  assert.equal(wrong.status, 1);
  assert.match(wrong.stderr, /^cratebase: calendars is a folder without \.ndjson files\..*--type ical\.\n$/);
  const right = await json('import', 'calendars', '--source', 'c', '--type', 'ical', '--data', 'feeds.db');
  assert.equal(right.report.kinds.event.created, 1);
});

test('dumps that refer to each other are read together, as a folder and as files in any order', async () => {
  mkdirSync(join(cwd, 'mbdump'));
  const id = (n: number) => `00000000-0000-4000-8000-00000000000${n}`;
  const artist = { id: id(1), name: 'Ben Klock', type: 'Person', genres: [{ name: 'techno' }] };
  const event = {
    id: id(2),
    name: 'Klubnacht',
    type: 'Concert',
    'life-span': { begin: '2026-12-05' },
    relations: [{ type: 'main performer', 'target-type': 'artist', direction: 'backward', artist }],
  };
  writeFileSync(join(cwd, 'mbdump/artist'), lines(artist));
  writeFileSync(
    join(cwd, 'mbdump/event'),
    lines({ ...event, relations: [{ ...event.relations[0], artist: { id: id(1), name: 'Ben Klock' } }] }),
  );
  for (const [at, files] of [['mbdump'], ['mbdump/event', 'mbdump/artist']].entries()) {
    const { report } = await json(
      ...['import', ...files, '--source', 'mb', '--type', 'musicbrainz', '--data', `mb${at}.db`],
    );
    assert.deepEqual([report.kinds.artist.created, report.kinds.event?.created], [1, 1], files.join(' '));
  }
});

test('values of a table that cannot be read are notes: no row is skipped', async () => {
  const rows = ['name,date,link,promoter', 'A,2030-05-03,/en/1,x', 'B,2030-05-04,/en/2,y'];
  writeFileSync(join(cwd, 'links.csv'), rows.join('\n'));
  const args = ['import', 'links.csv', '--source', 'links', '--type', 'csv', '--data', 'links.db'];
  const { report, stderr } = await json(...args);
  assert.deepEqual([report.kinds.event.created, 'skipped' in report], [2, false]);
  assert.equal(report.notes.length, 2);
  assert.match(stderr, /^links\.csv:1: note: has columns that are not read: promoter$/m);
  assert.match(
    stderr,
    /^links\.csv:2: note: has a link that is no web address: \/en\/1 \(and 1 more row\), which is left out;/m,
  );
  assert.doesNotMatch(stderr + (await command(...args)).stdout, /skipped/);
});

test('a night without an event is reported as skipped, not as an error', async () => {
  const event = (uid: string, title: string) =>
    `BEGIN:VEVENT\nUID:${uid}\nDTSTART:20261205\nSUMMARY:${title}\nEND:VEVENT\n`;
  writeFileSync(
    join(cwd, 'club.ics'),
    `BEGIN:VCALENDAR\n${event('1', 'CLOSED')}${event('2', 'Closed Session')}END:VCALENDAR\n`,
  );
  const args = ['import', 'club.ics', '--source', 'club', '--type', 'ical', '--data', 'club.db'];
  const { status, report, stderr } = await json(...args);
  assert.equal(status, 0);
  assert.deepEqual([report.kinds.event.created, report.rejected], [1, []]);
  assert.deepEqual(report.skipped, [
    { where: 'club.ics:2', reason: '"CLOSED" on 2026-12-05 is not a public event' },
  ]);
  assert.match(stderr, /^club\.ics:2: skipped: "CLOSED"/);
  assert.match((await command(...args)).stdout, /, 1 skipped\n$/);
});

test('an emoji at the cut of a long description does not damage the file', async () => {
  const event = (id: string, letters: number) =>
    [
      ...[
        'BEGIN:VEVENT',
        `UID:${id}`,
        `SUMMARY:Night ${id}`,
        'DTSTART:20261220T230000Z',
        'LOCATION:Salon\\, Berlin',
      ],
      ...[`DESCRIPTION:${'a'.repeat(letters)}${'😀'.repeat(50)}`, 'END:VEVENT'],
    ].join('\r\n');
  const calendar = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:x',
    event('1', 99_998),
    event('2', 99_999),
    'END:VCALENDAR',
  ];
  writeFileSync(join(cwd, 'cut.ics'), calendar.join('\r\n'));
  const data = ['--data', 'cut.db'];
  const imported = await command('import', 'cut.ics', '--type', 'ical', '--source', 'cut', ...data);
  assert.equal(imported.status, 0, imported.stderr);
  await command('backup', 'cut-copy.db', ...data);
  const restored = await command('restore', 'cut-copy.db', '--data', 'cut-new.db');
  assert.equal(restored.status, 0, restored.stderr);
});
