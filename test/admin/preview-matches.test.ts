/** The preview of an address in the console: what its records match, found on a copy of the data file. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { sourceSettingActions } from '../../src/actions/source-settings.ts';
import { openApp } from '../../src/app.ts';
import { importFeed, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const day = new Date(Date.now() + 20 * 86_400_000).toISOString().slice(0, 10);
const event = (uid: string, name: string) =>
  `BEGIN:VEVENT\r\nUID:${uid}\r\nDTSTART;TZID=Europe/Berlin:${day.replaceAll('-', '')}T220000\r\nSUMMARY:${name}\r\nLOCATION:Example Hall\\, 10115 Berlin\\, Germany\r\nEND:VEVENT\r\n`;
const calendar = `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\n${event('1', 'Long Example Night')}${event('2', 'Another Sample Evening')}END:VCALENDAR\r\n`;
const site = createServer((_, response) => {
  response.writeHead(200, { 'Content-Type': 'text/calendar' });
  response.end(calendar);
});
after(() => {
  site.close();
  folder.remove();
});

test('a preview names the event and the venue that the catalogue has, and changes nothing', async () => {
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(site.address() as AddressInfo).port}/club.ics`;
  const data = join(folder.path, 'x.db');
  importFeed(data, [
    { kind: 'venue', external_id: 'v', name: 'Example Hall', city: 'Berlin', country: 'DE' },
    {
      kind: 'event',
      external_id: 'e',
      name: 'Long Example Night',
      start_at: `${day}T22:00`,
      venue: { external_id: 'v', name: 'Example Hall', city: 'Berlin', country: 'DE' },
    },
  ]);
  const app = openApp({ data, create: false });
  try {
    const before = app.revision();
    const action = sourceSettingActions['source.preview'];
    assert.ok(action);
    const result = (await action.run(
      app,
      { url, type: '', name: 'club' },
      {
        actor: 'account:ada@example.com',
        fetch: { baseUrl: null, fetchAllow: ['127.0.0.1'] },
        onWait: () => {},
      },
    )) as { records: number; match_count: number; matches: { kind: string; slug: string; why: string }[] };
    assert.equal(result.records, 2);
    assert.deepEqual(
      result.matches.map(({ kind, slug }) => [kind, slug]).filter(([kind]) => kind !== 'city'),
      [
        ['event', `long-example-night-${day}`],
        ['venue', 'example-hall'],
      ],
    );
    assert.ok(result.matches.every(({ why }) => why !== ''));
    assert.equal(app.revision(), before);
    assert.deepEqual(
      readdirSync(folder.path).filter((name) => !name.startsWith('x.db')),
      [],
    );
  } finally {
    app.close();
  }
});
