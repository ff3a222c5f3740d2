/** Whoever follows the changed records has the same documents as the catalogue, whatever happened to it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { ChangeWalk, type MirrorReader, recordLine } from '../../src/catalogue/mirror/change-walk.ts';
import { RecordDocuments } from '../../src/catalogue/mirror/documents.ts';
import type { Kind } from '../../src/contract/fields.ts';
import { ChangedRecords } from '../../src/store/mirror/changed-records.ts';
import { RecordReferences } from '../../src/store/mirror/record-references.ts';
import { openCatalogueReader } from '../../src/store/reader.ts';
import { freshFile } from '../support/matching.ts';
import { withSeed } from '../support/random-seed.ts';
import { assertConsistent, assertRoundTrip } from './consistency.ts';
import { randomFrom } from './random-lines.ts';
import { RandomOperations } from './random-operations.ts';

type Line = { id: string; revision: number; change: string; data?: object; lists?: object };

const readerOf = (sqlite: Database.Database): MirrorReader => ({
  records: new ChangedRecords(sqlite),
  documents: new RecordDocuments(openCatalogueReader(sqlite), new RecordReferences(sqlite)),
});

/** The documents of all records that are in the catalogue, by id. */
function documentsOf(sqlite: Database.Database, mirror: MirrorReader): Map<string, object> {
  const rows = sqlite.prepare('SELECT id, kind, revision FROM records').all() as {
    id: number;
    kind: Kind;
    revision: number;
  }[];
  const documents = new Map<string, object>();
  for (const row of rows) {
    const { id, change, data, lists } = JSON.parse(recordLine(mirror, row)) as Line;
    if (change === 'present') documents.set(id, { data, lists });
  }
  return documents;
}

test('a copy that applies the changes equals the catalogue after each of many random changes', (t) =>
  withSeed(async (seed, done) => {
    const random = randomFrom(seed);
    const sqlite = freshFile(t);
    const operations = new RandomOperations(sqlite, random);
    const mirror = readerOf(sqlite);
    const copy = new Map<string, object>();
    let since = 0;
    for (let round = 0; round < 45; round++) {
      done.push(await operations.step());
      const revision = sqlite.prepare('SELECT revision FROM catalogue').pluck().get() as number;
      const until = mirror.records.lastRevision(since, 1 + Math.floor(random() * 50), revision);
      const walk = new ChangeWalk(mirror, { since, until });
      for (let lines = walk.step(1); lines.length > 0; lines = walk.step(1))
        for (const line of lines) apply(copy, JSON.parse(line) as Line);
      since = until;
      // Every other round the copy catches up.
      if (since !== revision) {
        const rest = new ChangeWalk(mirror, { since, until: revision });
        for (let lines = rest.step(50); lines.length > 0; lines = rest.step(50))
          for (const line of lines) apply(copy, JSON.parse(line) as Line);
        since = revision;
      }
      const expected = documentsOf(sqlite, mirror);
      for (const [id, document] of expected) assert.deepEqual(copy.get(id), document, id);
      assert.deepEqual([...copy.keys()].sort(), [...expected.keys()].sort());
      // Every check reads the whole file.
      if (round % 5 === 4) assertConsistent(sqlite);
    }
    await assertRoundTrip(t, sqlite);
    const refused = done.filter((one) => one.startsWith('refused')).length;
    assert.ok(refused < done.length / 2, done.join('\n'));
  }));

function apply(copy: Map<string, object>, { id, change, data, lists }: Line): void {
  if (change === 'present') copy.set(id, { data, lists });
  else copy.delete(id);
}
