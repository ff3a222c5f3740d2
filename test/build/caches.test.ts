/** Every cache of the program is in the table of docs/caches.md, with its owner, bound and rule. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/caches.md'), 'utf8');
const named = new Set(page.match(/`(?:src|test)\/[^`]+`/g)?.map((path) => path.slice(1, -1)));

/** The source files in whose text a pattern is found. */
const sourcesWith = (pattern: RegExp): string[] =>
  readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter((path) => pattern.test(readFileSync(path, 'utf8')))
    .map((path) => path.slice(root.length).replaceAll('\\', '/'));

const owners = sourcesWith(/new (?:LRUCache|ResponseCache)\b|= createLruCache</)
  // The function that makes caches has none itself.
  .filter((path) => !path.endsWith('src/store/lru-cache.ts'));

test('every file that creates a cache is named in docs/caches.md', () => {
  assert.ok(owners.length > 15);
  assert.deepEqual(
    owners.filter((path) => !named.has(path)),
    [],
  );
});

test('every file that docs/caches.md names exists', () => {
  assert.deepEqual(
    [...named].filter((path) => !existsSync(join(root, path))),
    [],
  );
});

test('every cache of the tables has a bound', () => {
  const rows = page.split('\n').filter((line) => line.startsWith('| `src/'));
  assert.ok(rows.length > 20);
  for (const row of rows) {
    const cells = row.split('|').map((cell) => cell.trim());
    assert.ok(cells[2] && cells[3], row);
  }
});

// `KnownRates` holds what the meter read until another connection commits, which SQLite tells. These stores get the
// connection of accounts (`App.access`), which is never that of the catalogue, where requests are counted.
test('accounts, keys and counts are changed by the stores of accounts alone', () => {
  const tables = 'accounts|api_keys|oauth_grants|rate_windows|usage_months';
  const change = new RegExp(
    `(?:insertInto|updateTable|deleteFrom|replaceInto)\\('(?:${tables})(?: as \\w+)?'\\)|(?:INTO|UPDATE|DELETE FROM) (?:${tables})\\b`,
  );
  const changing = sourcesWith(change);
  assert.ok(
    changing.includes('src/store/access/accounts.ts') && changing.includes('src/store/access/meter.ts'),
  );
  assert.deepEqual(
    changing.filter((path) => !path.startsWith('src/store/access/')),
    [],
  );
});
