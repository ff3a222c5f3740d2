/** The image codecs and the maps in the executable: bundled as build.mjs does it, and run as the executable runs them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { Worker } from 'node:worker_threads';
import { build, type Plugin } from 'esbuild';
import { codecFile, outlinesFile, placesFile } from '../../src/assets.ts';
import { codecPaths } from '../../src/media/codec.ts';
import { ThreadJobs } from '../../src/thread-jobs.ts';
import { avif, jpeg } from '../media/images.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const { bundleCodecs, codecFiles } = (await import(`${root}bin/build-codecs.mjs`)) as {
  bundleCodecs: Plugin;
  codecFiles: string[];
};
const limits = { timeoutMs: 20_000, idleMs: 1_000, maxJobs: 10 };

/** Bundles a thread as one CommonJS text. */
async function bundle(name: string): Promise<string> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [`src/${name}.ts`],
    write: false,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    keepNames: true,
    supported: { 'dynamic-import': false },
    logLevel: 'silent',
    logOverride: { 'empty-import-meta': 'error' },
    plugins: [bundleCodecs],
  });
  return outputFiles[0]?.text ?? '';
}

test('the build has the files of all codecs, and their threads', () => {
  assert.deepEqual([...codecFiles].sort(), Object.values(codecPaths).sort());
  const text = readFileSync(`${root}build.mjs`, 'utf8');
  const threads = /const threads = \[([^\]]*)\]/.exec(text)?.[1] ?? '';
  for (const name of ['media/codec-thread', 'media/map/map-thread']) assert.ok(threads.includes(`'${name}'`));
  for (const asset of ['outlines.zst', 'places.zst']) assert.ok(text.includes(`'${asset}'`));
});

test('the bundled codecs convert an image', async () => {
  const text = await bundle('media/codec-thread');
  const files = Object.fromEntries(Object.entries(codecPaths).map(([name, path]) => [name, codecFile(path)]));
  const start = () => new Worker(text, { eval: true, workerData: { files }, execArgv: [] });
  const jobs = new ThreadJobs<Uint8Array, { width: number; bytes: Uint8Array }[]>({ ...limits, start });
  const sizes = await jobs.run(await jpeg(120, 80));
  assert.deepEqual(
    sizes.map(({ width }) => width),
    [96, 120],
  );
  assert.equal(Buffer.from(sizes[0]?.bytes ?? []).toString('latin1', 8, 12), 'WEBP');
  assert.equal((await jobs.run(await avif(120, 80, [1, 2, 3]))).length, 2);
  await jobs.close();
});

test('the bundled thread draws a map', async () => {
  const text = await bundle('media/map/map-thread');
  const workerData = { outlines: outlinesFile(), places: placesFile() };
  const start = () => new Worker(text, { eval: true, workerData, execArgv: [] });
  const jobs = new ThreadJobs<object, { svg: string; ms: number }>({ ...limits, start });
  const { svg } = await jobs.run({ latitude: 52.51, longitude: 13.44, scale: 'city' });
  assert.match(svg, />Potsdam<\/text>/);
  await jobs.close();
});
