/** Commands that take records out of the catalogue, beside a running service: gone from every interface at once. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { importFeed, run, runJson, type Server, startServer, temporaryFolder } from '../support/program.ts';

const folder = temporaryFolder();
const dataFile = join(folder.path, 'c.db');
const place = { venue: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' }, timezone: 'Europe/Berlin' };
const feed = [
  {
    kind: 'event',
    external_id: '1',
    name: 'Tiefdruck',
    start_at: '2026-12-04T23:00',
    ...place,
    lineup: [{ name: 'Vera Lindt' }],
  },
  {
    kind: 'event',
    external_id: '2',
    name: 'Brain Break',
    start_at: '2026-12-05T12:00',
    ...place,
    lineup: [{ name: 'Vera Lindt' }],
  },
];
let server: Server;
before(async () => {
  importFeed(dataFile, feed, 'club');
  server = await startServer({ dataFile, now: '2026-11-20T12:00:00Z', plan: 'pro' });
});
after(async () => {
  await server.stop();
  folder.remove();
});

const command = <T = Record<string, unknown>>(...args: string[]): T =>
  runJson<T>([...args, '--data', dataFile]);
const fails = (pattern: RegExp, ...args: string[]): void => {
  const { status, stderr } = run([...args, '--data', dataFile]);
  assert.notEqual(status, 0, args.join(' '));
  assert.match(stderr, pattern);
  assert.equal(stderr.trim().split('\n').length, 1, stderr);
};

/** The paths of the service that answer about an event or list it. */
async function pathsThatShow(name: string, slug: string): Promise<string[]> {
  const agentCall = {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'search_events', arguments: { query: name } },
    }),
  };
  const paths = [
    '/api/v1/events',
    '/api/v1/artists/vera-lindt/events',
    '/api/v1/venues/kornspeicher/events',
    '/api/v1/cities/hamburg/events',
    `/api/v1/search?q=${encodeURIComponent(name)}`,
    '/events',
    '/artists/vera-lindt',
    '/venues/kornspeicher',
    '/venues/kornspeicher.ics',
    '/venues/kornspeicher.atom',
    '/artists/vera-lindt.ics',
    '/sitemaps/event-1.xml',
  ];
  const shown: string[] = [];
  for (const path of paths) {
    const { status, text } = await server.get(path);
    if (status === 200 && (text.includes(name) || text.includes(slug))) shown.push(path);
  }
  for (const path of [
    `/api/v1/events/${slug}`,
    `/api/v1/events/${slug}/lineup`,
    `/events/${slug}`,
    `/events/${slug}.ics`,
  ]) {
    const { status } = await server.get(path);
    if (status === 200) shown.push(path);
    else assert.equal(status, 404, path);
  }
  const agents = await fetch(`${server.url}/mcp`, {
    ...agentCall,
    headers: { ...agentCall.headers, authorization: `Bearer ${server.key}` },
  });
  const answer = await agents.text();
  assert.equal(agents.status, 200, answer);
  if (answer.includes(slug)) shown.push('/mcp');
  return shown;
}

test('a hidden event leaves every interface of a running service at once, and comes back to all', async () => {
  const before = await pathsThatShow('Brain Break', 'brain-break-2026-12-05');
  for (const path of [
    '/api/v1/events',
    '/events',
    '/mcp',
    '/venues/kornspeicher.ics',
    '/api/v1/events/brain-break-2026-12-05',
  ])
    assert.ok(before.includes(path), `${path}: ${before.join(', ')}`);
  const report = command('hide', 'event/brain-break-2026-12-05', '--reason', 'no event');
  assert.deepEqual([report.state, report.changed], ['hidden', true]);
  assert.deepEqual(await pathsThatShow('Brain Break', 'brain-break-2026-12-05'), []);
  assert.match(
    run(['hide', 'event/tiefdruck-2026-12-04', '--data', dataFile]).stdout,
    /run: cratebase unhide event\/tiefdruck-2026-12-04 --data \S*c\.db$/m,
  );
  command('unhide', 'event/tiefdruck-2026-12-04');
  assert.equal((await server.get('/api/v1/stats')).text.includes('"events":1'), true);

  const { data } = command<{ data: { slug: string; removed_by: string; reason: string }[] }>('removed');
  assert.equal(data.length, 1);
  assert.deepEqual([data[0]?.slug, data[0]?.reason], ['brain-break-2026-12-05', 'no event']);
  assert.match(data[0]?.removed_by ?? '', /^terminal:/);
  assert.equal(run(['verify', '--data', dataFile]).status, 0);
  const doctor = run(['doctor', '--json', '--data', dataFile]).stdout;
  assert.match(doctor, /1 record hidden or deleted/);
  assert.ok(!run(['export', '--data', dataFile]).stdout.includes('Brain Break'));

  assert.equal(command('unhide', 'event/brain-break-2026-12-05').state, 'shown');
  assert.deepEqual(await pathsThatShow('Brain Break', 'brain-break-2026-12-05'), before);
});

test('deleting asks for confirmation; several records are changed with one command', () => {
  fails(/Add --yes to confirm/, 'delete', 'event/brain-break-2026-12-05');
  const both = ['event/brain-break-2026-12-05', 'artist/vera-lindt'];
  const { data } = command<{ data: { state: string }[] }>('delete', ...both, '--yes');
  assert.deepEqual(
    data.map(({ state }) => state),
    ['deleted', 'deleted'],
  );
  fails(/is deleted, not hidden.*cratebase undelete/, 'unhide', both[0] as string);
  fails(/To bring back a deleted record, run `cratebase undelete/, 'restore', both[0] as string);
  fails(/is deleted\. Bring it back with `cratebase undelete/, 'edit', both[0] as string, 'description=x');
  assert.match(
    command<{ removed: string }>('explain', both[0] as string).removed,
    /is deleted\. Bring it back with `cratebase undelete/,
  );
  assert.match(command<{ removed: string }>('history', both[0] as string).removed, /is deleted\./);
  fails(/There is no record/, 'hide', 'event/nothing-like-it');
  command('undelete', ...both);
  assert.deepEqual(command<{ data: unknown[] }>('removed').data, []);
});

test('a purge tells what goes, asks, and leaves nothing of the source', async () => {
  importFeed(
    dataFile,
    [
      {
        kind: 'event',
        external_id: 'w',
        name: 'Wrong',
        start_at: '2026-12-09T12:00',
        venue: { name: 'Room', city: 'Bremen', country: 'DE' },
      },
    ],
    'wrong',
  );
  const { status, stderr } = run(['sources', 'remove', 'wrong', '--purge', '--data', dataFile]);
  assert.equal(status, 2);
  assert.match(stderr, /deletes 1 event, 1 venue, 1 city\.\nThis cannot be reversed\./);
  const report = command('sources', 'remove', 'wrong', '--purge', '--yes');
  assert.deepEqual(report.removed, { event: 1, venue: 1, city: 1 });
  assert.equal((await server.get('/api/v1/cities/bremen')).status, 404);
  fails(/There is no source wrong/, 'sources', 'remove', 'wrong', '--purge', '--yes');
});

test('forget needs a choice of the name, and says what is left to do while a service runs', async () => {
  fails(/--name keep or --name remove/, 'forget', 'artist/vera-lindt');
  fails(/Add --yes to confirm/, 'forget', 'artist/vera-lindt', '--name', 'keep');
  const { status, stdout, stderr } = run([
    ...['forget', 'artist/vera-lindt', '--name', 'remove', '--yes', '--json', '--data', dataFile],
  ]);
  assert.equal(status, 0, stderr);
  assert.equal(JSON.parse(stdout).is_file_rewritten, false);
  assert.match(stderr, /Earlier backups still contain the data/);
  assert.match(stderr, /forget --sweep/);
  assert.equal((await server.get('/artists/vera-lindt')).status, 404);
  assert.match(run(['doctor', '--json', '--data', dataFile]).stdout, /may hold what was forgotten/);
  fails(/stop the service/, 'forget', '--sweep');
});
