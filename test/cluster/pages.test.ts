/** Pages of files are compared, packed and written: a file made from objects is equal to the original, byte for byte. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  type PackedObject,
  type PackSummary,
  PageWriter,
  packPages,
} from '../../src/cluster/publication/pack.ts';
import { alignPages, PageHashes, summarizeFile } from '../../src/cluster/publication/pages.ts';
import { temporaryFolder } from '../support/program.ts';

const pageSize = 4096;
const key = new Uint8Array(32).fill(7);

/** Pages with the header of a data file; those named have other bytes than they have by default. */
function makeFile(pageCount: number, changed: Record<number, Buffer> = {}): Buffer {
  const file = Buffer.alloc(pageCount * pageSize);
  for (let page = 0; page < pageCount; page++)
    (changed[page] ?? Buffer.alloc(pageSize, `page ${page} `)).copy(file, page * pageSize);
  file.write('SQLite format 3\0', 'latin1');
  file.writeUInt16BE(pageSize, 16);
  return file;
}

function packAll(parent: number | null, file: number): { objects: PackedObject[]; summary: PackSummary } {
  const packing = packPages(parent, file, key);
  const objects: PackedObject[] = [];
  for (;;) {
    const { done, value } = packing.next();
    if (done) return { objects, summary: value };
    objects.push(value);
  }
}

/** Opens files with these contents. */
function openFiles(t: { after: (work: () => void) => void }, ...contents: Buffer[]) {
  const folder = temporaryFolder();
  t.after(() => folder.remove());
  const paths = contents.map((content, at) => {
    const path = join(folder.path, `${at}.db`);
    writeFileSync(path, content);
    return path;
  });
  const files = paths.map((path) => openSync(path, 'r+'));
  t.after(() => {
    for (const file of files) closeSync(file);
  });
  return { files, read: (at: number) => readFileSync(paths[at] as string) };
}

const noise = (): Buffer => randomBytes(pageSize);
const cases: Record<string, [parent: Buffer, file: Buffer]> = {
  'some pages differ': [
    makeFile(3_000),
    makeFile(3_000, { 1: noise(), 2047: noise(), 2048: noise(), 2999: noise() }),
  ],
  'the file grew, also by pages of zeros': [makeFile(100), makeFile(2_200, { 150: Buffer.alloc(pageSize) })],
  'the file shrank': [makeFile(2_200), makeFile(90, { 3: noise() })],
  'random pages need several objects': [
    makeFile(3_000),
    makeFile(3_000, Object.fromEntries(Array.from({ length: 2_500 }, (_, at) => [at + 1, noise()]))),
  ],
};

for (const [name, [parent, file]] of Object.entries(cases)) {
  test(`a difference and a base restore a file: ${name}`, (t) => {
    const { files, read } = openFiles(t, parent, file, Buffer.alloc(pageSize * 7, 1), Buffer.alloc(0));
    const [before, after, spare, fresh] = files as [number, number, number, number];
    const { objects, summary } = packAll(before, after);
    for (const { bytes, content } of objects) {
      assert.equal(content.length, bytes);
      assert.ok(bytes <= (8 << 20) + 28);
    }
    assert.equal(
      objects.reduce((sum, { pages }) => sum + pages, 0),
      summary.changed,
    );
    // The spare is torn at first.
    const hashes = new PageHashes();
    assert.equal(alignPages(before, spare, hashes).root, summarizeFile(before).root);
    assert.ok(read(2).equals(parent));
    const writer = new PageWriter(spare, key, hashes);
    for (const object of objects) assert.ok(writer.apply(object.content, object, pageSize, false));
    assert.equal(writer.finish(pageSize, summary.pageCount).root, summary.root);
    assert.ok(read(2).equals(file));
    assert.equal(summarizeFile(spare).root, summary.root);

    const base = packAll(null, after);
    const copy = new PageWriter(fresh, key);
    for (const object of base.objects) assert.ok(copy.apply(object.content, object, pageSize, true));
    assert.equal(copy.finish(pageSize, base.summary.pageCount).root, summary.root);
    assert.ok(read(3).equals(file));
  });
}

test('equal contents give equal objects; a damaged object or another key changes no page', (t) => {
  const [parent, file] = cases['some pages differ'] as [Buffer, Buffer];
  const { files, read } = openFiles(t, parent, file, parent);
  const [before, after, spare] = files as [number, number, number];
  const [object] = packAll(before, after).objects as [PackedObject];
  assert.deepEqual(packAll(before, after).objects[0], object);
  const damaged = Buffer.from(object.content);
  damaged[200] = (damaged[200] as number) ^ 1;
  const writer = new PageWriter(spare, key);
  assert.equal(writer.apply(damaged, object, pageSize, false), false);
  const other = new PageWriter(spare, new Uint8Array(32).fill(8));
  assert.throws(() => other.apply(object.content, object, pageSize, false), /authenticate/);
  assert.ok(read(2).equals(parent));
  // What is stored shows nothing of the pages.
  assert.ok(!Buffer.from(object.content).toString('latin1').includes('page'));
});

test('the root depends on every page, their order and their number', (t) => {
  const contents = [
    makeFile(200),
    makeFile(200, { 150: noise() }),
    makeFile(201),
    makeFile(200, { 5: Buffer.alloc(pageSize, 'page 6 '), 6: Buffer.alloc(pageSize, 'page 5 ') }),
  ];
  const { files } = openFiles(t, ...contents);
  assert.equal(new Set(files.map((file) => summarizeFile(file).root)).size, contents.length);
});

test('a file that is not made of pages is refused', (t) => {
  const { files } = openFiles(t, Buffer.from('no data file'), makeFile(3).subarray(0, 5_000));
  for (const file of files) assert.throws(() => summarizeFile(file), /damaged/);
});
