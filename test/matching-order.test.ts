/** The same statements in any order of sources and lines come to the same events, on listings as sellers write them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { readScenes, seedCities } from '../bench/matching-listings.ts';
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

test('three random orders of sources and lines give the same events', async (t) => {
  const sources = new Map<string, Map<string, object>>();
  for (const { listings } of readScenes('dev').slice(0, 60)) {
    for (const { source, event, venue } of listings) {
      const lines = sources.get(source) ?? new Map<string, object>();
      if (venue) lines.set(`venue ${venue.external_id}`, venue);
      lines.set(`event ${event.external_id}`, event);
      sources.set(source, lines);
    }
  }
  const cities = readFileSync(seedCities, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as object);
  const outcomes = new Set<string>();
  for (const seed of [3, 5, 7]) {
    const draw = random(seed);
    const sqlite = freshFile(t);
    await says(sqlite, 'cities', cities);
    for (const [source, lines] of shuffled([...sources], draw)) {
      await says(sqlite, source, shuffled([...lines.values()], draw));
    }
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
  assert.equal(outcomes.size, 1);
});
