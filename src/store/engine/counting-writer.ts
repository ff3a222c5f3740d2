/**
 * The write transactions in which requests are counted. In a service they run on the connection that reads the catalogue:
 * a commit on any other connection makes SQLite discard the pages that this one has read
 * (bench/README.md, "Where the time goes").
 */
import type Database from 'better-sqlite3';
import { KnownRates } from '../access/known-rates.ts';
import { MeterStore } from '../access/meter.ts';
import { addCountedChanges } from '../counted-changes.ts';
import { LockRequester } from '../file/lock-requests.ts';
import { prepareValue } from '../statement.ts';
import { retryWhileBusy, WriteTransaction } from '../transactions.ts';
import type { SqliteEngine } from './sqlite-engine.ts';

/** What counting works on. `version` is for `KnownRates.begin`. */
export type CountingState = { store: MeterStore; known: KnownRates; version: number };

export type CountingWriter = {
  /**
   * Runs `work` in a write transaction and commits it. `work` runs again if the file was locked. Rejects with
   * `unavailable` if the file stays locked for ten seconds or cannot be used.
   */
  write<T>(work: (state: CountingState) => T): Promise<T>;
};

/** The connection that reads the catalogue, and the reader whose snapshot ends before a write. */
export type ReadingConnection = { sqlite: Database.Database; endSnapshot(): void };

/** Counts on the connection of an engine. */
export function countOn(engine: SqliteEngine, sqlite: Database.Database): CountingWriter {
  const store = new MeterStore(sqlite);
  // Nothing is known from one batch to the next: changes of accounts and keys by this connection have no new version.
  return {
    write: (work) => engine.writeAtOnce(() => work({ store, known: new KnownRates(), version: 0 })),
  };
}

/**
 * Counts on the connection that reads the catalogue, which is opened at the first request; its busy timeout becomes 0.
 * While another transaction is open there, such as that of a backup, `other` counts.
 */
export function countOnReader(open: () => ReadingConnection, other: CountingWriter): CountingWriter {
  let writer: CountingWriter | undefined;
  return {
    write: (work) => {
      if (writer === undefined) {
        const reading = open();
        // The service stops: the other connection is closed, too, and says so.
        if (!reading.sqlite.open) return other.write(work);
        writer = writerOn(reading, other);
      }
      return writer.write(work);
    },
  };
}

function writerOn({ sqlite, endSnapshot }: ReadingConnection, other: CountingWriter): CountingWriter {
  sqlite.pragma('busy_timeout = 0');
  const store = new MeterStore(sqlite);
  const known = new KnownRates();
  const dataVersion = prepareValue<number>(sqlite, 'PRAGMA data_version');
  const transaction = new WriteTransaction(sqlite);
  const lockRequester = new LockRequester(sqlite.name);
  function count<T>(work: (state: CountingState) => T): T {
    const before = store.changedRows;
    try {
      return transaction.run(() => work({ store, known, version: dataVersion.one() }));
    } catch (failure) {
      known.clear();
      throw failure;
    } finally {
      addCountedChanges(sqlite, store.changedRows - before);
    }
  }
  return {
    write: (work) =>
      retryWhileBusy(sqlite, lockRequester, () => {
        endSnapshot();
        return sqlite.inTransaction ? other.write(work) : count(work);
      }),
  };
}
