import { mkdirSync, readdirSync } from 'node:fs';
import { basename, dirname, resolve } from 'node:path';
import type { MirrorReader } from '../catalogue/mirror/change-walk.ts';
import { documentFormat, RecordDocuments } from '../catalogue/mirror/documents.ts';
import { ExportFolder } from '../exports/export-folder.ts';
import type { ExportManifest } from '../exports/manifest.ts';
import { type WriteExportOptions, writeExport } from '../exports/write-export.ts';
import { Failure } from '../failure.ts';
import {
  type ExportRun,
  type ExportSchedule,
  type ExportState,
  readExportState,
  saveExportRun,
} from '../store/file/export-runs.ts';
import { ChangedRecords } from '../store/mirror/changed-records.ts';
import { readEpoch } from '../store/mirror/epoch.ts';
import { RecordReferences } from '../store/mirror/record-references.ts';
import type { CatalogueReader } from '../store/reader.ts';
import type { Connections, Writer } from './connections.ts';

/** The change feed and the exports of the catalogue (docs/spec/changes.md). */
export class Exports {
  readonly #connections: Connections;
  #writer: Writer | undefined;

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

  /** The state of the scheduled exports; null before the first run. */
  state(): ExportState | null {
    return readExportState(this.#connections.catalogue);
  }

  /** Stores the result of a scheduled export. Waits for the write lock without blocking the event loop. */
  async recordRun(schedule: ExportSchedule, run: ExportRun): Promise<void> {
    this.#writer ??= this.#connections.openWriter();
    const { sqlite, transactions } = this.#writer;
    await transactions.write(() => saveExportRun(sqlite, schedule, run));
  }

  /** Closes the connection for writes, if there is one. */
  close(): void {
    this.#writer?.sqlite.close();
  }
}

function isAbsentOrEmpty(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (failure) {
    return (failure as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
