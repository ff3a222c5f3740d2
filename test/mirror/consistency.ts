/** What holds of a catalogue after every change: the checks of the file, walks of lists, and a copy by export and import. */
import assert from 'node:assert/strict';
import type Database from 'better-sqlite3';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import { type OperationId, operations } from '../../src/contract/operations.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { freshFile, matchingNow, says } from '../support/matching.ts';

type Item = Record<string, unknown> & { slug: string };
type Page = { data: Item[]; page: { next_cursor: string | null } };
type Path = { slug?: string; edition?: string };

/** Asserts that the file is sound, that no record waits to be computed, and that lists and records agree. */
export function assertConsistent(sqlite: Database.Database): void {
  for (const { name, ok, problems } of checkFile(sqlite))
    assert.ok(ok, `${name}: ${problems.slice(0, 5).join('; ')}`);
  for (const table of ['stale_records', 'stale_documents', 'stale_name_ranks'])
    assert.equal(sqlite.prepare(`SELECT count(*) FROM ${table}`).pluck().get(), 0, table);
  assertLists(sqlite);
}

function assertLists(sqlite: Database.Database): void {
  const reader = openCatalogueReader(sqlite);
  const catalogue = { reader, search: { search: () => [] } as never };
  const ask = (operation: OperationId, path: Path, limit: number, cursor?: string): Page => {
    const request = {
      operation,
      slug: '',
      edition: '',
      filters: {},
      q: '',
      now: matchingNow,
      ...path,
      limit,
      cursor,
    };
    return JSON.parse(handleOperation(request as never, catalogue));
  };
  /** The entries of a list in pages of 4, which are those of one page. */
  const walk = (operation: OperationId, path: Path = {}): Item[] => {
    const { data } = ask(operation, path, 500);
    const pages: Item[] = [];
    for (let cursor: string | undefined; ; ) {
      const part = ask(operation, path, 4, cursor);
      pages.push(...part.data);
      if (part.page.next_cursor === null) break;
      cursor = part.page.next_cursor;
    }
    assert.deepEqual(pages, data, `${operation} ${JSON.stringify(path)}`);
    return data;
  };
  for (const [kind, { list, detail, parts }] of Object.entries(kindOperations)) {
    const items = walk(list);
    assert.equal(new Set(items.map(({ id }) => id)).size, items.length, list);
    assert.equal(items.length, sqlite.prepare(`SELECT count(*) FROM ${kind}`).pluck().get(), list);
    for (const { id, slug } of items) {
      assert.equal((ask(detail, { slug }, 1).data as unknown as Item).id, id, `${detail} ${slug}`);
      for (const part of parts) walk(part, { slug });
    }
  }
}

type KindOperations = { list: OperationId; detail: OperationId; parts: OperationId[] };

/** The operations of each table whose records have a list of their own, from the contract. */
const kindOperations: Record<string, KindOperations> = Object.fromEntries(
  (Object.keys(operations) as OperationId[])
    .filter((id) => operations[id].shape === 'list' && !operations[id].path.includes('{'))
    .map((list) => {
      const { path } = operations[list];
      const below = (Object.keys(operations) as OperationId[]).filter((id) =>
        operations[id].path.startsWith(`${path}/{slug}`),
      );
      const detail = below.find((id) => operations[id].path === `${path}/{slug}`) as OperationId;
      const parts = below.filter(
        (id) => operations[id].shape === 'list' && !operations[id].path.includes('{edition}'),
      );
      return [path.slice(1), { list, detail, parts }];
    }),
);

type ExportedRecord = { kind: string; name: string; updated_at?: string; change?: string };

/** The records of an export, without the time of their last change. */
const exported = (sqlite: Database.Database): ExportedRecord[] =>
  [...exportLines(sqlite, { since: 0 })]
    .flat()
    .map((line) => {
      const { updated_at: _, ...record } = JSON.parse(line) as ExportedRecord;
      return record;
    })
    .filter(({ change }) => change === undefined);
const sorted = (records: readonly object[]): string[] => records.map((one) => JSON.stringify(one)).sort();
const namesOf = (records: readonly ExportedRecord[]): string[] =>
  records.map(({ kind, name }) => `${kind} ${name}`);

/** The texts that are in the first list more often than in the second one. */
function missing(expected: readonly string[], actual: readonly string[]): string[] {
  const left = [...actual];
  return expected.filter((text) => {
    const at = left.indexOf(text);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

/**
 * Asserts that an export that is imported into a new file has the same records there, and that an export of that file
 * gives an equal one. The first copy may have more: an event still names a venue that was removed, and a removal is not
 * exported. A record that others name before its line may get another slug there.
 */
export async function assertRoundTrip(
  t: { after(fn: () => void): void },
  sqlite: Database.Database,
): Promise<void> {
  const [first, second] = [freshFile(t), freshFile(t)];
  await copyInto(first, sqlite);
  assert.deepEqual(missing(namesOf(exported(sqlite)), namesOf(exported(first))), []);
  await copyInto(second, first);
  assert.deepEqual(sorted(exported(second)), sorted(exported(first)));
  assertConsistent(second);
}

async function copyInto(copy: Database.Database, sqlite: Database.Database): Promise<void> {
  const lines = [...exportLines(sqlite, { since: 0 })].flat().map((line) => JSON.parse(line) as object);
  const { rejected } = await says(copy, 'copy', lines);
  assert.deepEqual(rejected, []);
}
