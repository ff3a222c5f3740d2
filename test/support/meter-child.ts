/**
 * A child process of the meter tests. Arguments: the task, the data file, and the parameters as JSON.
 * It answers in lines of JSON on standard output.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { openAccess } from '../../src/access/access.ts';
import { frozenClock } from '../../src/clock.ts';
import { openDatabase } from '../../src/store/database.ts';
import { openAccessOnReader } from './access-on-reader.ts';

const [task, path, rest] = process.argv.slice(2) as [string, string, string];
const options = JSON.parse(rest) as {
  now: number;
  authorization: string;
  parallel: number;
  requests: number;
  holdMs: number;
  gapMs: number;
  times: number;
  onReader: boolean;
};
const say = (line: unknown) => process.stdout.write(`${JSON.stringify(line)}\n`);

const open = () =>
  options.onReader
    ? openAccessOnReader(path, frozenClock(options.now), false).access
    : openAccess(openDatabase(path, { create: false }), frozenClock(options.now));

/** `parallel` callers, each asking again as soon as it has its answer, until `requestCount` were made. */
async function hammer(): Promise<void> {
  const access = open();
  const credential = await access.authenticate(options.authorization);
  if (credential === null) throw new Error('the key is not known');
  let left = options.requests;
  const counts: Record<string, number> = {};
  const caller = async () => {
    while (left > 0) {
      left -= 1;
      const { outcome } = await access.admit(credential, 1, 'rest');
      counts[outcome] = (counts[outcome] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, caller));
  access.close();
  say(counts);
}

/** As above without an end, with a line for each that was admitted; to be killed. */
async function hammerUntilKilled(): Promise<void> {
  const access = open();
  const credential = await access.authenticate(options.authorization);
  if (credential === null) throw new Error('the key is not known');
  const caller = async () => {
    for (;;) {
      const { outcome } = await access.admit(credential, 1, 'rest');
      if (outcome === 'admitted') say('admitted');
      await pause(0);
    }
  };
  await Promise.all(Array.from({ length: options.parallel }, caller));
}

/** Holds the file's write lock `times` times, for `holdMs` each, with gaps of `gapMs`. */
async function hold(): Promise<void> {
  const sqlite = openDatabase(path, { create: false });
  for (let time = 0; time < options.times; time += 1) {
    sqlite.exec('BEGIN IMMEDIATE');
    if (time === 0) say('held');
    await pause(options.holdMs);
    sqlite.exec('COMMIT');
    await pause(options.gapMs);
  }
  sqlite.close();
  say('done');
}

await { hammer, hammerUntilKilled, hold }[task as 'hammer']();
