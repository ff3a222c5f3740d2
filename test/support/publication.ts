/** Nodes that follow and publish a real catalogue, for tests: a data file of 5,000 events that imports change. */
import { hash } from 'node:crypto';
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { prepareCatalogue } from '../../bench/catalogue.ts';
import { generateLines } from '../../bench/generate.ts';
import type { ClusterAddress } from '../../src/cluster/connection.ts';
import { openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { type Lease, PublicationDatabase } from '../../src/cluster/publication/database.ts';
import { Follower } from '../../src/cluster/publication/follow.ts';
import { holdLease } from '../../src/cluster/publication/held-lease.ts';
import { type ObjectStore, PostgresObjects } from '../../src/cluster/publication/objects.ts';
import { type PublisherOptions, publishFirst } from '../../src/cluster/publication/publish.ts';
import { type Slot, Slots } from '../../src/cluster/publication/slots.ts';
import { importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { TestCluster } from './cluster.ts';
import { temporaryFolder } from './program.ts';

const testEvents = 5_000;
/** As `prepareCatalogue` has it: the dates of events follow from it. */
const today = Date.UTC(new Date().getUTCFullYear(), new Date().getUTCMonth(), 1);

/** Publishes a data file as the catalogue of a cluster, without its accounts. */
export async function publishCatalogue(cluster: TestCluster, file: string): Promise<void> {
  const folder = temporaryFolder();
  const copy = join(folder.path, 'source.db');
  copyFileSync(file, copy);
  const node = await openCatalogueNode({ address: cluster.address, folder: join(folder.path, 'slots') });
  try {
    await holdLease(node.database, node.node, (lease) => publishFirst({ ...node, lease }, copy));
  } finally {
    await node.close();
    folder.remove();
  }
}

/** The data file of 5,000 events. It must not be changed. */
export const catalogueFile = (): Promise<string> => prepareCatalogue({ events: testEvents, note: () => {} });

/** Imports events with other texts and line-ups into the data file at a path, as a source would. */
export async function changeEvents(
  path: string,
  round: number,
  count: number,
  events = testEvents,
): Promise<void> {
  const sqlite = openDatabase(path, { create: false });
  try {
    const input = changedLines(round, count, events);
    const report = await importFeed(sqlite, {
      source: 'bench',
      type: 'feed',
      now: today,
      input,
      alone: true,
    });
    const { updated } = report.kinds.event ?? { updated: 0 };
    if (updated < count) throw new Error(`only ${updated} events were changed`);
  } finally {
    sqlite.close();
  }
}

async function* changedLines(round: number, count: number, events: number): AsyncGenerator<Uint8Array> {
  const lines = [...generateLines({ events, today })].slice(-events);
  for (let at = 0; at < count; at++) {
    const place = (at * 37 + round * 11) % events;
    const line = JSON.parse(lines[place] as string) as { description: string; lineup: unknown[] };
    line.description = `Changed in round ${round}, for the ${at}th time.`;
    if (at % 4 === 0) line.lineup = line.lineup.toReversed();
    yield Buffer.from(`${JSON.stringify(line)}\n`);
  }
}

/** Takes the lease of the catalogue, also from a node whose lease has not run out. */
export async function seizeLease(cluster: TestCluster, node: string): Promise<Lease> {
  await cluster.query("UPDATE leases SET until_ts = 0 WHERE name = 'catalogue'");
  const rows = await cluster.query<{ term: number }>(
    "SELECT acquire_lease('catalogue', $1, 600000) AS term",
    [node],
  );
  return { name: 'catalogue', node, term: (rows[0] as { term: number }).term };
}

/** What a node of a cluster has, without the service. */
export class TestNode {
  readonly slots: Slots;
  readonly follower: Follower;
  readonly database: PublicationDatabase;
  readonly problems: unknown[] = [];
  /** The publications that the node came to serve, in this order. */
  readonly served: number[] = [];
  readonly #publisher: Omit<PublisherOptions, 'lease'>;

  private constructor(
    name: string,
    folder: string,
    database: PublicationDatabase,
    objects: ObjectStore,
    key: Uint8Array,
  ) {
    this.slots = Slots.open(folder);
    this.database = database;
    const { slots } = this;
    this.#publisher = { database, objects, slots, key };
    const onChange = async ({ publication, path }: Slot) => {
      // What a node does first: it reads the file.
      const sqlite = openDatabase(path, { create: false, readOnly: true });
      sqlite.prepare('SELECT count(*) FROM events').get();
      sqlite.close();
      this.served.push(publication);
    };
    const onProblem = (problem: unknown) => this.problems.push(problem);
    this.follower = new Follower({ node: name, database, objects, slots, key, onChange, onProblem });
  }

  /** @param objects by default, they are in PostgreSQL */
  static async open(address: ClusterAddress, folder: string, objects?: ObjectStore): Promise<TestNode> {
    mkdirSync(folder, { recursive: true });
    const database = new PublicationDatabase(address);
    const key = await database.readKey();
    return new TestNode(folder, folder, database, objects ?? new PostgresObjects(database), key);
  }

  /** What this node publishes with. */
  publisher(lease: Lease, onStep?: PublisherOptions['onStep']): PublisherOptions {
    return { ...this.#publisher, lease, ...(onStep && { onStep }) };
  }

  /** The SHA-256 of the file that the node serves. */
  digest(): string {
    return hash('sha256', readFileSync((this.slots.serving as Slot).path));
  }

  async close(): Promise<void> {
    await this.follower.stop();
    await this.slots.close();
    await this.database.close();
  }
}
