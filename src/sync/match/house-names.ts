/** What two houses are called, compared: without city and general words, with their rooms, initials and other scripts. */
import { once } from '../../remembered.ts';
import { areOfTwoScripts, hasForeign, latinPartOf, soundAlike } from './letters.ts';
import type { Reason, VenueFacts } from './listing.ts';
import {
  alikeTexts,
  alikeWords,
  codesIn,
  containsRun,
  houseWords,
  initialsOf,
  inShort,
  joiners,
  roomWords,
  sharedWords,
  wordsOf,
} from './words.ts';

type Words = {
  /** Words that tell this house from others, in order. */
  core: readonly string[];
  /** All words but those of its city. */
  all: readonly string[];
  digits: string;
  /** Numbers with letters beside them: "p0", "1a". */
  codes: readonly string[];
};
type HouseName = Words & {
  /** The core and all words as one text each, and the core's words in one order. */
  joinedCore: string;
  joinedAll: string;
  sortedCore: string;
};

/** So many names of a house are compared letter by letter; of the others only whether they are the same. */
const mostNearly = 20;

/** A house as it is compared with others, where certain words are those of the city. */
type HouseNames = {
  wholes: readonly HouseName[];
  parts: readonly HouseName[];
  /** The first of its names with these words, and with these telling words. */
  byAll: ReadonlyMap<string, HouseName>;
  byCore: ReadonlyMap<string, HouseName>;
};
const housesRead = once((_: VenueFacts) => new Map<string, HouseNames>());
/** A house is compared with others of its city as a rule. */
const mostCities = 8;
/** So many names of a city are taken out of those of its houses. */
const mostCityNames = 500;

function housesOf(facts: VenueFacts, city: ReadonlySet<string>, cityKey: string): HouseNames {
  const known = housesRead(facts);
  let names = known.get(cityKey);
  if (names === undefined) {
    names = readHouses(facts, city);
    if (known.size >= mostCities) known.clear();
    known.set(cityKey, names);
  }
  return names;
}

function readHouses(facts: VenueFacts, city: ReadonlySet<string>): HouseNames {
  const wholes = houseNames(facts, city);
  const [byAll, byCore] = [new Map<string, HouseName>(), new Map<string, HouseName>()];
  for (const name of wholes) {
    if (!byAll.has(name.joinedAll)) byAll.set(name.joinedAll, name);
    for (const core of [name.joinedCore, name.sortedCore]) if (!byCore.has(core)) byCore.set(core, name);
  }
  return { wholes, parts: partsOf(facts, city), byAll, byCore };
}

/** What a house is called by: the whole of its name, and the parts that signs set off ("Berghain | Panorama Bar"). */
function houseNames(facts: VenueFacts, city: ReadonlySet<string>): HouseName[] {
  const names = [facts.name, ...(facts.aliases ?? [])].map(withoutAddress);
  const numbers = new Set((facts.address ?? '').slice(0, 300).match(/\d{2,}/g) ?? []);
  return names
    .map((name) => written(withoutNumber(houseName(name, city), numbers)))
    .filter(({ all }) => all.length > 0);
}

/** Calendars write house and address in one line; others in brackets what it lies beside, and in front who pays for the name. */
const withoutAddress = (name: string): string =>
  name
    .replace(/,(?=[^,]*\d).*$/, '')
    .replace(/\s*[([]([^)\]]*)[)\]]/g, (whole, within) => (besides.test(within) ? '' : whole))
    .replace(/^O2(?:\s+(?=\S)|$)/i, '') || name;

/** "Smolna38" in Smolna 38: the number of the house is no part of its name. */
function withoutNumber(name: Words, numbers: ReadonlySet<string>): Words {
  const core = name.core.filter((word) => !numbers.has(word));
  return core.length === 0 || core.length === name.core.length
    ? name
    : { ...name, core, digits: digitsIn(core) };
}
const digitsIn = (words: readonly string[]): string => words.filter((word) => /\d/.test(word)).join(' ');

/** As it is compared with another: what may be written short is. */
function written(name: Words): HouseName {
  const [core, all] = [inShort(name.core), inShort(name.all)];
  return {
    core,
    all,
    digits: name.digits,
    codes: name.codes,
    joinedCore: core.join(''),
    joinedAll: all.join(''),
    sortedCore: core.toSorted().join(' '),
  };
}

function houseName(name: string, city: ReadonlySet<string>): Words {
  const words = wordsOf(name.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const outside = words.filter((word) => !city.has(word));
  const all = outside.length > 0 ? outside : words;
  const distinct = all.filter((word) => !houseWords.has(word) && !sponsors.has(word));
  const core = distinct.length > 0 ? distinct : all;
  const codes = codesIn(wordsOf(name)).filter((code) => !city.has(code));
  return { core, all, digits: digitsIn(core), codes };
}

/** Who pays for the name of a house, and another year another does. */
const sponsors: ReadonlySet<string> = new Set(
  'o2 hmv carling eventim vodafone telekom barclaycard tauron unimed itau axs'.split(' '),
);

/** Signs and words between a house and a room of it. */
const parting = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+(?:at|@|im|in der|at the|in the|au|en)\s+/i;

function partsOf(facts: VenueFacts, city: ReadonlySet<string>): HouseName[] {
  const parts = facts.name.split(parting);
  if (parts.length < 2) return [];
  return parts
    .filter((part) => !besides.test(part))
    .map((part) => part.replace(former, ''))
    .map((part) => written(houseName(part, city)))
    .filter(({ core }) => core.some((word) => !isRoom(word)));
}
/** "(above Royale Eatery)": what is said of where it is. */
const besides =
  /^\s*(?:above|below|beneath|under|behind|beside|next to|near|opposite|inside of|neben|über|unter|hinter|gegenüber)\s/i;
/** "(antigo Espaço das Américas)": a name that it had. */
const former =
  /^\s*(?:ex|formerly|former|previously|fka|antigo|antiga|antiguo|antigua|ehemals|früher|vormals|anciennement|ex-|già|dawniej)\b[\s:.-]*/i;
const isRoom = (word: string): boolean => roomWords.has(word) || houseWords.has(word) || /^\d$/.test(word);

/** Compares what two houses are called. */
export function compareHouseNames(a: VenueFacts, b: VenueFacts): Reason {
  // The city of one is the other's where that says none: "Lido Berlin".
  const city = new Set([...cityWordsOf(a), ...cityWordsOf(b)]);
  const cityKey = [...city].sort().join(' ');
  const [houseA, houseB] = [housesOf(a, city, cityKey), housesOf(b, city, cityKey)];
  const all = [named(houseA, houseB)];
  const [wholeA, wholeB] = [houseA.wholes.slice(0, mostNearly), houseB.wholes.slice(0, mostNearly)];
  const [partsA, partsB] = [houseA.parts.slice(0, mostNearly), houseB.parts.slice(0, mostNearly)];
  if (partsA.some((part) => wholeB.some((whole) => equal(part, whole)))) all.push(inHouse);
  if (partsB.some((part) => wholeA.some((whole) => equal(part, whole)))) all.push(inHouse);
  if (soundsIn(a, b) || soundsIn(b, a)) all.push(otherLetters);
  else if (isLatinPart(a, wholeB, city) || isLatinPart(b, wholeA, city)) all.push(moreLetters);
  else if (areOfTwoScripts(a.name, b.name)) all.push(twoScripts);
  if (isShort(a.name, b.name) || isShort(b.name, a.name)) all.push(initials);
  if (partsA.length > 0 && partsB.length > 0 && partsA.some((one) => partsB.some((two) => equal(one, two))))
    all.push(oneHouse);
  return all.reduce((best, one) => (one.weight > best.weight ? one : best));
}

const cityWordsOf = once(({ city, cityAliases }: VenueFacts): readonly string[] =>
  [city ?? '', ...(cityAliases ?? []).slice(0, mostCityNames)].flatMap(cityParts),
);

/** The words of a city's name, and what it is called for short: "Zouk KL", "Basement NY". */
function cityParts(name: string): readonly string[] {
  const words = wordsOf(name);
  return words.length > 1 ? [...words, initialsOf(words)] : words;
}

const reason = (weight: number, text: string): Reason => ({ evidence: 'name', weight, text });
const inHouse = reason(2.6, 'one name stands within the other, as a house and a room of it');
const initials = reason(1.4, 'one name has the initials of the other');
const otherLetters = reason(3, 'one name in two scripts');
const moreLetters = reason(3, 'one name, with words in another script');
/** Whether they are one nobody can read from them, or hardly. */
export const twoScripts = reason(-1, 'names in two scripts');
const oneHouse = reason(2.2, 'the names have a house in common');

/** "CJC 610", "Cairo Jazz Club": a word made of the first letters of all words of the other name. */
function isShort(short: string, long: string): boolean {
  const words = wordsOf(withoutAddress(long));
  const told = words.filter((word) => !joiners.has(word));
  const initials = [words, told].filter(({ length }) => length >= 3).map(initialsOf);
  return initials.length > 0 && wordsOf(short).some((word) => initials.includes(word));
}

/**
 * "VENT 表参道" and "VENT", "渋谷CLUB QUATTRO" and "Shibuya Club Quattro": beside its name a house has a place or its name
 * once more, which the other may have in Latin letters.
 */
function isLatinPart(facts: VenueFacts, others: readonly HouseName[], city: ReadonlySet<string>): boolean {
  return firstNames(facts).some((name) => {
    const part = latinPartOf(name);
    if (part === null) return false;
    const own = houseName(part, city);
    const isWithin = ({ core }: HouseName) =>
      own.core.join('').length >= 5 && core.length === own.core.length + 1 && containsRun(core, own.core);
    return own.core.join('').length >= 3 && others.some((other) => equal(own, other) || isWithin(other));
  });
}

/** "롤링홀" and "Rolling Hall": the whole of a name, or a part that signs set off, sounds like the other. */
const soundsIn = (a: VenueFacts, b: VenueFacts): boolean => {
  if (!isInOtherLetters(a) && !isInOtherLetters(b)) return false;
  const cities = [a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])];
  const forms = (facts: VenueFacts) => firstNames(facts).flatMap((one) => [one, withoutCity(one, cities)]);
  return forms(a)
    .flatMap((name) => [name, ...name.split(parting)])
    .some((part) => forms(b).some((name) => soundAlike(part, name)));
};

const isInOtherLetters = once((facts: VenueFacts): boolean => firstNames(facts).some(hasForeign));
const firstNames = ({ name, aliases }: VenueFacts): string[] =>
  [name, ...(aliases ?? [])].slice(0, mostNearly);

/** "ビルボードライブ東京", "Billboard Live TOKYO": the city stands behind a house without a sign between them. */
function withoutCity(name: string, cities: readonly (string | null | undefined)[]): string {
  const city = cities.find((one) => one != null && one.length > 1 && endsWith(name, one));
  return city == null ? name : name.slice(0, -city.length).trim() || name;
}
const endsWith = (name: string, end: string): boolean => name.toLowerCase().endsWith(end.toLowerCase());

function named(a: HouseNames, b: HouseNames): Reason {
  let best = reason(-3.5, 'different names');
  const keep = (found: Reason): void => {
    if (found.weight > best.weight) best = found;
  };
  for (const one of a.wholes.slice(0, mostNearly))
    for (const two of b.wholes.slice(0, mostNearly)) keep(compareNames(one, two));
  if (a.wholes.length <= mostNearly && b.wholes.length <= mostNearly) return best;
  for (const one of a.wholes) {
    const equal = b.byAll.get(one.joinedAll) ?? b.byCore.get(one.joinedCore) ?? b.byCore.get(one.sortedCore);
    if (equal !== undefined) keep(compareNames(one, equal));
  }
  return best;
}

const equal = (a: Words, b: Words): boolean =>
  a.core.length === b.core.length && sharedWords(a.core, b.core) === a.core.length;

function compareNames(a: HouseName, b: HouseName): Reason {
  // Of several words and long, it is hardly another house's in one city.
  const rare = a.core.length > 1 && a.joinedCore.length >= 9 ? 0.6 : 0;
  if (a.joinedAll === b.joinedAll) return reason(4 + rare, 'the same name');
  if (a.joinedCore === b.joinedCore || a.sortedCore === b.sortedCore)
    return reason(3.4 + rare, 'the same name but for words that many houses have');
  if (a.digits !== b.digits && a.digits !== '' && b.digits !== '')
    return reason(-4, 'names with different numbers');
  const [isOther, isOtherToo] = [hasOtherCode(a, b), hasOtherCode(b, a)];
  if (isOther && isOtherToo) return reason(-4, 'names with different numbers');
  if (
    !isOther &&
    !isOtherToo &&
    (alikeTexts(a.joinedCore, b.joinedCore) ||
      alikeTexts(a.joinedAll, b.joinedAll) ||
      alikeTexts(a.sortedCore.replaceAll(' ', ''), b.sortedCore.replaceAll(' ', '')))
  )
    return reason(2.6, 'names that differ by a slip');
  return contained(a, b);
}

/** "P0 Hall" is not "Q0 Hall": a code of one does not stand in the other. "K 4" has the code of "K4". */
const hasOtherCode = (a: HouseName, b: HouseName): boolean =>
  a.codes.some((code) => !b.joinedAll.includes(code));

/** What is said of a name that begins or ends like the other: perhaps the same, perhaps next door. */
export const wordsMore = 'one name has words that the other lacks';

function contained(a: HouseName, b: HouseName): Reason {
  const [short, long] = a.core.length <= b.core.length ? [a, b] : [b, a];
  const shared = sharedWords(short.core, long.core);
  if (shared === 0) return reason(-3.5, 'different names');
  const left = [...long.core];
  for (const word of short.core) {
    const at = left.findIndex((other) => alikeWords(word, other));
    if (at >= 0) left.splice(at, 1);
  }
  if (shared === short.core.length) {
    if (left.every(isRoom)) return reason(2.4, 'the same name but for a room');
    // "Paradiso", "Paradiso Noord": a word more may well be another house.
    return reason(shared >= 2 ? 0.8 : -0.4, wordsMore);
  }
  // "Paradiso Grote Zaal", "Paradiso Main Hall".
  if (left.every(isRoom) && short.core.filter((word) => !isRoom(word)).length <= shared)
    return reason(1.6, 'the same name with two names of rooms');
  const weight = (words: readonly string[]) => words.reduce((sum, word) => sum + (isRoom(word) ? 0.3 : 1), 0);
  const ratio = (2 * shared) / (weight(short.core) + weight(long.core));
  return ratio >= 0.75
    ? reason(0.8, 'names with most words in common')
    : reason(-2.5, 'names with few words in common');
}

/** The words that tell a house from others, as they may stand in a title; each object is read once. */
export const telling = once((facts: VenueFacts): readonly string[] => {
  const city = new Set([facts.city ?? '', ...(facts.cityAliases ?? [])].flatMap(wordsOf));
  return houseName(withoutAddress(facts.name), city).core;
});
