/** Rules, review and history of sources: a real server to read from, a real data file, the registry of the product. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { openApp } from '../../src/app.ts';
import { dayMs } from '../../src/clock.ts';
import { type AuditEntry, AuditLog } from '../../src/store/audit-log.ts';
import { openDatabase } from '../../src/store/database.ts';
import { SourceRunStore } from '../../src/store/schedule/source-runs.ts';
import { serve } from '../support/source-server.ts';

const actor = 'terminal:test';
const begin = Date.parse('2027-01-01T12:00:00Z');

type Line = Record<string, unknown>;
const show = (id: number, more: Line = {}): Line => ({
  kind: 'event',
  external_id: `e${id}`,
  name: id % 3 === 0 ? `Brain Break ${id}` : `Night ${id}`,
  start_at: `2027-03-${String((id % 28) + 1).padStart(2, '0')}T23:00`,
  timezone: 'Europe/Berlin',
  venue: { name: 'Salon', city: 'Berlin', country: 'DE' },
  url: `https://club.example/e/${id}`,
  ...more,
});
const shows = (count: number): Line[] => Array.from({ length: count }, (_, index) => show(index + 1));

/** A data file, a registry on it, and a server whose feed the test changes. */
async function club(t: TestContext, options: { complete?: boolean; rules?: object } = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'cratebase-rules-'));
  const feed = { lines: shows(6) };
  const address = await serve(t, (_request, response) =>
    response.end(`${feed.lines.map((line) => JSON.stringify(line)).join('\n')}\n`),
  );
  const clock = { ts: begin };
  const data = join(folder, 'x.db');
  const app = openApp({ data, create: true, clock: { now: () => clock.ts } });
  t.after(() => {
    app.close();
    rmSync(folder, { recursive: true });
  });
  const registry = await app.sources({ baseUrl: null, fetchAllow: ['127.0.0.0/8'] });
  const { complete = true, rules = {} } = options;
  registry.add({ name: 'club', type: 'feed', url: `${address}/feed`, complete, rules }, actor);
  const sync = async (force = false) => {
    clock.ts += dayMs;
    return await registry.sync('club', { force });
  };
  const names = () =>
    app
      .searchHits('night', 50, 'http://localhost')
      .filter(({ type }) => type === 'event')
      .map(({ name }) => name)
      .sort();
  const audit = () => {
    const sqlite = openDatabase(data, { create: false, readOnly: true });
    try {
      return new AuditLog(sqlite).list({ subjectKind: 'source', limit: 50 }).toReversed();
    } finally {
      sqlite.close();
    }
  };
  return { app, registry, feed, sync, names, audit, clock, data, address };
}

test('excluded records are skipped, counted by rule, and stored ones are withdrawn', async (t) => {
  const { registry, sync, feed } = await club(t);
  assert.equal((await sync()).kinds.event?.created, 6);
  const preview = await registry.preview('club', { addExclude: ['Brain Break*'] });
  assert.deepEqual([preview.kept_count, preview.dropped_count, preview.rules], [4, 2, { exclude: 2 }]);
  assert.deepEqual(
    preview.dropped.map(({ external_id, reason }) => `${external_id}: ${reason}`),
    ['e3: excluded by the pattern Brain Break*', 'e6: excluded by the pattern Brain Break*'],
  );
  assert.deepEqual(registry.summary('club').rules.exclude, [], 'a preview changes nothing');

  const effect = await registry.set('club', { addExclude: ['Brain Break*'] }, actor);
  assert.deepEqual(effect.changed, ['exclude']);
  assert.equal(registry.summary('club').records, 6, 'nothing is withdrawn before the next run');
  const report = await sync();
  assert.equal(report.outcome, 'done');
  assert.deepEqual(report.rules, { exclude: 2 });
  assert.equal(report.records, 6, 'skipped records count as listed');
  assert.equal(report.kinds.event?.withdrawn, 2);
  assert.match(report.skipped[0]?.where ?? '', /^event e3 \(Brain Break 3\)$/);
  assert.equal(registry.summary('club').records, 4);
  assert.deepEqual((await sync()).kinds.event?.withdrawn, 0, 'a second run changes nothing');

  await registry.set('club', { unset: ['exclude'] }, actor);
  feed.lines = shows(6);
  assert.equal((await sync()).kinds.event?.updated, 2, 'without the rule they are listed again');
  assert.equal(registry.summary('club').records, 6);
});

test('a source that is not complete loses excluded records as well, at once if asked', async (t) => {
  const { registry, sync } = await club(t, { complete: false });
  await sync();
  await registry.set('club', { include: ['Night*', 'url:*/6'] }, actor);
  assert.deepEqual(await registry.applyRules('club'), { withdrawn: 1, revision: 2 });
  assert.equal(registry.summary('club').records, 5);
  assert.deepEqual((await sync()).rules, { include: 1 });
});

test('rules hold for an import by hand', async (t) => {
  const { app, registry } = await club(t);
  await registry.set('club', { addExclude: ['Brain Break*'] }, actor);
  const bytes = Buffer.from(
    shows(6)
      .map((line) => `${JSON.stringify(line)}\n`)
      .join(''),
  );
  const input = (async function* () {
    yield bytes;
  })();
  const report = await app.importFiles(
    { source: 'club', type: 'feed', options: {}, input, files: ['-'] },
    { baseUrl: null, fetchAllow: [] },
  );
  assert.equal(report.kinds.event?.created, 4);
  assert.equal(report.skipped_count, 2);
  assert.deepEqual(report.rules, { exclude: 2 });
});

test('defaults place records, and a new default holds for records that did not change', async (t) => {
  const { app, registry, feed, sync } = await club(t);
  feed.lines = [show(1, { venue: { name: 'Salon' }, timezone: undefined })];
  await sync();
  const placeOf = () => {
    const { city, timezone, venue } = app.record('event', 'night-1-2027-03-02', '', '') as {
      city: { name: string } | null;
      timezone: string | null;
      venue: { slug: string | null };
    };
    return [city?.name, timezone, venue.slug];
  };
  assert.deepEqual(placeOf(), [undefined, null, null]);
  await registry.set('club', { city: 'Berlin', country: 'DE', timezone: 'Europe/Berlin' }, actor);
  assert.equal((await sync()).kinds.event?.updated, 1);
  assert.deepEqual(placeOf(), ['Berlin', 'Europe/Berlin', 'salon']);
});

test('records of a held source wait, and decisions about them stay', async (t) => {
  const { registry, feed, sync, names, audit } = await club(t, { rules: { hold: true } });
  const report = await sync();
  assert.deepEqual([report.outcome, report.rules], ['done', { hold: 6 }]);
  assert.deepEqual(names(), []);
  const held = registry.held('club');
  assert.deepEqual([held.waiting, held.records.length, held.records[0]?.name], [6, 6, 'Night 1']);

  const named = await registry.approve('club', ['e1', 'event:e2', 'event:e1'], actor);
  assert.equal(named.decided, 2, 'a record that is named twice counts once');
  assert.deepEqual(names(), [], 'approving alone imports nothing');
  assert.equal((await registry.publishApproved('club'))?.kinds.event?.created, 2);
  assert.deepEqual(names(), ['Night 1', 'Night 2']);
  await registry.reject('club', ['e3'], actor);

  // A published record is updated at once; a rejected one stays out; a waiting one is kept up to date.
  feed.lines = [
    show(1, { name: 'Night 1, sold out' }),
    show(2),
    show(3, { name: 'Night 3' }),
    show(4, { name: 'Night 4b' }),
  ];
  assert.deepEqual((await sync()).rules, { hold: 2 });
  assert.deepEqual(names(), ['Night 1, sold out', 'Night 2']);
  assert.equal(
    registry.held('club').records.find(({ external_id }) => external_id === 'e4')?.name,
    'Night 4b',
  );
  assert.deepEqual(
    registry.held('club', { state: 'rejected' }).records.map(({ name }) => name),
    ['Night 3'],
  );

  await assert.rejects(registry.approve('club', ['e99'], actor), /No record e99 of club waits/);
  assert.equal(
    (await registry.approve('club', 'all', actor)).decided,
    1,
    'the feed lists no others any more',
  );
  // The process of the schedule publishes what the console approved.
  await registry.finishInterrupted();
  assert.deepEqual(names(), ['Night 1, sold out', 'Night 2', 'Night 4b']);
  assert.deepEqual([registry.held('club').waiting, registry.held('club').rejected], [0, 1]);
  assert.deepEqual(
    audit().map(({ action, details }) => [action, details.count]),
    [
      ['source.add', undefined],
      ['source.approve', 2],
      ['source.reject', 1],
      ['source.approve', 1],
    ],
  );
});

test('a run with far fewer records than usual fails, withdraws nothing, and can be accepted', async (t) => {
  const { registry, feed, sync } = await club(t);
  feed.lines = shows(20);
  await sync();
  await sync();
  feed.lines = shows(4);
  // Two good runs are too few to compare with: only the share of withdrawn records is limited.
  assert.equal((await sync()).outcome, 'refused');
  feed.lines = shows(20);
  await sync();
  feed.lines = shows(4);
  const short = await sync();
  assert.equal(short.outcome, 'failed');
  assert.match(short.error ?? '', /^It lists 4 of usually 20 records: nothing was withdrawn/);
  assert.equal(short.kinds.event?.withdrawn, 0);
  assert.equal(registry.summary('club').records, 20);
  assert.equal(registry.summary('club').failures, 1);

  const accepted = await sync(true);
  assert.deepEqual([accepted.outcome, accepted.kinds.event?.withdrawn], ['done', 16]);
  assert.equal((await sync()).outcome, 'done', 'the smaller number is normal now');
  const runs = registry.runs('club');
  assert.deepEqual(
    runs.map(({ outcome, records }) => `${outcome} ${records}`),
    ['done 4', 'done 4', 'failed 4', 'done 20', 'refused 4', 'done 20', 'done 20'],
  );
  assert.match(runs[2]?.error ?? '', /of usually 20/);
});

test('a growing source, a feed of changes and a small source are not held to their usual number', async (t) => {
  const { registry, feed, sync } = await club(t, { complete: false });
  feed.lines = shows(20);
  for (let run = 0; run < 3; run++) await sync();
  feed.lines = shows(1);
  assert.equal((await sync()).outcome, 'done', 'a feed that is not complete may list only changes');
  await registry.set('club', { complete: true }, actor);
  feed.lines = shows(3);
  for (let run = 0; run < 3; run++) await sync(true);
  feed.lines = shows(30);
  assert.equal((await sync()).outcome, 'done');
});

test('the last 100 runs of each source are kept', async (t) => {
  const { registry, sync, data, address } = await club(t);
  registry.add({ name: 'other', type: 'feed', url: `${address}/feed` }, actor);
  await sync();
  const sqlite = openDatabase(data, { create: false });
  t.after(() => sqlite.close());
  const runs = new SourceRunStore(sqlite);
  const idOf = (name: string) =>
    sqlite.prepare('SELECT id FROM sources WHERE name = ?').pluck().get(name) as number;
  const one = { startedTs: begin, endedTs: begin, outcome: 'done', report: {} };
  runs.add(idOf('other'), { ...one, records: 7 });
  for (let records = 0; records < 102; records++) runs.add(idOf('club'), { ...one, records });
  assert.deepEqual(
    registry.runs('club').map(({ records }) => records),
    Array.from({ length: 100 }, (_, index) => 101 - index),
  );
  assert.equal(registry.runs('other').length, 1);
});

test('a paused source is not due, and is read by hand', async (t) => {
  const { registry, sync, clock } = await club(t);
  assert.deepEqual(registry.due(), ['club']);
  assert.ok(registry.pause('club', actor).paused_at);
  clock.ts += 7 * dayMs;
  assert.deepEqual([registry.due(), registry.active(), registry.names()], [[], [], ['club']]);
  assert.equal((await sync()).outcome, 'done');
  assert.equal(registry.resume('club', actor).paused_at, null);
  clock.ts += 2 * dayMs;
  assert.deepEqual(registry.due(), ['club']);
});

test('licence and attribution are shown at once, exported, and do not disturb a new import', async (t) => {
  const { app, registry, sync } = await club(t);
  await sync();
  const slug = 'night-1-2027-03-02';
  const sources = () => app.record('event', slug, '', 'http://localhost').sources;
  const plain = { name: 'club', external_id: 'e1', url: 'https://club.example/e/1' };
  assert.deepEqual(sources(), [plain]);
  const effect = await registry.set('club', { license: 'CC-BY-4.0', attribution: 'Club Example' }, actor);
  assert.ok(effect.recomputes);
  await registry.finishInterrupted();
  const credited = { ...plain, license: 'CC-BY-4.0', attribution: { text: 'Club Example', url: null } };
  assert.deepEqual(sources(), [credited]);
  const lines = [...app.exportLines({ since: 0 })].flat();
  const exported = lines.map((line) => JSON.parse(line)).find((line) => line.slug === slug);
  assert.deepEqual(exported.sources, [credited]);

  const other = openApp({ data: join(tmpdir(), `cratebase-copy-${process.pid}.db`), create: true });
  t.after(() => {
    other.close();
    for (const end of ['', '-wal', '-shm']) rmSync(`${other.path}${end}`, { force: true });
  });
  const input = (async function* () {
    yield Buffer.from(`${lines.join('\n')}\n`);
  })();
  const report = await other.importFiles(
    { source: 'copy', type: 'feed', options: {}, input, files: ['-'] },
    { baseUrl: null, fetchAllow: [] },
  );
  assert.deepEqual([report.rejectedCount, report.kinds.event?.created], [0, 6]);

  await registry.set('club', { unset: ['all'] }, actor);
  await registry.finishInterrupted();
  assert.deepEqual(sources(), [plain]);
});

test('past events stay listed if the source says so', async (t) => {
  const { registry, feed, sync, clock } = await club(t, { rules: { keepPast: true } });
  await sync();
  clock.ts = Date.parse('2027-03-04T13:00:00Z');
  // Without the rule, five of six records would be gone, and nothing would be withdrawn.
  feed.lines = [show(5), show(6)];
  const report = await sync();
  assert.equal(report.outcome, 'done');
  assert.equal(report.kinds.event?.withdrawn, 1, 'only the one on the evening of the 5th is missing');
  assert.equal(registry.summary('club').records, 5);
});

test('changes are logged without secrets, and settings take effect', async (t) => {
  const { registry, audit, address } = await club(t);
  await registry.set('club', { url: `${address}/feed?token=verysecret`, trust: '70', every: '6h' }, actor);
  const same = await registry.set('club', { trust: '70' }, actor);
  assert.deepEqual(same.changed, []);
  registry.pause('club', actor);
  registry.pause('club', actor);
  registry.resume('club', actor);
  await registry.remove('club', { withdraw: false }, actor);
  const entries = audit();
  assert.deepEqual(
    entries.map(({ action }) => action),
    ['source.add', 'source.set', 'source.pause', 'source.resume', 'source.remove'],
  );
  const { before, after } = (entries[1] as AuditEntry).details as Record<
    'before' | 'after',
    Record<string, unknown>
  >;
  assert.deepEqual([before.trust, after.trust, before.every, after.every], [50, 70, '24h', '6h']);
  assert.doesNotMatch(JSON.stringify(entries), /verysecret/);
  await assert.rejects(registry.set('club', { every: '6h' }, actor), /imported by hand|no source club/);
  await assert.rejects(registry.set('nobody', {}, actor), /There is no source nobody/);
});

test('a contribution counts what only this source lists', async (t) => {
  const { app, registry, sync } = await club(t);
  await sync();
  const input = (async function* () {
    yield Buffer.from(`${JSON.stringify(show(1, { external_id: 'x1' }))}\n`);
  })();
  await app.importFiles(
    { source: 'tix', type: 'feed', options: {}, input, files: ['-'] },
    { baseUrl: null, fetchAllow: [] },
  );
  assert.deepEqual(await registry.contribution('club'), {
    records: 6,
    only: 5,
    shared: 1,
    is_complete: true,
  });
});

test('a preview of an address reads it within limits and writes nothing', async (t) => {
  const { app, registry, feed, address } = await club(t);
  feed.lines = [{ kind: 'event', external_id: 'bad', name: 'No time' }, ...shows(700)];
  const revision = app.revision();
  const input = { name: 'new', type: 'feed', url: `${address}/feed`, rules: { exclude: ['Brain Break*'] } };
  const { preview, records } = await registry.previewUrl(input);
  assert.equal(records.length, 500);
  assert.deepEqual([preview.is_complete, preview.records, preview.rejected_count], [false, 500, 1]);
  assert.match(preview.rejected[0]?.reason ?? '', /start_at is missing/);
  assert.match(preview.stopped ?? '', /ends after 500 records/);
  assert.equal(preview.dropped_count, 166);
  assert.equal(preview.kept.length, 20);
  assert.equal(app.revision(), revision);
  assert.deepEqual(registry.names(), ['club']);
  await assert.rejects(
    registry.previewUrl({ ...input, url: `${address}:1/` }),
    /--url is not an address|cannot/,
  );
});

test('a preview of 10,000 stored records lists 20 of each side', async (t) => {
  const { registry, feed, sync } = await club(t);
  feed.lines = Array.from({ length: 10_000 }, (_, index) => ({
    kind: 'episode',
    external_id: `m${index}`,
    podcast: { name: 'Mixes' },
    name: index % 2 === 0 ? `Mix ${index}` : `Talk ${index}`,
  }));
  await sync();
  const preview = await registry.preview('club', { exclude: ['Talk*'] });
  assert.deepEqual([preview.records, preview.kept_count, preview.dropped_count], [10_000, 5_000, 5_000]);
  assert.deepEqual([preview.kept.length, preview.dropped.length], [20, 20]);
});

test('an account cannot send the secret options of a source to another server', async (t) => {
  const { registry, audit } = await club(t);
  const editor = 'account:ada@example.com';
  const [name, url] = ['tm', 'https://app.ticketmaster.example/discovery'];
  registry.add({ name, type: 'ticketmaster', url, options: ['apikey=verysecret', 'country=DE'] }, actor);
  for (const other of ['https://evil.example/discovery', 'http://app.ticketmaster.example/discovery'])
    await assert.rejects(
      registry.set(name, { url: other }, editor),
      /tm has secret options \(apikey\).*`cratebase sources set tm --url URL`/,
    );
  assert.equal(registry.summary(name).url, url);
  assert.ok(!audit().some(({ action }) => action === 'source.set'));
  const moved = await registry.set(name, { url: `${url}/v2` }, editor);
  assert.equal(moved.source.url, `${url}/v2`);
  await registry.set(name, { url: 'https://other.example/' }, actor);
  // The requests of these types carry a key of the operator's environment.
  for (const [type, host] of [
    ['ticketmaster', 'app.ticketmaster.com'],
    ['seatgeek', 'api.seatgeek.com'],
  ] as const) {
    const evil = { name: `${type}-2`, type, url: 'https://evil.example/' };
    assert.throws(() => registry.add(evil, editor), /carry the key of the operator/);
    registry.add({ ...evil, url: `https://${host}/a` }, editor);
    for (const other of ['https://evil.example/', `http://${host}/`, `https://${host}:8443/`])
      await assert.rejects(registry.set(evil.name, { url: other }, editor), /carry the key of the operator/);
    await registry.set(evil.name, { url: `https://${host}/b` }, editor);
  }
  // Without secrets the address is free.
  await registry.set('club', { url: 'https://other.example/feed' }, editor);
});

test('a rule whose name is that of a property of all objects is no rule', async (t) => {
  const { registry } = await club(t);
  await assert.rejects(registry.set('club', { unset: ['constructor'] }, actor), /--unset is all, include/);
});

test('commands in messages quote the name of a source', async (t) => {
  const { registry, address } = await club(t);
  registry.add({ name: "Salon & Ko's", type: 'feed', url: `${address}/feed` }, actor);
  await assert.rejects(registry.approve("Salon & Ko's", ['e99'], actor), {
    message: "No record e99 of Salon & Ko's waits. See `cratebase sources held 'Salon & Ko'\\''s'`.",
  });
});

test('records that a source takes back, or that were published otherwise, wait no longer', async (t) => {
  const { registry, feed, sync, names } = await club(t, { rules: { hold: true } });
  await sync();
  const waiting = () => registry.held('club').records.map(({ external_id }) => external_id);
  assert.equal(waiting().length, 6);
  await registry.reject('club', ['e6'], actor);
  // An invalid line still lists its record.
  feed.lines = [show(1), show(2, { start_at: 'soon' }), show(3, { name: 'Brain Break, sold out' })];
  assert.equal((await sync()).outcome, 'done');
  assert.deepEqual(waiting(), ['e1', 'e2', 'e3']);
  assert.equal(registry.held('club').rejected, 1, 'a rejected record stays rejected');

  // A page that lists next to nothing is broken, rather than a sign that all was taken back.
  feed.lines = [show(7)];
  await sync();
  assert.deepEqual(waiting(), ['e1', 'e2', 'e3', 'e7']);
  feed.lines = [show(1), show(2), show(3)];
  await sync();
  assert.deepEqual(waiting(), ['e1', 'e2', 'e3']);

  await registry.set('club', { unset: ['hold'] }, actor);
  await sync();
  assert.deepEqual(names(), ['Night 1', 'Night 2']);
  assert.deepEqual(waiting(), [], 'they are published');
});

test('a feed of changes takes no waiting record back', async (t) => {
  const { registry, feed, sync } = await club(t, { complete: false, rules: { hold: true } });
  await sync();
  feed.lines = shows(3);
  await sync();
  assert.equal(registry.held('club').waiting, 6);
});

test('a change of the trust that is killed half-way takes effect with the next work', async (t) => {
  const { app, registry, sync, data } = await club(t);
  await sync();
  const sqlite = openDatabase(data, { create: false });
  t.after(() => sqlite.close());
  // The process ends after the change, before the records are marked.
  sqlite.exec(`CREATE TRIGGER crash BEFORE INSERT ON stale_records
    WHEN (SELECT trust FROM sources WHERE name = 'club') = 90 BEGIN SELECT RAISE (ABORT, 'crashed'); END`);
  await assert.rejects(registry.set('club', { trust: '90' }, actor), /crashed/);
  sqlite.exec('DROP TRIGGER crash');
  assert.equal(registry.summary('club').trust, 90);
  const stale = () => sqlite.prepare('SELECT count(*) FROM stale_records').pluck().get();
  assert.equal(stale(), 6, 'its records are computed again');
  await registry.finishInterrupted();
  assert.equal(stale(), 0);
  assert.equal(app.auditLog().list({ limit: 1 })[0]?.action, 'source.set');
});
