/** Compares two source records of artists. */

import { memoizeByObject } from '../../memoize.ts';
import { type ArtistName, compactKey, jointKey, parseArtistName } from '../../text/artist-name.ts';
import { findNationality } from '../../text/nationalities.ts';
import { isEmojiName } from '../../text/normalize.ts';
import { soundsAlike } from '../../text/scripts.ts';
import { areSimilarTexts, containsSequence, differInCodes, tokenize } from '../../text/tokens.ts';
import {
  type ArtistFacts,
  type Evidence,
  evidenceOf,
  type MatchResult,
  scoreEvidence,
  strongest,
} from '../model.ts';
import { artistWeights } from '../weights.ts';
import { isNameVariant, isSpellingVariant } from './name-variants.ts';
import {
  compareCountries,
  compareGenres,
  comparePages,
  compareRealNames,
  decideByIds,
} from './shared-evidence.ts';

/** Two artists of one name are one unless there is evidence against it; without a similar name, other evidence does not suffice. */
const prior = -1;
const artistEvidence = evidenceOf(artistWeights);

/** Compares two artists. Pure and symmetric. */
export function compareArtists(a: ArtistFacts, b: ArtistFacts): MatchResult {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const [one, two] = [prepareArtist(a), prepareArtist(b)];
  const reasons = [
    compareNames(one, two),
    ...compareQualifiers(one, two),
    ...compareCountries(one, two, (x, y) =>
      artistEvidence(
        isRareName(one.own.names[0] as string) ? 'country.different-rare-name' : 'country.different',
        x,
        y,
      ),
    ),
    ...compareRealNames(a, b),
    ...comparePages(a, b),
    ...compareGenres(a, b),
  ];
  return scoreEvidence(reasons, prior);
}

/** `keys`: the keys of the aliases, each with the first alias that has it. */
type PreparedArtist = ArtistFacts & { own: ArtistName; keys: ReadonlyMap<string, string> };

/** An artist whose country may stand behind the name: "Phase (UK)". Each object is read once. */
const prepareArtist = memoizeByObject((facts: ArtistFacts): PreparedArtist => {
  const own = parseArtistName(facts.name);
  const keys = new Map<string, string>();
  for (const alias of facts.aliases ?? []) {
    const key = compactKey(alias);
    if (!keys.has(key)) keys.set(key, alias);
  }
  return { ...facts, own, keys, country: facts.country ?? own.country ?? findNationality(facts.biography) };
});

/** Whether a name is rare: two countries are weaker evidence then, since artists move. */
const isRareName = (name: string): boolean => tokenize(name).length > 1 && compactKey(name).length >= 7;

const differentNames = artistEvidence('name.different');

function compareNames(a: PreparedArtist, b: PreparedArtist): Evidence {
  const whole = a.own.names.flatMap((one) => b.own.names.map((two) => compareNamePair(one, two)));
  const best = strongest([differentNames, ...whole, ...compareAliases(a, b), ...compareAliases(b, a)]);
  // An alias in common alone may belong to either.
  if (best.code === 'name.different' && haveAliasInCommon(a, b)) return artistEvidence('name.common-alias');
  return best;
}

function compareNamePair(a: string, b: string): Evidence {
  const [one, two] = [compactKey(a), compactKey(b)];
  const isShort = Math.min(one.length, two.length) <= 2;
  // Their words leave out the emoji.
  if (isEmojiName(a) || isEmojiName(b)) return one === two ? artistEvidence('name.same') : differentNames;
  if (tokenize(a).join(' ') === tokenize(b).join(' '))
    return artistEvidence(isShort ? 'name.same-short' : 'name.same');
  if (one === two) return artistEvidence(isShort ? 'name.written-otherwise-short' : 'name.written-otherwise');
  if (isSameJointName(a, b)) return artistEvidence('name.other-order');
  const [bareOne, bareTwo] = [withoutAffixes(a), withoutAffixes(b)];
  // "Rush" is a band, and DJ Rush is not in it: a short word is many a name.
  if (bareOne === bareTwo && bareOne !== '')
    return artistEvidence(
      isDistinctive(a, bareOne) && isDistinctive(b, bareTwo) ? 'name.affix' : 'name.affix-short',
    );
  if (soundsAlike(a, b)) return artistEvidence('name.other-script');
  if (!areSimilarTexts(one, two) || differInCodes(tokenize(a), tokenize(b))) return differentNames;
  const isLong = isRareName(a) && isRareName(b) && Math.min(one.length, two.length) >= 10;
  return artistEvidence(isLong ? 'name.letter-of-long' : 'name.letter');
}

const withoutAffixes = (name: string): string =>
  compactKey(
    name.replace(/^(?:dj|the|mc)\s+(?=\S)/i, '').replace(/(?<=\S)\s+(?:live|dj set|official|dj)$/i, ''),
  );

/** Whether a name without "The" and "DJ" is rare. */
const isDistinctive = (name: string, bare: string): boolean =>
  bare.length >= 8 || tokenize(name).filter((word) => !/^(?:dj|the|mc|live)$/.test(word)).length > 1;

/** "Ben Klock & Marcel Dettmann", "Marcel Dettmann & Ben Klock". */
const isSameJointName = (a: string, b: string): boolean =>
  jointKey(a) !== null && jointKey(a) === jointKey(b);

/**
 * A name of `b` that `a` lists as an alias. One that a source lists by itself is a record of its own (docs/spec/imports.md#promises, promise 3),
 * unless it only spells the name, or is a part of it.
 */
function compareAliases(a: PreparedArtist, b: PreparedArtist): Evidence[] {
  if (a.keys.size === 0) return [];
  const own = b.own.names.map(compactKey);
  const [, alias] = [...a.keys].find(([key]) => own.includes(key)) ?? [];
  if (alias === undefined) return [];
  if (isSpellingVariant(a.name, b.name)) return [artistEvidence('name.alias-spelling')];
  if (!isNameVariant(a.name, b.name)) return [];
  return [artistEvidence(tokenize(alias).length > 1 ? 'name.alias-part' : 'name.alias-part-short')];
}

function haveAliasInCommon(a: PreparedArtist, b: PreparedArtist): boolean {
  return [...a.keys.keys()].some((key) => b.keys.has(key));
}

const isMentionedIn = (aside: string | null, { biography }: PreparedArtist): boolean =>
  aside !== null &&
  aside.length >= 4 &&
  containsSequence(tokenize((biography ?? '').slice(0, 1_000)), aside.split(' '));

/** "Avalanche (producer)", "Avalanche (Warp)": what tells one of several of a name from the others. */
function compareQualifiers(a: PreparedArtist, b: PreparedArtist): Evidence[] {
  const [one, two] = [a.own.qualifier, b.own.qualifier];
  if (one === null && two === null) return [];
  // "Luciano (Cadenza)", "founder of Cadenza".
  if (isMentionedIn(one, b) || isMentionedIn(two, a)) return [artistEvidence('aside.mentioned', one ?? two)];
  if (one === two) return [artistEvidence('aside.same', one)];
  return one === null || two === null
    ? [artistEvidence('aside.one', one ?? two)]
    : [artistEvidence('aside.different', one, two)];
}
