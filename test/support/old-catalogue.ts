/** A catalogue as the program of schema 9 has it, and the node of that program which publishes it, for tests. */
import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { type OpenCatalogueNode, openCatalogueNode } from '../../src/cluster/publication/catalogue-node.ts';
import { reachHead } from '../../src/cluster/publication/change-catalogue.ts';
import { holdLease } from '../../src/cluster/publication/held-lease.ts';
import { publishChanges } from '../../src/cluster/publication/publish.ts';
import { openDatabase } from '../../src/store/database.ts';
import { writeSchemaDigests } from '../../src/store/integrity/schema-text.ts';
import type { TestCluster } from './cluster.ts';
import { changeEvents } from './publication.ts';

const schemaFile = join(import.meta.dirname, 'schema-v9.sql');
/** What schema 10 changed, backwards. */
const backToNine = `DROP INDEX events_by_venue_text;
  DROP INDEX events_by_update_time;
  DROP INDEX events_by_start;
  CREATE INDEX events_by_start ON events (start_ts, id);`;

const readTables = (sqlite: Database.Database): Map<string, string> =>
  new Map(
    sqlite
      .prepare<[], [string, string]>(
        'SELECT name, sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY name',
      )
      .raw()
      .all()
      .map(([name, sql]) => [
        name,
        sql
          .replace(/--.*/g, '')
          .replace(/\s+/g, ' ')
          .replace(/\s*([(),])\s*/g, '$1'),
      ]),
  );

/** Brings a data file of schema 10 to schema 9: its tables and indexes are those of `schema-v9.sql`. */
export function makeOld(path: string): void {
  const sqlite = new Database(path);
  const empty = new Database(':memory:');
  try {
    sqlite.exec(backToNine);
    empty.exec(readFileSync(schemaFile, 'utf8'));
    assert.deepEqual(readTables(sqlite), readTables(empty));
    writeSchemaDigests(sqlite);
    sqlite.pragma('user_version = 9');
    sqlite.pragma('wal_checkpoint(TRUNCATE)');
  } finally {
    sqlite.close();
    empty.close();
  }
}

/** Writes a catalogue of schema 9, in which the next program finds a line-up to compute again. */
export function writeOldCatalogue(from: string, path: string): void {
  copyFileSync(from, path);
  const sqlite = new Database(path);
  const id = sqlite
    .prepare('SELECT min(id) FROM events WHERE id IN (SELECT record_id FROM lineups)')
    .pluck()
    .get();
  sqlite.prepare('DELETE FROM lineups WHERE record_id = ?').run(id);
  sqlite.prepare("UPDATE events SET description = 'Line-up: Ann, Bob' WHERE id = ?").run(id);
  sqlite.close();
  makeOld(path);
}

/** A live node of the program of schema 9. */
export class OldNode {
  readonly #cluster: TestCluster;
  readonly #node: OpenCatalogueNode;
  readonly #timer: NodeJS.Timeout;
  #hasLeft = false;

  private constructor(cluster: TestCluster, node: OpenCatalogueNode) {
    this.#cluster = cluster;
    this.#node = node;
    this.#timer = setInterval(() => void this.#report().catch(() => {}), 1_000);
  }

  static async start(cluster: TestCluster, folder: string): Promise<OldNode> {
    const node = await openCatalogueNode({ address: cluster.address, folder });
    node.follower.start();
    const old = new OldNode(cluster, node);
    await old.#report();
    return old;
  }

  #report(): Promise<unknown> {
    return this.#cluster.query(
      `SELECT report_node('${this.#node.node}', 'machine', 1, 'http://old', '0.0.9', 8, 9, 1, 0)`,
    );
  }

  /** Imports changed events, and publishes them as schema 9. */
  async publish(round: number, count = 40): Promise<void> {
    const node = this.#node;
    await holdLease(
      node.database,
      node.node,
      async (lease, signal) => {
        await reachHead(node, lease, signal);
        await publishChanges({ ...node, lease }, (path) => changeAsOld(path, round, count));
        await reachHead(node, lease, signal);
      },
      { waitMs: 20_000 },
    );
  }

  async leave(): Promise<void> {
    if (this.#hasLeft) return;
    this.#hasLeft = true;
    clearInterval(this.#timer);
    await this.#node.close();
    await this.#cluster.query('DELETE FROM nodes WHERE id = $1', [this.#node.node]);
  }
}

async function changeAsOld(path: string, round: number, count: number): Promise<void> {
  const draft = `${path}.draft`;
  copyFileSync(path, draft);
  openDatabase(draft, { create: false, keepBackup: false }).close();
  await changeEvents(draft, round, count);
  makeOld(draft);
  copyFileSync(draft, path);
  rmSync(draft);
}
