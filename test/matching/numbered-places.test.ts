/** Places that only a number distinguishes: it names none, so the general words beside it count. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ask, assertSound, freshFile, permutations, says } from '../support/matching.ts';

/** Each list is one place; places of different lists have a number in common. */
const places = [
  ['Hall 25', 'Halle 25', 'Halle25'],
  ['Bar 25'],
  ['Club 25', 'Klub 25'],
  ['Bar 26'],
  ['Hall 26'],
];
const rooms = [['Room 1'], ['Saal 1'], ['Halle 1', 'Hall 1']];

for (const [city, lists] of [
  ['Berlin', places],
  ['Cologne', rooms],
] as const)
  test(`in ${city}, names of the same number with other words are other venues`, async (t) => {
    const names = lists.flat();
    for (const order of [names, names.toReversed(), ...permutations(names.slice(0, 4)).slice(0, 6)]) {
      const sqlite = freshFile(t);
      for (const [at, name] of order.entries()) {
        await says(sqlite, `source ${at}`, [
          {
            kind: 'event',
            external_id: '1',
            name: `Night ${name}`,
            start_at: `2027-12-0${(names.indexOf(name) % 9) + 1}T23:00`,
            venue: { name, city, country: 'DE' },
          },
        ]);
      }
      const venues = new Map<string, string[]>();
      for (const { slug, venue } of ask(sqlite, 'listEvents') as { slug: string; venue: { slug: string } }[])
        venues.set(venue.slug, [...(venues.get(venue.slug) ?? []), slug]);
      const expected = lists.filter((list) => list.some((name) => order.includes(name))).length;
      assert.equal(venues.size, expected, `${order}: ${JSON.stringify([...venues])}`);
      assertSound(sqlite);
    }
  });

test('a number alone may be the place that has it', async (t) => {
  const sqlite = freshFile(t);
  await says(sqlite, 'one', [
    { kind: 'venue', external_id: 'v', name: 'Bar 25', city: 'Berlin', country: 'DE' },
  ]);
  await says(sqlite, 'two', [{ kind: 'venue', external_id: 'w', name: '25', city: 'Berlin', country: 'DE' }]);
  assert.equal(ask(sqlite, 'listVenues').length, 1);
});
