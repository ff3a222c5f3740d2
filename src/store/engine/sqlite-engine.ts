/**
 * Runs transactions on the data file. The callbacks are asynchronous, but every statement of SQLite is synchronous, so a
 * transaction awaits nothing that takes time: it ends before the event loop turns, and the write lock is never held
 * while other work of the process runs. A transaction that is still open when the event loop turns is rolled back.
 */
import type Database from 'better-sqlite3';
import { CommitLog } from '../file/commit-log.ts';
import { LockRequester } from '../file/lock-requests.ts';
import { retryWhileBusy, WriteTransaction } from '../transactions.ts';
import type { Engine, Tx } from './engine.ts';
import { ExclusiveQueue } from './exclusive-queue.ts';
import type { Statement } from './statement.ts';

type Prepared = { statement: Database.Statement; bind: (values: never) => unknown[] };
type PreparedStatements = WeakMap<object, Prepared>;

/**
 * Runs `work` in a turn of the event loop of its own. No continuation of other work is then pending, so none runs between
 * its statements and waits, with the event loop, for a lock that this process itself holds.
 */
const inOwnTurn = <T>(work: () => Promise<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    setImmediate(() => work().then(resolve, reject));
  });

/**
 * The engine on one SQLite connection, on which callbacks take turns. `read` begins no transaction: another process may
 * commit between two of its statements.
 */
export class SqliteEngine implements Engine {
  readonly #sqlite: Database.Database;
  readonly #transaction: WriteTransaction;
  readonly #log: CommitLog;
  readonly #lockRequester: LockRequester;
  readonly #prepared: PreparedStatements = new WeakMap();
  /** Callbacks of several requests take turns at statements. Without a queue, one would run in another's transaction. */
  readonly #queue = new ExclusiveQueue();

  /** @param sqlite a connection for this object alone: its busy timeout is set to 0 */
  constructor(sqlite: Database.Database) {
    sqlite.pragma('busy_timeout = 0');
    this.#sqlite = sqlite;
    this.#transaction = new WriteTransaction(sqlite);
    this.#log = new CommitLog(sqlite);
    this.#lockRequester = new LockRequester(sqlite.name);
  }

  read<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#retry(() => this.#queue.run(() => this.#runInTime(work)));
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    return this.#retry(() =>
      this.#queue.run(() => inOwnTurn(() => this.#transaction.runAsync(() => this.#runInTime(work)))),
    );
  }

  async writeDurably<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const result = await this.write(work);
    await this.#log.sync();
    return result;
  }

  /**
   * Runs synchronous work in a write transaction, without a promise for each statement: the counting of requests.
   * `work` runs again if the file was locked. Rejects as `write` does.
   */
  writeAtOnce<T>(work: () => T): Promise<T> {
    return this.#retry(() =>
      this.#queue.isFree
        ? this.#transaction.run(work)
        : this.#queue.run(async () => this.#transaction.run(work)),
    );
  }

  /** The queue is free while a locked file is waited for: other requests can read. */
  #retry<T>(attempt: () => T | Promise<T>): Promise<T> {
    return retryWhileBusy(this.#sqlite, this.#lockRequester, attempt);
  }

  /** Runs `work`, and rejects if it has not ended when the event loop turns. */
  async #runInTime<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const tx = new SqliteTx(this.#sqlite, this.#prepared);
    let watch: NodeJS.Immediate | undefined;
    const late = new Promise<never>((_resolve, reject) => {
      watch = setImmediate(() =>
        reject(new Error('A transaction awaited something other than its statements.')),
      );
    });
    try {
      return await Promise.race([work(tx), late]);
    } finally {
      clearImmediate(watch);
      tx.end();
    }
  }
}

class SqliteTx implements Tx {
  readonly dialect = 'sqlite';
  readonly #sqlite: Database.Database;
  readonly #prepared: PreparedStatements;
  #isOpen = true;

  constructor(sqlite: Database.Database, prepared: PreparedStatements) {
    this.#sqlite = sqlite;
    this.#prepared = prepared;
  }

  async get<P extends unknown[], R>(statement: Statement<P>, values: P): Promise<R | undefined> {
    const { statement: prepared, bound } = this.#prepare(statement, values);
    return prepared.get(...bound) as R | undefined;
  }

  async all<P extends unknown[], R>(statement: Statement<P>, values: P): Promise<R[]> {
    const { statement: prepared, bound } = this.#prepare(statement, values);
    return prepared.all(...bound) as R[];
  }

  async run<P extends unknown[]>(statement: Statement<P>, values: P): Promise<{ changes: number }> {
    const { statement: prepared, bound } = this.#prepare(statement, values);
    return prepared.run(...bound);
  }

  /** Rejects statements from now on. */
  end(): void {
    this.#isOpen = false;
  }

  #prepare<P extends unknown[]>(
    statement: Statement<P>,
    values: P,
  ): { statement: Database.Statement; bound: unknown[] } {
    if (!this.#isOpen) throw new Error('The transaction of this statement has ended.');
    let prepared = this.#prepared.get(statement);
    if (prepared === undefined) {
      const { sql, bind } = statement.in('sqlite');
      prepared = { statement: this.#sqlite.prepare(sql), bind };
      this.#prepared.set(statement, prepared);
    }
    const bind = prepared.bind as (values: P) => unknown[];
    return { statement: prepared.statement, bound: bind(values) };
  }
}
