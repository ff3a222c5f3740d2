/** Whether two statements speak of one festival. */
import { remembered } from '../../remembered.ts';
import { compareCities, countryWords } from './cities.ts';
import { soundAlike } from './letters.ts';
import { type FestivalFacts, type Judgement, type Reason, weigh } from './listing.ts';
import { compareCountries, compareGenres, comparePages, decideByIds } from './named-evidence.ts';
import { compareSites } from './venues.ts';
import { alikeTexts, differInCodes, initialsOf, joiners, wordsOf } from './words.ts';

/** As with artists. */
const prior = -1;

/** Words that any festival may have in its name. */
const general =
  /^(?:festivals?|festiwalu?|festivalul|fest|special|festa|festivali?|fesztival|feszt|open|air|openair|official|music|musikk?|musique|musica|muzyki|musikfestival|electronics?|electronica|electronique|elettronica|elektronische|edition|edicion|edizione|ausgabe|arts?|dance|international|internacional|internazionale?)$/;
const year = /^(?:19|20)\d\d$/;
/** "Sónar 2026", "Dekmantel '26", "R&V 26/27". */
const shortYears = /(?:'\d{2}|\b\d{2}\/\d{2})\b/g;

/** Whether two festivals are one. Pure and symmetric. */
export function judgeFestivals(a: FestivalFacts, b: FestivalFacts): Judgement {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const name = compareNames(a, b);
  const site = compareSites(a.website, b.website);
  const reasons = [
    name,
    ...compareCountries(a, b, -5),
    ...comparePages(a, b),
    ...compareGenres(a, b),
    ...compareTowns(a, b),
  ];
  // What springs from a festival has its website, and a word of its own in the name; elsewhere, as a rule, or at another time.
  const isOneTown = (compareCities(a, b)?.weight ?? 0) > 0;
  if (site)
    reasons.push({ ...site, weight: name.text === longer.text && isOneTown ? 4 : name.weight < 0 ? 1 : 3 });
  return weigh(reasons, prior);
}

/** A festival is held in fields outside of town: names of towns that no list has are perhaps one place's. */
function compareTowns(a: FestivalFacts, b: FestivalFacts): Reason[] {
  const cities = compareCities(a, b);
  if (cities === null) return [];
  return [{ ...cities, weight: cities.weight > 0 ? 1.5 : (a.country ?? '') === b.country ? -1.5 : -2.5 }];
}

/** The words of a festival's name: all but years and what joins them, and without its initials in front. */
const wordsIn = remembered(10_000, (name: string): readonly string[] => {
  const words = wordsOf(name.replace(shortYears, ' ')).filter(
    (word) => !year.test(word) && !joiners.has(word),
  );
  const [first = '', ...others] = words;
  // "ADE - Amsterdam Dance Event".
  return others.length >= 2 && initialsOf(others).startsWith(first) && first.length === others.length
    ? others
    : words;
});

/** The words of its name that tell a festival from others. */
export const festivalWords = (name: string): readonly string[] =>
  wordsIn(name).filter((word) => !general.test(word));

const reason = (weight: number, text: string): Reason => ({ evidence: 'name', weight, text });
const different = reason(-6, 'different names');
const longer = reason(-4, 'one name has words that the other lacks');
const offshoot = reason(-4.5, 'one is called after the other, for an occasion of its own');

/** Words by which a festival calls what it does besides. */
const occasions =
  /^(?:winter|summer|spring|autumn|fall|easter|nye|new|indoor|weekender|opening|closing|beach|boat|camp|kids|mini|pre|after|by|day|night|off|city|club|tour|extra|x|north|south|east|west|europe|selectors|\d+)$/;

/** What two festivals are called; where they are held is no part of a name: "Sónar", "Sónar Barcelona". */
function compareNames(a: FestivalFacts, b: FestivalFacts): Reason {
  const places = placeWords(a, b);
  const found = namesOf(a.name).flatMap((one) => namesOf(b.name).map((two) => compareTwo(one, two, places)));
  const alias = (from: FestivalFacts, name: string) =>
    (from.aliases ?? []).some((one) => compareTwo(one, name, places).weight >= 2.6);
  if (alias(a, b.name) || alias(b, a.name)) found.push(reason(2, 'one name is an alias of the other'));
  return found.reduce((x, y) => (y.weight > x.weight ? y : x));
}

/** "UMF Korea (Ultra Music Festival)": what stands in brackets is its name as well. */
const namesOf = (name: string): string[] => [
  name.replace(/\s*[([][^)\]]*[)\]]/g, ' ').trim() || name,
  ...[...name.matchAll(/[([]([^)\]]{4,})[)\]]/g)].map(([, within]) => within as string),
];

const placeWords = (a: FestivalFacts, b: FestivalFacts): ReadonlySet<string> =>
  new Set([
    ...[a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])].flatMap((city) =>
      city ? wordsOf(city) : [],
    ),
    ...[a, b].flatMap(({ country }) => [...countryWords(country), (country ?? '').toLowerCase()]),
  ]);

function compareTwo(a: string, b: string, places: ReadonlySet<string>): Reason {
  const [one, two] = [wordsIn(a), wordsIn(b)];
  const [wholeA, wholeB] = [one.join(''), two.join('')];
  if (wholeA === wholeB) return reason(3, 'the same name');
  const [bareA, bareB] = [one, two].map((words) => words.filter((word) => !general.test(word))) as [
    string[],
    string[],
  ];
  // "Houghton" in Houghton: without the place nothing would be left.
  if (bareA.length > 0 && bareA.join('') === bareB.join(''))
    return reason(2.8, 'the same name but for words that many festivals have');
  const [coreA, coreB] = [bareA, bareB].map((words) => words.filter((word) => !places.has(word))) as [
    string[],
    string[],
  ];
  const [keyA, keyB] = [coreA.join(''), coreB.join('')];
  if (keyA !== '' && keyA === keyB)
    return reason(2.8, 'the same name but for words that many festivals have');
  const isSlip =
    alikeTexts(wholeA, wholeB) || (Math.min(keyA.length, keyB.length) >= 6 && alikeTexts(keyA, keyB));
  if (isSlip && !differInCodes(one, two)) return reason(2, 'names that differ by a letter');
  if (soundAlike(a, b)) return reason(2.4, 'one name in two scripts');
  // "Dekmantel Selectors", "Awakenings Upclose": what springs from a festival has a word more.
  const isWithin = (short: string[], long: string[]) =>
    short.length > 0 && short.every((word) => long.includes(word));
  if (!isWithin(coreA, coreB) && !isWithin(coreB, coreA)) return different;
  const [short, long] = coreA.length <= coreB.length ? [coreA, coreB] : [coreB, coreA];
  return long.some((word) => !short.includes(word) && occasions.test(word)) ? offshoot : longer;
}
