/** Commands that commands print for people to copy: a name or a path in them never ends the word that it is in. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { test } from 'node:test';
import { checkKey } from '../../src/cli/check-service.ts';
import { describeRecognized } from '../../src/cli/output/recognized-address.ts';
import { stripAroundBold } from '../../src/cli/output/terminal.ts';
import { checkExportFolder } from '../../src/cli/serve/export-scheduler.ts';
import { folder, run } from '../support/cli-run.ts';

/** The words that a shell makes of a command line. */
const wordsOf = (line: string): string[] =>
  execFileSync('sh', ['-c', `set -- ${line}; printf '%s\\n' "$@"`], { encoding: 'utf8' })
    .trimEnd()
    .split('\n');

/** A valid email that a shell would run as a command (RFC 5322 allows these characters). */
const email = "o'hara`echo-run`@example.com";

test('the email of an account is one word of the commands that complete it', async () => {
  const data = join(folder(), 'words.db');
  await run(['import', '-', '--source', 'none', '--data', data]);
  const { status, stderr } = await run(['accounts', 'create', email, '--data', data]);
  assert.equal(status, 0, stderr);
  const lines = stderr.split('\n').filter((line) => line.startsWith('  cratebase'));
  assert.equal(lines.length, 2);
  for (const line of lines) assert.ok(wordsOf(line).includes(email), line);
});

test('the doctor quotes the email of a key', async () => {
  const account = {
    suspended_at: null,
    usage: { remaining: 0, quota: 10, window: 1, window_seconds: 60, resets_at: '2027-01-01' },
  };
  const access = {
    keys: { checkKey: async () => 'good', accountOf: async () => email },
    accounts: { show: async () => account },
  };
  const advice: string[] = [];
  await checkKey({ access: async () => access } as never, 'cb_live_x', (_check, _status, _message, text) =>
    advice.push(text ?? ''),
  );
  const [line = ''] = advice;
  assert.deepEqual(wordsOf(line.slice(line.indexOf('cratebase'))).slice(-2), [email, 'PLAN']);
});

test('the name of an act is one word of the command that keeps it', () => {
  const act = "D'Angelo'; echo run; '";
  const text = describeRecognized({
    found: { name: 'club', label: 'iCalendar', type: 'ical', options: [], license: null, place_options: [] },
    preview: {
      url: 'https://club.example/',
      kinds: { event: 1 },
      other_records: 0,
      is_complete: true,
      kept: [],
      kept_count: 1,
      rejected: [],
      rejected_count: 0,
      stopped: null,
    },
    ...{ tried: [], requests: 1, records: [], areOver: false, without_city: 0, without_zone: 0 },
    ...{ changes: [], matches: [] },
    shorter_lineups: [{ slug: 'night', name: 'Night', date: '2027-01-01', missing: [act] }],
  } as never);
  const line = text.split('\n').find((one) => one.startsWith('To keep an act')) ?? '';
  assert.equal(wordsOf(line.slice(line.indexOf('cratebase'))).at(-1), `artist+=${act}`);
});

test('the path of a folder is one word of the command that creates it', () => {
  const path = join(folder(), 'my exports');
  assert.throws(
    () => checkExportFolder({ exportDir: path } as never),
    ({ message }: Error) => wordsOf(message.slice(message.indexOf('mkdir'))).at(-1) === path,
  );
});

test('control characters of names and answers do not reach the terminal, bold text does', () => {
  const bold = '\u001b[1mNAME\u001b[22m';
  assert.equal(stripAroundBold(`${bold}\nÄ\u{1f3b5}`), `${bold}\nÄ\u{1f3b5}`);
  assert.equal(stripAroundBold('a\u001b[31mb\u001b]0;title\u0007c\u009b2Jd\r'), 'a [31mb ]0;title c 2Jd ');
});
