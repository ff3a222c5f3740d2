/** `verify` finds flipped bits, whatever they hit (docs/decisions/11-copies.md; bench/flips.ts counts more). */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import Database from 'better-sqlite3';
import { openApp } from '../../src/app.ts';
import { blockingKeyTables, checksumColumns } from '../../src/store/integrity/checksums.ts';
import { flips } from '../support/bit-flips.ts';

const seed = Number(process.env.SEED ?? 7);
const count = Number(process.env.ROUNDS ?? 30);

/** What is wrong with a file, by the name of the check; null where nothing is found. */
function findsIn(path: string): string | null {
  try {
    const app = openApp({ data: path, create: false, readOnly: true });
    try {
      return [...app.file.check()].find(({ ok }) => !ok)?.name ?? null;
    } finally {
      app.close();
    }
  } catch {
    return 'opening';
  }
}

test(`verify finds flipped bits (SEED=${seed})`, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-flips-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const whole = join(folder, 'whole.db');
  const app = openApp({ data: whole, create: true });
  await app.starter.request();
  await app.starter.import();
  const { accounts, keys } = await app.access();
  await accounts.create({ email: 'ada@example.com' });
  await keys.create('ada@example.com', 'laptop');
  app.close();
  assert.equal(findsIn(whole), null);
  const content = readFileSync(whole);
  const missed: string[] = [];
  for (const { offset, bit, owner } of flips(whole, count, seed)) {
    const copy = join(folder, 'flipped.db');
    const flipped = Buffer.from(content);
    flipped[offset] = (flipped[offset] as number) ^ (1 << bit);
    writeFileSync(copy, flipped);
    if (findsIn(copy) === null) missed.push(owner);
    for (const end of ['-wal', '-shm']) rmSync(copy + end, { force: true });
  }
  t.diagnostic(`missed ${missed.length} of ${count}: ${missed.join(', ')}`);
  // Of the search index, a mark of deleted entries that says nothing in one that is there.
  assert.deepEqual(
    missed.filter((owner) => owner !== 'name_search_data'),
    [],
  );
  assert.ok(missed.length <= count * 0.07, missed.join(', '));
});

/** Columns of which damage is not found: meters, which each request would pay for, and what is of the moment. */
const uncovered = [
  ...['api_keys.last_used_ts', 'oauth_grants.last_used_ts', 'external_logins.last_used_ts'],
  ...['passkeys.last_used_ts', 'passkeys.sign_count', 'totp_secrets.last_step'],
  ...['rate_windows.started_ts', 'rate_windows.used', 'usage_months.used', 'usage_days.used'],
  ...[
    'attempts.failed',
    'attempts.next_allowed_ts',
    'write_leases.holder',
    'write_leases.purpose',
    'write_leases.expires_ts',
  ],
  ...['stale_records.record_id', 'stale_name_ranks.record_id', 'stale_documents.record_id'],
  ...['catalogue.id', 'catalogue.revision', 'catalogue.max_event_duration_ms', 'catalogue.last_synced_ts'],
];
/** Columns that `verify` compares with those of another table. */
const compared = ['start_date', 'ends_ts'].flatMap((column) => [
  `event_artists.${column}`,
  `event_genres.${column}`,
]);

test('each column is repeated by an index, or has a checksum', () => {
  const sqlite = new Database(':memory:');
  sqlite.exec(readFileSync(new URL('../../schema.sql', import.meta.url), 'utf8'));
  const list = sqlite.pragma('table_list') as { name: string; type: string; schema: string }[];
  const bare: string[] = [];
  for (const { name: table } of list.filter(
    ({ name, type }) => type === 'table' && !name.startsWith('sqlite_'),
  )) {
    const repeated = new Set(
      blockingKeyTables.some((one) => one === table) ? ['key', 'record_id', 'scope'] : [],
    );
    for (const { name, origin, partial } of sqlite.pragma(`index_list(${table})`) as {
      name: string;
      origin: string;
      partial: number;
    }[]) {
      const info = sqlite.pragma(`index_xinfo(${name})`) as { name: string | null; cid: number }[];
      // The tree of a primary key may be the table itself.
      const isTable = origin === 'pk' && !info.some(({ cid }) => cid === -1);
      if (partial || isTable) continue;
      for (const { name: column, cid } of info) repeated.add(cid === -1 ? 'rowid' : String(column));
    }
    const { columns, summed: added } = checksumColumns[table] ?? { columns: [], summed: [] };
    const withSum = [...columns, ...added, ...(table in checksumColumns ? ['checksum'] : [])];
    for (const column of sqlite.pragma(`table_info(${table})`) as {
      name: string;
      type: string;
      pk: number;
    }[]) {
      const isRowId = column.pk === 1 && column.type === 'INTEGER';
      if (repeated.has(column.name) || withSum.includes(column.name)) continue;
      if (column.name === 'checksum' && table in { blocking_keys: 1, recent_blocking_keys: 1 }) continue;
      if (isRowId && repeated.has('rowid')) continue;
      bare.push(`${table}.${column.name}`);
    }
  }
  sqlite.close();
  assert.deepEqual(bare.toSorted(), [...uncovered, ...compared].toSorted());
});
