/** The accounts of an opened data file: two callers at once share one connection, which `close` closes. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { openApp, readCluster } from '../../src/app.ts';
import { folder, run } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { skipWithoutPostgres, usePostgres } from '../support/postgres.ts';

const place = folder();
const server = usePostgres();

const openFiles = (path: string): number =>
  readdirSync('/proc/self/fd').filter((descriptor) => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(path);
    } catch {
      return false;
    }
  }).length;

test('two callers at once share the connection to the data file', {
  skip: existsSync('/proc/self/fd') ? false : 'needs /proc',
}, async () => {
  const data = join(place, 'own.db');
  const app = openApp({ data, create: true });
  const [one, two] = await Promise.all([app.access(), app.access()]);
  assert.equal(one, two);
  assert.equal(await app.access(), one);
  assert.equal(await app.devAccount.exists(), false);
  await app.devAccount.ensure({ plan: null, window: null, quota: null });
  assert.equal(await app.devAccount.exists(), true);
  app.close();
  assert.equal(openFiles(data), 0);
});

test('two callers at once share the connections to the cluster', { skip: skipWithoutPostgres }, async () => {
  const url = clusterUrl(await server.createDatabase());
  const made = await run(['cluster', 'init', '--empty', '--cluster', url], { cwd: place });
  assert.equal(made.status, 0, made.stderr);
  const cluster = readCluster({ cluster: url, clusterCa: null });
  const app = openApp({ data: join(place, 'node.db'), create: true, cluster });
  const [one, two] = await Promise.all([app.access(), app.access()]);
  assert.equal(one, two);
  app.close();
});
