/** Three nodes of the executable count one quota together, while nodes, PostgreSQL or the way between them fail. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { CuttableProxy } from '../support/cuttable-proxy.ts';
import { reasonToSkip } from '../support/executable.ts';
import { PostgresServer, skipWithoutPostgres } from '../support/postgres.ts';
import { Callers, FaultCluster, kill, type Node } from './cluster-nodes.ts';
import { folder, random, report, tries } from './fault-table.ts';

const file = 'test/faults/cluster-counts.test.ts';
const cwd = folder();
const perNode = 32;
const wholeQuota = 20_000;
/** Of the scenarios with a fault. */
const quota = 6_000;
/** A round takes seconds: CRATEBASE_FAULT_TRIES=100 runs 20 of each. */
const rounds = Math.ceil(tries / 5);

/** Rounds without a fault that are repeated because PostgreSQL did not answer in time; a later one must be exact. */
const maxDisturbed = 3;

let server: PostgresServer;
let cluster: FaultCluster;
let proxy: CuttableProxy;
/** The third is connected through the proxy. */
const nodes: Node[] = [];
let accounts = 0;

describe('a quota of a cluster', { skip: reasonToSkip() || skipWithoutPostgres }, () => {
  before(async () => {
    server = new PostgresServer();
    await server.start();
    cluster = await FaultCluster.create(server, cwd);
    proxy = new CuttableProxy(cluster.address);
    await proxy.listen();
    nodes.push(...(await cluster.startNodes('one', 'two')), await cluster.startNode('three', proxy.address));
  });
  after(async () => {
    await kill(...nodes);
    await proxy?.close();
    await server?.remove();
  });

  test('of 20,000 is admitted exactly, and every header is true', async () => {
    for (let round = 0, disturbed = 0; round < rounds; round += 1) {
      const email = nextEmail();
      const callers = new Callers(nodes, await cluster.createKey(email, wholeQuota), perNode, wholeQuota);
      await callers.ended;
      const counted = await cluster.counted(email);
      if (callers.unavailable > 0 && disturbed < maxDisturbed) {
        // A busy machine can hold up PostgreSQL for two seconds: what was answered must be exact all the same.
        requireExact(callers, counted, wholeQuota);
        disturbed += 1;
        round -= 1;
        continue;
      }
      const ordered = Float64Array.from(callers.remaining).sort();
      assert.deepEqual(
        ordered,
        Float64Array.from({ length: wholeQuota }, (_, left) => left),
      );
      assert.equal(callers.refused, nodes.length * perNode);
      assert.deepEqual([callers.unavailable, callers.broken], [0, 0]);
      assert.deepEqual(counted, { month: wholeQuota, days: wholeQuota });
    }
    const outcome = `${wholeQuota} of ${wholeQuota} admitted over 3 nodes, as counted; X-Quota-Remaining is a permutation of ${wholeQuota - 1} to 0`;
    report({ fault: '3 × 32 callers, one quota', tried: rounds, outcome, test: file });
  });

  test('is exact when a node is killed and replaced', () =>
    scenario('node killed with SIGKILL and replaced', async (callers, after) => {
      await callers.until(after);
      await kill(nodes[1] as Node);
      nodes[1] = await cluster.startNode('two');
    }));

  test('is exact when PostgreSQL crashes twice', () =>
    scenario('PostgreSQL stopped at once, twice', async (callers, after) => {
      for (const moment of [after, after + 1_500]) {
        await callers.until(moment);
        await server.crash('SIGQUIT');
        await server.start();
      }
    }));

  test('is exact when PostgreSQL is killed', () =>
    scenario('PostgreSQL killed with SIGKILL', async (callers, after) => {
      await callers.until(after);
      await server.crash('SIGKILL');
      await server.start();
    }));

  test('is exact when the way of a node to PostgreSQL is cut', () =>
    scenario('answers to a node lost for 0.7 s, then its way cut for 1 s', async (callers, after) => {
      await callers.until(after);
      proxy.freeze();
      await sleep(700);
      proxy.block();
      await sleep(1_000);
      proxy.cut();
    }));

  test('is exact over a failover to a synchronous standby', async () => {
    const totals = new Totals();
    for (let round = 0; round < rounds; round += 1) await failOver(totals, round);
    totals.report('primary killed, synchronous standby promoted');
  });
});

const nextEmail = (): string => {
  accounts += 1;
  return `caller${accounts}@example.com`;
};

/** Checks the answers against the counters: each request without an answer may have been counted, and no other. */
function requireExact(callers: Callers, counted: { month: number; days: number }, limit: number): void {
  const { admitted, unavailable, broken } = callers;
  const said = `${admitted} admitted, ${unavailable} unavailable, ${broken} broken`;
  assert.deepEqual(counted, { month: limit, days: limit }, said);
  assert.ok(admitted <= limit && admitted >= limit - unavailable - broken, said);
  assert.equal(new Set(callers.remaining).size, admitted, 'two answers had the same X-Quota-Remaining');
}

/** What callers were answered in all rounds of a scenario. */
class Totals {
  #answered = 0;
  #counted = 0;
  #unknown = 0;

  add(callers: Callers, counted: { month: number; days: number }): void {
    const { admitted, unavailable, broken } = callers;
    requireExact(callers, counted, quota);
    this.#answered += admitted;
    this.#counted += counted.month;
    this.#unknown += unavailable + broken;
  }

  report(fault: string): void {
    const lost = this.#counted - this.#answered;
    const outcome = `${this.#answered} answered, ${this.#counted} counted; ${lost} of the ${this.#unknown} requests without an answer were counted`;
    report({ fault: `3 × 32 callers, ${fault}`, tried: rounds, outcome, test: file });
  }
}

/** Runs callers until the quota is used up, and the fault after a random number of answers. */
async function scenario(
  name: string,
  fault: (callers: Callers, after: number) => Promise<void>,
): Promise<void> {
  const totals = new Totals();
  const draw = random(name);
  for (let round = 0; round < rounds; round += 1) {
    const email = nextEmail();
    const callers = new Callers(nodes, await cluster.createKey(email, quota), perNode, quota);
    await fault(callers, Math.round(300 + draw() * 2_000));
    await callers.ended;
    totals.add(callers, await cluster.counted(email));
  }
  totals.report(name);
}

async function failOver(totals: Totals, round: number): Promise<void> {
  const primary = new PostgresServer();
  let standby: PostgresServer | undefined;
  let way: CuttableProxy | undefined;
  const own: Node[] = [];
  try {
    await primary.start();
    const pair = await FaultCluster.create(primary, cwd);
    const email = nextEmail();
    const key = await pair.createKey(email, quota);
    standby = new PostgresServer(primary);
    await standby.start();
    await primary.requireStandby();
    way = new CuttableProxy(pair.address);
    await way.listen();
    for (const name of ['one', 'two', 'three'])
      own.push(await pair.startNode(`${name}-${round}`, way.address));
    const callers = new Callers(own, key, perNode, quota);
    await callers.until(Math.round(300 + random(`failover ${round}`)() * 2_000));
    await primary.crash('SIGKILL');
    await standby.promote();
    const promoted = standby.addressOf(pair.address);
    way.redirect(promoted);
    await callers.ended;
    totals.add(callers, await pair.counted(email, promoted));
  } finally {
    await kill(...own);
    await way?.close();
    await standby?.remove();
    await primary.remove();
  }
}
