/** Three nodes of the executable serve one catalogue while it changes, and leaders, nodes and files fail. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { closeSync, openSync, readFileSync, statSync, writeFileSync, writeSync } from 'node:fs';
import { Agent } from 'node:http';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { reasonToSkip } from '../support/executable.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres.ts';
import { FaultCluster, get, kill, type Node } from './cluster-nodes.ts';
import { tries as asked, folder, random, report, run, start, timed } from './fault-table.ts';
import { feed } from './feeds.ts';

const file = 'test/faults/cluster-catalogue.test.ts';
const cwd = folder();
const events = 200;
const pageSize = 20;
const names = ['one', 'two', 'three'];
const catchUpMs = 30_000;
/** Of the faults with processes that start and end. */
/** A round takes a minute: two by default. */
const tries = process.env.CRATEBASE_FAULT_TRIES === undefined ? 2 : asked;
const rounds = Math.ceil(tries / 2);

let server: PostgresServer;
let cluster: FaultCluster;
let proxy: CuttableProxy;
let key: string;
/** The second is connected through the proxy. */
const nodes: Node[] = [];
const agent = new Agent({ keepAlive: true });

/** A state of the source in which every fifth event has another time and another title. */
function stateOf(round: number): string {
  const lines = feed('alpha', events).trim().split('\n');
  return lines
    .map((text) => {
      const line = JSON.parse(text) as { kind: string; external_id: string; name: string; start_at: string };
      const index = Number(line.external_id.split('-e')[1]);
      if (line.kind === 'event' && index % 5 === round % 5) {
        line.name = `Night ${index}, round ${round}`;
        line.start_at = `2031-${String(1 + ((index * 7 + round) % 12)).padStart(2, '0')}-15T21:00`;
      }
      return `${JSON.stringify(line)}\n`;
    })
    .join('');
}

/** The command that imports a state and publishes what it changes, from a folder of its own. */
function importing(round: number, data = 'leader'): string[] {
  writeFileSync(join(cwd, `${round}.ndjson`), stateOf(round));
  return ['import', `${round}.ndjson`, '--source', 'alpha', '--data', data];
}
const publish = (round: number, data?: string) => cluster.command(...importing(round, data));

/** The publication that a node serves, and the SHA-256 of its file. */
function slotOf(name: string): { publication: number; path: string; digest: string } {
  const state = JSON.parse(readFileSync(join(cwd, name, 'slot.json'), 'utf8')) as {
    serving: 'a' | 'b';
    a: { publication: number } | null;
    b: { publication: number } | null;
  };
  const path = join(cwd, name, `${state.serving}.db`);
  const { publication } = state[state.serving] as { publication: number };
  return { publication, path, digest: createHash('sha256').update(readFileSync(path)).digest('hex') };
}

/** Waits until all nodes serve the head; checks that their files are equal, byte for byte. Returns its number. */
async function equalFiles(): Promise<number> {
  const { catalogue } = await cluster.command<{ catalogue: { head: number } }>('cluster', 'status');
  const until = performance.now() + catchUpMs;
  for (;;) {
    const slots = names.map(slotOf);
    if (slots.every(({ publication }) => publication === catalogue.head)) {
      assert.equal(new Set(slots.map(({ digest }) => digest)).size, 1, 'the files differ');
      return catalogue.head;
    }
    if (performance.now() > until) assert.fail(`${JSON.stringify(slots)}, head ${catalogue.head}`);
    await sleep(50);
  }
}

const ask = (index: number, path: string) =>
  get(agent, (nodes[index % nodes.length] as Node).url + path, key);

describe('the catalogue of a cluster', { skip: reasonToSkip() || skipWithoutPostgres }, () => {
  before(async () => {
    server = new PostgresServer();
    await server.start();
    writeFileSync(join(cwd, 'first.ndjson'), feed('alpha', events));
    await run(['import', 'first.ndjson', '--source', 'alpha', '--data', 'source.db'], { cwd });
    cluster = await FaultCluster.create(server, cwd, ['--from', join(cwd, 'source.db')]);
    key = await cluster.createKey('ada@example.com', 1_000_000);
    proxy = new CuttableProxy(cluster.address);
    await proxy.listen();
    for (const name of names) nodes.push(await startNode(name));
  });
  after(async () => {
    agent.destroy();
    await kill(...nodes);
    await proxy?.close();
    await server?.remove();
  });

  test('a walk whose pages come from different nodes is whole while publications go out', async () => {
    let round = 0;
    let isOver = false;
    const publishing = (async () => {
      for (round = 1; round <= tries; round += 1) {
        // The second node misses every third publication for a while.
        if (round % 3 === 0) proxy.freeze();
        await publish(round);
        if (round % 3 === 0) proxy.cut();
      }
    })().finally(() => {
      isOver = true;
    });
    publishing.catch(() => {});
    const walks = { whole: 0, unavailable: 0 };
    while (!isOver) await walk(walks);
    await publishing;
    await equalFiles();
    assert.ok(walks.whole > 0);
    const outcome = `${walks.whole} walks over 3 nodes: each of the ${events} events exactly once; ${walks.unavailable} pages were asked for again after 503`;
    report({
      fault: 'walk during publications, one node held behind',
      tried: tries,
      outcome,
      test: file,
    });
  });

  test('a leader killed at any moment leaves a whole catalogue, and the next one publishes', async () => {
    const draw = random('leader');
    const whole = await timed(() => publish(100));
    let cut = 0;
    for (let attempt = 0; attempt < rounds; attempt += 1) {
      const round = 101 + attempt * 2;
      const leader = start([...importing(round), '--json'], { cwd, env: cluster.environment });
      await Promise.race([sleep(draw() * whole), leader.ended]);
      leader.child.kill('SIGKILL');
      if ((await leader.ended).signal === 'SIGKILL') cut += 1;
      await leave();
      // The same folder and another one, in turn.
      await publish(round + 1, attempt % 2 === 0 ? 'leader' : 'other');
      await equalFiles();
      const { text } = await ask(attempt, `/api/v1/search?q=${encodeURIComponent(`round ${round + 1}`)}`);
      assert.match(text, new RegExp(`round ${round + 1}`));
    }
    assert.ok(cut > 0, 'no leader was killed before its end');
    const outcome = `${cut} killed before their end; the next leader published each time; the files of 3 nodes are equal`;
    report({ fault: 'leader killed with SIGKILL while it publishes', tried: rounds, outcome, test: file });
  });

  test('another leader takes the lease of a killed one', async () => {
    const leader = start([...importing(200), '--json'], { cwd, env: cluster.environment });
    while (!(await hasLease())) await sleep(2);
    leader.child.kill('SIGKILL');
    await leader.ended;
    const seconds = (await timed(() => publish(201, 'other'))) / 1_000;
    assert.ok(seconds < 70, `${seconds} s`);
    await equalFiles();
    const outcome = `the next one has published after ${seconds.toFixed(0)} s`;
    report({ fault: 'leader killed, its lease runs out', tried: 1, outcome, test: file });
  });

  test('a paused leader cannot publish when its lease has passed on', async () => {
    const leader = start([...importing(210), '--json'], { cwd, env: cluster.environment });
    while (!(await hasLease())) await sleep(2);
    leader.child.kill('SIGSTOP');
    await endLease();
    await publish(211, 'other');
    const head = await equalFiles();
    leader.child.kill('SIGCONT');
    const { status, stderr } = await leader.ended;
    assert.equal(status, 1, stderr);
    assert.equal(await equalFiles(), head);
    report({
      fault: 'leader paused with SIGSTOP until another one has published',
      tried: 1,
      outcome: 'it publishes nothing, and ends with an error',
      test: file,
    });
  });

  test('a node that is new, was away, or has torn files serves the head', async () => {
    const draw = random('torn');
    const times = { fresh: 0, away: 0, torn: 0 };
    for (let attempt = 0; attempt < rounds; attempt += 1) {
      const name = `fresh-${attempt}`;
      times.fresh = Math.max(times.fresh, await timed(() => startUntilReady(name)));
      assert.equal(slotOf(name).digest, slotOf('one').digest);
      await kill(...extra.splice(0));
      await leave();

      await kill(nodes[2] as Node);
      await leave();
      await publish(300 + attempt * 2);
      await publish(301 + attempt * 2);
      times.away = Math.max(times.away, await timed(() => restart(2)));
      await equalFiles();

      await kill(nodes[2] as Node);
      tear(slotOf('three').path, draw);
      times.torn = Math.max(
        times.torn,
        await timed(async () => {
          await restart(2);
          const until = performance.now() + catchUpMs;
          while (slotOf('three').digest !== slotOf('one').digest) {
            assert.ok(performance.now() < until, 'the torn slot was not replaced');
            await sleep(50);
          }
        }),
      );
      assert.match(nodes[2]?.stderr() ?? '', /is damaged/);
    }
    const ms = (value: number) => `${Math.round(value)} ms`;
    const outcome = `ready after ${ms(times.fresh)} (new), ${ms(times.away)} (two publications behind); torn files replaced after ${ms(times.torn)}, at most`;
    report({ fault: 'new node, node away, pages overwritten', tried: rounds, outcome, test: file });
  });
});

const startNode = (name: string): Promise<Node> =>
  cluster.startNode(name, name === 'two' ? proxy.address : cluster.address, [
    '--base-url',
    'http://127.0.0.1',
  ]);

const extra: Node[] = [];

async function startUntilReady(name: string): Promise<void> {
  const node = await startNode(name);
  extra.push(node);
  while ((await get(agent, `${node.url}/readyz`, null)).status !== 200) await sleep(10);
}

async function restart(index: number): Promise<void> {
  const node = await startNode(names[index] as string);
  nodes[index] = node;
  while ((await get(agent, `${node.url}/readyz`, null)).status !== 200) await sleep(10);
}

/** Overwrites pages at random places, as a failing disk does. */
function tear(path: string, draw: () => number): void {
  const handle = openSync(path, 'r+');
  const pages = statSync(path).size / 4096;
  for (let left = 5; left > 0; left -= 1)
    writeSync(handle, Buffer.alloc(4096, left), 0, 4096, 4096 * Math.floor(1 + draw() * (pages - 1)));
  closeSync(handle);
}

const hasLease = async (): Promise<boolean> =>
  (await cluster.query<{ holder: string | null }>("SELECT holder FROM leases WHERE name = 'catalogue'")).some(
    ({ holder }) => holder !== null,
  );
/** Forgets processes that were killed; otherwise, publications wait for them for 15 seconds, and their leases run for 60. */
const leave = () => cluster.command('cluster', 'leave');
/** Ends the lease as time does. */
const endLease = () => cluster.query("UPDATE leases SET until_ts = 0 WHERE name = 'catalogue'");

type Page = { data: { slug: string }[]; page: { next_cursor: string | null } };

/** Reads all events, each page from the next node. */
async function walk(walks: { whole: number; unavailable: number }): Promise<void> {
  const slugs: string[] = [];
  let at = walks.whole;
  for (let cursor: string | null = ''; cursor !== null; at += 1) {
    const path = `/api/v1/events?limit=${pageSize}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { status, headers, text } = await ask(at, path);
    if (status === 503) {
      assert.ok(Number(headers['retry-after']) >= 1);
      walks.unavailable += 1;
      continue;
    }
    assert.equal(status, 200, text);
    const { data, page } = JSON.parse(text) as Page;
    slugs.push(...data.map(({ slug }) => slug));
    cursor = page.next_cursor;
  }
  assert.equal(slugs.length, events);
  assert.equal(new Set(slugs).size, events);
  walks.whole += 1;
}
