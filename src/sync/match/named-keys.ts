/** The keys under which artists, labels, festivals and houses are filed, so that those of nearly one name are found. */
import { remembered } from '../../remembered.ts';
import { festivalWords } from './festivals.ts';
import { hash, houseKeys } from './keys.ts';
import { labelStem } from './labels.ts';
import { soundsToFind } from './letters.ts';
import { addressKey } from './location.ts';
import type { NamedKind } from './named-judge.ts';
import { jointKey, ownNames, squeezed } from './own-names.ts';
import { houseWords, wordsOf } from './words.ts';

/** The hash of a word has room for a day behind it, as the keys of shows have; names leave it empty. */
const days = 2 ** 17;
/** Words are looked for by their beginnings, as those of shows are. */
const lead = 5;
const mostWords = 3;
const mostKeys = 20;

type Named = {
  names: readonly string[];
  country: string | null | undefined;
  /** Where a house is. */
  address?: string | null | undefined;
};

const parting = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+at\s+/i;
const tellingWords = (name: string): string[] => wordsOf(name).filter((word) => !houseWords.has(word));

/** What one name is filed under. */
const texts: Record<NamedKind, (name: string) => string[]> = {
  venue: (name) => {
    const telling = tellingWords(name);
    // The longest words of "Zouk Club Kuala Lumpur" are its city's, and those of "Project (Store Street)" are of one part.
    const firsts = [name, ...name.split(parting)].flatMap((part) => tellingWords(part).slice(0, 1));
    const words = [...houseKeys(name), ...firsts.map((word) => word.slice(0, lead))];
    const sounds = [name, telling.join(' ')].flatMap(soundsToFind);
    return [
      ...words.map((word) => `n ${word}`),
      ...wholesOf(name),
      ...sounds.map((sound) => `ns ${sound.slice(0, lead)}`),
    ];
  },
  artist: (name) =>
    ownNames(name).names.flatMap((one) => [
      `a ${squeezed(one)}`,
      ...soundsToFind(one).map((sound) => `as ${sound}`),
      ...besides(one),
    ]),
  label: (name) => [`l ${labelStem(name)}`],
  festival: (name) => [
    ...festivalWords(name)
      .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
      .slice(0, mostWords)
      .map((word) => `f ${word.slice(0, lead)}`),
    ...soundsToFind(name).map((sound) => `fs ${sound.slice(0, lead)}`),
  ],
};

/** "Nina Kraviz", "Nina Kravitz": the first name, and how the last one begins. "A & B", "B & A": both in one order. */
function besides(name: string): string[] {
  const words = wordsOf(name);
  const [first = '', last = ''] = words;
  const together = jointKey(name);
  if (together !== null) return [`aj ${together}`];
  return words.length === 2 && first.length + last.length >= 8 ? [`aw ${first} ${last.slice(0, 3)}`] : [];
}

/** The same as keys. What is filed is looked for first: each name comes twice at least. */
const keysOf: Record<NamedKind, (name: string) => readonly number[]> = {
  venue: remembered(5_000, (name) => texts.venue(name).map(keyOf)),
  artist: remembered(5_000, (name) => texts.artist(name).map(keyOf)),
  label: remembered(5_000, (name) => texts.label(name).map(keyOf)),
  festival: remembered(5_000, (name) => texts.festival(name).map(keyOf)),
};
function keyOf(text: string): number {
  return hash(text) * days;
}

/** The keys of a record by its names. */
export function namedKeys(kind: NamedKind, { names, country, address }: Named): number[] {
  const street = addressKey(address);
  const all = new Set(street === null ? [] : [keyOf(`na ${country} ${street}`)]);
  for (const name of names) {
    if (all.size >= mostKeys) break;
    for (const key of keysOf[kind](name)) all.add(key);
  }
  return [...all].slice(0, mostKeys);
}

/** Of a house, the keys of its whole name and of its address: a house in a suburb is looked for under these. */
export function wholeKeys({ names, country, address }: Named): ReadonlySet<number> {
  const street = addressKey(address);
  return new Set([
    ...(street === null ? [] : [keyOf(`na ${country} ${street}`)]),
    ...names.flatMap((name) => wholeKeysOf(name)),
  ]);
}
const wholesOf = (name: string): string[] => [
  `nk ${tellingWords(name).join('')}`,
  `nk ${wordsOf(name).join('')}`,
];
const wholeKeysOf = remembered(5_000, (name: string): readonly number[] => wholesOf(name).map(keyOf));
