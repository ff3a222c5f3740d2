/** A Parquet file per kind, written in row groups so that memory stays bounded. */

import { join } from 'node:path';
import { fileWriter, ParquetWriter } from 'hyparquet-writer';
import type { Kind } from '../contract/fields.ts';
import { getOrCreate } from '../memoize.ts';
import { type Cell, type Column, type ColumnType, cellOf, columnsOf } from './columns.ts';
import { fileStem, type Sink, type WrittenFile } from './sinks.ts';

const rowsPerGroup = 5_000;

type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number];

/** The physical and logical type of a column. */
const parquetTypes: Record<ColumnType, Pick<SchemaElement, 'type' | 'converted_type'>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  json: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
};

class ParquetFile {
  readonly columns: Column[];
  records = 0;
  readonly #writer: ParquetWriter;
  #rows: Cell[][] = [];

  /** @param metadata texts in the footer of the file */
  constructor(path: string, kind: Kind, metadata: Record<string, string>) {
    this.columns = columnsOf(kind);
    const schema: SchemaElement[] = [
      { name: 'record', num_children: this.columns.length },
      ...this.columns.map(({ name, type }) => ({
        name,
        ...parquetTypes[type],
        repetition_type: 'OPTIONAL' as const,
      })),
    ];
    const kvMetadata = Object.entries(metadata).map(([key, value]) => ({ key, value }));
    this.#writer = new ParquetWriter({
      writer: fileWriter(path),
      schema,
      kvMetadata,
      createdBy: 'cratebase',
    });
  }

  async add(line: object): Promise<void> {
    this.records++;
    this.#rows.push(this.columns.map((column) => cellOf(column, line)));
    if (this.#rows.length >= rowsPerGroup) await this.#writeGroup();
  }

  async #writeGroup(): Promise<void> {
    const rows = this.#rows;
    this.#rows = [];
    const columnData = this.columns.map(({ name, type }, index) => ({
      name,
      data: rows.map((row) => toParquet(row[index] as Cell, type)),
    }));
    await this.#writer.write({ columnData, rowGroupSize: rows.length });
  }

  async finish(): Promise<void> {
    if (this.#rows.length > 0) await this.#writeGroup();
    await this.#writer.finish();
  }
}

const toParquet = (value: Cell, type: ColumnType): Cell | bigint =>
  type === 'integer' && typeof value === 'number' ? BigInt(Math.trunc(value)) : value;

/** Writes an export as one Parquet file for each kind of record that has lines. The metadata goes into each file. */
export class ParquetSink implements Sink {
  readonly #folder: string;
  readonly #metadata: Record<string, string>;
  readonly #files = new Map<Kind, ParquetFile>();

  constructor(folder: string, metadata: Record<string, string>) {
    this.#folder = folder;
    this.#metadata = metadata;
  }

  async write(kind: Kind, lines: readonly string[]): Promise<void> {
    const file = getOrCreate(
      this.#files,
      kind,
      () => new ParquetFile(join(this.#folder, parquetName(kind)), kind, this.#metadata),
    );
    for (const line of lines) await file.add(JSON.parse(line) as object);
  }

  async close(): Promise<WrittenFile[]> {
    const files: WrittenFile[] = [];
    for (const [kind, file] of this.#files) {
      await file.finish();
      files.push({ name: parquetName(kind), format: 'parquet', kind, records: file.records });
    }
    return files;
  }

  /** Ends without complete files. None is open: the writer opens its file for each part that it appends. */
  abandon(): void {
    this.#files.clear();
  }
}

const parquetName = (kind: Kind): string => `${fileStem(kind)}.parquet`;
