/** The bench: its catalogue is the same at every run and a feed without faults, and a short run measures and prints. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readdirSync, statSync } from 'node:fs';
import { after, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { caseIds } from '../../bench/cases.ts';
import { countsOf, generateFeed, generateLines } from '../../bench/generate.ts';
import { median } from '../../bench/measure.ts';
import type { Report } from '../../bench/report.ts';
import { parseLine } from '../../src/ingest/import/parse-record.ts';
import { bundleProgram } from '../support/bundled-program.ts';
import { temporaryFolder } from '../support/program.ts';

const today = Date.UTC(2026, 10, 1);
const size = { events: 500, today };
const dayMs = 86_400_000;

describe('the generated feed', () => {
  test('every line is one that the import takes, as many of each kind as announced', () => {
    const found: Record<string, number> = {};
    for (const line of generateLines(size)) {
      const { kind } = parseLine(line);
      found[kind] = (found[kind] ?? 0) + 1;
    }
    const { venues, artists, labels, festivals } = countsOf(size.events);
    assert.deepEqual(
      { venue: found.venue, artist: found.artist, label: found.label, festival: found.festival },
      { venue: venues, artist: artists, label: labels, festival: festivals },
    );
    assert.equal(found.event, size.events);
    assert.ok((found.genre ?? 0) > 100 && (found.city ?? 0) > 100 && (found.edition ?? 0) > festivals);
  });

  test('it is the same every time, and another catalogue begins the same way', () => {
    const digest = () => {
      const hash = createHash('sha256');
      for (const line of generateLines(size)) hash.update(line);
      return hash.digest('hex');
    };
    assert.equal(digest(), digest());
  });

  test('events lie ten years back and 120 days ahead, some with a date alone', () => {
    const events = [...generateLines(size)]
      .map((line) => JSON.parse(line) as { kind: string; start_at: string; lineup: unknown[] })
      .filter(({ kind }) => kind === 'event');
    const days = events.map(({ start_at }) => Date.parse(start_at.slice(0, 10)));
    assert.ok(Math.min(...days) >= today - 3_650 * dayMs && Math.min(...days) < today - 3_000 * dayMs);
    assert.ok(Math.max(...days) <= today + 120 * dayMs && Math.max(...days) > today);
    assert.ok(events.some(({ start_at }) => start_at.length === 10));
    for (const { lineup } of events) assert.ok(lineup.length >= 1 && lineup.length <= 8);
  });

  test('as bytes it is the same lines, in small pieces', async () => {
    const pieces: Uint8Array[] = [];
    for await (const piece of generateFeed(size)) pieces.push(piece);
    assert.ok(pieces.length > 1);
    assert.ok(Math.max(...pieces.map(({ length }) => length)) < 1 << 18);
    assert.equal(Buffer.concat(pieces).toString(), `${[...generateLines(size)].join('\n')}\n`);
  });
});

test('median', () => {
  assert.equal(median([3, 1, 2]), 2);
  assert.equal(median([4, 1, 2, 3]), 2.5);
  assert.equal(median([7]), 7);
});

describe('a run', () => {
  const folder = temporaryFolder();
  const main = fileURLToPath(new URL('../../bench/main.ts', import.meta.url));
  const program = bundleProgram();
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['--import', 'tsx', main, ...args], {
      cwd: fileURLToPath(new URL('../../', import.meta.url)),
      encoding: 'utf8',
      // Ends a run that hangs. On a busy machine, a run takes two minutes.
      timeout: 600_000,
    });
  const short = ['--events', '500', '--seconds', '0.1', '--folder', folder.path, '--program', program];
  /** The files, and when they were made. */
  const made = () =>
    readdirSync(folder.path)
      .filter((name) => name.endsWith('.db'))
      .map((name) => [name, statSync(`${folder.path}/${name}`).birthtimeMs]);

  after(() => folder.remove());

  test('measures every case, counts every request and prints one document', () => {
    const { status, stdout, stderr } = run(...short, '--json');
    assert.equal(status, 0, stderr);
    const report = JSON.parse(stdout) as Report;
    assert.deepEqual(
      report.cases.map(({ id }) => id),
      caseIds,
    );
    for (const { id, cratebase, bare, ratio } of report.cases) {
      assert.ok(cratebase.perSecond > 0 && bare.perSecond > 0 && ratio > 0, id);
      assert.ok(cratebase.p99Ms >= cratebase.p50Ms, id);
    }
    assert.ok(report.depth && report.depth.times > 0);
    assert.ok(report.start && report.start.apiMs >= report.start.healthMs);
    assert.ok(report.metered.sent > 0);
    assert.deepEqual(
      report.peers?.map(({ title, peer }) => `${peer}: ${title}`),
      [
        'fastify: page',
        'fastify: detail',
        'express: deep page',
        'fts5: search',
        'fts5: typeahead',
        'minisearch: typeahead',
        'minisearch: typeahead, 4 letters',
      ],
    );
    for (const { title, timesAhead } of report.peers ?? []) assert.ok(timesAhead > 0, title);
    assert.ok(report.filters?.some(({ title }) => title === 'country genre'));
    for (const { title, p50Ms, p99Ms } of report.filters ?? []) assert.ok(p50Ms > 0 && p99Ms >= p50Ms, title);
    assert.equal(report.metered.counted, report.metered.sent);
    assert.equal(made().length, 1);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => /new|lock/.test(name)),
      [],
    );
  });

  test('uses the catalogue again, and prints a table of the cases that were asked for', () => {
    const before = made();
    const { status, stdout, stderr } = run(...short, '--only', 'detail_random,search_words');
    assert.equal(status, 0, stderr);
    assert.deepEqual(made(), before);
    assert.match(stdout, /^case +cratebase\/s +bare\/s +ratio +goal/m);
    assert.match(stdout, /^event details.* 0\.45 /m);
    assert.match(stdout, /^search, two words/m);
    assert.match(stdout, /^memory +\d+ MB after the run.*goal 200 MB/m);
    assert.doesNotMatch(stdout, /^list|^start-up|^deepest/m);
  });

  test('wrong options end with 2 and one line above the usage', () => {
    const wrong = [['--events', 'many'], ['--seconds', '0'], ['--only', 'everything'], ['--nonsense']];
    for (const args of wrong) {
      const { status, stdout, stderr } = run(...args);
      assert.equal(status, 2, args.join(' '));
      assert.equal(stdout, '');
      assert.match(stderr, /^bench: .+\nnpm run bench/);
    }
  });
});
