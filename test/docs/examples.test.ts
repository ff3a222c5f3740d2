/** What lies in examples/ runs, as its READMEs say. */
import assert from 'node:assert/strict';
import { type SpawnSyncReturns, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { toolNames } from '../../src/contract/tools.ts';
import { makeBin, type Place, runIn } from '../support/guide-code.ts';
import { type Server, startServer, temporaryFolder } from '../support/program.ts';

const examples = fileURLToPath(new URL('../../examples/', import.meta.url));
const folder = temporaryFolder();
let server: Server;
let place: Place;
before(async () => {
  const bin = makeBin(folder.path);
  const dataFile = join(folder.path, 'cratebase.db');
  // The plan is the one that the README starts, because the mirror needs more than the Free plan.
  const plan = /serve --dev --plan (\w+)/.exec(readFileSync(join(examples, 'README.md'), 'utf8'))?.[1];
  server = await startServer({ dataFile, ...(plan && { plan }), now: '2026-11-20T12:00:00Z' });
  place = { folder: folder.path, bin, url: server.url, key: server.key };
});
after(async () => {
  await server.stop();
  folder.remove();
});

const lines = (text: string): string[] => text.trim().split('\n');

test('curl: finds an artist and their events', () => {
  const { status, stdout, stderr } = runIn(place, 'sh', [join(examples, 'curl/find.sh'), 'ben', 'klock']);
  assert.equal(status, 0, stderr);
  const [artist, events] = lines(stdout).map((line) => JSON.parse(line));
  assert.equal(artist.data.slug, 'ben-klock');
  assert.ok(events.data.length > 0);
  const unknown = runIn(place, 'sh', [join(examples, 'curl/find.sh'), 'qqqqqqqqqqqqqq']);
  assert.equal(unknown.status, 1);
  assert.equal(unknown.stderr, 'No artist has that name.\n');
});

test('curl: walks a list to its end', async () => {
  const { status, stdout, stderr } = runIn(place, 'sh', [join(examples, 'curl/walk.sh')]);
  assert.equal(status, 0, stderr);
  const whole = (await server.get('/api/v1/cities?country=NL&limit=100')).json() as {
    data: { slug: string }[];
  };
  assert.ok(whole.data.length > 10);
  assert.deepEqual(
    lines(stdout),
    whole.data.map(({ slug }) => slug),
  );
});

test('mirror: copies the whole catalogue, and then has nothing to do', async () => {
  const { data } = (await server.get('/api/v1/stats')).json() as { data: Record<string, unknown> };
  const { tracks: _, upcoming_events: __, last_synced_at: ___, ...counts } = data as Record<string, number>;
  const records = Object.values(counts).reduce((sum, count) => sum + count, 0);
  for (let time = 0; time < 2; time++) {
    const args = ['--disable-warning=ExperimentalWarning', join(examples, 'mirror/mirror.ts'), 'mirror.db'];
    const { status, stdout, stderr } = runIn(place, process.execPath, args);
    assert.equal(status, 0, stderr);
    assert.equal(JSON.parse(stdout).records, records);
  }
});

test('curl: asks only for what changed', () => {
  const { stdout, stderr } = runIn(place, 'sh', [join(examples, 'curl/unchanged.sh')]);
  assert.equal(stdout, '304\n', stderr);
});

/** Why the packages of an example cannot be had; null where they are there. */
function install(path: string): string | null {
  const args = ['ci', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=1'];
  const npm: SpawnSyncReturns<string> = spawnSync('npm', args, {
    cwd: path,
    encoding: 'utf8',
    timeout: 180_000,
  });
  if (npm.status === 0) return null;
  const unreachable =
    npm.error !== undefined ||
    /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|network/i.test(npm.stderr);
  assert.ok(unreachable, npm.stderr);
  return 'npm cannot be run, or the registry not reached: the packages of examples/typescript are not here';
}

test('typescript: a client generated from the document walks pages, and knows what is wrong', async (t) => {
  const path = join(folder.path, 'typescript');
  cpSync(join(examples, 'typescript'), path, {
    recursive: true,
    filter: (from) => !/[\\/](node_modules|dist)$|schema\.d\.ts$/.test(from),
  });
  const lock = readFileSync(join(path, 'package-lock.json'), 'utf8');
  assert.doesNotMatch(lock, /"resolved"/);
  const missing = install(path);
  if (missing !== null) return t.skip(missing);
  const at = { ...place, folder: path };
  const run = (...args: string[]) => {
    const ran = runIn(at, 'npm', ['--silent', 'run', ...args]);
    return { ...ran, all: ran.stdout + ran.stderr };
  };
  const generated = run('generate');
  assert.equal(generated.status, 0, generated.all);
  const started = run('start');
  assert.equal(started.status, 0, started.all);
  const [cities, ...events] = lines(started.stdout);
  const whole = (await server.get('/api/v1/cities?country=DE&limit=100')).json() as { data: unknown[] };
  assert.equal(cities, `${whole.data.length} cities`);
  assert.ok(events.length > 2, 'more than a page');
  for (const line of events) assert.match(line, /^\S.* {2}\d{4}-\d{2}-\d{2}.* {2}Sample /);

  // What the types are for: a path, a parameter and a field that are not there.
  for (const wrong of [
    `await api.GET('/bands');`,
    `await api.GET('/events', { params: { query: { country: 1 } } });`,
    `const { data } = await api.GET('/stats'); data?.data.bands;`,
  ]) {
    writeFileSync(
      join(path, 'wrong.ts'),
      `import { connect } from './client.js';\nconst api = connect('', '');\n${wrong}\n`,
    );
    const built = run('build');
    assert.notEqual(built.status, 0, wrong);
    assert.match(built.all, /wrong\.ts/);
  }
});

type Entry = {
  type?: string;
  url?: string;
  headers?: Record<string, string>;
  command?: string;
  args?: string[];
};
const configuration = (name: string): Entry => {
  const file = JSON.parse(readFileSync(join(examples, 'agents', name), 'utf8'));
  return (file.mcpServers ?? file.servers).cratebase as Entry;
};
const here = (entry: Entry): URL => new URL(new URL(entry.url as string).pathname, server.url);

test('agents: every file is one of the README, and the other way round', () => {
  const readme = readFileSync(join(examples, 'agents/README.md'), 'utf8');
  const files = readdirSync(join(examples, 'agents')).filter((name) => name.endsWith('.json'));
  assert.deepEqual(
    files.sort(),
    [...readme.matchAll(/\[([\w-]+\.json)\]\(\1\)/g)].map(([, name]) => name).sort(),
  );
});

for (const name of ['http-key.json', 'vscode.json']) {
  test(`agents: ${name} connects with a key`, async () => {
    const entry = configuration(name);
    const authorization = entry.headers?.Authorization?.replace(/<API_KEY>|\$\{input:[\w-]+\}/, server.key);
    const client = new OldClient({ name: 'examples', version: '1' });
    await client.connect(
      new StreamableHTTPClientTransport(here(entry), {
        requestInit: { headers: { Authorization: authorization as string } },
      }) as Parameters<typeof client.connect>[0],
    );
    const { tools } = await client.listTools();
    assert.deepEqual(tools.map((tool) => tool.name).sort(), [...toolNames].sort());
    await client.close();
  });
}

test('agents: http-oauth.json is led to where a person signs in', async () => {
  const entry = configuration('http-oauth.json');
  assert.equal(entry.headers, undefined);
  const answer = await fetch(here(entry), {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  assert.equal(answer.status, 401);
  const [, metadata = ''] =
    /resource_metadata="([^"]+)"/.exec(answer.headers.get('www-authenticate') ?? '') ?? [];
  const {
    authorization_servers: [issuer],
  } = (await (await fetch(metadata)).json()) as { authorization_servers: string[] };
  const found = await fetch(`${issuer}/.well-known/oauth-authorization-server`);
  assert.equal(found.status, 200);
  assert.ok(((await found.json()) as { registration_endpoint?: string }).registration_endpoint);
});

test('agents: stdio.json starts the tools over a data file', async () => {
  const { command = '', args = [] } = configuration('stdio.json');
  const client = new OldClient({ name: 'examples', version: '1' });
  const transport = new StdioClientTransport({
    command: join(place.bin, command),
    args,
    cwd: folder.path,
    stderr: 'ignore',
  });
  await client.connect(transport as Parameters<typeof client.connect>[0]);
  const answer = await client.callTool({ name: 'artist_info', arguments: { artist: 'ben klock' } });
  assert.match(JSON.stringify(answer.structuredContent), /"slug":"ben-klock"/);
  await client.close();
});

test('testing: the fixture under node:test', () => {
  const ran = runIn(place, process.execPath, ['--test', join(examples, 'testing/client.test.ts')]);
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /pass 5\b/);
});

test('testing: tests that end without stopping it leave no service behind', async () => {
  const path = join(folder.path, 'unstopped.mjs');
  const fixture = pathToFileURL(join(examples, 'testing/cratebase.ts')).href;
  writeFileSync(
    path,
    `import { startCratebase } from ${JSON.stringify(fixture)};
     const { url } = await startCratebase({ empty: true });
     console.log(url);
     process.exit(0);`,
  );
  const { status, stdout, stderr } = runIn(place, process.execPath, [path]);
  assert.equal(status, 0, stderr);
  const url = `${stdout.trim()}/healthz`;
  for (let tries = 0; tries < 100; tries++) {
    const answered = await fetch(url).then(
      () => true,
      () => false,
    );
    if (!answered) return;
    await delay(50);
  }
  assert.fail('it goes on');
});

/** Vitest is no dependency of ours. What the example takes of it is played here: that it runs in vitest itself, this does not show. */
const vitest = `
import { deepStrictEqual } from 'node:assert';
export { test } from 'node:test';
export const expect = (value) => ({ toBe: (wanted) => deepStrictEqual(value, wanted) });
`;

test('testing: the set-up and the example for vitest', async () => {
  const path = join(folder.path, 'vitest');
  cpSync(join(examples, 'testing'), path, { recursive: true });
  mkdirSync(join(path, 'node_modules/vitest'), { recursive: true });
  writeFileSync(join(path, 'node_modules/vitest/index.js'), vitest);
  writeFileSync(
    join(path, 'node_modules/vitest/package.json'),
    JSON.stringify({ name: 'vitest', type: 'module', exports: './index.js' }),
  );
  const runner = `
    import setup from ${JSON.stringify(pathToFileURL(join(path, 'vitest.setup.ts')).href)};
    import { after } from 'node:test';
    after(await setup());
    await import(${JSON.stringify(pathToFileURL(join(path, 'vitest.example.ts')).href)});
  `;
  writeFileSync(join(path, 'run.test.mjs'), runner);
  const ran = runIn(place, process.execPath, ['--test', join(path, 'run.test.mjs')]);
  assert.equal(ran.status, 0, ran.stdout + ran.stderr);
  assert.match(ran.stdout, /pass 1\b/);
});
