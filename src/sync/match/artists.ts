/** Whether two statements speak of one artist. */

import { once } from '../../remembered.ts';
import { nationalityIn } from '../reading/nationalities.ts';
import { soundAlike } from './letters.ts';
import { type ArtistFacts, type Judgement, type Reason, weigh } from './listing.ts';
import { isSpelling, isVariant } from './name-variants.ts';
import {
  compareCountries,
  compareGenres,
  comparePages,
  comparePeople,
  decideByIds,
} from './named-evidence.ts';
import { jointKey, type OwnNames, ownNames, squeezed } from './own-names.ts';
import { alikeTexts, containsRun, differInCodes, wordsOf } from './words.ts';

/** Two of one name are one unless something speaks against it; the name must be nearly the same for anything else to count. */
const prior = -1;

/** Whether two artists are one. Pure and symmetric. */
export function judgeArtists(a: ArtistFacts, b: ArtistFacts): Judgement {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const [one, two] = [placed(a), placed(b)];
  const reasons = [
    compareNames(one, two),
    ...compareAsides(one, two),
    ...compareCountries(one, two, isRare(one.own.names[0] as string) ? -1.2 : -3),
    ...comparePeople(a, b),
    ...comparePages(a, b),
    ...compareGenres(a, b),
  ];
  return weigh(reasons, prior);
}

/** `keys`: the aliases as they are compared, each with the first that is written so. */
type Read = ArtistFacts & { own: OwnNames; keys: ReadonlyMap<string, string> };

/** An artist whose country may stand behind the name: "Phase (UK)". Each object is read once. */
const placed = once((facts: ArtistFacts): Read => {
  const own = ownNames(facts.name);
  const keys = new Map<string, string>();
  for (const alias of facts.aliases ?? []) {
    const key = squeezed(alias);
    if (!keys.has(key)) keys.set(key, alias);
  }
  return { ...facts, own, keys, country: facts.country ?? own.country ?? nationalityIn(facts.biography) };
});

/** Whether hardly two have thought of a name: of those who moved, sources name one country or the other. */
const isRare = (name: string): boolean => wordsOf(name).length > 1 && squeezed(name).length >= 7;

const reason = (weight: number, text: string): Reason => ({ evidence: 'name', weight, text });
const different = reason(-6, 'different names');

/** What the names and aliases of two artists say. */
function compareNames(a: Read, b: Read): Reason {
  const whole = best(a.own.names.flatMap((one) => b.own.names.map((two) => compareTwo(one, two))));
  const known = [...aliased(a, b), ...aliased(b, a)];
  const found = best([whole, ...known]);
  // Of nothing but an alias in common nobody knows whose it is.
  if (found.weight <= different.weight && haveAliasInCommon(a, b)) return reason(-4, 'an alias in common');
  return found;
}

const best = (reasons: Reason[]): Reason =>
  reasons.reduce((x, y) => (y.weight > x.weight ? y : x), different);

function compareTwo(a: string, b: string): Reason {
  const [one, two] = [squeezed(a), squeezed(b)];
  const short = Math.min(one.length, two.length) <= 2 ? 1.4 : 0;
  if (wordsOf(a).join(' ') === wordsOf(b).join(' ')) return reason(3 - short, 'the same name');
  if (one === two) return reason(2.8 - short, 'the same name but for how it is written');
  if (sameInOrder(a, b)) return reason(2.8, 'the same names in another order');
  const [bareOne, bareTwo] = [bareOf(a), bareOf(b)];
  // "Rush" is a band, and DJ Rush is not in it: a short word is many a name.
  if (bareOne === bareTwo && bareOne !== '')
    return isTelling(a, bareOne) && isTelling(b, bareTwo)
      ? reason(2.8, 'the same name but for "The" or "DJ"')
      : reason(1.6, 'the same short name but for "The" or "DJ"');
  if (soundAlike(a, b)) return reason(2.2, 'one name in two scripts');
  if (!alikeTexts(one, two) || differInCodes(wordsOf(a), wordsOf(b))) return different;
  return isRare(a) && isRare(b) && Math.min(one.length, two.length) >= 10
    ? reason(1.2, 'long names that differ by a letter')
    : reason(-1.5, 'names that differ by a letter');
}

const bareOf = (name: string): string =>
  squeezed(
    name.replace(/^(?:dj|the|mc)\s+(?=\S)/i, '').replace(/(?<=\S)\s+(?:live|dj set|official|dj)$/i, ''),
  );

/** Whether a name without "The" and "DJ" is one that hardly two have thought of. */
const isTelling = (name: string, bare: string): boolean =>
  bare.length >= 8 || wordsOf(name).filter((word) => !/^(?:dj|the|mc|live)$/.test(word)).length > 1;

/** "Ben Klock & Marcel Dettmann", "Marcel Dettmann & Ben Klock". */
const sameInOrder = (a: string, b: string): boolean => jointKey(a) !== null && jointKey(a) === jointKey(b);

/**
 * A name of `b` that `a` lists as an alias. One that a source lists by itself is a record of its own (docs/spec/imports.md#promises, promise 3),
 * unless it only spells the name, or is a part of it.
 */
function aliased(a: Read, b: Read): Reason[] {
  if (a.keys.size === 0) return [];
  const own = b.own.names.map(squeezed);
  const [, alias] = [...a.keys].find(([key]) => own.includes(key)) ?? [];
  if (alias === undefined) return [];
  if (isSpelling(a.name, b.name))
    return [reason(2.6, 'one name is an alias of the other, and a spelling of it')];
  if (!isVariant(a.name, b.name)) return [];
  return [
    reason(wordsOf(alias).length > 1 ? 2.4 : 1.6, 'one name is an alias of the other, and a part of it'),
  ];
}

function haveAliasInCommon(a: Read, b: Read): boolean {
  return [...a.keys.keys()].some((key) => b.keys.has(key));
}

const isToldOf = (aside: string | null, { biography }: Read): boolean =>
  aside !== null &&
  aside.length >= 4 &&
  containsRun(wordsOf((biography ?? '').slice(0, 1_000)), aside.split(' '));

/** "Avalanche (producer)", "Avalanche (Warp)": what tells one of several of a name from the others. */
function compareAsides(a: Read, b: Read): Reason[] {
  const [one, two] = [a.own.aside, b.own.aside];
  if (one === null && two === null) return [];
  // "Luciano (Cadenza)", "founder of Cadenza".
  if (isToldOf(one, b) || isToldOf(two, a))
    return [{ evidence: 'aside', weight: 1.5, text: `one tells of ${one ?? two}` }];
  if (one === two) return [{ evidence: 'aside', weight: 1, text: `both with ${one} in brackets` }];
  return one === null || two === null
    ? [{ evidence: 'aside', weight: -0.6, text: `one with ${one ?? two} in brackets` }]
    : [{ evidence: 'aside', weight: -2, text: `${one} and ${two} in brackets` }];
}
