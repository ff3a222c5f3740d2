/** The commands of the guide "Several machines" work in its order: move in, start nodes, change, back up, move back. */
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { folder, run } from '../support/cli-run.ts';
import { clusterUrl } from '../support/cluster-url.ts';
import { blocksOf } from '../support/guide-code.ts';
import { skipWithoutPostgres as skip, usePostgres } from '../support/postgres.ts';
import { S3Server } from '../support/s3-server.ts';
import { serve } from '../support/serve-process.ts';

const guide = readFileSync(
  fileURLToPath(new URL('../../docs/guides/several-machines.md', import.meta.url)),
  'utf8',
);
const place = folder();
const state = join(place, 'var');
const email = 'ada@example.com';
const storage = new S3Server();

/** The commands of the guide, on folders of this test. */
const commands = blocksOf(guide)
  .filter(({ language }) => language === 'console')
  .flatMap(({ text }) => text.split('\n'))
  .filter((line) => line.startsWith('cratebase '))
  .map((line) => line.slice('cratebase '.length).replaceAll('/var/lib/cratebase', state));

const night = [
  {
    kind: 'venue',
    external_id: 'v1',
    name: 'Haus am See',
    city: 'Berlin',
    country: 'DE',
    timezone: 'Europe/Berlin',
  },
  {
    ...{ kind: 'event', external_id: 'e1', name: 'Winter Night', start_at: '2031-12-05T23:00' },
    venue: { external_id: 'v1', name: 'Haus am See' },
    lineup: [{ name: 'Ben Klock' }],
  },
];

const server = usePostgres(
  async () => {
    mkdirSync(state);
    writeFileSync(join(place, 'night.ndjson'), night.map((line) => `${JSON.stringify(line)}\n`).join(''));
    await storage.start();
  },
  async () => {
    await storage.stop();
  },
);

test('its commands move a service into a cluster and back', { skip }, async () => {
  const address = join(place, 'cluster');
  writeFileSync(address, clusterUrl(await server.createDatabase(), 'choose-a-long-one'), { mode: 0o600 });
  const data = join(state, 'cratebase.db');
  const alone = await serve(`--data ${data} --no-sync`, { cwd: place });
  await alone.stop();
  assert.equal((await run(['accounts', 'create', email, '--data', data], { cwd: place })).status, 0);
  const made = await run(['keys', 'create', email, '--name', 'laptop', '--data', data, '--json'], {
    cwd: place,
  });
  const { key } = JSON.parse(made.stdout) as { key: string };
  const env: Record<string, string> = { CRATEBASE_CLUSTER_FILE: address, ...storage.env };
  const ask = async (url: string, path: string) =>
    fetch(url + path, { headers: { authorization: `Bearer ${key}` } });

  const served: Awaited<ReturnType<typeof serve>>[] = [];
  const done: string[] = [];
  let start = async () => {};
  for (const command of commands) {
    const [name = ''] = command.split(' ');
    done.push(name);
    if (name === 'serve') {
      const options = command.replace('serve ', '').replace(/ --(host|base-url) \S+/g, '');
      start = async () => void served.push(await serve(`${options} --no-sync`, { cwd: place, env }));
      await start();
      continue;
    }
    const { status, stderr, stdout } = await run(command.split(' '), { cwd: place, env });
    assert.equal(status, 0, `${command}: ${stderr}${stdout}`);
    if (!command.startsWith('cluster objects')) continue;
    // The new place, as the guide exports it, also for the node.
    env.CRATEBASE_OBJECTS = command.split(' ').at(-1) as string;
    await served.pop()?.stop();
    await start();
  }
  const expected = ['cluster', 'serve', 'cluster', 'doctor', 'cluster', 'import', 'edit', 'backup', 'verify'];
  assert.deepEqual(done, expected);
  const [node] = served;
  assert.ok(node);
  assert.equal((await ask(node.url, '/api/v1/events?limit=1')).status, 200);
  const found = await (await ask(node.url, '/api/v1/search?q=winter+night')).text();
  assert.match(found, /Winter Night/);
  await node.stop();

  const back = await serve('--data both.db --no-sync', { cwd: place });
  assert.match(await (await ask(back.url, '/api/v1/search?q=winter+night')).text(), /Winter Night/);
  await back.stop();
});
