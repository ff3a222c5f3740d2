/** Splits of genres and labels whose parent leaves them, or is below what leaves them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Edits } from '../../src/ingest/edits/edits.ts';
import { parseChange } from '../../src/ingest/edits/parse-change.ts';
import { assertSound, freshFile, matchingNow, says } from '../support/matching.ts';

/** Sets the parent of a record to "Nord". */
const giveParent = (sqlite: Database.Database, record: string) =>
  new Edits(sqlite, { now: matchingNow, actor: 'terminal:ada' }).set(record, [parseChange('parent=Nord')]);

for (const kind of ['genre', 'label'] as const) {
  const parent = (name: string) => (kind === 'genre' ? name : { name });
  const record = (id: string, name: string, above?: string) => ({
    kind,
    external_id: id,
    name,
    ...(above !== undefined && { parent: parent(above) }),
  });
  const parents = (sqlite: Database.Database) => {
    const table = `${kind}s`;
    const rows = sqlite
      .prepare(
        `SELECT r.name, p.name FROM ${table} r LEFT JOIN ${table} p ON p.id = r.parent_id ORDER BY r.name`,
      )
      .raw()
      .all() as [string, string | null][];
    return Object.fromEntries(rows);
  };

  test(`a ${kind} is below one that was merged into it, once that is undone`, async (t) => {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', [record('s', 'Sued'), record('n', 'Nord')]);
    await says(sqlite, 'two', [record('d', 'Dach'), record('f', 'First', 'Dach')]);
    await giveParent(sqlite, `${kind}/dach`);
    const corrections = new Corrections(sqlite, matchingNow);
    await corrections.merge(`${kind}/sued`, `${kind}/dach`);
    await says(sqlite, 'one', [record('s', 'Sued', 'First'), record('n', 'Nord')]);
    assert.deepEqual(parents(sqlite), { First: 'Sued', Nord: null, Sued: 'Nord' });
    await corrections.split(`${kind}/sued`, ['two:d']);
    assert.deepEqual(parents(sqlite), { Dach: 'Nord', First: 'Dach', Nord: null, Sued: 'First' });
    assertSound(sqlite);
  });

  test(`a ${kind} that would be below itself is not split`, async (t) => {
    const sqlite = freshFile(t);
    await says(sqlite, 'one', [record('s', 'Sued'), record('n', 'Nord')]);
    await says(sqlite, 'two', [record('d', 'Dach')]);
    await says(sqlite, 'three', [record('r', 'Rand')]);
    await giveParent(sqlite, `${kind}/rand`);
    const corrections = new Corrections(sqlite, matchingNow);
    await corrections.merge(`${kind}/sued`, `${kind}/dach`);
    await corrections.merge(`${kind}/sued`, `${kind}/rand`);
    await says(sqlite, 'one', [record('s', 'Sued', 'Dach'), record('n', 'Nord')]);
    const before = parents(sqlite);
    assert.equal(before.Sued, 'Nord');
    await assert.rejects(
      corrections.split(`${kind}/sued`, ['three:r']),
      /cannot be split like this: parent "Dach" .*cratebase edit/,
    );
    assert.deepEqual(parents(sqlite), before, 'nothing changed');
    assertSound(sqlite);
  });
}
