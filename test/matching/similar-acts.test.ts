/** Two long line-ups are compared act by act only where the letters of two names allow that they are one. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isSameAct, mayBeSameAct, readLineupActs } from '../../src/matching/events/lineup-acts.ts';

const acts = (names: readonly string[]) => readLineupActs(names.map((name) => ({ name })));
const letters = 'abcdefghijklmnopqrstuvwxyzäöü0 ';

/** A name with letters added, taken away and replaced, the same for the same number. */
function slipped(name: string, seed: number): string {
  let [text, left] = [name, seed];
  for (let slips = 1 + (seed % 3); slips > 0; slips--) {
    const at = left % text.length;
    const letter = letters[left % letters.length] as string;
    const replaced = [letter, '', letter + text[at]][left % 3] as string;
    text = text.slice(0, at) + replaced + text.slice(at + 1);
    left = (left * 7_919 + 104_729) % 1_000_003;
  }
  return text;
}

test('no two names of one act are ruled out by their letters', () => {
  const names = [
    'Helena Hauff',
    'Köhncke',
    'Justus Köhncke',
    'Justus Koehncke',
    "Kerri 'Kaoz' Chandler",
    'Kerri Chandler',
    'DVS1',
    'Ishino Takkyu',
    '石野卓球',
    'Фуникулёр',
    'Funikuljor',
    'Vera & Lindt',
    'Lindt',
    'Paul van Kalkbrenner',
    'Studio 54',
    'The John Marshall Quartet',
  ];
  const all = acts([
    ...names,
    ...names.flatMap((name) => Array.from({ length: 40 }, (_, n) => slipped(name, n * 31 + 7))),
  ]);
  let [same, ruledOut] = [0, 0];
  for (const a of all) {
    for (const b of all) {
      if (a === b || a.keys.some((key) => b.keys.includes(key))) continue;
      if (isSameAct(a, b)) {
        same++;
        assert.ok(mayBeSameAct(a, b), `${a.displayName} and ${b.displayName}`);
      } else if (!mayBeSameAct(a, b)) ruledOut++;
    }
  }
  assert.ok(same > 1_000, `${same} pairs are the same`);
  assert.ok(ruledOut > 100_000, `${ruledOut} pairs are ruled out`);
});

test('of two long line-ups of numbered names, nearly all pairs are ruled out by their letters', () => {
  const [a, b] = ['Resident', 'Visitor'].map((word) =>
    acts(Array.from({ length: 200 }, (_, index) => `${word} ${index}`)),
  ) as [ReturnType<typeof acts>, ReturnType<typeof acts>];
  const left = a.flatMap((one) => b.filter((two) => mayBeSameAct(one, two)));
  assert.ok(left.length <= 400, `${left.length} of 40,000 pairs are left`);
});
