/** Whether what sources said is as it was written: it stands in the file once, with a checksum beside it. */
import { crc32 } from 'node:zlib';
import type Database from 'better-sqlite3';

type Row = { statement: string | null; checksum: number | null };

/** How many statements are not as they were written. Those of before schema 6 have no checksum, and must be JSON at least. */
export function wrongStatements(sqlite: Database.Database): string[] {
  const rows = sqlite.prepare(
    'SELECT statement, checksum FROM provider_records WHERE statement IS NOT NULL OR checksum IS NOT NULL',
  );
  let wrong = 0;
  for (const row of rows.iterate() as Iterable<Row>) if (!isWhole(row)) wrong++;
  return wrong === 0 ? [] : [`${wrong} statements of sources are not as they were written`];
}

function isWhole({ statement, checksum }: Row): boolean {
  if (statement === null) return false;
  if (checksum !== null) return crc32(statement) === checksum;
  try {
    JSON.parse(statement);
    return true;
  } catch {
    return false;
  }
}
