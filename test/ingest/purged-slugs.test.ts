/** The slug of a merged record leads to the surviving record as long as that exists, and to 404 afterwards. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type Database from 'better-sqlite3';
import type { OperationId } from '../../src/contract/operations.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { Removals } from '../../src/ingest/removals/removals.ts';
import { ask, assertSound, freshFile, matchingNow, says } from '../support/matching.ts';

const actor = 'terminal:ada' as const;
type Names = { operation: OperationId; stays: object; goes: object; slugs: [string, string] };

const event = (name: string, start_at: string) => ({
  name,
  start_at,
  venue: { name: `Haus ${name}`, city: 'Hamburg', country: 'DE' },
});

const kinds: Record<string, Names> = {
  event: {
    operation: 'getEvent',
    stays: event('Tiefdruck', '2027-12-04T23:00'),
    goes: event('Hochdruck', '2027-12-04T22:00'),
    slugs: ['tiefdruck-2027-12-04', 'hochdruck-2027-12-04'],
  },
  artist: {
    operation: 'getArtist',
    stays: { name: 'Vera Lindt' },
    goes: { name: 'Klara Otto' },
    slugs: ['vera-lindt', 'klara-otto'],
  },
  venue: {
    operation: 'getVenue',
    stays: { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' },
    goes: { name: 'Alte Werft', city: 'Hamburg', country: 'DE' },
    slugs: ['kornspeicher', 'alte-werft'],
  },
  label: {
    operation: 'getLabel',
    stays: { name: 'Tief' },
    goes: { name: 'Garn' },
    slugs: ['tief', 'garn'],
  },
  festival: {
    operation: 'getFestival',
    stays: { name: 'Nordlicht' },
    goes: { name: 'Sudwind' },
    slugs: ['nordlicht', 'sudwind'],
  },
  podcast: {
    operation: 'getPodcast',
    stays: { name: 'Funk' },
    goes: { name: 'Welle' },
    slugs: ['funk', 'welle'],
  },
  genre: {
    operation: 'getGenre',
    stays: { name: 'Stretching' },
    goes: { name: 'Wellblech' },
    slugs: ['stretching', 'wellblech'],
  },
  city: {
    operation: 'getCity',
    stays: { name: 'Hamburg', country: 'DE' },
    goes: { name: 'Bremen', country: 'DE' },
    slugs: ['hamburg', 'bremen'],
  },
};

/** A file in which the record of source "two" was merged into that of source "one". */
async function merged(t: { after(fn: () => void): void }, kind: string, { stays, goes, slugs }: Names) {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [{ kind, external_id: '1', ...stays }]);
  await says(sqlite, 'two', [{ kind, external_id: '2', ...goes }]);
  await new Corrections(sqlite, matchingNow).merge(`${kind}/${slugs[0]}`, `${kind}/${slugs[1]}`);
  return { sqlite, removals: new Removals(sqlite, { now: matchingNow, actor }) };
}

/** Whether each slug leads to a record in the API; pages use the same look-up. */
function found(sqlite: Database.Database, kind: string, { operation, slugs }: Names): (string | null)[] {
  return slugs.map((slug) => {
    try {
      return ask(sqlite, operation, { slug }).slug;
    } catch (failure) {
      assert.match((failure as Error).message, new RegExp(`There is no ${kind}`));
      return null;
    }
  });
}
for (const [kind, names] of Object.entries(kinds)) {
  const [stays] = names.slugs;
  for (const order of [
    ['one', 'two'],
    ['two', 'one'],
  ] as const)
    test(`${kind}: the slugs of a merged record after the purge of source ${order[0]}, then ${order[1]}`, async (t) => {
      const { sqlite, removals } = await merged(t, kind, names);
      assert.deepEqual(found(sqlite, kind, names), [stays, stays]);
      await removals.purgeSource(order[0]);
      assert.deepEqual(found(sqlite, kind, names), [stays, stays]);
      await removals.purgeSource(order[1]);
      assert.deepEqual(found(sqlite, kind, names), [null, null]);
      assert.equal(sqlite.prepare('SELECT count(*) FROM slugs WHERE kind = ?').pluck().get(kind), 0);
      assertSound(sqlite);
    });

  test(`${kind}: both slugs of a deleted record are 404, and come back with it`, async (t) => {
    const { sqlite, removals } = await merged(t, kind, names);
    await removals.delete(`${kind}/${stays}`);
    assert.deepEqual(found(sqlite, kind, names), [null, null]);
    await removals.restore(`${kind}/${stays}`);
    assert.deepEqual(found(sqlite, kind, names), [stays, stays]);
    assertSound(sqlite);
  });
}
