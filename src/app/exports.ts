/** The change feed and the exports of the catalogue (docs/spec/changes.md). */
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type { MirrorReader } from '../catalogue/mirror/change-walk.ts';
import { documentFormat, RecordDocuments } from '../catalogue/mirror/documents.ts';
import { ExportFolder } from '../exports/export-folder.ts';
import { type ExportManifest, manifestName } from '../exports/manifest.ts';
import { type WriteExportOptions, writeExport } from '../exports/write-export.ts';
import { Failure } from '../failure.ts';
import {
  type ExportRun,
  type ExportSchedule,
  type ExportState,
  readExportState,
  saveExportRun,
} from '../store/file/export-runs.ts';
import { readRevision } from '../store/file/maintenance.ts';
import { ChangedRecords, readCompleteFrom } from '../store/mirror/changed-records.ts';
import { readEpoch } from '../store/mirror/epoch.ts';
import { RecordReferences } from '../store/mirror/record-references.ts';
import type { CatalogueReader } from '../store/reader.ts';
import type { Connections } from './connections.ts';

/** The change feed and the scheduled exports, for `doctor`. */
export type ExportReport = {
  /** `oldest_revision`: the oldest revision that a client can continue from. */
  changes: { revision: number; oldest_revision: number; epoch: string };
  exports: {
    folder: string;
    every_ms: number;
    last_success_at: string | null;
    name: string | null;
    revision: number | null;
    records: number | null;
    bytes: number | null;
    /** Whether a client may continue from it with the change feed. */
    is_current_epoch: boolean;
    /** Whether its manifest is in the folder. */
    is_present: boolean;
    /** Failed runs since the last success. */
    failures: number;
    last_error: string | null;
  } | null;
};

/** The change feed and the exports of one data file: its epoch, the folder of scheduled exports and their state. */
export class Exports {
  readonly #connections: Connections;

  constructor(connections: Connections) {
    this.#connections = connections;
  }

  /** Opens the reader of changed records. */
  mirror(reader: CatalogueReader): MirrorReader {
    const { catalogue } = this.#connections;
    return {
      records: new ChangedRecords(catalogue),
      documents: new RecordDocuments(reader, new RecordReferences(catalogue)),
    };
  }

  /** The epoch of the data file: revisions of another epoch mean something else. */
  epoch(): string {
    return readEpoch(this.#connections.catalogue, documentFormat);
  }

  /** Opens a folder of exports (`exports/export-folder.ts`). */
  folder(path: string): ExportFolder {
    return new ExportFolder(this.#connections.catalogue, path);
  }

  /**
   * Writes an export to a folder that does not exist or is empty. The connection of the catalogue is busy meanwhile.
   * @throws Failure if the folder has files
   */
  async writeTo(path: string, options: Omit<WriteExportOptions, 'name'>): Promise<ExportManifest> {
    const target = resolve(path);
    if (!isAbsentOrEmpty(target))
      throw new Failure(`${path} is not an empty folder. Name one that does not exist yet.`);
    mkdirSync(dirname(target), { recursive: true });
    const name = basename(target);
    return writeExport(this.#connections.catalogue, target, dirname(target), { ...options, name });
  }

  /** The oldest revision that a client of the change feed can continue from. */
  changesFrom(): number {
    return readCompleteFrom(this.#connections.catalogue);
  }

  /** The state of the change feed, and of the scheduled exports; `exports` is null before the first one. */
  report(): ExportReport {
    const { catalogue } = this.#connections;
    const changes = {
      revision: readRevision(catalogue),
      oldest_revision: this.changesFrom(),
      epoch: this.epoch(),
    };
    const state = this.state();
    if (state === null) return { changes, exports: null };
    const { folder, everyMs, last, failures, lastError } = state;
    return {
      changes,
      exports: {
        folder,
        every_ms: everyMs,
        last_success_at: last === null ? null : new Date(last.endedTs).toISOString(),
        name: last?.name ?? null,
        revision: last?.revision ?? null,
        records: last?.records ?? null,
        bytes: last?.bytes ?? null,
        is_current_epoch: last?.epoch === changes.epoch,
        is_present: last?.name != null && existsSync(join(folder, last.name, manifestName)),
        failures,
        last_error: lastError,
      },
    };
  }

  /** The state of the scheduled exports; null before the first run. */
  state(): ExportState | null {
    return readExportState(this.#connections.catalogue);
  }

  /** Stores the result of a scheduled export. Waits for the write lock without blocking the event loop. */
  async recordRun(schedule: ExportSchedule, run: ExportRun): Promise<void> {
    const { sqlite, transactions } = this.#connections.writer;
    await transactions.write(() => saveExportRun(sqlite, schedule, run));
  }
}

function isAbsentOrEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
