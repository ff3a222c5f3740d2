/** The thread that compares, packs and writes the pages of slots: seconds of work that must not hold the event loop. */
import { chmodSync, closeSync, constants, copyFileSync, ftruncateSync, openSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describeWriteError, openDatabase } from '../../store/database.ts';
import { checkpoint, readRevision } from '../../store/file/maintenance.ts';
import { answerJobs } from '../../thread-jobs.ts';
import { type PackedObject, type PackSummary, PageWriter, packPages } from './pack.ts';
import type { PageJob, PageJobResults } from './page-work.ts';
import { alignPages, NotPages, noPages, PageHashes, summarizeFile } from './pages.ts';

/** One session uses the thread: what it packs and what it writes. */
let packing: Generator<PackedObject, PackSummary> | null = null;
let writer: PageWriter | null = null;

const required = <T>(value: T | null): T => {
  if (value === null) throw new Error('the thread was replaced in the middle of its work');
  return value;
};

/** Runs work on a slot, whose root shows whether it is damaged: also a file without pages gets one. */
function summarizeSlot<T>(work: () => T, damaged: T): T {
  try {
    return work();
  } catch (failure) {
    if (failure instanceof NotPages) return damaged;
    throw failure;
  }
}

const actions: { [K in keyof PageJobResults]: (job: Extract<PageJob, { kind: K }>) => PageJobResults[K] } = {
  summarize: ({ file }) => summarizeSlot(() => summarizeFile(file), noPages),
  align: ({ from, to, key }) => {
    const hashes = new PageHashes();
    const aligned = summarizeSlot(() => alignPages(from, to, hashes), { ...noPages, copied: 0 });
    writer = new PageWriter(to, key, hashes);
    return aligned;
  },
  copyFile: ({ path, to }) => {
    const from = openSync(path, 'r');
    try {
      return alignPages(from, to, new PageHashes());
    } finally {
      closeSync(from);
    }
  },
  copyPages: ({ from, to }) =>
    summarizeSlot(() => alignPages(from, to, new PageHashes()), { ...noPages, copied: 0 }),
  clear: ({ to, key }) => {
    ftruncateSync(to, 0);
    writer = new PageWriter(to, key);
    return null;
  },
  apply: ({ sealed, entry, pageSize, isBase }) => required(writer).apply(sealed, entry, pageSize, isBase),
  finish: ({ pageSize, pageCount }) => required(writer).finish(pageSize, pageCount),
  settle: ({ path }) => {
    const sqlite = new Database(path, { fileMustExist: true });
    try {
      checkpoint(sqlite);
      return {
        revision: readRevision(sqlite),
        schemaVersion: Number(sqlite.pragma('user_version', { simple: true })),
      };
    } finally {
      sqlite.close();
    }
  },
  upgrade: ({ path, to }) => {
    try {
      // File systems that can share the space of both.
      copyFileSync(path, to, constants.COPYFILE_FICLONE);
      chmodSync(to, 0o600);
      const sqlite = openDatabase(to, { create: false, keepBackup: false });
      checkpoint(sqlite);
      sqlite.close();
      return null;
    } catch (failure) {
      throw describeWriteError(failure, to);
    }
  },
  pack: ({ parent, file, key }) => {
    packing = packPages(parent, file, key);
    return null;
  },
  takeObject: () => {
    const { done, value } = required(packing).next();
    return done ? { summary: value } : { object: value };
  },
};

answerJobs<PageJob, unknown>((job) => (actions[job.kind] as (job: PageJob) => unknown)(job));
