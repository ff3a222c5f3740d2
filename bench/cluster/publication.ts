/**
 * Publishes a catalogue to a cluster: changes events by a real import, and measures the size of the publication, and for
 * each step its time, its processor time in this process and the longest turn of the event loop.
 */
import { hash } from 'node:crypto';
import { copyFileSync, createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { FolderObjects } from '../../src/cluster/publication/objects.ts';
import { publishBase, publishChanges, publishFirst } from '../../src/cluster/publication/publish.ts';
import type { Slot } from '../../src/cluster/publication/slots.ts';
import { createCluster } from '../../test/support/cluster.ts';
import type { PostgresServer } from '../../test/support/postgres.ts';
import { changeEvents, seizeLease, TestNode } from '../../test/support/publication.ts';

type Step = { step: string; seconds: number; cpuSeconds: number; longestTurnMs: number };
/** How often the processor time of the main thread is read. */
const probeMs = 2;
const mb = (bytes: number): number => Math.round(bytes / 1e5) / 10;
const round = (value: number): number => Math.round(value * 100) / 100;

/**
 * Measures steps one after the other. The longest turn of the event loop is the processor time of the main thread between
 * two timers, so that it does not depend on other work of the machine.
 */
class Stopwatch {
  readonly steps: Step[] = [];
  #cpu = process.cpuUsage();
  #since = performance.now();
  #turnMs = 0;
  #threadMs = mainThreadMs();
  readonly #probe = setInterval(() => this.#readLease(), probeMs);

  restart(): void {
    this.#cpu = process.cpuUsage();
    this.#since = performance.now();
    this.#threadMs = mainThreadMs();
    this.#turnMs = 0;
  }

  stop(step: string): void {
    this.#readLease();
    const { user, system } = process.cpuUsage(this.#cpu);
    const seconds = round((performance.now() - this.#since) / 1_000);
    const longestTurnMs = round(this.#turnMs);
    this.steps.push({ step, seconds, cpuSeconds: round((user + system) / 1e6), longestTurnMs });
    this.restart();
  }

  close(): void {
    clearInterval(this.#probe);
  }

  #readLease(): void {
    const now = mainThreadMs();
    this.#turnMs = Math.max(this.#turnMs, now - this.#threadMs);
    this.#threadMs = now;
  }
}

function mainThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

async function digestOf(node: TestNode): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of createReadStream((node.slots.serving as Slot).path, { highWaterMark: 64 << 20 }))
    chunks.push(hash('sha256', chunk as Buffer, 'buffer'));
  return hash('sha256', Buffer.concat(chunks));
}

export type PublicationOptions = {
  events: number;
  /** Events that the import changes: new texts, and every fourth line-up turned round. */
  changed: number;
  /** Objects in a folder instead of PostgreSQL. */
  isFolder: boolean;
  /** The data file that is published; it is copied. */
  file: string;
};
export type PublicationFigures = Awaited<ReturnType<typeof measurePublication>>;

/** Publishes to a database of its own on a running server. */
export async function measurePublication(server: PostgresServer, options: PublicationOptions) {
  const { events, changed, isFolder, file } = options;
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-publication-'));
  const watch = new Stopwatch();
  const nodes: TestNode[] = [];
  try {
    const cluster = await createCluster(server);
    const objects = isFolder ? new FolderObjects(join(folder, 'objects')) : undefined;
    const open = async (name: string): Promise<TestNode> => {
      const node = await TestNode.open(cluster.address, join(folder, name), objects);
      nodes.push(node);
      return node;
    };
    const leader = await open('one');
    const lease = await seizeLease(cluster, 'one');
    const source = join(folder, 'source.db');
    copyFileSync(file, source);
    watch.restart();
    const first = await publishFirst(leader.publisher(lease), source);
    watch.stop('publish the whole file');
    rmSync(source);
    await leader.follower.step();
    const node = await open('two');
    watch.restart();
    await node.follower.step();
    watch.stop('new node: fetch and write the whole file');
    const publisher = leader.publisher(lease, (step) => {
      if (step === 'aligned') watch.stop('leader: compare and align its slots');
      if (step === 'changed') watch.stop('leader: import (in this process)');
      if (step === 'uploaded') watch.stop('leader: compare, pack and upload');
    });
    const size = statSync((leader.slots.serving as Slot).path).size;
    const published = await publishChanges(publisher, (path) => changeEvents(path, 1, changed, events));
    watch.stop('leader: publish');
    await node.follower.step();
    watch.stop('node: align, fetch and apply');
    await leader.follower.step();
    await leader.database.activate(lease);
    watch.restart();
    await node.follower.step();
    watch.stop('node: change places');
    await leader.follower.step();
    watch.restart();
    await publishBase(leader.publisher(lease));
    watch.stop('leader: publish a base');
    const areEqual = (await digestOf(leader)) === (await digestOf(node));
    if (!areEqual) throw new Error('the files of the nodes differ');
    return {
      events,
      changed,
      objects: isFolder ? 'folder' : 'PostgreSQL',
      fileMb: mb(size),
      baseMb: mb(first.bytes),
      pages: published?.pages,
      publicationMb: mb(published?.bytes ?? 0),
      publicationObjects: published?.objects,
      steps: watch.steps,
    };
  } finally {
    watch.close();
    for (const node of nodes) await node.close();
    rmSync(folder, { recursive: true, force: true });
  }
}
