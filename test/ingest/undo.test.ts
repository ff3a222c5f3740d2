/** Each kind of change and its undo: the exported catalogue is as before, and the file is sound. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import { type App, openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import { exportLines } from '../../src/store/export/export.ts';
import { assertSound, freshFile, matchingNow, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
const night = (id: string, name: string, day: string) => ({
  kind: 'event',
  external_id: id,
  name,
  start_at: `2027-12-${day}T23:00`,
  venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
  lineup: [{ name: 'Vera Lindt' }, { name: 'Klara Otto' }],
});
const feed = [
  { kind: 'artist', external_id: 'v', name: 'Vera Lindt', country: 'DE' },
  { kind: 'artist', external_id: 'k', name: 'Klara Otto', country: 'AT' },
  night('1', 'Tiefdruck', '04'),
  night('2', 'Brain Break', '05'),
];
const set = (field: string, value: string) => ({ field, operation: 'set', value }) as const;

const exported = (sqlite: Database.Database): unknown[] =>
  [...exportLines(sqlite, { since: 0 })].flat().map((line) => {
    // The anchor of an added record and the time of a change are not part of what is compared.
    const { updated_at: _, ...record } = JSON.parse(line);
    return record;
  });

type Change = (app: App) => Promise<{ audit_id: number | null }>;
const event = 'event/tiefdruck-2027-12-04';
const edit: Change = async (app) => (await app.edits(actor)).set(event, [set('description', 'Im Keller.')]);
const hide: Change = async (app) => (await app.removals(actor)).hide(event);
const merge: Change = async (app) =>
  (await app.corrections(undefined, actor)).merge('artist/vera-lindt', 'artist/klara-otto');

/** What is done first, and the change that is undone. */
const changes: Record<string, { first?: Change; change: Change }> = {
  hide: { change: hide },
  delete: { change: async (app) => (await app.removals(actor)).delete('artist/vera-lindt') },
  edit: { change: edit },
  reset: { first: edit, change: async (app) => (await app.edits(actor)).reset(event, ['description']) },
  merge: { change: merge },
  'never-merge': {
    change: async (app) =>
      (await app.corrections(undefined, actor)).neverMerge('artist/vera-lindt', 'artist/klara-otto'),
  },
  add: {
    change: async (app) => {
      const { records } = await (await app.edits(actor)).add('artist', [
        set('name', 'Mo Park'),
        set('country', 'FR'),
      ]);
      return { audit_id: records[0]?.audit_id ?? null };
    },
  },
};

async function opened(t: { after(fn: () => void): void }): Promise<{ app: App; sqlite: Database.Database }> {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', feed);
  const app = openApp({ data: sqlite.name, create: false, clock: frozenClock(matchingNow) });
  t.after(() => app.close());
  return { app, sqlite };
}

for (const [name, { first, change }] of Object.entries(changes))
  test(`undo of ${name}`, async (t) => {
    const { app, sqlite } = await opened(t);
    await first?.(app);
    const before = exported(sqlite);
    const { audit_id: id } = await change(app);
    assert.ok(id !== null);
    if (name !== 'never-merge') assert.notDeepEqual(exported(sqlite), before);
    const report = await (await app.edits(actor)).undo(id);
    assert.equal(report.undone, id);
    assert.deepEqual(exported(sqlite), before);
    assertSound(sqlite);
    await assert.rejects((await app.edits(actor)).undo(id), /is undone already/);
  });

test('undo of add deletes the record and marks the entry in one transaction', async (t) => {
  const { app, sqlite } = await opened(t);
  const { audit_id: id } = await (changes.add as { change: Change }).change(app);
  assert.ok(id !== null);
  const before = exported(sqlite);
  // The process ends between the two, as far as the file shows.
  sqlite.exec(`CREATE TRIGGER crash BEFORE UPDATE OF undone_by ON audit_log
    BEGIN SELECT RAISE (ABORT, 'crashed'); END`);
  await assert.rejects((await app.edits(actor)).undo(id), /crashed/);
  assert.deepEqual(exported(sqlite), before);
  sqlite.exec('DROP TRIGGER crash');
  const report = await (await app.edits(actor)).undo(id);
  assert.equal(report.undone, id);
  const [entry] = await app.audit().list({ limit: 1 });
  assert.deepEqual([entry?.action, entry?.details.undone], ['record.delete', id]);
  await assert.rejects((await app.edits(actor)).undo(id), /is undone already/);
  assertSound(sqlite);
});

for (const [verb, back] of [
  ['hide', 'unhide'],
  ['delete', 'restore'],
] as const)
  test(`undo of ${back} removes the record again, and can be undone itself`, async (t) => {
    const { app, sqlite } = await opened(t);
    const shown = exported(sqlite);
    const removals = await app.removals(actor);
    await removals[verb](event, { reason: 'not ours' });
    const { audit_id: restored } = await removals[back](event);
    const edits = await app.edits(actor);
    const undone = await edits.undo(restored as number);
    assert.deepEqual([undone.undone, undone.audit_id !== null], [restored, true]);
    const [listed] = removals.list({ limit: 10 });
    assert.deepEqual([listed?.state, listed?.reason], [verb === 'hide' ? 'hidden' : 'deleted', 'not ours']);
    assert.equal(app.auditLog().find(restored as number)?.undoneBy, undone.audit_id);
    await assert.rejects(edits.undo(restored as number), /is undone already/);
    await edits.undo(undone.audit_id as number);
    assert.deepEqual(exported(sqlite), shown);
    assertSound(sqlite);
  });

test('undo of a restore is refused after another removal or a merge', async (t) => {
  const { app } = await opened(t);
  const removals = await app.removals(actor);
  await removals.hide(event);
  const { audit_id: first } = await removals.unhide(event);
  await removals.hide(event);
  const edits = await app.edits(actor);
  await assert.rejects(edits.undo(first as number), /was removed again since entry/);
  await removals.restore(event);

  await removals.hide('artist/klara-otto');
  const { audit_id: second } = await removals.unhide('artist/klara-otto');
  await merge(app);
  await assert.rejects(edits.undo(second as number), /was merged into artist\/vera-lindt since/);
});

test('undo of split joins the parts again', async (t) => {
  const { app, sqlite } = await opened(t);
  const corrections = await app.corrections(undefined, actor);
  await corrections.merge('artist/vera-lindt', 'artist/klara-otto');
  const before = exported(sqlite);
  const { audit_id: id } = await (await app.corrections(undefined, actor)).split('artist/vera-lindt', [
    'one:k',
  ]);
  assert.notDeepEqual(exported(sqlite), before);
  await (await app.edits(actor)).undo(id as number);
  assert.deepEqual(exported(sqlite), before);
  assertSound(sqlite);
});

test('a merge that a split separated is undone after the split, which one entry undoes', async (t) => {
  const { app, sqlite } = await opened(t);
  const before = exported(sqlite);
  const corrections = await app.corrections(undefined, actor);
  const { audit_id: merged } = await corrections.merge('artist/vera-lindt', 'artist/klara-otto');
  const { audit_id: split } = await corrections.split('artist/vera-lindt', ['one:k']);
  const edits = await app.edits(actor);
  await assert.rejects(
    edits.undo(merged as number),
    new RegExp(`entry ${split} split .* Undo entry ${split} first`),
  );
  const { audit_id: joined } = await edits.undo(split as number);
  const [latest] = app.auditLog().list({ limit: 1 });
  assert.deepEqual([latest?.id, latest?.action, latest?.details.undone], [joined, 'record.merge', split]);
  assert.equal(joined, (split as number) + 1);
  assert.equal(app.auditLog().find(split as number)?.undoneBy, joined);
  await edits.undo(merged as number);
  assert.deepEqual(exported(sqlite), before);
  assertSound(sqlite);
});

test('the history of a record that left another one says how', async (t) => {
  const { app, sqlite } = await opened(t);
  const [stays, leaves] = ['artist/vera-lindt', 'artist/klara-otto'];
  const corrections = await app.corrections(undefined, actor);
  const actions = async (record: string) =>
    (await app.edits(actor)).history(record, 50).map(({ id, action }) => [id, action]);
  const { audit_id: merged } = await corrections.merge(stays, leaves);
  await corrections.undo(merged as number);
  const undone = [
    [2, 'record.undo'],
    [merged, 'record.merge'],
    [null, 'created'],
  ];
  assert.deepEqual(await actions(leaves), undone);
  await says(sqlite, 'two', [{ kind: 'artist', external_id: 'o', name: 'Klara Otto', country: 'CH' }]);
  const { audit_id: again } = await corrections.merge(stays, leaves);
  const { audit_id: split } = await corrections.split(stays, ['one:k']);
  assert.deepEqual(await actions(leaves), [
    [split, 'record.split'],
    [null, 'created'],
  ]);
  const kept = await actions(stays);
  for (const id of [merged, again, split])
    assert.ok(
      kept.some(([entry]) => entry === id),
      `entry ${id}`,
    );
  // A record made at the same moment by an import has nothing to do with it.
  assert.ok((await actions('event/brain-break-2027-12-05')).every(([id]) => id === null));
  assertSound(sqlite);
});

test('an edit that changed again is undone with force alone', async (t) => {
  const { app, sqlite } = await opened(t);
  const before = exported(sqlite);
  const { audit_id: id } = await edit(app);
  await (await app.edits(actor)).set(event, [set('description', 'Auf dem Dach.')]);
  const between = exported(sqlite);
  await assert.rejects((await app.edits(actor)).undo(id as number), /changed again .* --force/);
  assert.deepEqual(exported(sqlite), between);
  await (await app.edits(actor)).undo(id as number, { force: true });
  assert.deepEqual(exported(sqlite), before);
  assertSound(sqlite);
});

test('unhide and undelete mark the removal as undone; the removal can be repeated', async (t) => {
  const { app, sqlite } = await opened(t);
  const before = exported(sqlite);
  const removals = await app.removals(actor);
  for (const [verb, back] of [
    ['hide', 'unhide'],
    ['delete', 'restore'],
  ] as const) {
    const { audit_id: id } = await removals[verb](event);
    await removals[back](event);
    assert.deepEqual(exported(sqlite), before);
    await assert.rejects((await app.edits(actor)).undo(id as number), /is undone already/);
  }
  assertSound(sqlite);
});

test('undo of an addition that replaced an earlier line writes that line again', async (t) => {
  const { app, sqlite } = await opened(t);
  const edits = await app.edits(actor);
  const add = async (country: string) => {
    const line = { kind: 'artist', external_id: 'mo', name: 'Mo Park', country };
    return (await edits.addRecords([line])).records[0];
  };
  const first = await add('FR');
  const before = exported(sqlite);
  const second = await add('DE');
  assert.deepEqual([second?.outcome, second?.record.id], ['updated', first?.record.id]);
  const again = await add('DE');
  assert.deepEqual([again?.outcome, again?.audit_id], ['unchanged', null], 'nothing to undo');
  assert.equal((await edits.undo(second?.audit_id as number)).undone, second?.audit_id);
  assert.deepEqual(exported(sqlite), before);

  const third = await add('AT');
  await add('CH');
  await assert.rejects(edits.undo(third?.audit_id as number), /was added again since entry .* --force/);
  await edits.undo(third?.audit_id as number, { force: true });
  assert.deepEqual(exported(sqlite), before);
  assertSound(sqlite);
});

test('undo of a split merges the parts that are still separate', async (t) => {
  const { app, sqlite } = await opened(t);
  for (const source of ['two', 'three']) await says(sqlite, source, [night('1', 'Tiefdruck', '04')]);
  const corrections = await app.corrections(undefined, actor);
  const { record, parts, audit_id: id } = await corrections.split(event, []);
  assert.equal(parts.length, 2);
  // An undo that was interrupted after its first part.
  await corrections.merge(record.id, parts[0]?.id as string, { force: true });
  const report = await (await app.edits(actor)).undo(id as number);
  assert.equal(report.undone, id);
  assert.equal(corrections.explain(event).statements.length, 3);
  await assert.rejects((await app.edits(actor)).undo(id as number), /is undone already/);
  assertSound(sqlite);
});
