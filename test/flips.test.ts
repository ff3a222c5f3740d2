/** `verify` finds flipped bits wherever the file says a thing twice (docs/decisions/11-copies.md; bench/flips.ts counts more). */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApp } from '../src/app.ts';
import { flips } from './support/flips.ts';

const seed = Number(process.env.SEED ?? 7);
const count = Number(process.env.ROUNDS ?? 30);

/** What is wrong with a file, by the name of the check; null where nothing is found. */
function findsIn(path: string): string | null {
  try {
    const app = openApp({ data: path, create: false, readOnly: true });
    try {
      return [...app.check()].find(({ ok }) => !ok)?.name ?? null;
    } finally {
      app.close();
    }
  } catch {
    return 'opening';
  }
}

test(`verify finds flipped bits (SEED=${seed})`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-flips-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const whole = join(folder, 'whole.db');
  const app = openApp({ data: whole, create: true });
  await app.wantStarter();
  await app.fillStarter();
  app.close();
  assert.equal(findsIn(whole), null);
  const content = readFileSync(whole);
  const missed: string[] = [];
  for (const { offset, bit, owner } of flips(whole, count, seed)) {
    const copy = join(folder, 'flipped.db');
    const flipped = Buffer.from(content);
    flipped[offset] = (flipped[offset] as number) ^ (1 << bit);
    writeFileSync(copy, flipped);
    if (findsIn(copy) === null) missed.push(owner);
    for (const end of ['-wal', '-shm']) rmSync(copy + end, { force: true });
  }
  t.diagnostic(`missed ${missed.length} of ${count}: ${missed.join(', ')}`);
  // Every index repeats its table, the search index the names; statements have a checksum.
  assert.deepEqual(
    missed.filter((owner) => /_by_|autoindex|^name_search|^provider_records$/.test(owner)),
    [],
  );
  assert.ok(missed.length <= count * 0.4, missed.join(', '));
});
