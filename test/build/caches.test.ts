/** Every cache of the program is in the table of docs/caches.md, with its owner, bound and rule. */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = readFileSync(join(root, 'docs/caches.md'), 'utf8');
const named = new Set(page.match(/`(?:src|test)\/[^`]+`/g)?.map((path) => path.slice(1, -1)));

const owners = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.tsx?$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  // The function that makes caches has none itself.
  .filter((path) => !path.endsWith('src/store/lru-cache.ts'))
  .filter((path) => /new (?:LRUCache|ResponseCache)\b|= createLruCache</.test(readFileSync(path, 'utf8')))
  .map((path) => path.slice(root.length).replaceAll('\\', '/'));

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
