/**
 * Counts requests in PostgreSQL, with one call of the function `admit` for each batch (`admit.sql`). A lane is a
 * connection with a row of its own, which remembers its last batch: a batch whose answer was lost is sent again with
 * its number, and is not counted again.
 */
import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type pg from 'pg';
import type { AdmissionResult, Counting, MeteredRequest } from '../access/access.ts';
import { readAsset } from '../assets.ts';
import { dayMs } from '../clock.ts';
import { accountWindowFactor, planNames, plans } from '../contract/plans.ts';
import { type AdmitAnswer, toAdmissionResults } from './admit-answer.ts';
import {
  abandon,
  type ClusterAddress,
  databaseAway,
  destroyStream,
  isConflict,
  isConnectionLost,
  PrimaryClient,
  shuttingDown,
} from './connection.ts';
import { awayTimeoutMs, Outage } from './outage.ts';

/** How often a lost server is tried again (ms). */
const retryMs = 25;
/** After this time, the row of a lane is deleted: its process has ended, or sends a new batch to a new row. */
const maxIdleLaneMs = dayMs;

const admitSql = 'SELECT admit($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12) AS answer';
const pruneSql = 'DELETE FROM counting_lanes WHERE seen_ts < now_ms() - $1';
const admitFile = 'src/cluster/admit.sql';
const sourceSql = `SELECT prosrc FROM pg_proc WHERE proname = 'admit' AND pronamespace = current_schema()::regnamespace`;
/** Another process replaces the function at the same moment ("tuple concurrently updated"). */
const concurrentUpdate = 'XX000';
/** An array of PostgreSQL as a text, for values without special characters: `pg` would escape each of them. */
const toArrayText = (values: readonly (string | number)[]): string => `{${values.join(',')}}`;
const defaults = [
  toArrayText(planNames),
  toArrayText(planNames.map((name) => plans[name].window)),
  toArrayText(planNames.map((name) => plans[name].quota)),
  accountWindowFactor,
];

/**
 * Counts one batch after the other, over one connection. Batches of one account would wait for each other's commit in
 * PostgreSQL anyway; here, the requests that arrive meanwhile become one batch.
 */
export class PostgresCounting implements Counting {
  readonly #lane: Lane;
  /** Ends with the batch that was sent last. */
  #last: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  /** @param onHead is called with the number of the publication that nodes serve, at each batch */
  constructor(address: ClusterAddress, onHead: (head: number) => void = () => {}) {
    this.#lane = new Lane(address, onHead);
  }

  async count(take: () => readonly MeteredRequest[]): Promise<AdmissionResult[]> {
    if (this.#isClosed) throw shuttingDown();
    // The wait for the batch before counts, too: while PostgreSQL says nothing, that waits as long as it may.
    const since = performance.now();
    const results = this.#last.then(() => this.#lane.count(take(), since));
    this.#last = results.catch(() => {});
    return results;
  }

  /** Refuses later batches, and closes the connection when the batches under way are counted. */
  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#last;
    await this.#lane.close();
  }
}

class Lane {
  readonly #address: ClusterAddress;
  readonly #onHead: (head: number) => void;
  readonly #id = `lane_${randomUUID()}`;
  #client: pg.Client | null = null;
  #seq = 0;
  readonly #outage = new Outage();

  constructor(address: ClusterAddress, onHead: (head: number) => void) {
    this.#address = address;
    this.#onHead = onHead;
  }

  /**
   * Counts a batch once, however often it is sent. Rejects with `unavailable` if PostgreSQL is away for two seconds.
   *
   * @param since when the batch began to wait, by `performance.now()`
   */
  async count(batch: readonly MeteredRequest[], since: number): Promise<AdmissionResult[]> {
    this.#seq += 1;
    const values = [this.#id, this.#seq, ...toArrays(batch), ...defaults];
    for (;;) {
      const leftMs = since + awayTimeoutMs - performance.now();
      if (leftMs <= 0) throw databaseAway(null);
      try {
        const answer = await this.#send(values, leftMs);
        this.#outage.end();
        return toAdmissionResults(batch, answer);
      } catch (failure) {
        if (!isConflict(failure)) {
          if (!isConnectionLost(failure)) throw failure;
          this.#drop();
          this.#outage.note(since, failure);
        }
      }
      await pause(retryMs);
    }
  }

  async close(): Promise<void> {
    await this.#client?.end().catch(() => {});
    this.#client = null;
  }

  async #send(values: unknown[], timeoutMs: number): Promise<AdmitAnswer> {
    const until = performance.now() + timeoutMs;
    this.#client ??= await this.#connect(timeoutMs);
    const leftMs = Math.max(1, until - performance.now());
    const query = { name: 'admit', text: admitSql, values, query_timeout: leftMs };
    const { rows } = await this.#client.query<{ answer: string }>(query as pg.QueryConfig);
    const answer = JSON.parse((rows[0] as { answer: string }).answer) as AdmitAnswer;
    this.#onHead(answer.head);
    return answer;
  }

  /** Connects in this time (ms): each step alone could take as long. */
  async #connect(timeoutMs: number): Promise<pg.Client> {
    const client = new PrimaryClient(this.#address);
    client.on('error', () => {
      if (this.#client === client) this.#drop();
    });
    const timer = setTimeout(() => destroyStream(client), timeoutMs);
    try {
      await client.connect();
      await client.query(pruneSql, [maxIdleLaneMs]);
      await updateAdmit(client);
    } catch (failure) {
      abandon(client);
      throw failure;
    } finally {
      clearTimeout(timer);
    }
    return client;
  }

  /** Ends the connection without waiting: the server may never answer. */
  #drop(): void {
    const client = this.#client;
    this.#client = null;
    if (client !== null) abandon(client);
  }
}

/**
 * Replaces the function `admit` if an earlier program created it. Its parameters are the same within a schema, so nodes
 * of both versions can call it.
 */
async function updateAdmit(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ prosrc: string }>(sourceSql);
  const sql = readAsset(admitFile);
  const [, source] = sql.split('$$');
  if (rows[0]?.prosrc === source) return;
  try {
    await client.query(sql);
  } catch (failure) {
    if ((failure as { code?: unknown }).code !== concurrentUpdate) throw failure;
  }
}

/**
 * The arguments of `admit` for a batch: accounts, credentials, the account of each, and the columns of the requests.
 */
function toArrays(batch: readonly MeteredRequest[]): unknown[] {
  const accounts = new Map<string, number>();
  const credentials = new Map<string, number>();
  const owners: number[] = [];
  const who = batch.map(({ credential }) => {
    let place = credentials.get(credential.id);
    if (place === undefined) {
      place = credentials.size + 1;
      credentials.set(credential.id, place);
      const owner = accounts.get(credential.account) ?? accounts.size + 1;
      accounts.set(credential.account, owner);
      owners.push(owner);
    }
    return place;
  });
  return [
    [...accounts.keys()],
    [...credentials.keys()],
    toArrayText(owners),
    toArrayText(who),
    toArrayText(batch.map(({ cost }) => cost)),
    toArrayText(batch.map(({ channel }) => channel)),
  ];
}
