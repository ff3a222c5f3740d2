/** The formats of an export: each takes the lines of all records, and writes one file or one per kind. */
import { join } from 'node:path';
import type { Kind } from '../contract/fields.ts';
import { kindTables } from '../store/records/kind-tables.ts';
import { type Cell, type Column, cellOf, columnsOf } from './columns.ts';
import { CompressedFile } from './compressed-file.ts';

export const exportFormats = ['ndjson', 'feed', 'csv', 'parquet'] as const;
export type ExportFormat = (typeof exportFormats)[number];

/** A file of an export. `kind` is null for a file of all kinds. */
export type WrittenFile = { name: string; format: ExportFormat; kind: Kind | null; records: number };

/** Takes lines of records. Those of one kind follow each other. */
export type Sink = {
  write(kind: Kind, lines: readonly string[]): Promise<void>;
  close(): Promise<WrittenFile[]>;
  /** Ends without complete files. */
  abandon(): void;
};

/** The start of the file names of a kind: `events`. */
export const fileStem = (kind: Kind): string => kindTables[kind].table;

/** One file with a line per record. */
export class LineSink implements Sink {
  readonly #file: CompressedFile;
  readonly #name: string;
  readonly #format: 'ndjson' | 'feed';
  #records = 0;

  constructor(folder: string, format: 'ndjson' | 'feed') {
    this.#format = format;
    this.#name = format === 'feed' ? 'feed.ndjson.gz' : 'catalogue.ndjson.gz';
    this.#file = new CompressedFile(join(folder, this.#name));
  }

  async write(_kind: Kind | null, lines: readonly string[]): Promise<void> {
    if (lines.length === 0) return;
    this.#records += lines.length;
    await this.#file.write(`${lines.join('\n')}\n`);
  }

  /** Adds a line that is not about a record. */
  async writeEnd(line: string): Promise<void> {
    await this.#file.write(`${line}\n`);
  }

  async close(): Promise<WrittenFile[]> {
    await this.#file.close();
    return [{ name: this.#name, format: this.#format, kind: null, records: this.#records }];
  }

  abandon(): void {
    this.#file.abandon();
  }
}

/** A CSV file per kind (RFC 4180). */
export class CsvSink implements Sink {
  readonly #folder: string;
  readonly #files = new Map<Kind, { file: CompressedFile; columns: Column[]; records: number }>();

  constructor(folder: string) {
    this.#folder = folder;
  }

  async write(kind: Kind, lines: readonly string[]): Promise<void> {
    let open = this.#files.get(kind);
    if (open === undefined) {
      const columns = columnsOf(kind);
      const file = new CompressedFile(join(this.#folder, csvName(kind)));
      open = { file, columns, records: 0 };
      this.#files.set(kind, open);
      await file.write(`${columns.map(({ name }) => name).join(',')}\r\n`);
    }
    open.records += lines.length;
    const { columns } = open;
    const rows = lines.map((line) => {
      const record = JSON.parse(line) as object;
      return columns.map((column) => csvCell(cellOf(column, record), column)).join(',');
    });
    if (rows.length > 0) await open.file.write(`${rows.join('\r\n')}\r\n`);
  }

  async close(): Promise<WrittenFile[]> {
    const files: WrittenFile[] = [];
    for (const [kind, { file, records }] of this.#files) {
      await file.close();
      files.push({ name: csvName(kind), format: 'csv', kind, records });
    }
    return files;
  }

  abandon(): void {
    for (const { file } of this.#files.values()) file.abandon();
  }
}

const csvName = (kind: Kind): string => `${fileStem(kind)}.csv.gz`;

/** Texts that a spreadsheet would run as a formula; some take full-width signs for the usual ones. */
const formulaPattern = /^[=+\-@\t\r\n＝＋－＠]/;

/** A cell of a CSV file. Texts that look like a formula begin with an apostrophe (docs/spec/changes.md#csv). */
export function csvCell(value: Cell, { type }: Pick<Column, 'type'>): string {
  if (value === null) return '';
  if (typeof value !== 'string') return String(value);
  const text = type === 'text' && formulaPattern.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
