/** The rows that an import added to the file: it knows of most others that they do not exist, without reading the file. */
import type Database from 'better-sqlite3';
import { AddedKeys, ForeignCommits, hashOf } from './added-keys.ts';

type SourceRecordKey = { source: number; kind: string; externalId: string };

/** One import uses it, however many sessions that has. */
export class AddedRows {
  readonly blockingKeys: AddedKeys;
  /** Names and aliases of records other than events, by `hashOf` of kind and folded name. */
  readonly names: AddedKeys;
  readonly foreignCommits: ForeignCommits;
  readonly #source: number;
  readonly #sourceRecords: AddedKeys;

  /** @param source the source that is imported */
  constructor(sqlite: Database.Database, source: number) {
    const records = sqlite.prepare('SELECT 1 FROM source_records WHERE source_id = ? LIMIT 1');
    const keys = sqlite.prepare(
      'SELECT 1 WHERE EXISTS (SELECT 1 FROM blocking_keys) OR EXISTS (SELECT 1 FROM recent_blocking_keys)',
    );
    const names = sqlite.prepare('SELECT 1 FROM names LIMIT 1');
    this.#source = source;
    this.foreignCommits = new ForeignCommits(sqlite);
    this.#sourceRecords = new AddedKeys(this.foreignCommits, () => records.get(source) === undefined);
    this.blockingKeys = new AddedKeys(this.foreignCommits, () => keys.get() === undefined);
    this.names = new AddedKeys(this.foreignCommits, () => names.get() === undefined);
  }

  /** Must be called before a source record is inserted. */
  addSourceRecord({ source, kind, externalId }: SourceRecordKey): void {
    if (source === this.#source) this.#sourceRecords.add(hashOf(kind, externalId));
  }

  /** Whether the source record may be stored. */
  mayHaveSourceRecord({ source, kind, externalId }: SourceRecordKey): boolean {
    return source !== this.#source || this.#sourceRecords.mayHaveAny([hashOf(kind, externalId)]);
  }
}
