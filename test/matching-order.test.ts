/** The same statements in any order of sources and lines come to the same events, on listings as sellers write them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { type LabelledListing, readScenes, seedCities } from '../bench/matching-listings.ts';
import { programmeScene } from '../bench/matching-programme.ts';
import { freshFile, says } from './support/matching.ts';

/** Numbers that look random and are the same at every run. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff;
    return state / 0x7fffffff;
  };
}

const shuffled = <T>(things: readonly T[], draw: () => number): T[] =>
  things
    .map((thing) => ({ thing, place: draw() }))
    .toSorted((a, b) => a.place - b.place)
    .map(({ thing }) => thing);

/** The lines of each source, and how it writes its clocks. */
function bySource(listings: readonly LabelledListing[]) {
  const sources = new Map<string, { clock: 'instant' | 'local'; lines: Map<string, object> }>();
  for (const { source, clock = 'instant', event, venue } of listings) {
    const { lines } = sources.get(source) ?? { lines: new Map<string, object>() };
    if (venue) lines.set(`venue ${venue.external_id}`, venue);
    lines.set(`event ${event.external_id}`, event);
    sources.set(source, { clock, lines });
  }
  return [...sources];
}

/** What listings become in three random orders of sources and lines; said again, nothing changes. */
async function outcomesOf(t: TestContext, listings: readonly LabelledListing[]): Promise<Set<string>> {
  const cities = readFileSync(seedCities, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
  const outcomes = new Set<string>();
  for (const seed of [3, 5, 7]) {
    const draw = random(seed);
    const sqlite = freshFile(t);
    await says(sqlite, 'cities', cities);
    const order = shuffled(bySource(listings), draw).map(
      ([source, { clock, lines }]) => [source, clock, shuffled([...lines.values()], draw)] as const,
    );
    for (const [source, clock, lines] of order) await says(sqlite, source, lines, { clock });
    const revision = sqlite.prepare('SELECT max(revision) FROM changes').pluck();
    const before = revision.get();
    for (const [source, clock, lines] of order) await says(sqlite, source, lines, { clock });
    assert.equal(revision.get(), before);
    const rows = sqlite
      .prepare(
        `SELECT p.record_id AS record, s.name || ':' || p.external_id AS listing FROM provider_records p
         JOIN sources s ON s.id = p.source_id WHERE p.kind = 'event' ORDER BY listing`,
      )
      .all() as { record: number; listing: string }[];
    const events = new Map<number, string[]>();
    for (const { record, listing } of rows) events.set(record, [...(events.get(record) ?? []), listing]);
    outcomes.add(
      [...events.values()]
        .map((listings) => listings.join(' + '))
        .toSorted()
        .join('\n'),
    );
    assert.equal(sqlite.pragma('foreign_key_check', { simple: true }), undefined);
  }
  return outcomes;
}

test('three random orders of sources and lines give the same events', async (t) => {
  const listings = readScenes('dev')
    .slice(0, 60)
    .flatMap((scene) => scene.listings);
  assert.equal((await outcomesOf(t, listings)).size, 1);
});

test('three random orders of a real programme and its derived sellers give the same events', async (t) => {
  const scene = programmeScene([2012]);
  if (scene === null) return t.skip('../shared/data/berghain is not here');
  const listings = scene.listings.filter(({ show }) => show % 8 < 2);
  assert.equal((await outcomesOf(t, listings)).size, 1);
});
