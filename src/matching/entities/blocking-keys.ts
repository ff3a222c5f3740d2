/** The blocking keys of artists, labels, festivals and venues: records of similar names share one. */
import { memoize } from '../../memoize.ts';
import { candidateKey, jointKey, parseArtistName } from '../../text/artist-name.ts';
import { phoneticKeys } from '../../text/scripts.ts';
import { tokenize, venueStopWords } from '../../text/tokens.ts';
import { prefixLength, undatedKey } from '../blocking-hash.ts';
import { venueTokens } from '../events/blocking-keys.ts';
import type { NamedEntityKind } from './compare-entities.ts';
import { distinctiveFestivalTokens } from './compare-festivals.ts';
import { labelStem } from './compare-labels.ts';
import { addressBlockingText } from './compare-locations.ts';

const maxTokens = 3;
const maxKeys = 20;

type BlockingFacts = {
  names: readonly string[];
  country: string | null | undefined;
  address?: string | null | undefined;
};

const partSeparator = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+at\s+/i;
const distinctiveTokens = (name: string): string[] =>
  tokenize(name).filter((word) => !venueStopWords.has(word));

const keyTexts: Record<NamedEntityKind, (name: string) => string[]> = {
  venue: (name) => {
    const telling = distinctiveTokens(name);
    // The longest words of "Zouk Club Kuala Lumpur" are its city's, and those of "Project (Store Street)" are of one part.
    const firsts = [name, ...name.split(partSeparator)].flatMap((part) =>
      distinctiveTokens(part).slice(0, 1),
    );
    const words = [...venueTokens(name), ...firsts.map((word) => word.slice(0, prefixLength))];
    const sounds = [name, telling.join(' ')].flatMap(phoneticKeys);
    return [
      ...words.map((word) => `n ${word}`),
      ...exactKeyTexts(name),
      ...sounds.map((sound) => `ns ${sound.slice(0, prefixLength)}`),
    ];
  },
  artist: (name) =>
    parseArtistName(name).names.flatMap((one) => [
      `a ${candidateKey(one)}`,
      ...phoneticKeys(one).map((sound) => `as ${sound}`),
      ...personNameKeys(one),
    ]),
  label: (name) => [`l ${labelStem(name)}`],
  festival: (name) => [
    ...distinctiveFestivalTokens(name)
      .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
      .slice(0, maxTokens)
      .map((word) => `f ${word.slice(0, prefixLength)}`),
    ...phoneticKeys(name).map((sound) => `fs ${sound.slice(0, prefixLength)}`),
  ],
};

/** "Nina Kraviz", "Nina Kravitz": the first name, and how the last one begins. "A & B", "B & A": both in one order. */
function personNameKeys(name: string): string[] {
  const words = tokenize(name);
  const [first = '', last = ''] = words;
  const together = jointKey(name);
  if (together !== null) return [`aj ${together}`];
  return words.length === 2 && first.length + last.length >= 8 ? [`aw ${first} ${last.slice(0, 3)}`] : [];
}

/** The keys of one name; memoized, since each name is searched and then indexed. */
const keysByKind: Record<NamedEntityKind, (name: string) => readonly number[]> = {
  venue: memoize(5_000, (name) => keyTexts.venue(name).map(undatedKey)),
  artist: memoize(5_000, (name) => keyTexts.artist(name).map(undatedKey)),
  label: memoize(5_000, (name) => keyTexts.label(name).map(undatedKey)),
  festival: memoize(5_000, (name) => keyTexts.festival(name).map(undatedKey)),
};

/** The keys of a record by its names. */
export function entityBlockingKeys(
  kind: NamedEntityKind,
  { names, country, address }: BlockingFacts,
): number[] {
  const street = addressBlockingText(address);
  const all = new Set(street === null ? [] : [undatedKey(`na ${country} ${street}`)]);
  for (const name of names) {
    if (all.size >= maxKeys) break;
    for (const key of keysByKind[kind](name)) all.add(key);
  }
  return [...all].slice(0, maxKeys);
}

/** The keys of the whole name and of the address of a venue: a venue in a suburb is searched under these only. */
export function exactKeys({ names, country, address }: BlockingFacts): ReadonlySet<number> {
  const street = addressBlockingText(address);
  return new Set([
    ...(street === null ? [] : [undatedKey(`na ${country} ${street}`)]),
    ...names.flatMap((name) => exactKeysOf(name)),
  ]);
}
const exactKeyTexts = (name: string): string[] => [
  `nk ${distinctiveTokens(name).join('')}`,
  `nk ${tokenize(name).join('')}`,
];
const exactKeysOf = memoize(5_000, (name: string): readonly number[] => exactKeyTexts(name).map(undatedKey));
