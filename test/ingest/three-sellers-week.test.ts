/** A week of syncs from three sellers who list the same programme (issue: one show, one event). */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { type App, openApp } from '../../src/app.ts';
import { firstDay, programme, type Sellers, startSellers, type TrueShow } from '../support/sellers.ts';

const folder = mkdtempSync(join(tmpdir(), 'cratebase-week-'));
after(() => rmSync(folder, { recursive: true, force: true }));
const dayMs = 86_400_000;
const from = { baseUrl: null, fetchAllow: ['127.0.0.0/8'] };
const plans = [
  { name: 'first', type: 'feed', path: '/feed.ndjson', trust: '70' },
  { name: 'second', type: 'ical', path: '/calendar.ics', trust: '40' },
  { name: 'third', type: 'jsonld', path: '/whats-on', trust: '50' },
];

type Shown = {
  slug: string;
  start_at: string;
  status: string | null;
  lineup: { name: string }[];
  sources: { name: string; external_id: string }[];
};

/** Syncs all sources, in the given order, on each of the days; gives the slugs that each show was seen under. */
async function live(
  data: string,
  sellers: Sellers,
  order: number[],
  days: number,
): Promise<Map<string, Set<string>>> {
  const slugs = new Map<string, Set<string>>();
  for (let day = 0; day < days; day++) {
    sellers.day = day;
    const now = firstDay + day * dayMs + 6 * 3_600_000;
    const app = openApp({ data: join(folder, data), create: day === 0, clock: { now: () => now } as never });
    try {
      const feeds = await app.sources(from);
      if (day === 0) {
        for (const index of order) {
          const { path, ...plan } = plans[index] as (typeof plans)[number];
          feeds.add({ ...plan, url: `${sellers.address}${path}` }, 'terminal:test');
        }
      }
      for (const index of order) {
        const report = await feeds.sync((plans[index] as (typeof plans)[number]).name);
        assert.equal(report.outcome, 'done', `${report.source}: ${report.error}`);
        assert.equal(report.rejected_count, 0, JSON.stringify(report.rejected));
      }
      const before = app.revision();
      for (const index of order)
        await feeds.sync((plans[index] as (typeof plans)[number]).name, { fresh: true });
      assert.equal(app.revision(), before, 'the same once more changes nothing');
      for (const event of eventsOf(app)) {
        for (const show of showsOf(event)) slugs.set(show, (slugs.get(show) ?? new Set()).add(event.slug));
      }
    } finally {
      app.close();
    }
  }
  return slugs;
}

/** All events as the export has them, with their sources. */
function eventsOf(app: App): Shown[] {
  const found: Shown[] = [];
  for (const lines of app.exportLines({ kind: 'event', since: 0 })) {
    for (const line of lines) {
      const { slug, change } = JSON.parse(line) as { slug: string; change?: string };
      // What went into another one answers with that one.
      if (change !== 'merged') found.push(app.record('event', slug, '', 'http://x') as never);
    }
  }
  return found;
}

const showsOf = ({ sources }: Shown): string[] => [
  ...new Set(
    sources.map(({ external_id }) => (/(s\d+(?:-early)?)/.exec(external_id) as RegExpExecArray)[1] as string),
  ),
];

test('every show is one event, whatever the order; slugs stay; what is cancelled or moved is the same event', async (t) => {
  const sellers = await startSellers();
  t.after(() => sellers.close());
  const partitions: string[] = [];
  for (const [index, order] of [
    [0, 1, 2],
    [2, 1, 0],
    [1, 0, 2],
  ].entries()) {
    const data = `week-${index}.db`;
    const slugs = await live(data, sellers, order, 7);
    for (const [show, seen] of slugs) assert.equal(seen.size, 1, `${show} was ${[...seen].join(', ')}`);
    const app = openApp({ data: join(folder, data), create: false });
    try {
      const events = eventsOf(app);
      const listed = programme.filter(({ start }) => start.slice(0, 10) <= dateAt(27));
      for (const event of events) assert.equal(showsOf(event).length, 1, JSON.stringify(event.sources));
      assert.equal(events.length, listed.length);
      const byShow = new Map(events.map((event) => [showsOf(event)[0] as string, event]));
      for (const show of listed) check(show, byShow.get(show.id));
      partitions.push(
        JSON.stringify(
          events
            .map(({ sources }) => sources.map(({ name, external_id }) => `${name} ${external_id}`).sort())
            .sort(),
        ),
      );
      assert.equal(byShow.get('s20')?.status, 'cancelled');
      assert.match(byShow.get('s22')?.start_at ?? '', /T20:00/);
    } finally {
      app.close();
    }
  }
  assert.equal(new Set(partitions).size, 1, 'the order of sources does not matter');
});

const dateAt = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

/** An event has all the acts of the show, each once, and every seller that lists it. */
function check(show: TrueShow, event: Shown | undefined): void {
  assert.ok(event, `${show.id} is missing`);
  for (const act of show.acts) {
    assert.equal(
      event.lineup.filter(({ name }) => name === act).length,
      1,
      `${show.id}: ${act} in ${JSON.stringify(event.lineup)}`,
    );
  }
  const day = (Date.parse(`${show.start.slice(0, 10)}T00:00:00Z`) - firstDay) / dayMs;
  // The third looks ten days ahead, the first two weeks.
  if (day <= 16)
    assert.deepEqual(event.sources.map(({ name }) => name).sort(), ['first', 'second', 'third'], show.id);
}
