/**
 * Measures how many flipped bits `verify` finds: `npx tsx bench/flips.ts [FILE] [COUNT] [SEED]`. In copies of a data file (by
 * default the starter catalogue with samples) it flips one random bit of a random used byte at a time.
 */
import { closeSync, copyFileSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openApp } from '../src/app.ts';
import { flips, pagesOf } from '../test/support/bit-flips.ts';
import { readBenchOptions } from './options.ts';

const usage = `node --import tsx bench/flips.ts [FILE] [COUNT] [SEED]
  FILE   a data file (the starter catalogue with samples); it is not changed
  COUNT  number of flipped bits (200)
  SEED   of the random numbers (1)`;
const [given, count = '200', seed = '1'] = readBenchOptions(usage, { allowPositionals: true }).positionals;
const folder = mkdtempSync(join(tmpdir(), 'cratebase-flips-'));
const whole = join(folder, 'whole.db');
if (given) copyFileSync(given, whole);
else {
  const app = openApp({ data: whole, create: true });
  await app.starter.request();
  await app.starter.import();
  const { accounts, keys } = await app.access();
  for (let i = 0; i < 50; i++) {
    await accounts.create({ email: `person${i}@example.com` });
    await keys.create(`person${i}@example.com`, 'one');
  }
  app.close();
}
const copy = join(folder, 'flipped.db');
const content = readFileSync(whole);
const tally = new Map<string, [found: number, missed: number]>();
let at = 0;
for (const { offset, bit, owner } of flips(whole, Number(count), Number(seed))) {
  const flipped = Buffer.from(content);
  flipped[offset] = (flipped[offset] as number) ^ (1 << bit);
  const file = openSync(copy, 'w');
  writeSync(file, flipped);
  closeSync(file);
  let found = 'nothing';
  try {
    const app = openApp({ data: copy, create: false, readOnly: true });
    try {
      const bad = [...app.file.check()].find(({ ok }) => !ok);
      if (bad) found = `${bad.name}: ${bad.problems[0]}`;
    } finally {
      app.close();
    }
  } catch (failure) {
    found = String(failure);
  }
  for (const end of ['-wal', '-shm']) rmSync(copy + end, { force: true });
  const row = tally.get(owner) ?? [0, 0];
  row[found === 'nothing' ? 1 : 0]++;
  tally.set(owner, row);
  if (process.env.VERBOSE) console.log(++at, owner, offset, bit, found);
}
const rows = [...tally].sort((a, b) => b[1][1] - a[1][1]);
for (const [owner, [found, missed]] of rows)
  console.log(`${owner.padEnd(30)} found ${found}, missed ${missed}`);
const sum = (which: 0 | 1) => rows.reduce((total, [, row]) => total + row[which], 0);
console.log(`${sum(0)} of ${sum(0) + sum(1)} found; ${pagesOf(whole).length} pages, seed ${seed}`);
rmSync(folder, { recursive: true });
