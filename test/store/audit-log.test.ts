/** The audit log keeps entries in order, finds them by subject, and marks what was undone. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { AuditLog, type NewAuditEntry } from '../../src/store/audit-log.ts';
import { openDatabase } from '../../src/store/database.ts';

const entry = (changes: Partial<NewAuditEntry>): NewAuditEntry => ({
  createdTs: 1_800_000_000_000,
  actor: 'account:ada@example.com',
  action: 'record.hide',
  subjectKind: 'event',
  subject: 'sample-night',
  recordId: 7,
  details: { reason: 'a private party' },
  ...changes,
});

test('entries are listed newest first, by subject, action and page', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-audit-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const sqlite = openDatabase(join(folder, 'file.db'), { create: true });
  t.after(() => sqlite.close());
  const log = new AuditLog(sqlite);
  const first = log.add(entry({}));
  const second = log.add(entry({ action: 'record.unhide' }));
  const third = log.add(
    entry({ action: 'source.add', subjectKind: 'source', subject: 'berghain', recordId: null }),
  );
  log.markUndone(first, second);

  assert.deepEqual(log.find(first), { ...entry({}), id: first, undoneBy: second });
  assert.equal(log.find(third + 1), undefined);
  const idsOf = (filter: Parameters<AuditLog['list']>[0]) => log.list(filter).map(({ id }) => id);
  assert.deepEqual(idsOf({ limit: 10 }), [third, second, first]);
  assert.deepEqual(idsOf({ limit: 1, beforeId: third }), [second]);
  assert.deepEqual(idsOf({ limit: 10, recordId: 7 }), [second, first]);
  assert.deepEqual(idsOf({ limit: 10, action: 'record.' }), [second, first]);
  assert.deepEqual(idsOf({ limit: 10, subjectKind: 'source', subject: 'berghain' }), [third]);
  assert.deepEqual(idsOf({ limit: 10, actor: 'terminal:root' }), []);
});
