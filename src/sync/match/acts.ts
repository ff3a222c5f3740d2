/** Who plays, compared: names folded, b2b taken apart, marks dropped; what a title names counts as well. */
import anyAscii from 'any-ascii';
import { searchWords } from '../../store/fold.ts';
import { plain } from '../reading/plain.ts';
import { areOfTwoScripts, isForeign, soundAlike, soundOf } from './letters.ts';
import type { ActFacts, Listing, Reason } from './listing.ts';
import { alikeTexts, containsRun, houseWords, joiners, roomWords, titleNoise, wordsOf } from './words.ts';

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
/** After the others: "Scan X b2b Adam X" are two names. */
const crossed = /\s+x\s+/i;
const pair = /\s+(?:&|\+|and|und|et|y|e)\s+/i;
const nobody =
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
/** Entries of line-ups, read lately: the same names come again and again. */
const read = new Map<string, readonly Read[]>();
const mostRead = 10_000;

function readEntry({ name, aliases }: ActFacts): readonly Read[] {
  const written = aliases?.length ? [name, ...aliases].join('\0') : name;
  let known = read.get(written);
  if (known === undefined) {
    known = namesOf(name).flatMap((part) => {
      const one = bare(part);
      const key = actKey(one);
      if (key === '' || nobody.test(wordsOf(one).join(' '))) return [];
      return [{ key, act: actOf(one, [...(aliases ?? []), ...otherScript(part)]) }];
    });
    if (read.size >= mostRead) read.clear();
    read.set(written, known);
  }
  return known;
}

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
  const parts = name.split(pair).filter((_, __, all) => all.length > 1);
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

function sameAct(a: Act, b: Act): boolean {
  if (a.keys.some((key) => b.keys.includes(key))) return true;
  if (hasByname(a, b) || hasByname(b, a)) return true;
  if (alikeTexts(a.keys[0] ?? '', b.keys[0] ?? '')) return true;
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
const isHalf = ({ runs: [one = []] }: Act, { runs: [two = []] }: Act): boolean => {
  const [name = ''] = one;
  return one.length === 1 && two.length === 2 && name.length >= 7 && two.includes(name);
};

/** How the line-ups of two listings meet: whom they share, as the first writes them, and whom one alone names. */
export type Overlap = { shared: string[]; onlyA: Act[]; onlyB: Act[]; least: number; most: number };

/** Which acts two line-ups share, each counted once. */
export function overlapOf(a: Act[], b: Act[]): Overlap {
  const left = [...b];
  const keys = new Set(b.flatMap((act) => act.keys));
  const shared: string[] = [];
  const onlyA: Act[] = [];
  const met = new Set<Act>();
  for (const act of a) {
    const isKnown = act.keys.some((key) => keys.has(key));
    let at = isKnown ? left.findIndex((other) => other.keys.some((key) => act.keys.includes(key))) : -1;
    if (at < 0) at = left.findIndex((other) => sameAct(act, other));
    if (at < 0) {
      onlyA.push(act);
      continue;
    }
    met.add(left[at] as Act);
    // "A & B" may meet both A and B: it stays for the other.
    if ((left[at] as Act).parts.length === 0 || (left[at] as Act).keys.some((key) => act.keys.includes(key)))
      left.splice(at, 1);
    shared.push(act.shown);
  }
  const least = Math.min(a.length, b.length);
  const onlyB = b.filter((act) => !met.has(act));
  return {
    shared: shared.slice(0, Math.max(least, 1)),
    onlyA,
    onlyB,
    least,
    most: Math.max(a.length, b.length),
  };
}

type Titled = { name: string; title: readonly string[] };

/** Whether a title names an act. Names that are words of titles themselves prove nothing, unless set off by signs. */
function names({ name, title }: Titled, act: Act): boolean {
  if (act.isForeign !== isForeign(name) && containsSound(name, act.lead)) return true;
  return act.runs.some((run) =>
    isTelling(run)
      ? containsRun(title, run) || containsJoined(title, run) || containsAll(title, run)
      : isSetOff(name, run),
  );
}

/** "실리카겔 단독공연" for "Silica Gel", "田中フミヤ ロングセット" for "Fumiya Tanaka". */
function containsSound(title: string, act: string): boolean {
  const words = title.split(/[^\p{L}\p{N}]+/u).filter((word) => word !== '');
  return words.some((_, start) =>
    [1, 2, 3, 4].some((count) => soundAlike(words.slice(start, start + count).join(' '), act)),
  );
}

/** "Klockworks x Dettmann" for Marcel Dettmann: a last name, long enough to be few others'. */
const namesHalf = ({ title }: Titled, { runs: [run = []], parts }: Act): boolean => {
  const last = run.at(-1) ?? '';
  return (
    run.length === 2 &&
    parts.length === 0 &&
    last.length >= 7 &&
    !titleNoise.has(last) &&
    !houseWords.has(last) &&
    !roomWords.has(last) &&
    title.includes(last)
  );
};

const signs = /\s*[@|/,:;+•()[\]]\s*|\s+(?:[-–—&x×]|b2b|vs\.?|w\/|with|feat\.?|ft\.?|at|live)(?:\s+|$)/iu;

/** "ÂME @ Fabric": a short name that is the whole of a part of the title. */
function isSetOff(title: string, run: readonly string[]): boolean {
  const [whole = ''] = run.length === 1 ? run : [];
  if (whole.length < 2 || nobody.test(whole)) return false;
  const parts = plain(title).split(signs);
  return parts.length > 1 && parts.some((part) => part.length < 8 && wordsOf(part).join(' ') === whole);
}

/** "Benefit for Jane Doe", listed as who plays, for "Jane Doe Benefit": several words, in whatever order. */
function containsAll(title: readonly string[], run: readonly string[]): boolean {
  const told = run.filter((word) => !joiners.has(word) && word.length > 2);
  return told.length >= 3 && told.every((word) => title.includes(word));
}

/** "DVS-1" for "DVS1", "Helena Hauf" for "Helena Hauff": word by word they differ, as a whole hardly. */
function containsJoined(title: readonly string[], run: readonly string[]): boolean {
  const whole = run.join('');
  for (let start = 0; start < title.length; start++) {
    let joined = '';
    for (let end = start; end < title.length && end < start + 4; end++) {
      joined += title[end];
      if (joined === whole || (run.length > 1 && whole.length >= 8 && alikeTexts(joined, whole))) return true;
    }
  }
  return false;
}
const isTelling = (run: readonly string[]): boolean => {
  const letters = run.join('');
  return (
    letters.length >= 4 ||
    (run.length > 1 && letters.length >= 3) ||
    /\d/.test(letters) ||
    /[^\x20-\x7e]/.test(letters)
  );
};

const shownFew = (acts: string[]): string =>
  acts.length <= 4 ? acts.join(', ') : `${acts.slice(0, 4).join(', ')} and ${acts.length - 4} more`;

/** What line-ups say, titles taken into account. */
export type Lineups = {
  reason: Reason | null;
  shared: number;
  disjoint: boolean;
  /** How much of the shorter line-up the other has. */
  contained: number;
  /** Both list the same acts and no others. */
  equal: boolean;
  /** So many acts stand in both line-ups, titles aside. */
  listed: number;
};

export function compareLineups(
  a: Listing & { acts: Act[]; title: readonly string[] },
  b: Listing & { acts: Act[]; title: readonly string[] },
): Lineups {
  const nothing: Lineups = {
    reason: null,
    shared: 0,
    disjoint: false,
    contained: 0,
    equal: false,
    listed: 0,
  };
  if (a.acts.length === 0 && b.acts.length === 0) return nothing;
  if (a.acts.length === 0 || b.acts.length === 0) return namedByTitle(a, b);
  const overlap = overlapOf(a.acts, b.acts);
  const alsoNamed = [
    ...overlap.onlyA.filter((act) => names(b, act) && !isPartOf(act, b.acts)),
    ...overlap.onlyB.filter((act) => names(a, act) && !isPartOf(act, a.acts)),
  ].map(({ shown }) => shown);
  const sure = [...new Set([...overlap.shared, ...alsoNamed])];
  const halves = halvesOf(overlap).filter((shown) => !sure.includes(shown));
  if (sure.length === 0 && halves.length > 0)
    return { ...nothing, reason: reason(1.2, `one names half of ${shownFew(halves)}`) };
  const shared = [...sure, ...halves];
  if (shared.length === 0 && areUnreadable(a.acts, b.acts)) return nothing;
  if (shared.length === 0) {
    const weight = overlap.least >= 3 ? -4 : overlap.least === 2 ? -3.4 : -2.8;
    return { ...nothing, reason: reason(weight, 'nobody plays at both'), disjoint: true };
  }
  const contained = Math.min(1, shared.length / Math.max(1, overlap.least - unreadable(overlap)));
  // Whom each puts first the other does not know: rather two shows with an act in common.
  const led = contained < 0.75 && leads(a, b) && leads(b, a) ? 1.8 : 0;
  const equal = overlap.shared.length >= overlap.most;
  const weight = weightOf(shared.length, contained) - led + (equal && overlap.most >= 2 ? 0.4 : 0);
  return {
    reason: reason(weight, `both name ${shownFew(shared)}${led > 0 ? ', each under another headliner' : ''}`),
    shared: shared.length,
    disjoint: false,
    contained,
    equal: shared.length >= overlap.most,
    listed: overlap.shared.length,
  };
}

/** Whether an act of one word is a part of a longer name in a line-up, which a title has as well: "Anna", "Anna Z". */
const isPartOf = ({ runs: [run = []] }: Act, acts: readonly Act[]): boolean =>
  acts.some(({ runs: [longer = []] }) => run.length < longer.length && containsRun(longer, run));

/** Whom one names by half a name, and the other by the whole of it. */
const halvesOf = ({ onlyA, onlyB }: Overlap): string[] =>
  onlyA.filter((one) => onlyB.some((two) => isHalf(one, two) || isHalf(two, one))).map(({ shown }) => shown);

/** How many may be shared without anybody being able to read it. */
function unreadable({ onlyA, onlyB }: Overlap): number {
  const count = (acts: readonly Act[], others: readonly Act[]) =>
    acts.filter((one) => isMute(one) && others.some((two) => areOfTwoScripts(one.shown, two.shown))).length;
  return Math.min(Math.max(count(onlyA, onlyB), count(onlyB, onlyA)), Math.min(onlyA.length, onlyB.length));
}
const isMute = ({ isForeign, shown }: Act): boolean => isForeign && soundOf(shown) === null;

/** Each in letters of its own: whether they are the same nobody can read from them. */
const areUnreadable = (a: Act[], b: Act[]): boolean =>
  a.every((one) =>
    b.every((two) => one.isForeign !== two.isForeign && areOfTwoScripts(one.shown, two.shown)),
  );

/** Whether the first act of `a` is nowhere in `b`. */
function leads(a: { acts: Act[] }, b: Titled & { acts: Act[] }): boolean {
  const [first] = a.acts;
  return (
    first !== undefined &&
    !b.acts.some((act) => sameAct(first, act)) &&
    !names(b, first) &&
    !b.acts.some((act) => (isMute(first) || isMute(act)) && areOfTwoScripts(first.shown, act.shown))
  );
}

const reason = (weight: number, text: string): Reason => ({ evidence: 'line-up', weight, text });

function weightOf(shared: number, contained: number): number {
  const step = Math.min(shared, 4) - 1;
  if (contained >= 0.75) return [2.6, 3.6, 4.4, 5][step] as number;
  if (contained >= 0.45) return [1.5, 2.8, 3.8, 4.4][step] as number;
  return [0.2, 1.2, 2, 2.6][step] as number;
}

/** One has a line-up, the other only a title: does it name whom the line-up names? */
function namedByTitle(a: Titled & { acts: Act[] }, b: Titled & { acts: Act[] }): Lineups {
  const [acts, titled] = a.acts.length > 0 ? [a.acts, b] : [b.acts, a];
  const found = acts.filter((act) => names(titled, act)).map(({ shown }) => shown);
  const nothing = { reason: null, shared: 0, disjoint: false, contained: 0, equal: false, listed: 0 };
  if (found.length === 0) {
    const half = acts.find((act) => namesHalf(titled, act));
    return half ? { ...nothing, reason: reason(1.2, `a title has the last name of ${half.shown}`) } : nothing;
  }
  const weight = [2.5, 3.5, 4.3][Math.min(found.length, 3) - 1] as number;
  return {
    reason: reason(weight, `a title names ${shownFew(found)}`),
    shared: found.length,
    disjoint: false,
    contained: 1,
    equal: false,
    listed: 0,
  };
}
