/** Files of code stay short, so that each has one subject. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Lines that a file of code has at most. */
const maxLines = 400;

/** Tables and texts: their length is that of a list, and they have no functions to split. */
const lists: readonly RegExp[] = [/^store\/tables\.ts$/, /^pages\/messages\//];

/** The files of code by path below `src`, with their number of lines. Data such as `.tsv` is not code. */
const lengths = readdirSync(source, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && /\.(?:ts|tsx|css|js)$/.test(entry.name))
  .map((entry) => join(entry.parentPath, entry.name))
  .map((path) => ({
    path: relative(source, path).replaceAll('\\', '/'),
    lines: readFileSync(path, 'utf8').trimEnd().split('\n').length,
  }))
  .sort((a, b) => b.lines - a.lines);

test(`no file of code has more than ${maxLines} lines, except tables and texts`, () => {
  assert.ok(lengths.length > 500);
  const long = lengths.filter(
    ({ path, lines }) => lines > maxLines && !lists.some((list) => list.test(path)),
  );
  assert.deepEqual(
    long.map(({ path, lines }) => `${path} has ${lines} lines: split it by subject`),
    [],
  );
});

test('each exception is needed', () => {
  const unneeded = lists.filter(
    (list) => !lengths.some(({ path, lines }) => lines > maxLines && list.test(path)),
  );
  assert.deepEqual(unneeded, []);
});
