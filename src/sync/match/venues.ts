/** Whether two listings speak of one house (feed.md: a venue under two names, with room names; another house next door). */
import { distance } from 'fastest-levenshtein';
import { areOfTwoScripts, hasForeign, latinPartOf, soundAlike } from './letters.ts';
import { type Judgement, type Reason, ruled, type VenueFacts, weigh } from './listing.ts';
import { isNoPlace } from './no-place.ts';
import {
  alikeTexts,
  alikeWords,
  cityWords,
  collapsed,
  containsRun,
  houseWords,
  initialsOf,
  inShort,
  joiners,
  roomWords,
  sharedWords,
  townOf,
  wordsOf,
} from './words.ts';

const prior = -1.6;

/**
 * Whether two houses are one. Pure and symmetric.
 * @returns 'same', 'different', or 'doubtful' where what is known does not decide
 */
export function judgeVenues(a: VenueFacts, b: VenueFacts): Judgement {
  if (a.record != null && a.record === b.record)
    return ruled('one record', 'same', 0.99, [
      { evidence: 'record', weight: 9, text: 'one house on record' },
    ]);
  const ids = compareIds(a.externalIds, b.externalIds);
  if (ids?.weight)
    return ruled('external id', ids.weight > 0 ? 'same' : 'different', ids.weight > 0 ? 0.99 : 0.02, [ids]);
  if (isNoPlace(a.name) || isNoPlace(b.name))
    return ruled('no place', 'different', 0, [
      { evidence: 'name', weight: -9, text: 'a name that is no place' },
    ]);
  const names = compareHouseNames(a, b);
  const reasons = [names, ...compareWhere(a, b)];
  const website = compareSites(a.website, b.website);
  if (website) reasons.push(website);
  const judged = weigh(reasons, prior);
  const ownIds =
    a.source != null &&
    a.source === b.source &&
    a.externalId != null &&
    b.externalId != null &&
    a.externalId !== b.externalId;
  if (!ownIds) return judged;
  reasons.push({ evidence: 'source', weight: -4, text: `two ids at ${a.source}` });
  return judged.score > 0.97
    ? ruled('two ids at one source', 'doubtful', 0.5, reasons)
    : ruled('two ids at one source', 'different', 0.05, reasons);
}

/** Ids at services: one in common is proof, one that differs as well; null where no service knows both. */
export function compareIds(
  a: Readonly<Record<string, unknown>> | null | undefined,
  b: Readonly<Record<string, unknown>> | null | undefined,
): Reason | null {
  let differing: Reason | null = null;
  for (const [service, id] of Object.entries(a ?? {})) {
    const other = b?.[service];
    if (id == null || other == null) continue;
    if (String(id).trim().toLowerCase() === String(other).trim().toLowerCase())
      return { evidence: 'external id', weight: 9, text: `one id at ${service}` };
    differing = { evidence: 'external id', weight: -9, text: `two ids at ${service}` };
  }
  return differing;
}

// ------------------------------------------------------------------------------------------------------------- names

type HouseName = {
  /** Words that tell this house from others, in order. */
  core: readonly string[];
  /** All words but those of its city. */
  all: readonly string[];
  digits: string;
};

/** What a house is called by: the whole of its name, and the parts that signs set off ("Berghain | Panorama Bar"). */
function houseNames(facts: VenueFacts, city: ReadonlySet<string>): HouseName[] {
  const names = [facts.name, ...(facts.aliases ?? [])].map(withoutAddress);
  return names.map((name) => written(houseName(name, city))).filter(({ all }) => all.length > 0);
}

/** Calendars write house and address in one line. */
const withoutAddress = (name: string): string => name.replace(/,(?=[^,]*\d).*$/, '') || name;

/** As it is compared with another: what may be written short is. */
const written = ({ core, all, digits }: HouseName): HouseName => ({
  core: inShort(core),
  all: inShort(all),
  digits,
});

function houseName(name: string, city: ReadonlySet<string>): HouseName {
  const words = wordsOf(name.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const outside = words.filter((word) => !city.has(word));
  const all = outside.length > 0 ? outside : words;
  const distinct = all.filter((word) => !houseWords.has(word));
  const core = distinct.length > 0 ? distinct : all;
  return { core, all, digits: core.filter((word) => /\d/.test(word)).join(' ') };
}

/** Signs and words between a house and a room of it. */
const parting = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+(?:at|@|im|in der|at the|in the|au|en)\s+/i;

function partsOf(facts: VenueFacts, city: ReadonlySet<string>): HouseName[] {
  const parts = facts.name.split(parting);
  if (parts.length < 2) return [];
  return parts
    .map((part) => written(houseName(part, city)))
    .filter(({ core }) => core.some((word) => !isRoom(word)));
}
const isRoom = (word: string): boolean => roomWords.has(word) || houseWords.has(word) || /^\d$/.test(word);

/** Compares what two houses are called. */
export function compareHouseNames(a: VenueFacts, b: VenueFacts): Reason {
  // The city of one is the other's where that says none: "Lido Berlin".
  const city = new Set(
    [a.city ?? '', b.city ?? '', ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])].flatMap(wordsOf),
  );
  const [wholeA, wholeB] = [houseNames(a, city), houseNames(b, city)];
  const all = [named(wholeA, wholeB)];
  const [partsA, partsB] = [partsOf(a, city), partsOf(b, city)];
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
  return [facts.name, ...(facts.aliases ?? [])].some((name) => {
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
  const cities = [a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])];
  const forms = ({ name, aliases }: VenueFacts) =>
    [name, ...(aliases ?? [])].flatMap((one) => [one, withoutCity(one, cities)]);
  return forms(a)
    .flatMap((name) => [name, ...name.split(parting)])
    .some((part) => forms(b).some((name) => soundAlike(part, name)));
};

/** "ビルボードライブ東京", "Billboard Live TOKYO": the city stands behind a house without a sign between them. */
function withoutCity(name: string, cities: readonly (string | null | undefined)[]): string {
  const city = cities.find((one) => one != null && one.length > 1 && endsWith(name, one));
  return city == null ? name : name.slice(0, -city.length).trim() || name;
}
const endsWith = (name: string, end: string): boolean => name.toLowerCase().endsWith(end.toLowerCase());

function named(a: HouseName[], b: HouseName[]): Reason {
  let best = reason(-3.5, 'different names');
  for (const one of a) {
    for (const two of b) {
      const found = compareNames(one, two);
      if (found.weight > best.weight) best = found;
    }
  }
  return best;
}

const equal = (a: HouseName, b: HouseName): boolean =>
  a.core.length === b.core.length &&
  a.core.every((word, at) => word === b.core[at] || alikeWords(word, b.core[at] as string));

function compareNames(a: HouseName, b: HouseName): Reason {
  const [joinedA, joinedB] = [a.core.join(''), b.core.join('')];
  if (a.all.join('') === b.all.join('')) return reason(4, 'the same name');
  if (joinedA === joinedB || a.core.toSorted().join(' ') === b.core.toSorted().join(' '))
    return reason(3.4, 'the same name but for words that many houses have');
  if (a.digits !== b.digits && a.digits !== '' && b.digits !== '')
    return reason(-4, 'names with different numbers');
  if (
    alikeTexts(joinedA, joinedB) ||
    alikeTexts(a.all.join(''), b.all.join('')) ||
    alikeTexts(a.core.toSorted().join(''), b.core.toSorted().join(''))
  )
    return reason(2.6, 'names that differ by a slip');
  return contained(a, b);
}

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

// ------------------------------------------------------------------------------------------------------------- where

/** What city, country, address and coordinates say. */
export function compareWhere(a: VenueFacts, b: VenueFacts): Reason[] {
  const reasons: Reason[] = [];
  const away = distanceBetween(a, b);
  const cities = compareCities(a, b);
  if (a.country && b.country && a.country.toUpperCase() !== b.country.toUpperCase())
    reasons.push({ evidence: 'country', weight: -6, text: `${a.country} and ${b.country}` });
  // Suburbs and translations: coordinates know better than names of cities.
  else if (cities && !(cities.weight < 0 && ((away !== null && away < 1_000) || isNamedByCity(a, b))))
    reasons.push(cities);
  if (away !== null) reasons.push(distanceReason(away, roughness(a, b)));
  const street = compareStreets(a.address, b.address);
  if (street) reasons.push(street);
  else if (a.postalCode && b.postalCode && squeezed(a.postalCode) === squeezed(b.postalCode))
    reasons.push({ evidence: 'address', weight: 0.8, text: 'one postal code' });
  return reasons;
}
const squeezed = (code: string): string => code.replace(/\W/g, '').toLowerCase();

/** "Savaya" in Bali, "Savaya Bali" in a village there: the name of one has the city of the other. */
const isNamedByCity = (a: VenueFacts, b: VenueFacts): boolean =>
  cityNames(a).some((city) => containsRun(inShort(wordsOf(b.name)), city)) ||
  cityNames(b).some((city) => containsRun(inShort(wordsOf(a.name)), city));

type Placed = Pick<VenueFacts, 'city' | 'cityAliases' | 'country'>;

/** Whether two names of cities are one; null where one is not known. */
export function compareCities(a: Placed, b: Placed): Reason | null {
  const [namesA, namesB] = [cityNames(a), cityNames(b)];
  if (namesA.length === 0 || namesB.length === 0) return null;
  // Of two that are known each by itself, names that are nearly one are two: "Offenbach", "Offenburg".
  const slips = !isKnown(a) && !isKnown(b);
  const one = !areOtherRegions(a, b) && namesA.some((x) => namesB.some((y) => sameCity(x, y, slips)));
  // In letters of their own: whether they are one nobody can read from them.
  if (!one && areOfTwoScripts(a.city ?? '', b.city ?? '')) return null;
  const text = one ? 'one city' : `${a.city} and ${b.city}`;
  return { evidence: 'city', weight: one ? 1.2 : ifOneTown(a, b), text };
}

/** How much it counts that two cities, of which one is unknown here, are called differently; and that two are. */
export const districtPerhaps = -2.2;
export const bothUnknown = -4.4;

/** How much it counts that a city has nearly the other's name, as in another language: "Luzern", "Lucerne". */
const perhapsTranslated = -1.5;

const isTranslated = (a: Placed, b: Placed): boolean => {
  const [one, two] = [a, b].map(({ city }) => cityWords(townOf(city ?? '')).join('')) as [string, string];
  return (
    a.country != null &&
    a.country === b.country &&
    Math.min(one.length, two.length) >= 6 &&
    one.slice(0, 2) === two.slice(0, 2) &&
    distance(one, two) <= 2
  );
};

/** "Newtown" and "Sydney": of a name that no list of cities has nobody knows that it is far from one that is there. */
function ifOneTown(a: Placed, b: Placed): number {
  const known = [a, b].filter(isKnown).length;
  if (known < 2 && isTranslated(a, b)) return perhapsTranslated;
  if (a.country == null || a.country !== b.country || known === 2) return -4.5;
  return known === 1 ? districtPerhaps : bothUnknown;
}

const isKnown = ({ cityAliases }: Placed): boolean => (cityAliases?.length ?? 0) > 0;

const cityNames = ({ city, cityAliases }: Placed): (readonly string[])[] =>
  [city ?? '', townOf(city ?? ''), ...(cityAliases ?? [])].map(cityWords).filter((words) => words.length > 0);

/** "Portland, OR" and "Portland, ME"; a region may be written in letters of its name. */
function areOtherRegions(a: Placed, b: Placed): boolean {
  const [one, two] = [a, b].map(({ city }) => wordsOf((city ?? '').split(',')[1] ?? '').join(''));
  if (!one || !two || one === two) return false;
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  return short.length > 3 || short[0] !== long[0] || (long.length <= 3 && short !== long);
}

/** "Frankfurt" is "Frankfurt am Main", "New York" is "New York City". */
function sameCity(a: readonly string[], b: readonly string[], slips: boolean): boolean {
  const [short, long] = a.length <= b.length ? [a, b] : [b, a];
  const [one, two] = [a.join(''), b.join('')];
  if (one === two) return true;
  if (a.length === b.length) return collapsed(one) === collapsed(two) || (slips && distance(one, two) === 1);
  const lead = short.every((word, at) => word === long[at]);
  return (
    lead &&
    short.join('').length >= 4 &&
    (long.length - short.length > 1 ||
      /^(?:city|centre|center|central|stadt|.|\w?\d+\w?)$/.test(long.at(-1) as string))
  );
}

const radius = 6_371_000;

/** Metres between two houses; null where one has no coordinates. */
export function distanceBetween(a: VenueFacts, b: VenueFacts): number | null {
  if (a.latitude == null || a.longitude == null || b.latitude == null || b.longitude == null) return null;
  // 0, 0 is no place but a missing one.
  if ((a.latitude === 0 && a.longitude === 0) || (b.latitude === 0 && b.longitude === 0)) return null;
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const [lat, long] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)];
  const h =
    Math.sin(lat / 2) ** 2 + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(long / 2) ** 2;
  return Math.round(2 * radius * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** Coordinates with few decimals stand for a town, not for a house. */
const roughness = (a: VenueFacts, b: VenueFacts): number =>
  [a.latitude, a.longitude, b.latitude, b.longitude].some((value) => decimals(value as number) < 3) ? 0.4 : 1;
const decimals = (value: number): number => (String(value).split('.')[1] ?? '').length;

function distanceReason(metres: number, rough: number): Reason {
  const text = metres < 1_000 ? `${metres} m apart` : `${Math.round(metres / 100) / 10} km apart`;
  const weight = metres <= 80 ? 2 : metres <= 250 ? 1 : metres <= 700 ? -0.2 : metres <= 2_000 ? -1.5 : -4;
  return { evidence: 'distance', weight: metres > 30_000 ? -6 : weight * rough, text };
}

/** Street and number, in whichever order they are written; null where the two cannot be compared. */
function compareStreets(a: string | null | undefined, b: string | null | undefined): Reason | null {
  if (!a || !b) return null;
  if (hasForeign(a) !== hasForeign(b)) return compareNumbers(a, b);
  const [one, two] = [streetOf(a), streetOf(b)];
  if (one.name.length === 0 || two.name.length === 0) return null;
  const shared = sharedWords(one.name, two.name);
  const sameStreet = shared === Math.min(one.name.length, two.name.length) || shared >= 2;
  if (!sameStreet) return { evidence: 'address', weight: -1.8, text: 'different streets' };
  if (one.number === '' || two.number === '') return { evidence: 'address', weight: 0.6, text: 'one street' };
  return one.number === two.number
    ? { evidence: 'address', weight: 2, text: 'one address' }
    : { evidence: 'address', weight: -1.8, text: 'one street, different numbers' };
}

/** "東京都港区赤坂9-7-4", "9-7-4 Akasaka": names of streets in two scripts nobody compares, numbers may agree. */
function compareNumbers(a: string, b: string): Reason | null {
  const [one, two] = [a, b].map((address) => /\d+(?:[-–]\d+)+/.exec(address.normalize('NFKC'))?.[0]);
  return one !== undefined && one === two ? { evidence: 'address', weight: 2, text: 'one address' } : null;
}

const streetKinds =
  /^(?:street|st|str|strasse|road|rd|avenue|ave|av|lane|ln|boulevard|blvd|platz|square|sq|rue|via|calle|carrer|plaza|place|pl|drive|dr|way|weg|allee|the|de|la|le|der|am|an|straat)$/;

function streetOf(address: string): { name: string[]; number: string } {
  const words = wordsOf(
    (address.split(/,(?!\s*\d+\w?\s*(?:,|$))/)[0] as string).replace(
      /(\p{L}{3,})str(?:\.|aße|asse)(?=\W|$)/giu,
      '$1 strasse',
    ),
  );
  const number = words.find((word) => /^\d/.test(word)) ?? '';
  return { name: words.filter((word) => !/^\d/.test(word) && !streetKinds.test(word)), number };
}

const social =
  /(?:^|\.)(?:facebook|instagram|twitter|x|linktr|ra|residentadvisor|google|youtube|soundcloud|wikipedia|songkick|dice|bandsintown|ticketmaster|eventbrite|myspace|tiktok)\.\w+$/;

/** One website of their own. */
export function compareSites(a: string | null | undefined, b: string | null | undefined): Reason | null {
  const [one, two] = [siteOf(a), siteOf(b)];
  if (one === null || one !== two) return null;
  return { evidence: 'website', weight: 1.8, text: `one website, ${one}` };
}

function siteOf(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.toLowerCase().replace(/^www\./, '');
  return social.test(host) ? null : host;
}

/** The words that tell a house from others, as they may stand in a title. */
export function telling(facts: VenueFacts): readonly string[] {
  const city = new Set([facts.city ?? '', ...(facts.cityAliases ?? [])].flatMap(wordsOf));
  return houseName(withoutAddress(facts.name), city).core;
}
