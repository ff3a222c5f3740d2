/** Catalogues of several sources on real files, and their events after matching. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type Database from 'better-sqlite3';
import { handleOperation } from '../../src/catalogue/handlers.ts';
import type { OperationRequest } from '../../src/catalogue/request.ts';
import type { OperationId } from '../../src/contract/operations.ts';
import { type ImportOptions, type ImportReport, importFeed } from '../../src/ingest/import/import-feed.ts';
import { openDatabase } from '../../src/store/database.ts';
import { checkFile } from '../../src/store/file/maintenance.ts';
import { findRowProblems } from '../../src/store/integrity/rows.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';

export const matchingNow = Date.parse('2026-11-20T12:00:00Z');
export type Line = Record<string, unknown> & { kind: string; external_id: string };

/** Creates a data file that is deleted when the test ends. */
export function freshFile(t: { after(fn: () => void): void }): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-matching-'));
  const sqlite = openDatabase(join(folder, 'c.db'), { create: true });
  t.after(() => {
    // After every test, the row checksums must be correct.
    if (sqlite.open) assert.deepEqual(findRowProblems(sqlite), []);
    sqlite.close();
    rmSync(folder, { recursive: true });
  });
  return sqlite;
}

/** Asserts that a file has no faults. */
export function assertSound(sqlite: Database.Database): void {
  for (const { name, ok, problems } of checkFile(sqlite)) {
    assert.deepEqual(problems, [], name);
    assert.ok(ok, name);
  }
}

/** The same, and that no record waits to be rebuilt. */
export function assertSettled(sqlite: Database.Database): void {
  assertSound(sqlite);
  assert.equal(sqlite.prepare('SELECT count(*) FROM stale_records').pluck().get(), 0);
}

/** Imports records of a source. */
export function says(
  sqlite: Database.Database,
  source: string,
  lines: readonly object[],
  options: Partial<ImportOptions> = {},
): Promise<ImportReport> {
  async function* input() {
    yield Buffer.from(lines.map((line) => JSON.stringify(line)).join('\n'));
  }
  return importFeed(sqlite, {
    source,
    type: 'feed',
    now: matchingNow,
    alone: true,
    input: input(),
    ...options,
  });
}

/** Returns the `data` of an API operation. */
export function ask(
  sqlite: Database.Database,
  operation: OperationId,
  asked: Partial<OperationRequest> = {},
) {
  const question = {
    operation,
    slug: '',
    edition: '',
    filters: {},
    limit: 100,
    cursor: undefined,
    q: '',
    now: matchingNow,
    ...asked,
  };
  const search = { search: () => [] } as never;
  return JSON.parse(handleOperation(question, { reader: openCatalogueReader(sqlite), search })).data;
}

type Source = { name: string; external_id: string };

/** Returns every event as the sorted names of its source records ("seller:id"), sorted. */
export function partition(sqlite: Database.Database): string[] {
  const slugs = ask(sqlite, 'listEvents').map(({ slug }: { slug: string }) => slug);
  return slugs
    .map((slug: string) =>
      ask(sqlite, 'getEvent', { slug })
        .sources.map(({ name, external_id }: Source) => `${name}:${external_id}`)
        .sort()
        .join(' + '),
    )
    .sort();
}

/** Returns all permutations. */
export function permutations<T>(things: readonly T[]): T[][] {
  if (things.length < 2) return [[...things]];
  return things.flatMap((thing, at) =>
    permutations(things.filter((_, other) => other !== at)).map((rest) => [thing, ...rest]),
  );
}
