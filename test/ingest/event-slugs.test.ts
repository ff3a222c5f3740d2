/** Slugs of events: the name without dates, and the date once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'better-sqlite3';
import { importFeed, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
after(() => folder.remove());

test('the slug of an event has its date once, however the name writes it', () => {
  const names = [
    'Klubnacht 28.11.2026',
    'Garten 28/11',
    'Nightshift 2026-11-28',
    'Saal - Saturday 28 November',
    'Winter Festival 2026',
    'Area 51',
    '28.11.2026',
  ];
  const dataFile = join(folder.path, 'slugs.db');
  importFeed(
    dataFile,
    names.map((name, index) => ({
      kind: 'event',
      external_id: String(index),
      name,
      start_at: '2026-11-28T23:00',
      timezone: 'Europe/Berlin',
      venue: { name: `Club ${index}`, city: 'Berlin', country: 'DE' },
    })),
  );
  const sqlite = new Database(dataFile, { readonly: true });
  const slugs = sqlite.prepare('SELECT slug FROM events ORDER BY id').pluck().all();
  sqlite.close();
  assert.deepEqual(slugs, [
    'klubnacht-2026-11-28',
    'garten-2026-11-28',
    'nightshift-2026-11-28',
    'saal-2026-11-28',
    'winter-festival-2026-11-28',
    'area-51-2026-11-28',
    '28-11-2026-2026-11-28',
  ]);
});
