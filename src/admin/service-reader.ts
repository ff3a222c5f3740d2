/** What the console reads of the service. `src/console.ts` connects it to the data file and to this process. */
import type { SettingReport } from '../config.ts';

export type ServiceFacts = {
  version: string;
  schema: number;
  sqlite: string;
  /** The revision of the catalogue. */
  revision: number;
  /** When a source was last read, in ms since 1970; null: never. */
  lastSyncedTs: number | null;
  accounts: number;
  keys: number;
};

export type DataFileState = {
  path: string;
  /** Size of the data file and of its write-ahead log, and the free space of the disk, in bytes; null: not known. */
  bytes: number | null;
  logBytes: number;
  freeBytes: number | null;
  /** What is wrong with the file, in a sentence; null: nothing. */
  problem: string | null;
};

/** A scheduled source. Times are in ms since 1970. */
export type SourceOverview = {
  name: string;
  /** Consecutive failed runs. */
  failures: number;
  /** Records that the last run rejected. */
  rejected: number;
  lastSuccessTs: number | null;
  nextTs: number;
};

export type ServiceReader = {
  facts(): ServiceFacts;
  file(): DataFileState;
  sources(): SourceOverview[];
  /** The number of possible duplicates that no person has decided. */
  openDecisions(): number;
  /** The settings of `serve` with their origins; null if this process has not registered in the data file. */
  settings(): readonly SettingReport[] | null;
};
