/** Measures requests to the nodes of a cluster against those to one data file, in turn, on the same machine. */
import { spawnSync } from 'node:child_process';
import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClusterAddress } from '../../src/cluster/connection.ts';
import { clusterUrl } from '../../test/support/cluster-url.ts';
import { casesOf, walkEvents } from '../cases.ts';
import { makeCaller } from '../catalogue.ts';
import { Child } from '../child.ts';
import type { ClientHandlers } from '../client.ts';
import { median } from '../measure.ts';
import type { RoundResult } from '../messages.ts';
import { type Program, type Running, startServer } from '../server.ts';

/** Nothing else changes the catalogue meanwhile, and the visitor of the pages has no limit. */
const serveOptions = ['--no-sync', '--page-limit', '0'];

const connections = 32;
/** With so many, the processor is the limit, and not the wait for commits of PostgreSQL. */
export const busyConnections = 192;
const busyRounds = 2;
const nodeCount = 3;
const rounds = 5;
const warmUpSeconds = 0.5;
/** Public pages are not counted: a node answers them without PostgreSQL. A valid key lifts the limit for visitors. */
export const pageCase = 'page_random';
export const defaultCases = [pageCase, 'list_same', 'list_random', 'detail_random', 'search_3'];

export type RequestOptions = {
  program: Program;
  address: ClusterAddress;
  /** A data file that is copied. */
  file: string;
  folder: string;
  /** Of load for each case on each side. */
  seconds: number;
  /** Ids of cases (bench/cases.ts). */
  cases: readonly string[];
  note: (text: string) => void;
};

type Side = Pick<RoundResult, 'perSecond' | 'p50Ms' | 'p99Ms'> & { processorUs: number };
export type CaseFigures = {
  case: string;
  /** Requests per second of one node, as a share of those of the data file. */
  ratio: number;
  /** Processor time of the data file's process per request, as a share of the node's, which does not have PostgreSQL's. */
  processorRatio: number;
  /** Both ratios with 192 connections. */
  busyRatio: number;
  busyProcessorRatio: number;
  addedP50Ms: number;
  addedP99Ms: number;
  single: Side;
  node: Side;
};
export type AdmittedFigures = { nodes: number; perSecond: number; p50Ms: number; p99Ms: number };
export type RequestFigures = {
  connections: number;
  cases: CaseFigures[];
  admitted: AdmittedFigures[];
  /** From the start of the process of a new node to its first 200 at /readyz. */
  newNodeSeconds: number;
};

/** Measures one data file and the nodes of a cluster that has its accounts and its catalogue. */
export async function measureRequests(options: RequestOptions): Promise<RequestFigures> {
  const { program, file, folder, note } = options;
  const source = join(folder, 'source.db');
  copyFileSync(file, source);
  const { key } = await makeCaller(source);
  const env = { CRATEBASE_CLUSTER: clusterUrl(options.address) };
  runCommand(program, ['cluster', 'init', '--from', source], env);
  const copy = join(folder, 'single.db');
  copyFileSync(source, copy);
  const servers: Running[] = [];
  const clients: Child<ClientHandlers>[] = [];
  try {
    const single = await startServer(program, copy, { more: serveOptions });
    servers.push(single);
    const nodes: Running[] = [];
    let newNodeSeconds = Number.NaN;
    for (let at = 0; at < nodeCount; at++) {
      const since = performance.now();
      const node = await startNode(program, folder, at, env);
      newNodeSeconds = (performance.now() - since) / 1_000;
      servers.push(node);
      nodes.push(node);
    }
    for (const _ of nodes) clients.push(new Child<ClientHandlers>('client.ts'));
    const walk = await walkEvents(single.url, key);
    const pages = { id: pageCase, cold: false, paths: walk.slugs.map((slug) => `/events/${slug}`) };
    const all = [pages, ...casesOf(walk, Date.now())];
    const cases = all.filter(({ id }) => options.cases.includes(id));
    for (const client of clients) {
      await client.call('key', key);
      for (const { id, paths } of all) await client.call('paths', { name: id, paths });
    }
    const [client, node] = [clients[0], nodes[0]] as [Child<ClientHandlers>, Running];
    const figures: CaseFigures[] = [];
    for (const { id, cold } of cases) {
      note(`measuring ${id} …`);
      figures.push(await compareCase(client, single, node, { id, cold, seconds: options.seconds }));
    }
    const admitted = await measureAdmitted(clients, nodes, options);
    return { connections, cases: figures, admitted, newNodeSeconds };
  } finally {
    await Promise.all([...clients, ...servers].map((one) => one.stop()));
  }
}

/** Starts a node whose folder is new; resolves when a load balancer would send it requests. */
async function startNode(
  program: Program,
  folder: string,
  at: number,
  env: Record<string, string>,
): Promise<Running> {
  const node = await startServer(program, join(folder, `node-${at}`), { more: serveOptions, env });
  while ((await fetch(`${node.url}/readyz`)).status !== 200)
    await new Promise((done) => setTimeout(done, 10));
  return node;
}

/** Runs a command of the program to its end. */
export function runCommand(program: Program, args: readonly string[], env: Record<string, string>): void {
  const { status, stderr } = spawnSync(program.command, [...program.args, ...args], {
    env: { ...process.env, ...env },
    encoding: 'utf8',
  });
  if (status !== 0) throw new Error(`cratebase ${args.join(' ')}: ${stderr}`);
}

type CaseRun = { id: string; cold: boolean; seconds: number };

/** Runs rounds of load in turn (ABAB…) and takes medians. */
async function compareCase(
  client: Child<ClientHandlers>,
  single: Running,
  node: Running,
  { id, cold, seconds }: CaseRun,
): Promise<CaseFigures> {
  const load = async (server: Running, duration: number, count = connections): Promise<Side> => {
    const before = server.processorMs();
    const { port } = server;
    const round = { port, list: id, cold, connections: count, seconds: duration };
    const result = await client.call('round', round);
    const processorUs = (1_000 * (server.processorMs() - before)) / Math.max(1, result.requests);
    return { perSecond: result.perSecond, p50Ms: result.p50Ms, p99Ms: result.p99Ms, processorUs };
  };
  const [ours, theirs]: [Side[], Side[]] = [[], []];
  for (const server of [single, node]) await load(server, warmUpSeconds);
  for (let round = 0; round < rounds; round++) {
    theirs.push(await load(single, seconds / rounds));
    ours.push(await load(node, seconds / rounds));
  }
  const [busyOurs, busyTheirs]: [Side[], Side[]] = [[], []];
  for (let round = 0; round < busyRounds; round++) {
    busyTheirs.push(await load(single, seconds / rounds, busyConnections));
    busyOurs.push(await load(node, seconds / rounds, busyConnections));
  }
  const [inCluster, alone] = [summarize(ours), summarize(theirs)];
  const [busyInCluster, busyAlone] = [summarize(busyOurs), summarize(busyTheirs)];
  return {
    case: id,
    ratio: inCluster.perSecond / alone.perSecond,
    processorRatio: alone.processorUs / inCluster.processorUs,
    busyRatio: busyInCluster.perSecond / busyAlone.perSecond,
    busyProcessorRatio: busyAlone.processorUs / busyInCluster.processorUs,
    addedP50Ms: inCluster.p50Ms - alone.p50Ms,
    addedP99Ms: inCluster.p99Ms - alone.p99Ms,
    single: alone,
    node: inCluster,
  };
}

function summarize(sides: readonly Side[]): Side {
  const middle = (name: keyof Side): number => median(sides.map((side) => side[name]));
  return {
    perSecond: middle('perSecond'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    processorUs: middle('processorUs'),
  };
}

/** Requests for one page that all nodes answer at the same time, by the number of nodes. */
async function measureAdmitted(
  clients: readonly Child<ClientHandlers>[],
  nodes: readonly Running[],
  { seconds, note }: RequestOptions,
): Promise<AdmittedFigures[]> {
  const figures: AdmittedFigures[] = [];
  for (let count = 1; count <= nodes.length; count++) {
    note(`measuring ${count} ${count === 1 ? 'node' : 'nodes'} …`);
    const load = (duration: number) =>
      Promise.all(
        nodes.slice(0, count).map(({ port }, at) => {
          const round = { port, list: 'list_same', cold: false, connections, seconds: duration };
          return (clients[at] as Child<ClientHandlers>).call('round', round);
        }),
      );
    await load(warmUpSeconds);
    const results = await load(seconds);
    figures.push({
      nodes: count,
      perSecond: results.reduce((sum, { perSecond }) => sum + perSecond, 0),
      p50Ms: median(results.map(({ p50Ms }) => p50Ms)),
      p99Ms: Math.max(...results.map(({ p99Ms }) => p99Ms)),
    });
  }
  return figures;
}
