/** Compares the names of two venues: without city and general words, with rooms, initials and other scripts. */
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import { areInDifferentScripts, hasNonLatin, latinPart, soundsAlike } from '../../text/scripts.ts';
import {
  abbreviate,
  areSimilarTexts,
  areSimilarWords,
  codesIn,
  containsSequence,
  countSharedWords,
  initialsOf,
  roomWords,
  stopWords,
  tokenize,
  venueStopWords,
} from '../../text/tokens.ts';
import { type Evidence, evidenceOf, strongest, type VenueFacts } from '../model.ts';
import { venueWeights } from '../weights.ts';

const venueEvidence = evidenceOf(venueWeights);

type VenueNameTokens = {
  /** The distinctive tokens, in order. */
  core: readonly string[];
  /** All words but those of its city. */
  all: readonly string[];
  digits: string;
  /** Numbers with letters beside them: "p0", "1a". */
  codes: readonly string[];
};
type ComparableVenueName = VenueNameTokens & {
  /** The core and all words as one text each, and the core's words in one order. */
  joinedCore: string;
  joinedAll: string;
  sortedCore: string;
  joinedSortedCore: string;
  /** Whether all words are telling and sorted, so that the texts above are one. */
  isOneText: boolean;
  /** A long name of several words is rarely another venue's in the same city. */
  isRare: boolean;
};

/** Maximum number of names of a venue that are compared letter by letter; the others are compared for equality. */
const maxFuzzyNames = 20;

/** The names of a venue, prepared for comparison without the words of given cities. */
type VenueNameForms = {
  wholes: readonly ComparableVenueName[];
  parts: readonly ComparableVenueName[];
  /** The first of its names with these words, and with these telling words. */
  byAll: ReadonlyMap<string, ComparableVenueName>;
  byCore: ReadonlyMap<string, ComparableVenueName>;
};
const nameFormsCache = memoizeByObject((_: VenueFacts) => new Map<string, VenueNameForms>());
/** A venue is usually compared with others of its city. */
const maxCachedCities = 8;
/** Maximum number of names of a city that are removed from the names of its venues. */
const maxCityNames = 500;

function nameFormsOf(facts: VenueFacts, city: ReadonlySet<string>, cityKey: string): VenueNameForms {
  const formsByCity = nameFormsCache(facts);
  return getOrCreate(formsByCity, cityKey, () => {
    if (formsByCity.size >= maxCachedCities) formsByCity.clear();
    return readNameForms(facts, city);
  });
}

function readNameForms(facts: VenueFacts, city: ReadonlySet<string>): VenueNameForms {
  const wholes = wholeNames(facts, city);
  const [byAll, byCore] = [new Map<string, ComparableVenueName>(), new Map<string, ComparableVenueName>()];
  for (const name of wholes) {
    if (!byAll.has(name.joinedAll)) byAll.set(name.joinedAll, name);
    for (const core of [name.joinedCore, name.sortedCore]) if (!byCore.has(core)) byCore.set(core, name);
  }
  return { wholes, parts: nameParts(facts, city), byAll, byCore };
}

/** The whole names of a venue, aliases included. */
function wholeNames(facts: VenueFacts, city: ReadonlySet<string>): ComparableVenueName[] {
  const names = [facts.name, ...(facts.aliases ?? [])].map(withoutAddress);
  const numbers = new Set((facts.address ?? '').slice(0, 300).match(/\d{2,}/g) ?? []);
  return names
    .map((name) => toComparable(withoutStreetNumber(splitVenueName(name, city), numbers)))
    .filter(({ all }) => all.length > 0);
}

/** The name without an address behind it, a location in brackets, and a sponsor in front. */
const withoutAddress = (name: string): string =>
  name
    .replace(/,(?=[^,]*\d).*$/, '')
    .replace(/\s*[([]([^)\]]*)[)\]]/g, (whole, within) => (locationPrefix.test(within) ? '' : whole))
    .replace(/^O2(?:\s+(?=\S)|$)/i, '') || name;

/** "Smolna38" in Smolna 38: the street number is no part of the name. */
function withoutStreetNumber(name: VenueNameTokens, numbers: ReadonlySet<string>): VenueNameTokens {
  const core = name.core.filter((word) => !numbers.has(word));
  return core.length === 0 || core.length === name.core.length
    ? name
    : { ...name, core, digits: digitsIn(core) };
}
const digitsIn = (words: readonly string[]): string => words.filter((word) => /\d/.test(word)).join(' ');

/** As it is compared with another: what may be written short is. */
function toComparable(name: VenueNameTokens): ComparableVenueName {
  const [core, all] = [abbreviate(name.core), abbreviate(name.all)];
  const sortedWords = core.toSorted();
  const [joinedCore, joinedAll, joinedSortedCore] = [core.join(''), all.join(''), sortedWords.join('')];
  return {
    core,
    all,
    digits: name.digits,
    codes: name.codes,
    joinedCore,
    joinedAll,
    sortedCore: sortedWords.join(' '),
    joinedSortedCore,
    isOneText: joinedCore === joinedAll && joinedCore === joinedSortedCore,
    isRare: core.length > 1 && joinedCore.length >= 9,
  };
}

function splitVenueName(name: string, city: ReadonlySet<string>): VenueNameTokens {
  const words = tokenize(name.replace(/(?<=[a-z])(?=\d)|(?<=\d)(?=[a-z]{3})/gi, ' '));
  const outside = words.filter((word) => !city.has(word));
  const all = outside.length > 0 ? outside : words;
  const distinct = all.filter((word) => !venueStopWords.has(word) && !sponsors.has(word));
  const core = distinct.length > 0 ? distinct : all;
  const codes = codesIn(tokenize(name)).filter((code) => !city.has(code));
  return { core, all, digits: digitsIn(core), codes };
}

/** Sponsors in the names of venues, which change. */
const sponsors: ReadonlySet<string> = new Set(
  'o2 hmv carling eventim vodafone telekom barclaycard tauron unimed itau axs'.split(' '),
);

/** Separators between a venue and its room. */
const partSeparator = /\s*[|/,;:@()[\]•]\s*|\s+[-–—]\s+|\s+(?:at|@|im|in der|at the|in the|au|en)\s+/i;

function nameParts(facts: VenueFacts, city: ReadonlySet<string>): ComparableVenueName[] {
  const parts = facts.name.split(partSeparator);
  if (parts.length < 2) return [];
  return parts
    .filter((part) => !locationPrefix.test(part))
    .map((part) => part.replace(formerNamePrefix, ''))
    .map((part) => toComparable(splitVenueName(part, city)))
    .filter(({ core }) => core.some((word) => !isRoomWord(word)));
}
/** "(above Royale Eatery)": a location. */
const locationPrefix =
  /^\s*(?:above|below|beneath|under|behind|beside|next to|near|opposite|inside of|neben|über|unter|hinter|gegenüber)\s/i;
/** "(antigo Espaço das Américas)": a name that it had. */
const formerNamePrefix =
  /^\s*(?:ex|formerly|former|previously|fka|antigo|antiga|antiguo|antigua|ehemals|früher|vormals|anciennement|ex-|già|dawniej)\b[\s:.-]*/i;
const isRoomWord = (word: string): boolean =>
  roomWords.has(word) || venueStopWords.has(word) || /^\d$/.test(word);

/** The strongest evidence that the names and aliases of two venues give. */
export function compareVenueNames(a: VenueFacts, b: VenueFacts): Evidence {
  const { words: city, key: cityKey } = cityWordsOfBoth(a, b);
  const [houseA, houseB] = [nameFormsOf(a, city, cityKey), nameFormsOf(b, city, cityKey)];
  const whole = compareWholeNames(houseA, houseB);
  // No other evidence of names is stronger.
  if (whole.weight >= venueWeights['name.same-core']) return whole;
  const all: Evidence[] = [whole];
  const [wholeA, wholeB] = [houseA.wholes.slice(0, maxFuzzyNames), houseB.wholes.slice(0, maxFuzzyNames)];
  const [partsA, partsB] = [houseA.parts.slice(0, maxFuzzyNames), houseB.parts.slice(0, maxFuzzyNames)];
  if (partsA.some((part) => wholeB.some((whole) => haveSameCore(part, whole))))
    all.push(venueEvidence('name.nested'));
  if (partsB.some((part) => wholeA.some((whole) => haveSameCore(part, whole))))
    all.push(venueEvidence('name.nested'));
  if (anyFormSoundsAlike(a, b) || anyFormSoundsAlike(b, a)) all.push(venueEvidence('name.other-script'));
  else if (isLatinPart(a, wholeB, city) || isLatinPart(b, wholeA, city))
    all.push(venueEvidence('name.mixed-script'));
  else if (areInDifferentScripts(a.name, b.name)) all.push(venueEvidence('name.unreadable'));
  if (isAbbreviation(a, b) || isAbbreviation(b, a)) all.push(venueEvidence('name.initials'));
  if (
    partsA.length > 0 &&
    partsB.length > 0 &&
    partsA.some((one) => partsB.some((two) => haveSameCore(one, two)))
  )
    all.push(venueEvidence('name.shared-part'));
  return strongest(all);
}

/** Words of names of cities, and the same as one text. */
type CityWords = { words: ReadonlySet<string>; key: string };

const toCityWords = (words: Iterable<string>): CityWords => {
  const distinct = new Set(words);
  return { words: distinct, key: [...distinct].sort().join(' ') };
};

const cityWordsOf = memoizeByObject(
  ({ city, cityAliases }: VenueFacts): CityWords =>
    toCityWords([city ?? '', ...(cityAliases ?? []).slice(0, maxCityNames)].flatMap(cityNameTokens)),
);

/** The words of both cities. The city of one is the other's where that says none: "Lido Berlin". */
function cityWordsOfBoth(a: VenueFacts, b: VenueFacts): CityWords {
  const [one, two] = [cityWordsOf(a), cityWordsOf(b)];
  return one.key === two.key ? one : toCityWords([...one.words, ...two.words]);
}

/** The words of a city's name, and what it is called for short: "Zouk KL", "Basement NY". */
function cityNameTokens(name: string): readonly string[] {
  const words = tokenize(name);
  return words.length > 1 ? [...words, initialsOf(words)] : words;
}

/** "CJC 610", "Cairo Jazz Club": a word made of the first letters of all words of the other name. */
function isAbbreviation({ name: short }: VenueFacts, long: VenueFacts): boolean {
  const initials = nameInitials(long);
  return initials.length > 0 && tokenize(short).some((word) => initials.includes(word));
}

/** The first letters of all words of a name, and of those that do not join others. */
const nameInitials = memoizeByObject(({ name }: VenueFacts): readonly string[] => {
  const words = tokenize(withoutAddress(name));
  const significant = words.filter((word) => !stopWords.has(word));
  return [words, significant].filter(({ length }) => length >= 3).map(initialsOf);
});

/**
 * "VENT 表参道" and "VENT", "渋谷CLUB QUATTRO" and "Shibuya Club Quattro": beside its name a venue has a place or its name
 * once more, which the other may have in Latin letters.
 */
function isLatinPart(
  facts: VenueFacts,
  others: readonly ComparableVenueName[],
  city: ReadonlySet<string>,
): boolean {
  return latinParts(facts).some((part) => {
    const own = splitVenueName(part, city);
    const isWithin = ({ core }: ComparableVenueName) =>
      own.core.join('').length >= 5 &&
      core.length === own.core.length + 1 &&
      containsSequence(core, own.core);
    return (
      own.core.join('').length >= 3 && others.some((other) => haveSameCore(own, other) || isWithin(other))
    );
  });
}

const latinParts = memoizeByObject((facts: VenueFacts): readonly string[] =>
  cappedNames(facts)
    .map(latinPart)
    .filter((part) => part !== null),
);

/** "롤링홀" and "Rolling Hall": the whole of a name, or a part that signs set off, sounds like the other. */
const anyFormSoundsAlike = (a: VenueFacts, b: VenueFacts): boolean => {
  if (!hasNonLatinName(a) && !hasNonLatinName(b)) return false;
  const cities = [a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])];
  const forms = (facts: VenueFacts) => cappedNames(facts).flatMap((one) => [one, withoutCity(one, cities)]);
  return forms(a)
    .flatMap((name) => [name, ...name.split(partSeparator)])
    .some((part) => forms(b).some((name) => soundsAlike(part, name)));
};

const hasNonLatinName = memoizeByObject((facts: VenueFacts): boolean => cappedNames(facts).some(hasNonLatin));
const cappedNames = ({ name, aliases }: VenueFacts): string[] =>
  [name, ...(aliases ?? [])].slice(0, maxFuzzyNames);

/** "ビルボードライブ東京", "Billboard Live TOKYO": the city follows the venue without a separator. */
function withoutCity(name: string, cities: readonly (string | null | undefined)[]): string {
  const city = cities.find((one) => one != null && one.length > 1 && endsWith(name, one));
  return city == null ? name : name.slice(0, -city.length).trim() || name;
}
const endsWith = (name: string, end: string): boolean => name.toLowerCase().endsWith(end.toLowerCase());

function compareWholeNames(a: VenueNameForms, b: VenueNameForms): Evidence {
  // The strongest evidence needs no comparison of other names.
  if (a.wholes.some(({ isRare, joinedAll }) => isRare && b.byAll.has(joinedAll)))
    return venueEvidence('name.same-rare');
  let best: Evidence = venueEvidence('name.different');
  const keep = (evidence: Evidence): void => {
    if (evidence.weight > best.weight) best = evidence;
  };
  for (const one of a.wholes.slice(0, maxFuzzyNames))
    for (const two of b.wholes.slice(0, maxFuzzyNames)) keep(compareNames(one, two));
  if (a.wholes.length <= maxFuzzyNames && b.wholes.length <= maxFuzzyNames) return best;
  for (const one of a.wholes) {
    const equal = b.byAll.get(one.joinedAll) ?? b.byCore.get(one.joinedCore) ?? b.byCore.get(one.sortedCore);
    if (equal !== undefined) keep(compareNames(one, equal));
  }
  return best;
}

const haveSameCore = (a: VenueNameTokens, b: VenueNameTokens): boolean =>
  a.core.length === b.core.length && countSharedWords(a.core, b.core) === a.core.length;

/**
 * "Bar 25" and "Halle 25", "Room 1" and "Saal 1": a number alone names no place, so the general words beside it count. "25"
 * may be either, and "Hall 25" is "Halle 25".
 */
function areOtherNumberedPlaces(a: ComparableVenueName, b: ComparableVenueName): boolean {
  if (!isNumberedPlace(a) || !isNumberedPlace(b)) return false;
  const [besideA, besideB] = [generalStems(a), generalStems(b)];
  return besideA.length > 0 && besideB.length > 0 && !besideA.some((stem) => besideB.includes(stem));
}

/** Whether nothing but a number distinguishes a place. */
const isNumberedPlace = ({ core }: ComparableVenueName): boolean =>
  core.some(isNumber) && core.every((word) => isNumber(word) || isRoomWord(word));
const isNumber = (word: string): boolean => /^\d+$/.test(word);
/** "hall", "halle" and "hal" have one beginning, "club" and "klub" too. */
const generalStems = ({ all }: ComparableVenueName): string[] =>
  all.filter((word) => !isNumber(word)).map((word) => word.replace(/^k/, 'c').slice(0, 3));

function compareNames(a: ComparableVenueName, b: ComparableVenueName): Evidence {
  const { isRare } = a;
  if (a.joinedAll === b.joinedAll) return venueEvidence(isRare ? 'name.same-rare' : 'name.same');
  if (areOtherNumberedPlaces(a, b)) return venueEvidence('name.different');
  if (a.joinedCore === b.joinedCore || a.sortedCore === b.sortedCore)
    return venueEvidence(isRare ? 'name.same-core-rare' : 'name.same-core');
  if (a.digits !== b.digits && a.digits !== '' && b.digits !== '') return venueEvidence('name.numbers');
  const [isOther, isOtherToo] = [hasOtherCode(a, b), hasOtherCode(b, a)];
  if (isOther && isOtherToo) return venueEvidence('name.numbers');
  if (
    !isOther &&
    !isOtherToo &&
    (areSimilarTexts(a.joinedCore, b.joinedCore) ||
      (!(a.isOneText && b.isOneText) &&
        (areSimilarTexts(a.joinedAll, b.joinedAll) ||
          areSimilarTexts(a.joinedSortedCore, b.joinedSortedCore))))
  )
    return venueEvidence('name.slip');
  return compareContainment(a, b);
}

/** "P0 Hall" is not "Q0 Hall": a code of one does not stand in the other. "K 4" has the code of "K4". */
const hasOtherCode = (a: ComparableVenueName, b: ComparableVenueName): boolean =>
  a.codes.some((code) => !b.joinedAll.includes(code));

function compareContainment(a: ComparableVenueName, b: ComparableVenueName): Evidence {
  const [short, long] = a.core.length <= b.core.length ? [a, b] : [b, a];
  const shared = countSharedWords(short.core, long.core);
  if (shared === 0) return venueEvidence('name.different');
  const rest = [...long.core];
  for (const word of short.core) {
    const at = rest.findIndex((other) => areSimilarWords(word, other));
    if (at >= 0) rest.splice(at, 1);
  }
  if (shared === short.core.length) {
    if (rest.every(isRoomWord)) return venueEvidence('name.room');
    // "Paradiso", "Paradiso Noord": a further word may name another venue.
    return venueEvidence(shared >= 2 ? 'name.extra-words-of-several' : 'name.extra-words');
  }
  // "Paradiso Grote Zaal", "Paradiso Main Hall".
  if (rest.every(isRoomWord) && short.core.filter((word) => !isRoomWord(word)).length <= shared)
    return venueEvidence('name.two-rooms');
  const weight = (words: readonly string[]) =>
    words.reduce((sum, word) => sum + (isRoomWord(word) ? 0.3 : 1), 0);
  const ratio = (2 * shared) / (weight(short.core) + weight(long.core));
  return venueEvidence(ratio >= 0.75 ? 'name.most-words' : 'name.few-words');
}

/** The distinctive tokens of the name of a venue, as a title may contain them; memoized. */
export const distinctiveTokens = memoizeByObject((facts: VenueFacts): readonly string[] => {
  const city = new Set([facts.city ?? '', ...(facts.cityAliases ?? [])].flatMap(tokenize));
  return splitVenueName(withoutAddress(facts.name), city).core;
});
