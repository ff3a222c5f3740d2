/** Parses the acts of a line-up (folded names, split b2b, without marks) and compares two acts. */
import { memoize } from '../../memoize.ts';
import { artistNameKey } from '../../text/artist-name.ts';
import { alternatives } from '../../text/lexicon.ts';
import { isEmojiName, normalizeName, normalizeText } from '../../text/normalize.ts';
import { isNonLatin, soundsAlike } from '../../text/scripts.ts';
import { areSimilarTexts, differInCodes, foldUmlauts, tokenize } from '../../text/tokens.ts';
import type { ActFacts } from '../model.ts';

export type LineupAct = {
  /** The keys of its names, its own name first. */
  keys: string[];
  /** The tokens of its names, as a title may contain them. */
  tokenRuns: (readonly string[])[];
  /** The keys of the halves of "A & B", which may be one act or two. */
  parts: string[];
  displayName: string;
  /** The name without "Quartet" and similar words at its end. */
  lead: string;
  /** The name is in a script other than Latin. */
  isForeign: boolean;
  /** The name consists of emoji. */
  isEmoji: boolean;
  /** What another name must have in common with the first key to be similar to it. */
  traits: { length: number; digits: string; withoutUmlauts: string; letters: number };
};

const performanceMarks =
  /\s*[([][^)\]]*[)\]]|\s+[-–]\s+(?:live|dj set|a\/v|hybrid)\b.*$|\s+(?:\(?live(?: set| act| pa| a\/v)?\)?|dj[- ]?set|hybrid set|all night long|extended set|vinyl(?: only)?|opening set|closing set|a\/v(?: show)?|b2b)$/gi;
const jointSeparator =
  /\s+(?:b2b|b3b|b4b|f2f|vs\.?|versus|feat\.?|ft\.?|featuring|with|pres\.?|presents|×)\s+|\s*[,;|•]\s*|\s+\/\s+|\n+/i;
/** The maximum number of halves of "A & B & C …" that are compared separately. */
const maxParts = 12;
/** After the others: "Scan X b2b Adam X" are two names. */
const crossSeparator = /\s+x\s+/i;
const pairSeparator = /\s+(?:&|\+|and|und|et|y|e)\s+/i;
/** Entries of line-ups that name no act. */
export const placeholderAct = new RegExp(`^(?:${alternatives('placeholder-names', 'act')})$`);

const withoutMarks = (name: string): string => {
  if (isEmojiName(name)) return name;
  const without = normalizeName(name).replace(performanceMarks, '').trim();
  return without === '' ? normalizeText(name).trim() : without;
};

/** The acts of a listing's line-up. */
export function readLineupActs(lineup: readonly ActFacts[] | null | undefined): LineupAct[] {
  const acts: LineupAct[] = [];
  const seenKeys = new Set<string>();
  for (const entry of lineup ?? []) {
    for (const { key, act } of readAct(entry)) {
      if (seenKeys.has(key)) continue;
      seenKeys.add(key);
      acts.push(act);
    }
  }
  return acts;
}

type KeyedAct = { key: string; act: LineupAct };
const readAct = memoize(
  10_000,
  ({ name, aliases }: ActFacts): readonly KeyedAct[] =>
    splitNames(name).flatMap((part) => {
      const one = withoutMarks(part);
      const key = artistNameKey(one);
      if (key === '' || (!isEmojiName(one) && placeholderAct.test(tokenize(one).join(' ')))) return [];
      return [{ key, act: toAct(one, [...(aliases ?? []), ...namesInOtherScript(part)]) }];
    }),
  ({ name, aliases }) => (aliases?.length ? [name, ...aliases].join('\0') : name),
);

function splitNames(name: string): string[] {
  const without = withoutMarks(name);
  const isJoint = jointSeparator.test(without) || crossSeparator.test(without);
  return (isJoint ? without : name).split(jointSeparator).flatMap((one) => one.split(crossSeparator));
}

const bracketedSuffix = /^(.+?)\s*[([]([^)\]]+)[)\]]\s*$/;
const isLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text);

/** "石野卓球 (Takkyu Ishino)": what stands in brackets in other letters is the same name. */
function namesInOtherScript(name: string): string[] {
  const [, before = '', within = ''] = bracketedSuffix.exec(normalizeText(name)) ?? [];
  if (within.length < 3 || before === '' || isLatin(before) === isLatin(within)) return [];
  return [within];
}

function toAct(name: string, aliases: readonly string[]): LineupAct {
  const lead = leaderName(name);
  const isEmoji = isEmojiName(name);
  const names = [name, ...(lead === name ? [] : [lead]), ...aliases];
  // A title may name one of two.
  const parts = name
    .split(pairSeparator)
    .filter((_, __, all) => all.length > 1)
    .slice(0, maxParts);
  const keys = [...new Set([...names.map(artistNameKey), ...names.flatMap(sortedNameKey)])].filter(
    (key) => key !== '',
  );
  return {
    keys,
    traits: traitsOf(keys[0] ?? ''),
    // Titles are read without emoji, so that "DJ" of "DJ 🎧" would be found in any.
    tokenRuns: isEmoji
      ? []
      : [...names, ...parts.filter((part) => part.length >= 6)].map(tokenize).filter((run) => run.length > 0),
    parts: parts.map(artistNameKey).filter((key) => key.length > 1),
    displayName: name,
    lead,
    isForeign: isNonLatin(name),
    isEmoji,
  };
}

const ensemble =
  /^(?:the )?(\S+ \S.*?) (?:solo|duo|trio|trío|quartett?o?|quintett?o?|sextett?|septett?|band|orchestra|orchester|ensemble|трио|квартет|квинтет)$/i;

/** "The John Marshall Quartet" is listed as John Marshall as well. Applies to leaders with two names. */
const leaderName = (name: string): string => ensemble.exec(name)?.[1] ?? name;

/** "Ishino Takkyu" is "Takkyu Ishino": whichever name comes first, their words in one order. */
function sortedNameKey(name: string): string[] {
  const words = tokenize(name).filter((word) => !/^(?:dj|the|mc|live)$/.test(word));
  return words.length === 2 && words.every(({ length }) => length > 1) ? [words.toSorted().join('')] : [];
}

const traitsOf = (key: string): LineupAct['traits'] => ({
  length: key.length,
  digits: key.replace(/\D/g, ''),
  withoutUmlauts: foldUmlauts(key),
  letters: letterBits(key),
});

/** A bit for each letter of a text, modulo 32. A letter more, less or other changes two bits at most. */
function letterBits(text: string): number {
  let bits = 0;
  for (let at = 0; at < text.length; at++) bits |= 1 << (text.charCodeAt(at) & 31);
  return bits;
}

/** Whether two sets of letters differ by at most `max`. */
function differByAtMost(max: number, a: number, b: number): boolean {
  let count = 0;
  for (let bits = a ^ b; bits !== 0; bits &= bits - 1) if (++count > max) return false;
  return true;
}

/**
 * Whether `isSameAct` may hold for two acts without a common key. It is false for nearly all acts of two long line-ups,
 * and takes a hundredth of the time.
 */
export function mayBeSameAct(a: LineupAct, b: LineupAct): boolean {
  if (a.parts.length > 0 || b.parts.length > 0 || a.isForeign !== b.isForeign) return true;
  const [one, two] = [a.traits, b.traits];
  // Two slips, of two letters each, or umlauts written as two letters (`areSimilarTexts`).
  if (
    Math.abs(one.length - two.length) <= 2 &&
    one.digits === two.digits &&
    (differByAtMost(4, one.letters, two.letters) || one.withoutUmlauts === two.withoutUmlauts)
  )
    return true;
  return a.tokenRuns[0]?.at(-1) === b.tokenRuns[0]?.at(-1);
}

/** Whether two acts are one by their names. */
export function isSameAct(a: LineupAct, b: LineupAct): boolean {
  if (a.keys.some((key) => b.keys.includes(key))) return true;
  if (a.isEmoji || b.isEmoji) return false;
  if (hasByname(a, b) || hasByname(b, a)) return true;
  if (
    areSimilarTexts(a.keys[0] ?? '', b.keys[0] ?? '') &&
    !differInCodes(a.tokenRuns[0] ?? [], b.tokenRuns[0] ?? [])
  )
    return true;
  if (a.isForeign !== b.isForeign && soundsAlike(a.lead, b.lead)) return true;
  return a.parts.some((part) => b.keys.includes(part)) || b.parts.some((part) => a.keys.includes(part));
}

/** "Kerri 'Kaoz' Chandler", "Kerri Chandler": a name of two words, and one between them or before. */
function hasByname({ tokenRuns: [long = []] }: LineupAct, { tokenRuns: [short = []] }: LineupAct): boolean {
  return (
    short.length === 2 &&
    long.length === 3 &&
    long[2] === short[1] &&
    (long[0] === short[0] || long[1] === short[0])
  );
}

/** "Kuniyuki" may be "Kuniyuki Takahashi": one word, long enough to be few others'. */
export const isPartialName = (
  { tokenRuns: [one = []] }: LineupAct,
  { tokenRuns: [two = []] }: LineupAct,
): boolean => {
  const [name = ''] = one;
  return one.length === 1 && two.length === 2 && name.length >= 7 && two.includes(name);
};
