/** Bare records whose name is one letter from that of a richer one: listed in `duplicates` and in the review. */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import type { Actor } from '../../src/contract/roles.ts';
import { Corrections } from '../../src/ingest/corrections/corrections.ts';
import { areNamesOneEditApart, type ComparedName, pairsOneEditApart } from '../../src/text/one-edit.ts';
import { ask, freshFile, type Line, matchingNow, says } from '../support/matching.ts';

const ada: Actor = 'account:ada@example.com';
const details = (kind: string, external_id: string, name: string, more: object): Line =>
  ({ kind, external_id, name, ...more }) as Line;
const night = (id: string, venue: object, ...artists: string[]): Line => ({
  kind: 'event',
  external_id: id,
  name: `Night ${id}`,
  start_at: '2027-12-04T23:00',
  venue,
  lineup: artists.map((name) => ({ name })),
});
const hall = { name: 'Kornspeicher', city: 'Hamburg', country: 'DE' };

async function catalogue(t: TestContext) {
  const sqlite = freshFile(t);
  await says(sqlite, 'register', [
    details('artist', 'a1', 'Sofia Lindqvist', { country: 'SE', website: 'https://sofia.example/' }),
    details('artist', 'a2', 'Anton Berger', { country: 'AT' }),
    details('artist', 'a3', 'Anton Bergen', { country: 'NO' }),
    details('artist', 'a4', 'Vera Sommer', { country: 'DE' }),
  ]);
  await says(sqlite, 'listings', [
    night('1', hall, 'Sofia Lindquist'),
    night('2', { ...hall, name: 'Halle 7' }, 'Sofya Lindqvest', 'Vera Somer'),
  ]);
  const app = openApp({ data: sqlite.name, create: false, clock: frozenClock(matchingNow) });
  t.after(() => app.close());
  return { sqlite, app, corrections: new Corrections(sqlite, matchingNow) };
}

const named = (pairs: ReturnType<Corrections['duplicates']>) =>
  pairs.flatMap(({ rule, a, b }) => (rule === 'one letter apart' ? [[a.record.name, b.record.name]] : []));

test('duplicates lists the richer record first, and the bare one beside it', async (t) => {
  const { corrections } = await catalogue(t);
  assert.deepEqual(named(corrections.duplicates(null)), [
    ['Sofia Lindqvist', 'Sofia Lindquist'],
    ['Vera Sommer', 'Vera Somer'],
  ]);
  assert.equal(named(corrections.duplicates('artist')).length, 2);
  assert.deepEqual(named(corrections.duplicates('label')), []);
});

test('a merge, and a decision to keep both, take the pair out of the list', async (t) => {
  const { sqlite, corrections } = await catalogue(t);
  await corrections.merge('artist/sofia-lindqvist', 'artist/sofia-lindquist');
  await corrections.neverMerge('artist/vera-sommer', 'artist/vera-somer');
  assert.deepEqual(named(corrections.duplicates(null)), []);
  assert.equal(ask(sqlite, 'getArtist', { slug: 'sofia-lindquist' }).slug, 'sofia-lindqvist');
});

test('the review shows the pairs, puts one off, and takes that back', async (t) => {
  const { app } = await catalogue(t);
  const review = await app.review(ada);
  const near = async () =>
    (await review.next({ limit: 10 })).data.filter(({ rule }) => rule === 'one letter apart');
  const [first, second] = await near();
  assert.ok(first && second);
  const later = await review.decide(first.pair, 'later');
  assert.deepEqual(
    (await near()).map(({ pair }) => pair),
    [second.pair],
  );
  await assert.rejects(review.decide(first.pair, 'same'), /put the pair off/);
  await review.undo(later.audit_id);
  assert.equal((await near()).length, 2);
  const kept = await review.decide(first.pair, 'different');
  assert.deepEqual(
    (await near()).map(({ pair }) => pair),
    [second.pair],
  );
  await review.undo(kept.audit_id);
  assert.equal((await near()).length, 2);
  await review.decide(second.pair, 'same');
  assert.equal((await near()).length, 1);
});

test('all pairs with one typo are found: compared with a search of every pair', () => {
  const letters = 'abcé ';
  let seed = 7;
  const random = (limit: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31;
    return Math.floor((seed / 2 ** 31) * limit);
  };
  const word = () => Array.from({ length: 3 + random(3) }, () => letters[random(4)]).join('');
  const names = Array.from(
    { length: 500 },
    (_, record): ComparedName => ({
      words: Array.from({ length: 1 + random(2) }, word).join(' '),
      record,
      isSought: record % 2 === 0,
    }),
  );
  const expected = names.flatMap((one) =>
    one.isSought
      ? names.flatMap((other) =>
          one.record !== other.record && areNamesOneEditApart(one.words, other.words)
            ? [`${one.record} ${other.record}`]
            : [],
        )
      : [],
  );
  const found = pairsOneEditApart(names).map(([one, other]) => `${one.record} ${other.record}`);
  assert.ok(expected.length > 100);
  assert.deepEqual(found.sort(), expected.sort());
});
