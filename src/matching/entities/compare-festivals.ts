/** Whether two statements speak of one festival. */
import { memoize } from '../../memoize.ts';
import { soundsAlike } from '../../text/scripts.ts';
import { areSimilarTexts, differInCodes, initialsOf, stopWords, tokenize } from '../../text/tokens.ts';
import { type Evidence, type FestivalFacts, type MatchResult, scoreEvidence } from '../model.ts';
import { compareCities, countryTokens } from './compare-cities.ts';
import { compareWebsites } from './compare-venues.ts';
import { compareCountries, compareGenres, comparePages, decideByIds } from './shared-evidence.ts';

/** As with artists. */
const prior = -1;

/** Words that any festival may have in its name. */
const genericWords =
  /^(?:festivals?|festiwalu?|festivalul|fest|special|festa|festivali?|fesztival|feszt|open|air|openair|official|music|musikk?|musique|musica|muzyki|musikfestival|electronics?|electronica|electronique|elettronica|elektronische|edition|edicion|edizione|ausgabe|arts?|dance|international|internacional|internazionale?)$/;
const yearPattern = /^(?:19|20)\d\d$/;
/** "Sónar 2026", "Dekmantel '26", "R&V 26/27". */
const shortYearPattern = /(?:'\d{2}|\b\d{2}\/\d{2})\b/g;

/** Whether two festivals are one. Pure and symmetric. */
export function compareFestivals(a: FestivalFacts, b: FestivalFacts): MatchResult {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const name = compareNames(a, b);
  const site = compareWebsites(a.website, b.website);
  const reasons = [
    name,
    ...compareCountries(a, b, -5),
    ...comparePages(a, b),
    ...compareGenres(a, b),
    ...compareFestivalCities(a, b),
  ];
  // What springs from a festival has its website, and a word of its own in the name; elsewhere, as a rule, or at another time.
  const isOneTown = (compareCities(a, b)?.weight ?? 0) > 0;
  if (site)
    reasons.push({
      ...site,
      weight: name.text === longerName.text && isOneTown ? 4 : name.weight < 0 ? 1 : 3,
    });
  return scoreEvidence(reasons, prior);
}

/** A festival is held in fields outside of town: names of towns that no list has are perhaps one place's. */
function compareFestivalCities(a: FestivalFacts, b: FestivalFacts): Evidence[] {
  const cities = compareCities(a, b);
  if (cities === null) return [];
  return [{ ...cities, weight: cities.weight > 0 ? 1.5 : (a.country ?? '') === b.country ? -1.5 : -2.5 }];
}

/** The words of a festival's name: all but years and what joins them, and without its initials in front. */
const nameTokens = memoize(10_000, (name: string): readonly string[] => {
  const words = tokenize(name.replace(shortYearPattern, ' ')).filter(
    (word) => !yearPattern.test(word) && !stopWords.has(word),
  );
  const [first = '', ...others] = words;
  // "ADE - Amsterdam Dance Event".
  return others.length >= 2 && initialsOf(others).startsWith(first) && first.length === others.length
    ? others
    : words;
});

/** The words of its name that tell a festival from others. */
export const distinctiveFestivalTokens = (name: string): readonly string[] =>
  nameTokens(name).filter((word) => !genericWords.test(word));

const nameEvidence = (weight: number, text: string): Evidence => ({ evidence: 'name', weight, text });
const differentNames = nameEvidence(-6, 'different names');
const longerName = nameEvidence(-4, 'one name has words that the other lacks');
const offshoot = nameEvidence(-4.5, 'one is called after the other, for an occasion of its own');

/** Words by which a festival calls what it does besides. */
const occasionWords =
  /^(?:winter|summer|spring|autumn|fall|easter|nye|new|indoor|weekender|opening|closing|beach|boat|camp|kids|mini|pre|after|by|day|night|off|city|club|tour|extra|x|north|south|east|west|europe|selectors|\d+)$/;

/** What two festivals are called; where they are held is no part of a name: "Sónar", "Sónar Barcelona". */
function compareNames(a: FestivalFacts, b: FestivalFacts): Evidence {
  const places = placeTokens(a, b);
  const found = nameAndBracketed(a.name).flatMap((one) =>
    nameAndBracketed(b.name).map((two) => compareNamePair(one, two, places)),
  );
  const alias = (from: FestivalFacts, name: string) =>
    (from.aliases ?? []).some((one) => compareNamePair(one, name, places).weight >= 2.6);
  if (alias(a, b.name) || alias(b, a.name)) found.push(nameEvidence(2, 'one name is an alias of the other'));
  return found.reduce((x, y) => (y.weight > x.weight ? y : x));
}

/** "UMF Korea (Ultra Music Festival)": what stands in brackets is its name as well. */
const nameAndBracketed = (name: string): string[] => [
  name.replace(/\s*[([][^)\]]*[)\]]/g, ' ').trim() || name,
  ...[...name.matchAll(/[([]([^)\]]{4,})[)\]]/g)].map(([, within]) => within as string),
];

const placeTokens = (a: FestivalFacts, b: FestivalFacts): ReadonlySet<string> =>
  new Set([
    ...[a.city, b.city, ...(a.cityAliases ?? []), ...(b.cityAliases ?? [])].flatMap((city) =>
      city ? tokenize(city) : [],
    ),
    ...[a, b].flatMap(({ country }) => [...countryTokens(country), (country ?? '').toLowerCase()]),
  ]);

function compareNamePair(a: string, b: string, places: ReadonlySet<string>): Evidence {
  const [one, two] = [nameTokens(a), nameTokens(b)];
  const [wholeA, wholeB] = [one.join(''), two.join('')];
  if (wholeA === wholeB) return nameEvidence(3, 'the same name');
  const [bareA, bareB] = [one, two].map((words) => words.filter((word) => !genericWords.test(word))) as [
    string[],
    string[],
  ];
  // "Houghton" in Houghton: without the place nothing would be left.
  if (bareA.length > 0 && bareA.join('') === bareB.join(''))
    return nameEvidence(2.8, 'the same name but for words that many festivals have');
  const [coreA, coreB] = [bareA, bareB].map((words) => words.filter((word) => !places.has(word))) as [
    string[],
    string[],
  ];
  const [keyA, keyB] = [coreA.join(''), coreB.join('')];
  if (keyA !== '' && keyA === keyB)
    return nameEvidence(2.8, 'the same name but for words that many festivals have');
  const isSlip =
    areSimilarTexts(wholeA, wholeB) ||
    (Math.min(keyA.length, keyB.length) >= 6 && areSimilarTexts(keyA, keyB));
  if (isSlip && !differInCodes(one, two)) return nameEvidence(2, 'names that differ by a letter');
  if (soundsAlike(a, b)) return nameEvidence(2.4, 'one name in two scripts');
  // "Dekmantel Selectors", "Awakenings Upclose": what springs from a festival has a word more.
  const isWithin = (short: string[], long: string[]) =>
    short.length > 0 && short.every((word) => long.includes(word));
  if (!isWithin(coreA, coreB) && !isWithin(coreB, coreA)) return differentNames;
  const [short, long] = coreA.length <= coreB.length ? [coreA, coreB] : [coreB, coreA];
  return long.some((word) => !short.includes(word) && occasionWords.test(word)) ? offshoot : longerName;
}
