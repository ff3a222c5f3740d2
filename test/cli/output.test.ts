/** Sizes, counts and lists of rejected records as commands print them. */
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { agentDataPath } from '../../src/cli/agent-data-file.ts';
import { formatLeftOut } from '../../src/cli/commands/duplicates.ts';
import { RejectionLog } from '../../src/cli/output/rejection-log.ts';
import { buildProgram } from '../../src/cli/program.ts';
import { describeFailures, describeLast, isLate } from '../../src/cli/schedule-findings.ts';
import { formatBytes } from '../../src/format-bytes.ts';
import { stderrLog } from '../../src/log.ts';
import { folder } from '../support/cli-run.ts';

test('a size is rounded before its unit and digits are chosen', () => {
  const sizes: [bytes: number, text: string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1_000, '1.0 KB'],
    [9_949, '9.9 KB'],
    [9_999, '10 KB'],
    [999_499, '999 KB'],
    [999_500, '1.0 MB'],
    [999_999, '1.0 MB'],
    [12_345_678, '12 MB'],
    [999_999_999_999, '1.0 TB'],
    [1_234_000_000_000_000, '1234 TB'],
  ];
  for (const [bytes, text] of sizes) assert.equal(formatBytes(bytes), text);
  assert.equal(formatBytes(1_234_567, 'de'), '1,2 MB');
});

test('counts of one are in the singular', () => {
  const record = { id: 'art_1', slug: 'ann', name: 'Ann' };
  const left = { kind: 'artist', count: 3, source: 'club', record } as never;
  assert.match(formatLeftOut([left]).join('\n'), /For 1 record, some candidates/);
  const six = formatLeftOut(Array.from({ length: 6 }, () => left)).join('\n');
  assert.match(six, /For 6 records, some[\s\S]*and 1 more record: /);
  assert.equal(describeFailures(1), 'once');
  assert.equal(describeFailures(2), '2 times in a row');
});

test('a scheduled run is late after two intervals', () => {
  const run = { last_success_at: '2027-01-01T00:00:00Z', every_ms: 3_600_000 };
  assert.equal(isLate(run, Date.parse('2027-01-01T02:00:00Z')), false);
  assert.equal(isLate(run, Date.parse('2027-01-01T02:00:01Z')), true);
  assert.equal(describeLast(run), 'the last one is of 2027-01-01T00:00Z');
  assert.equal(isLate({ ...run, last_success_at: null }), true);
});

test('after a discarded attempt with a full list, the next list is written', () => {
  const path = join(folder(), 'rejected.txt');
  const log = new RejectionLog(path);
  log.hold();
  const line = 'x'.repeat(1_000_000);
  for (let left = 70; left > 0; left--) log.add(line);
  log.discard();
  assert.ok(!existsSync(path));
  for (let at = 1; at <= 20; at++) log.add(`record ${at}`);
  log.end();
  assert.equal(readFileSync(path, 'utf8').trimEnd().split('\n').length, 20);
});

test('a line of the log shows each invisible character by its code, also beyond 16 bits', (t) => {
  const written: string[] = [];
  t.mock.method(process.stderr, 'write', (text: string) => written.push(text) > 0);
  const isTerminal = process.stderr.isTTY;
  process.stderr.isTTY = true;
  try {
    stderrLog('info', 'tag \u{e0041}\u{e0042}', { name: 'a\u202eb' });
  } finally {
    process.stderr.isTTY = isTerminal;
  }
  assert.match(written.join(''), /tag \\udb40\\udc41\\udb40\\udc42/);
  assert.match(written.join(''), /a\\u202eb/);
});

test('the data file of an agent is below the home folder if variables are empty or name no folder', {
  skip: process.platform !== 'linux',
}, () => {
  const pathFor = (env: NodeJS.ProcessEnv) => agentDataPath(buildProgram(), env);
  const usual = pathFor({});
  assert.match(usual, /^\/.*\/\.local\/share\/cratebase\/cratebase\.db$/);
  for (const folderName of ['', 'share', './share'])
    assert.equal(pathFor({ XDG_DATA_HOME: folderName, CRATEBASE_DATA: '' }), usual);
  assert.equal(pathFor({ XDG_DATA_HOME: '/srv/share' }), '/srv/share/cratebase/cratebase.db');
});
