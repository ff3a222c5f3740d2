/** Who plays: names folded, b2b taken apart, marks dropped; and whether two are one. */
import anyAscii from 'any-ascii';
import { remembered } from '../../remembered.ts';
import { searchWords } from '../../store/fold.ts';
import { plain } from '../reading/plain.ts';
import { isForeign, soundAlike } from './letters.ts';
import type { ActFacts } from './listing.ts';
import { alikeTexts, differInCodes, wordsOf } from './words.ts';

export type Act = {
  /** Its names as they are compared, its own first. */
  keys: string[];
  /** Its names word by word, as they may stand in a title. */
  runs: (readonly string[])[];
  /** The keys of what may be two: "A & B". */
  parts: string[];
  shown: string;
  /** Without "Quartet" and the like behind it. */
  lead: string;
  /** Written in other letters than Latin ones. */
  isForeign: boolean;
  /** The act that this is a part of ("A & B" is one act, or two). */
  whole: number;
};

const marks =
  /\s*[([][^)\]]*[)\]]|\s+[-–]\s+(?:live|dj set|a\/v|hybrid)\b.*$|\s+(?:\(?live(?: set| act| pa| a\/v)?\)?|dj[- ]?set|hybrid set|all night long|extended set|vinyl(?: only)?|opening set|closing set|a\/v(?: show)?|b2b)$/gi;
const joint =
  /\s+(?:b2b|b3b|b4b|f2f|vs\.?|versus|feat\.?|ft\.?|featuring|with|pres\.?|presents|×)\s+|\s*[,;|•]\s*|\s+\/\s+|\n+/i;
/** So many names in one, "A & B & C …", are compared by themselves. */
const maxParts = 12;
/** After the others: "Scan X b2b Adam X" are two names. */
const crossed = /\s+x\s+/i;
const pair = /\s+(?:&|\+|and|und|et|y|e)\s+/i;
/** What stands in a line-up and is nobody. */
export const nobody =
  /^(?:tba|tbc|tbd|more|many more|and more|much more|(?:very )?special guests?|surprise guests?|secret guests?|guests?|(?:and )?friends|residents?|resident djs?|support|supports|local support|djs?|various(?: artists)?|line ?up tba|artist tba|n a|t b a|unknown|all night long|live|plus support|plus guests?|open decks|va)$/;

/** A name as two writings of it are compared. */
export function actKey(name: string): string {
  const words = searchWords(plain(name).replace(/\s*[&+]\s*/g, ' and '));
  const latin = /^[\x20-\x7e]*$/.test(words) ? words : searchWords(anyAscii(words));
  const bare = latin.replace(/^(?:dj|the|mc) (?=\S)/, '').replace(/ (?:live|dj set|official)$/, '');
  return (bare === '' ? plain(name).trim() : bare).replaceAll(' ', '');
}

const bare = (name: string): string => {
  const without = plain(name).replace(marks, '').trim();
  return without === '' ? plain(name).trim() : without;
};

/** The acts of a listing's line-up. */
export function actsOf(lineup: readonly ActFacts[] | null | undefined): Act[] {
  const acts: Act[] = [];
  const taken = new Set<string>();
  for (const entry of lineup ?? []) {
    for (const { key, act } of readEntry(entry)) {
      if (taken.has(key)) continue;
      taken.add(key);
      acts.push({ ...act, whole: acts.length });
    }
  }
  return acts;
}

type Read = { key: string; act: Omit<Act, 'whole'> };
const readEntry = remembered(
  10_000,
  ({ name, aliases }: ActFacts): readonly Read[] =>
    namesOf(name).flatMap((part) => {
      const one = bare(part);
      const key = actKey(one);
      if (key === '' || nobody.test(wordsOf(one).join(' '))) return [];
      return [{ key, act: actOf(one, [...(aliases ?? []), ...otherScript(part)]) }];
    }),
  ({ name, aliases }) => (aliases?.length ? [name, ...aliases].join('\0') : name),
);

function namesOf(name: string): string[] {
  const without = bare(name);
  const isJoint = joint.test(without) || crossed.test(without);
  return (isJoint ? without : name).split(joint).flatMap((one) => one.split(crossed));
}

const bracketed = /^(.+?)\s*[([]([^)\]]+)[)\]]\s*$/;
const isLatin = (text: string): boolean => /\p{Script=Latin}/u.test(text);

/** "石野卓球 (Takkyu Ishino)": what stands in brackets in other letters is the same name. */
function otherScript(name: string): string[] {
  const [, before = '', within = ''] = bracketed.exec(plain(name)) ?? [];
  if (within.length < 3 || before === '' || isLatin(before) === isLatin(within)) return [];
  return [within];
}

function actOf(name: string, aliases: readonly string[]): Omit<Act, 'whole'> {
  const lead = leaderOf(name);
  const names = [name, ...(lead === name ? [] : [lead]), ...aliases];
  // A title may name one of two.
  const parts = name
    .split(pair)
    .filter((_, __, all) => all.length > 1)
    .slice(0, maxParts);
  return {
    keys: [...new Set([...names.map(actKey), ...names.flatMap(turned)])].filter((key) => key !== ''),
    runs: [...names, ...parts.filter((part) => part.length >= 6)]
      .map(wordsOf)
      .filter((run) => run.length > 0),
    parts: parts.map(actKey).filter((key) => key.length > 1),
    shown: name,
    lead,
    isForeign: isForeign(name),
  };
}

const ensemble =
  /^(?:the )?(\S+ \S.*?) (?:solo|duo|trio|trío|quartett?o?|quintett?o?|sextett?|septett?|band|orchestra|orchester|ensemble|трио|квартет|квинтет)$/i;

/** "The John Marshall Quartet" is listed as John Marshall as well: whoever has two names of his own. */
const leaderOf = (name: string): string => ensemble.exec(name)?.[1] ?? name;

/** "Ishino Takkyu" is "Takkyu Ishino": whichever name comes first, their words in one order. */
function turned(name: string): string[] {
  const words = wordsOf(name).filter((word) => !/^(?:dj|the|mc|live)$/.test(word));
  return words.length === 2 && words.every(({ length }) => length > 1) ? [words.toSorted().join('')] : [];
}

/** Whether two acts are one, for all that their names tell. */
export function sameAct(a: Act, b: Act): boolean {
  if (a.keys.some((key) => b.keys.includes(key))) return true;
  if (hasByname(a, b) || hasByname(b, a)) return true;
  if (alikeTexts(a.keys[0] ?? '', b.keys[0] ?? '') && !differInCodes(a.runs[0] ?? [], b.runs[0] ?? []))
    return true;
  if (a.isForeign !== b.isForeign && soundAlike(a.lead, b.lead)) return true;
  return a.parts.some((part) => b.keys.includes(part)) || b.parts.some((part) => a.keys.includes(part));
}

/** "Kerri 'Kaoz' Chandler", "Kerri Chandler": a name of two words, and one between them or before. */
function hasByname({ runs: [long = []] }: Act, { runs: [short = []] }: Act): boolean {
  return (
    short.length === 2 &&
    long.length === 3 &&
    long[2] === short[1] &&
    (long[0] === short[0] || long[1] === short[0])
  );
}

/** "Kuniyuki" may be "Kuniyuki Takahashi": one word, long enough to be few others'. */
export const isHalf = ({ runs: [one = []] }: Act, { runs: [two = []] }: Act): boolean => {
  const [name = ''] = one;
  return one.length === 1 && two.length === 2 && name.length >= 7 && two.includes(name);
};
