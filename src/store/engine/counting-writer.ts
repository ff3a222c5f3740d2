/**
 * The write transactions in which requests are counted. In a service they run on the connection that reads the catalogue:
 * a commit on any other connection makes SQLite discard the pages that this one has read
 * (bench/README.md, "Where the time goes").
 */
import type Database from 'better-sqlite3';
import { MeterStore } from '../access/meter.ts';
import { trackCountedChanges } from '../counted-changes.ts';
import { LockRequester } from '../file/lock-requests.ts';
import { retryWhileBusy, WriteTransaction } from '../transactions.ts';
import type { SqliteEngine } from './sqlite-engine.ts';

export type CountingWriter = {
  /**
   * Runs `work` in a write transaction and commits it. `work` runs again if the file was locked. Rejects with
   * `unavailable` if the file stays locked for ten seconds or cannot be used.
   */
  write<T>(work: (store: MeterStore) => T): Promise<T>;
};

/** The connection that reads the catalogue, and the reader whose snapshot ends before a write. */
export type ReadingConnection = { sqlite: Database.Database; endSnapshot(): void };

/** Counts on the connection of an engine. */
export function countOn(engine: SqliteEngine, sqlite: Database.Database): CountingWriter {
  const store = new MeterStore(sqlite);
  return { write: (work) => engine.writeAtOnce(() => work(store)) };
}

/**
 * Counts on the connection that reads the catalogue, which is opened at the first request; its busy timeout becomes 0.
 * While another transaction is open there, such as that of a backup, `other` counts.
 */
export function countOnReader(open: () => ReadingConnection, other: CountingWriter): CountingWriter {
  let writer: CountingWriter | undefined;
  return {
    write: (work) => {
      writer ??= writerOn(open(), other);
      return writer.write(work);
    },
  };
}

function writerOn({ sqlite, endSnapshot }: ReadingConnection, other: CountingWriter): CountingWriter {
  sqlite.pragma('busy_timeout = 0');
  const store = new MeterStore(sqlite);
  const transaction = new WriteTransaction(sqlite);
  const track = trackCountedChanges(sqlite);
  const lockRequester = new LockRequester(sqlite.name);
  return {
    write: (work) =>
      retryWhileBusy(sqlite, lockRequester, () => {
        endSnapshot();
        return sqlite.inTransaction ? other.write(work) : transaction.run(() => track(() => work(store)));
      }),
  };
}
