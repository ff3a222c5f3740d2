/** Habits of sellers, each in a listing of one seller and a listing of the other: one show, or two? */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freshFile, partition, says } from './matching.ts';

export type HabitListing = {
  /** The title. */
  t: string;
  /** House, city and country. */
  at: readonly [house: string, city?: string, country?: string];
  /** Clock; none for a date alone. */
  h?: string;
  acts?: readonly string[];
  /** It ends so many days later, at this clock. */
  until?: readonly [days: number, h: string];
  /** The festival it belongs to, of this year. */
  of?: string;
  /** Where the house stands. */
  street?: string;
};
export type Habit = readonly [what: string, isSame: boolean, one: HabitListing, other: HabitListing];

/** Each habit has a date of its own, days apart from the next. */
const dateOf = (number: number, days = 0): string =>
  new Date(Date.UTC(2026, 11, 1 + 4 * number + days)).toISOString().slice(0, 10);

function linesOf(
  { t, at: [name, city, country], h, acts, until, of, street }: HabitListing,
  number: number,
): object[] {
  const venue = { external_id: `v${number}`, name, city, country };
  return [
    ...(street ? [{ kind: 'venue', ...venue, address: street }] : []),
    {
      kind: 'event',
      external_id: `e${number}`,
      name: t,
      start_at: h === undefined ? dateOf(number) : `${dateOf(number)}T${h}`,
      ...(until ? { end_at: `${dateOf(number, until[0])}T${until[1]}` } : {}),
      venue: street ? venue : { name, city, country },
      ...(acts ? { lineup: acts.map((act) => ({ name: act })) } : {}),
      ...(of ? { festival: { festival: { name: of }, edition: '2026' } } : {}),
    },
  ];
}

/** Tests that one show is one event and two are two: all habits at once, whoever comes first. */
export function testHabits(what: string, habits: readonly Habit[], seen: readonly object[]): void {
  for (const [first, second] of [
    ['one', 'other'],
    ['other', 'one'],
  ] as const) {
    test(`${what}, ${first} first: one show is one event, two are two`, async (t) => {
      const sqlite = freshFile(t);
      await says(sqlite, 'cities', seen);
      for (const source of [first, second]) {
        const lines = habits.flatMap(([, , one, other], at) => linesOf(source === 'one' ? one : other, at));
        await says(sqlite, source, lines);
      }
      const found = partition(sqlite);
      const isOne = (at: number) => found.includes(`one:e${at} + other:e${at}`);
      const wrong = habits.filter(([, isSame], at) => isOne(at) !== isSame);
      assert.deepEqual(
        wrong.map(([what]) => what),
        [],
      );
    });
  }
}
