/** Compares two source records of festivals. */
import { memoize } from '../../memoize.ts';
import { soundsAlike } from '../../text/scripts.ts';
import { areSimilarTexts, differInCodes, initialsOf, stopWords, tokenize } from '../../text/tokens.ts';
import {
  type Evidence,
  evidenceOf,
  type FestivalFacts,
  type MatchResult,
  scoreEvidence,
  strongest,
} from '../model.ts';
import { type EvidenceCode, festivalWeights } from '../weights.ts';
import { compareCities, countryTokens } from './compare-cities.ts';
import { sharedWebsite } from './compare-venues.ts';
import { compareCountries, compareGenres, comparePages, decideByIds } from './shared-evidence.ts';

/** As with artists. */
const prior = -1;
const festivalEvidence = evidenceOf(festivalWeights);

/** Words that any festival may have in its name. */
const genericWords =
  /^(?:festivals?|festiwalu?|festivalul|fest|special|festa|festivali?|fesztival|feszt|open|air|openair|official|music|musikk?|musique|musica|muzyki|musikfestival|electronics?|electronica|electronique|elettronica|elektronische|edition|edicion|edizione|ausgabe|arts?|dance|international|internacional|internazionale?)$/;
const yearPattern = /^(?:19|20)\d\d$/;
/** "Sónar 2026", "Dekmantel '26", "R&V 26/27". */
const shortYearPattern = /(?:'\d{2}|\b\d{2}\/\d{2})\b/g;

/** Compares two festivals. Pure and symmetric. */
export function compareFestivals(a: FestivalFacts, b: FestivalFacts): MatchResult {
  const decided = decideByIds(a, b);
  if (decided) return decided;
  const name = compareNames(a, b);
  const site = sharedWebsite(a.website, b.website);
  const reasons: Evidence[] = [
    name,
    ...compareCountries(a, b, (x, y) => festivalEvidence('country.different', x, y)),
    ...comparePages(a, b),
    ...compareGenres(a, b),
    ...compareFestivalCities(a, b),
  ];
  // An offshoot has the website of its festival and a further word in its name, and is usually in another city.
  if (site !== null) {
    const isOffshoot = name.code === 'name.extra-words' && compareCities(a, b) === 'city.same';
    const code = isOffshoot
      ? 'website.longer-name'
      : otherNames.has(name.code)
        ? 'website.other-name'
        : 'website.same';
    reasons.push(festivalEvidence(code, site));
  }
  return scoreEvidence(reasons, prior);
}

/** Compares cities. Festivals are held outside of towns, so that two names of towns may be one place: they weigh less. */
function compareFestivalCities(a: FestivalFacts, b: FestivalFacts): Evidence[] {
  const cities = compareCities(a, b);
  if (cities === null) return [];
  if (cities === 'city.same') return [festivalEvidence('city.same')];
  const code = (a.country ?? '') === b.country ? 'city.different-in-country' : 'city.different';
  return [festivalEvidence(code, a.city, b.city)];
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

/** Names that are evidence against one festival. */
const otherNames: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'name.different',
  'name.extra-words',
  'name.offshoot',
]);

/** Words in the names of other events of a festival. */
const occasionWords =
  /^(?:winter|summer|spring|autumn|fall|easter|nye|new|indoor|weekender|opening|closing|beach|boat|camp|kids|mini|pre|after|by|day|night|off|city|club|tour|extra|x|north|south|east|west|europe|selectors|\d+)$/;

/** Compares names; the place is no part of a name: "Sónar", "Sónar Barcelona". */
function compareNames(a: FestivalFacts, b: FestivalFacts): Evidence {
  const places = placeTokens(a, b);
  const evidence: Evidence[] = nameAndBracketed(a.name).flatMap((one) =>
    nameAndBracketed(b.name).map((two) => compareNamePair(one, two, places)),
  );
  const alias = (from: FestivalFacts, name: string) =>
    (from.aliases ?? []).some((one) => isSameFestivalName(compareNamePair(one, name, places)));
  if (alias(a, b.name) || alias(b, a.name)) evidence.push(festivalEvidence('name.alias'));
  return strongest(evidence);
}

const isSameFestivalName = ({ code }: Evidence): boolean =>
  code === 'name.same' || code === 'name.festival-words';

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
  if (wholeA === wholeB) return festivalEvidence('name.same');
  const [bareA, bareB] = [one, two].map((words) => words.filter((word) => !genericWords.test(word))) as [
    string[],
    string[],
  ];
  // "Houghton" in Houghton: without the place nothing would be left.
  if (bareA.length > 0 && bareA.join('') === bareB.join('')) return festivalEvidence('name.festival-words');
  const [coreA, coreB] = [bareA, bareB].map((words) => words.filter((word) => !places.has(word))) as [
    string[],
    string[],
  ];
  const [keyA, keyB] = [coreA.join(''), coreB.join('')];
  if (keyA !== '' && keyA === keyB) return festivalEvidence('name.festival-words');
  const isSlip =
    areSimilarTexts(wholeA, wholeB) ||
    (Math.min(keyA.length, keyB.length) >= 6 && areSimilarTexts(keyA, keyB));
  if (isSlip && !differInCodes(one, two)) return festivalEvidence('name.letter');
  if (soundsAlike(a, b)) return festivalEvidence('name.other-script');
  // "Dekmantel Selectors", "Awakenings Upclose": what springs from a festival has a word more.
  const isWithin = (short: string[], long: string[]) =>
    short.length > 0 && short.every((word) => long.includes(word));
  if (!isWithin(coreA, coreB) && !isWithin(coreB, coreA)) return festivalEvidence('name.different');
  const [short, long] = coreA.length <= coreB.length ? [coreA, coreB] : [coreB, coreA];
  const isOffshoot = long.some((word) => !short.includes(word) && occasionWords.test(word));
  return festivalEvidence(isOffshoot ? 'name.offshoot' : 'name.extra-words');
}
