/** What the console reads of the service. `src/console.ts` connects it to the data file and to this process. */
import type { SettingReport } from '../config.ts';
import type { ActionCaller } from '../contract/action-runner.ts';
import type { Actor } from '../contract/roles.ts';
import type { AuditEntry, AuditFilter } from '../store/audit-log.ts';
import type { SourceProgress } from '../store/schedule/running-sources.ts';

export type ServiceFacts = {
  version: string;
  schema: number;
  sqlite: string;
  /** The revision of the catalogue. */
  revision: number;
  /** When a source was last read, in ms since 1970; null: never. */
  lastSyncedTs: number | null;
  /** Whether unused parts of the data file may hold what was forgotten (`forget --sweep`). */
  hasForgottenTraces: boolean;
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
  /** The last check for damage: when it ended (ms since 1970), null before the first; and what is damaged. */
  checkedTs: number | null;
  damage: readonly string[];
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

/** Records of the catalogue, and how many of the events are samples. */
export type CatalogueCounts = {
  events: number;
  artists: number;
  venues: number;
  festivals: number;
  samples: number;
  /** All sources, also those that were imported once. */
  sources: number;
};

/** The backups on schedule. Times are in ms since 1970. */
export type BackupOverview = {
  folder: string;
  lastSuccessTs: number | null;
  /** Size of the last copy; null: there is none. */
  bytes: number | null;
  copies: number;
  /** Failed runs since the last success. */
  failures: number;
  /** Why the last run failed or the folder cannot be read; null: neither. */
  error: string | null;
};

/** The exports on schedule. Times are in ms since 1970. */
export type ExportOverview = {
  folder: string;
  /** The last export; null: none has succeeded yet. */
  last: { endedTs: number; revision: number; records: number; bytes: number } | null;
  /** Failed runs since the last success. */
  failures: number;
};

/** The responses of one hour. */
export type HourCount = { hourTs: number; requests: number; errors: number };

/** A value of the identity of the service that an operator may set: its name, contact, home city and others. */
export type IdentityField = {
  key: string;
  name: string;
  about: string;
  accepts: string;
  /** The value in use; null: none. */
  value: string | null;
  /** `file`: the data file; `configuration`: an option or variable. */
  from: 'default' | 'file' | 'configuration';
  /** The option and the variable that set it, so that the console cannot; null: the console can. */
  fixedBy: string | null;
};

/** Reads and sets the identity of the service. */
export type IdentityStore = {
  fields(): readonly IdentityField[];
  /** Rejects with a `Failure` if a value is not accepted. Null removes a value. */
  set(changes: Readonly<Record<string, string | Buffer | null>>, actor: Actor): Promise<unknown>;
  /** Throws the `Failure` that `set` would reject with, without a change. */
  check(changes: Readonly<Record<string, string | Buffer | null>>): void;
  /** The cities that a form suggests for the home page: those with the most venues first. */
  cities(): readonly { slug: string; name: string; country: string }[];
};

export type ServiceReader = {
  facts(): Promise<ServiceFacts>;
  file(): DataFileState;
  sources(): SourceOverview[];
  /** The names of the sources that are being read. */
  runningSources(): string[];
  /** How far the reading or the removal of a source is; undefined if there is none of this name. */
  sourceProgress(name: string): SourceProgress | undefined;
  /** The number of pairs in the review; an estimate if counting them takes too long. */
  openPairs(caller: ActionCaller): Promise<number>;
  /** The backups on schedule; null: none was made yet. */
  backups(): Promise<BackupOverview | null>;
  /** The exports on schedule; null: there was none. */
  exports(): ExportOverview | null;
  catalogue(): CatalogueCounts;
  /** The last 24 hours, oldest first. */
  requests(): Promise<HourCount[]>;
  auditEntries(filter: AuditFilter): Promise<AuditEntry[]>;
  auditEntry(id: number): Promise<AuditEntry | undefined>;
  /** The last entry about a source. */
  lastSourceEntry(name: string): AuditEntry | undefined;
  /** The settings of `serve` with their origins; null if this process has not registered in the data file. */
  settings(): readonly SettingReport[] | null;
};
