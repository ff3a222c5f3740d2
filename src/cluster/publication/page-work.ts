/** Jobs on the pages of data files (compare, pack, write), which a worker thread runs. */
import { startThread } from '../../assets.ts';
import { ThreadJobs } from '../../thread-jobs.ts';
import type { ObjectEntry, PackedObject, PackSummary } from './pack.ts';
import type { PageSummary } from './pages.ts';

/** Files are descriptors of this process; `key` encrypts objects. */
export type PageJob =
  | { kind: 'summarize'; file: number }
  | { kind: 'align'; from: number; to: number; key: Uint8Array }
  | { kind: 'copyFile'; path: string; to: number }
  | { kind: 'copyPages'; from: number; to: number }
  | { kind: 'clear'; to: number; key: Uint8Array }
  | { kind: 'apply'; sealed: Uint8Array; entry: ObjectEntry; pageSize: number; isBase: boolean }
  | { kind: 'finish'; pageSize: number; pageCount: number }
  | { kind: 'settle'; path: string }
  /** Writes a copy with the schema of this program. */
  | { kind: 'upgrade'; path: string; to: string }
  | { kind: 'pack'; parent: number | null; file: number; key: Uint8Array }
  | { kind: 'takeObject' };

export type PageJobResults = {
  summarize: PageSummary;
  align: PageSummary & { copied: number };
  copyFile: PageSummary;
  copyPages: PageSummary;
  clear: null;
  /** False: the object is damaged, and nothing was written. */
  apply: boolean;
  finish: PageSummary;
  settle: { revision: number; schemaVersion: number };
  upgrade: null;
  pack: null;
  takeObject: { object: PackedObject } | { summary: PackSummary };
};

/** A pass over a file of 10 GB takes a minute; a slow disk takes much longer. */
const maxJobMs = 3_600_000;
/** What is packed and written is kept in the thread between two jobs: an upload or an import is under way then. */
const idleMs = 600_000;

/** Runs jobs on the slots of a node in one worker thread. One publication is packed or written at a time. */
export class PageWork {
  readonly #jobs = new ThreadJobs<PageJob, unknown>({
    start: () => startThread('cluster/publication/page-thread', null),
    timeoutMs: maxJobMs,
    idleMs,
    maxJobs: Number.POSITIVE_INFINITY,
  });

  /** Runs a job; rejects if it fails or takes longer than an hour. */
  run<K extends PageJob['kind']>(job: Extract<PageJob, { kind: K }>): Promise<PageJobResults[K]> {
    return this.#jobs.run(job) as Promise<PageJobResults[K]>;
  }

  /** Ends the thread. */
  close(): Promise<void> {
    return this.#jobs.close();
  }
}
