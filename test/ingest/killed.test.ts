/**
 * Runs of the real `import` and `sync` that are killed: run again, they end where one undisturbed run does (docs/spec/imports.md#promises,
 * promise 5).
 */
import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { type Ended, folder, run, start } from '../support/cli-run.ts';

const place = folder();
const at = (name: string): string => join(place, name);
const shows = 400;

/** Numbers that look random and are the same at every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 32;
  };
}

const cities = [
  { kind: 'city', external_id: 'ber', name: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' },
  { kind: 'city', external_id: 'lis', name: 'Lisbon', country: 'PT', timezone: 'Europe/Lisbon' },
];
const cityOf = (house: number) => cities[house % 2] as { name: string; country: string };
const dateOf = (index: number): string =>
  new Date(Date.UTC(2031, 0, 1) + index * 6 * 3_600_000).toISOString().slice(0, 10);

/** What a seller lists: acts, houses and shows, each under ids of its own. */
function listing(seller: string, edited: boolean): object[] {
  const renamed = (name: string, index: number) => (edited && index % 7 === 0 ? `${name} Renamed` : name);
  const houses = Array.from({ length: 12 }, (_, house) => ({
    kind: 'venue',
    external_id: `${seller}-v${house}`,
    name: renamed(
      `Quarter ${['Alpha', 'Bravo', 'Cedar', 'Delta', 'Ember', 'Falcon'][house % 6]} ${house}`,
      house,
    ),
    city: cityOf(house).name,
    country: cityOf(house).country,
  }));
  const acts = Array.from({ length: 40 }, (_, act) => ({
    kind: 'artist',
    external_id: `${seller}-a${act}`,
    name: renamed(`Act Number ${act}`, act),
    aliases: edited ? [`Alias ${act}`] : [],
  }));
  const nights = Array.from({ length: shows }, (_, index) => ({
    kind: 'event',
    external_id: `${seller}-e${index}`,
    name: edited && index % 5 === 0 ? `Night ${index}, moved` : `Night ${index}`,
    start_at: `${dateOf(index)}T2${edited && index % 5 === 0 ? 3 : index % 3}:00`,
    venue: { external_id: `${seller}-v${index % 12}`, name: houses[index % 12]?.name },
    lineup: [index, index * 3 + 1, index * 7 + 2].map((act) => ({
      external_id: `${seller}-a${act % 40}`,
      name: acts[act % 40]?.name,
    })),
    genres: [index % 2 ? 'Techno' : 'House'],
    tickets: [{ seller, url: `https://${seller}.example/${index}`, price_min: edited ? 12 : 10 }],
  }));
  // Of what it listed before, some is gone and some is new.
  const listed = edited
    ? [
        ...nights.filter((_, index) => index % 9 !== 0),
        ...nights.slice(0, 60).map((night) => ({
          ...night,
          external_id: `${night.external_id}-late`,
          name: `${night.name} late`,
          start_at: night.start_at.replace(/T2\d/, 'T12'),
        })),
      ]
    : nights;
  return [...cities, ...houses, ...acts, ...listed];
}

const write = (name: string, lines: object[]): void =>
  writeFileSync(at(name), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));

async function command(...args: string[]): Promise<Ended> {
  const ended = await run(args, { cwd: place });
  assert.equal(ended.status, 0, `${args.join(' ')}: ${ended.stderr}${ended.stdout}`);
  return ended;
}

const copy = (from: string, to: string): void => {
  for (const end of ['-wal', '-shm']) rmSync(at(`${to}${end}`), { force: true });
  copyFileSync(at(from), at(to));
};

/** Notes that this process serves the file. */
function noteService(path: string): void {
  const sqlite = new Database(path);
  const note = JSON.stringify({ machine: hostname(), pid: process.pid });
  sqlite.prepare('INSERT INTO settings (key, value) VALUES (?, ?)').run('serving/test', note);
  sqlite.close();
}

/** All that a catalogue holds. */
const exported = async (data: string): Promise<string[]> =>
  (await command('export', '--data', data)).stdout.split('\n').toSorted();

const importing = (data: string) =>
  ['import', 'b2.ndjson', '--source', 'bravo', '--complete', '--data', data] as const;
const syncing = (data: string) => ['sync', 'bravo', '--data', data] as const;

/** Starts a command, and kills it as soon as it has come so far; says whether that was before its end. */
async function killed(
  args: readonly string[],
  data: string,
  records: number,
  laterMs: number,
): Promise<boolean> {
  const child = start(args, { cwd: place });
  child.stdin.end();
  child.stdout.resume();
  child.stderr.resume();
  const ended = new Promise<NodeJS.Signals | null>((resolve) =>
    child.once('exit', (_, signal) => resolve(signal)),
  );
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const watch = new Database(at(data), { readonly: true });
  const seen = watch
    .prepare(
      "SELECT count(*) FROM source_records r JOIN sources s ON s.id = r.source_id WHERE s.name = 'bravo' AND r.last_seen_run = 2",
    )
    .pluck();
  while (!isOver && (seen.get() as number) < records) await sleep(1);
  watch.close();
  await sleep(laterMs);
  child.kill('SIGKILL');
  return (await ended) === 'SIGKILL';
}

test('killed at ten moments and run again: the same as one undisturbed run', async (t) => {
  write('a.ndjson', listing('alpha', false));
  write('b.ndjson', listing('bravo', false));
  write('b2.ndjson', listing('bravo', true));
  await command('import', 'a.ndjson', '--source', 'alpha', '--data', 'before.db');
  await command('import', 'b.ndjson', '--source', 'bravo', '--data', 'before.db');
  // Beside a service imports leave the file to others every few milliseconds: there are many moments to be killed at.
  noteService(at('before.db'));
  await command(
    'sources',
    'add',
    'bravo',
    '--type',
    'feed',
    '--url',
    at('b2.ndjson'),
    '--complete',
    '--data',
    'before.db',
  );
  copy('before.db', 'whole.db');
  await command(...importing('whole.db'));
  const whole = await exported('whole.db');
  const total = listing('bravo', true).length;
  const draw = random(20_261_120);
  let cut = 0;
  for (let moment = 0; moment < 10; moment++) {
    // The last two come when all was read: what changed through it is being worked out, what is gone withdrawn.
    const records = moment < 8 ? Math.floor(draw() * total) : total;
    const laterMs = Math.floor(draw() * (moment < 8 ? 15 : 60));
    const args = moment % 3 === 2 ? syncing : importing;
    copy('before.db', 'cut.db');
    if (await killed(args('cut.db'), 'cut.db', records, laterMs)) cut++;
    await command(...args('cut.db'));
    const name = `killed ${laterMs} ms after ${records} of ${total}`;
    assert.deepEqual(await exported('cut.db'), whole, name);
    assert.equal(JSON.parse((await command('verify', '--data', 'cut.db', '--json')).stdout).ok, true, name);
    t.diagnostic(name);
  }
  assert.ok(cut >= 5, `only ${cut} runs were killed before their end`);
});
