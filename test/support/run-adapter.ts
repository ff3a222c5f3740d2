/** Runs an adapter on files, or on pages instead of the web, and validates every record. */
import assert from 'node:assert/strict';
import { feedRecordHead, feedRecordSchemas } from '../../src/contract/feed.ts';
import { Failure } from '../../src/failure.ts';
import type {
  Adapter,
  AdapterContext,
  FeedRecord,
  ReadOutcome,
  RecordOf,
} from '../../src/sources/adapter.ts';
import { makeOpener } from '../../src/sources/common/opener.ts';
import { limitBytes } from '../../src/sources/common/streams.ts';

export type Rejected = { where: string; reason: string };
export type Reading = { records: FeedRecord[]; rejected: Rejected[]; end: ReadOutcome; opened: string[] };
type Given = {
  options?: Record<string, string>;
  /** Contents of addresses and files. Other files are read from the disk; other addresses are missing. */
  pages?: Record<string, string | Uint8Array | (() => AsyncIterable<Uint8Array>)>;
  /** Entries of a folder that consists of such pages. */
  folder?: string[];
  /** Only counts the records, for large inputs. */
  take?: (record: FeedRecord) => void;
};

/** Reads a location to its end. */
export async function readSource(adapter: Adapter, location: string, given: Given = {}): Promise<Reading> {
  const { pages = {} } = given;
  const reading: Reading = { records: [], rejected: [], end: { ended: 'whole' }, opened: [] };
  const files = makeOpener({ location, fetch: async () => Promise.reject(new Failure('no network here')) });
  const context: AdapterContext = {
    ...files,
    location,
    async open(address, options) {
      reading.opened.push(address);
      const page = pages[address];
      if (page === undefined) return await files.open(address, options);
      const body = typeof page === 'function' ? page() : once(page);
      return {
        url: address,
        contentType: null,
        body: limitBytes(body, options?.maxBytes ?? 2 ** 40, address),
      };
    },
    async list(folder) {
      if (folder in pages) return [folder];
      return given.folder ?? (await files.list(folder));
    },
    now: Date.UTC(2026, 0, 1),
    complete: false,
    options: given.options ?? {},
    reject: (where, reason) => reading.rejected.push({ where, reason }),
  };
  const records = adapter.read(context);
  let next = await records.next();
  for (; !next.done; next = await records.next()) {
    const record = next.value;
    const checked = [feedRecordHead, feedRecordSchemas[record.kind]].map((schema) =>
      schema.safeParse(record),
    );
    for (const result of checked)
      assert.ok(result.success, `${JSON.stringify(record).slice(0, 300)}: ${result.error?.message}`);
    if (given.take) given.take(record);
    else reading.records.push(record);
  }
  if (next.value) reading.end = next.value;
  return reading;
}

async function* once(page: string | Uint8Array): AsyncGenerator<Uint8Array> {
  yield typeof page === 'string' ? Buffer.from(page) : page;
}

/** Returns the records of a kind. */
export const ofKind = <K extends FeedRecord['kind']>({ records }: Reading, kind: K): RecordOf<K>[] =>
  records.filter((record): record is RecordOf<K> => record.kind === kind);

/** Counts the records by kind. */
export const counts = ({ records }: Reading): Record<string, number> => {
  const found: Record<string, number> = {};
  for (const { kind } of records) found[kind] = (found[kind] ?? 0) + 1;
  return found;
};
