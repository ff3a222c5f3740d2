/** An export that is killed at any moment leaves no half export, and the next one removes its remains. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { ExportManifest } from '../../src/exports/manifest.ts';
import { folder, run, start } from '../support/cli-run.ts';
import { withSeed } from '../support/random-seed.ts';
import { randomFrom } from './random-lines.ts';

test('every export in the folder is whole, however often the process is killed', () =>
  withSeed(async (seed) => {
    const random = randomFrom(seed);
    const cwd = folder();
    const [data, exports] = [join(cwd, 'c.db'), join(cwd, 'exports')];
    mkdirSync(exports);
    const artists = Array.from({ length: 4_000 }, (_, i) =>
      JSON.stringify({
        kind: 'artist',
        external_id: `${i}`,
        name: `Artist ${i}`,
        biography: 'b'.repeat(300),
      }),
    );
    await run(['import', '-', '--source', 'many', '--data', data], { cwd, input: artists.join('\n') });
    const args = ['export', '--dir', exports, '--keep', '100', '--data', data];
    let unfinished = 0;
    for (let round = 0; round < 5; round++) {
      const child = start(args, { cwd });
      child.stdout.resume();
      child.stderr.resume();
      const exit = once(child, 'exit');
      // Once its folder exists, it writes.
      const hasBegun = () => readdirSync(exports).some((name) => name.startsWith('.cratebase-export-'));
      while (!hasBegun() && child.exitCode === null) await delay(10);
      await delay(random() * 800);
      child.kill('SIGKILL');
      await exit;
      if (hasBegun()) unfinished++;
      for (const manifest of wholeExports(exports)) assert.equal(manifest.records.artist, 4_000);
    }
    assert.ok(unfinished > 0, 'none was killed while it wrote');
    const { status, stderr } = await run(args, { cwd });
    assert.equal(status, 0, stderr);
    assert.deepEqual(
      readdirSync(exports).filter((name) => name.startsWith('.cratebase-')),
      [],
    );
    assert.ok(wholeExports(exports).length > 0);
  }));

/** The manifests of the exports in a folder; asserts that their files are those that they name. */
function wholeExports(folder: string): ExportManifest[] {
  return readdirSync(folder)
    .filter((name) => !name.startsWith('.'))
    .map((name) => {
      const manifest = JSON.parse(
        readFileSync(join(folder, name, 'catalogue.json'), 'utf8'),
      ) as ExportManifest;
      for (const file of manifest.files) {
        const body = readFileSync(join(folder, name, file.name));
        assert.equal(createHash('sha256').update(body).digest('hex'), file.sha256, file.name);
      }
      return manifest;
    });
}
