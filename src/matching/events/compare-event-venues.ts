/** Compares the places of two listings: venues where both name one, else cities. */

import { countSharedWords, tokenize } from '../../text/tokens.ts';
import { compareCities } from '../entities/compare-cities.ts';
import { distinctiveTokens } from '../entities/compare-venue-names.ts';
import { venueContradictions } from '../levels.ts';
import { type EventFacts, type Evidence, evidenceOf, type MatchOutcome } from '../model.ts';
import {
  type Comparison,
  type EvidenceCode,
  eventWeights,
  isAtLeast,
  type PlaceCode,
  raisedPlaceWeights,
} from '../weights.ts';
import type { LineupComparison } from './compare-lineups.ts';
import type { StartComparison } from './compare-start-times.ts';
import type { TitleEvidence } from './compare-titles.ts';
import { type EventWithTitle, titleNamesVenue, titleTellsMove } from './titles-of-venues.ts';
import { compareVenuePair, venueWithCity } from './venue-pairs.ts';

type RaisedLevel = keyof typeof raisedPlaceWeights;
export type PlaceComparison = Evidence & {
  /**
   * The level of the places themselves, or the one that the line-up raised them to. `code` is `venue.possible-district` if
   * only their cities speak against them.
   */
  level: PlaceCode | RaisedLevel;
  /** Whether the line-up raised the level. */
  isRaised: boolean;
  /** A few steps apart, or of one address. */
  isNear: boolean;
  sharesDistinctiveToken: boolean;
  /** One is a room of the other, by their names. */
  isRoom: boolean;
  /** Their names are one but for general words. */
  sameNameIgnoringStopWords: boolean;
  /** Their names are one, and one city is unknown: a district of the other, perhaps. */
  sameNameUnknownCity: boolean;
  /** Their names are one, in two cities of one country that are both unknown. */
  sameNameTwoUnknownCities: boolean;
  /** Both may be in one city: it is the same, or a district or translation of the other. */
  isSameCity: boolean;
};

const eventEvidence = evidenceOf(eventWeights);
const withFlags = (
  evidence: Evidence & { code: PlaceCode },
  flags: Partial<PlaceComparison> = {},
): PlaceComparison => ({
  ...evidence,
  level: evidence.code,
  isRaised: false,
  isNear: false,
  sharesDistinctiveToken: false,
  isRoom: false,
  sameNameIgnoringStopWords: false,
  isSameCity: false,
  sameNameUnknownCity: false,
  sameNameTwoUnknownCities: false,
  ...flags,
});

/** Names of one venue, general words and rooms aside; the first of them without rooms. */
const oneNameCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'name.same-rare',
  'name.same',
  'name.same-core-rare',
  'name.same-core',
  'name.other-script',
  'name.mixed-script',
  'name.slip',
  'name.nested',
]);
const isOneNameOrRoom = ({ code }: Evidence): boolean => oneNameCodes.has(code) || code === 'name.room';

/** Compares where two listings take place. */
export function compareEventVenues(a: EventWithTitle, b: EventWithTitle): PlaceComparison {
  const [venueA, venueB] = [venueWithCity(a), venueWithCity(b)];
  if (!venueA || !venueB) return compareEventCities(a, b);
  const { outcome, score, reasons, isRoom } = compareVenuePair(venueA, venueB);
  const isOneId =
    venueA.externalId != null && a.source === b.source && venueA.externalId === venueB.externalId;
  const because = { because: reasons };
  const has = (...codes: EvidenceCode[]) => reasons.some(({ code }) => codes.includes(code));
  if (isOneId || outcome === 'same')
    return withFlags({ ...eventEvidence('venue.same'), ...because }, { isRoom });
  if ((titleTellsMove(a, b) || titleTellsMove(b, a)) && !has('country.different'))
    return withFlags(eventEvidence('venue.moved'));
  // "Stadthalle" in Offenbach, "Stadthalle" in Offenburg: the name says nothing of the place.
  if (
    [venueA, venueB].every((venue) => isGenericName(venue)) &&
    outcome === 'doubtful' &&
    reasons.some(({ code }) => otherCityCodes.has(code))
  )
    return withFlags({ ...eventEvidence('venue.generic-name'), ...because });
  const isOneName =
    !isChainName([...distinctiveTokens(venueA), ...distinctiveTokens(venueB)]) &&
    differOnlyByUnknownCity(reasons);
  const flags: Partial<PlaceComparison> = {
    isNear: has('address.same', 'distance.within-80-m', 'distance.within-250-m'),
    isSameCity: has('city.same', 'city.by-address', 'city.possible-translation', 'city.possible-district'),
    sameNameUnknownCity: isOneName && has('city.by-address', 'city.possible-district'),
    sameNameTwoUnknownCities: isOneName && has('city.both-unknown'),
    sameNameIgnoringStopWords: reasons.some(isOneNameOrRoom),
    sharesDistinctiveToken: countSharedWords(distinctiveTokens(venueA), distinctiveTokens(venueB)) > 0,
    isRoom,
  };
  const level = levelOf(a, b, outcome, reasons, score);
  if (isAtLeast({ code: level }, 'venue.same-name-far') && (isStageOf(a, b) || isStageOf(b, a)))
    return withFlags(eventEvidence('venue.stage'), flags);
  const place = withFlags({ ...eventEvidence(level), ...because }, flags);
  return isOneName && outcome === 'different' ? { ...place, code: 'venue.possible-district' } : place;
}

const unknownCityCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'city.both-unknown',
  'city.possible-district',
]);
const otherCityCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  ...unknownCityCodes,
  'city.different',
  'city.possible-translation',
]);

/** Whether two names are one, and only unknown names of cities are evidence against it. */
const differOnlyByUnknownCity = (reasons: Evidence[]): boolean =>
  reasons.some(({ code }) => oneNameCodes.has(code)) &&
  reasons.every(({ code }) => !venueContradictions.has(code) || unknownCityCodes.has(code));

/** Names that venues of many cities have, so that the name does not tell the place. */
const chainNamePattern =
  /^(?:o2|academy|arena|hard|rock|blues|fillmore|knitting|factory|stadthalle|rathaus|hall|hotel|park|stadium|beach|apollo|odeon|roxy|metro|empire|palace|civic|union|student|city|town|village|central|museum|cathedral|church|opera)$/;
const isGenericName = (venue: NonNullable<EventFacts['venue']>): boolean =>
  distinctiveTokens(venue).every((word) => word.length < 3 || chainNamePattern.test(word));
const isChainName = (words: readonly string[]): boolean =>
  words.join('').length < 8 || words.some((word) => chainNamePattern.test(word));

/** Whether the venue of `b` is a stage of the line-up of `a`: a room that is listed as a venue. */
function isStageOf(a: EventWithTitle, b: EventWithTitle): boolean {
  if (!a.lineup?.some(({ stage }) => stage)) return false;
  const words = b.venue ? distinctiveTokens(b.venue) : [];
  const isIn = (name: string): boolean => {
    const nameWords = tokenize(name);
    return words.every((word) => nameWords.includes(word));
  };
  if (words.join('').length < 4 || isIn(a.venue?.name ?? '')) return false;
  return a.lineup.some(({ stage }) => stage != null && isIn(stage));
}

/** Returns the level of two venues that are not surely the same. */
function levelOf(
  a: EventWithTitle,
  b: EventWithTitle,
  outcome: MatchOutcome,
  reasons: Evidence[],
  score: number,
): PlaceCode {
  if (outcome === 'doubtful') return score >= 0.6 ? 'venue.likely-same' : 'venue.possibly-same';
  return differentVenuesCode(a, b, reasons, score);
}

/** Returns the level of two different venues. */
function differentVenuesCode(
  a: EventWithTitle,
  b: EventWithTitle,
  reasons: Evidence[],
  score: number,
): PlaceCode {
  const find = (comparison: Comparison) => reasons.find(({ evidence }) => evidence === comparison);
  const [country, distance, name] = [find('country'), find('distance'), find('name')];
  const isFar = reasons.some(({ code }) => farCodes.has(code));
  // The grounds of a festival lie between towns.
  const isClose = !country && distance?.code !== 'distance.over-30-km';
  if (isClose && isSameEdition(a, b) && name && isOneNameOrRoom(name)) return 'venue.same-edition';
  if (isFar) {
    if (country) return 'venue.other-country';
    const isOneName = name && (isOneNameOrRoom(name) || name.code === 'name.shared-part');
    return isOneName && !distance ? 'venue.same-name-far' : 'venue.far';
  }
  const isNear = distance === undefined || !apartCodes.has(distance.code);
  // A title that names the other's venue means it.
  if (isNear && (titleNamesVenue(a, b) || titleNamesVenue(b, a))) return 'venue.in-title';
  if (isNear && name && extraWordsCodes.has(name.code)) return 'venue.extra-words';
  if (isNear && name?.code === 'name.unreadable') return 'venue.other-script';
  return score < 0.02 ? 'venue.unlike' : 'venue.different';
}
/** Another country, city or part of the country; and other distances within a city. */
const farCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'country.different',
  'city.both-unknown',
  'city.different',
  'distance.over-30-km',
  'distance.within-30-km',
]);
const apartCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'distance.imprecise-within-30-km',
  'distance.within-2-km',
]);
const extraWordsCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'name.extra-words',
  'name.extra-words-of-several',
]);

const isSameEdition = (a: EventFacts, b: EventFacts): boolean =>
  a.festival != null &&
  a.festival.edition === b.festival?.edition &&
  tokenize(a.festival.name).join(' ') === tokenize(b.festival?.name ?? '').join(' ');

function compareEventCities(a: EventFacts, b: EventFacts): PlaceComparison {
  const [countryA, countryB] = [a.country ?? a.venue?.country, b.country ?? b.venue?.country];
  if (countryA && countryB && countryA !== countryB)
    return withFlags(eventEvidence('country.different', countryA, countryB));
  const [one, two] = [cityFactsOf(a), cityFactsOf(b)];
  const code = compareCities(one, two);
  return withFlags(code === null ? eventEvidence('place.unknown') : eventEvidence(code, one.city, two.city));
}

const cityFactsOf = (listing: EventFacts) => ({
  city: listing.venue?.city ?? listing.city,
  cityAliases: listing.venue?.cityAliases ?? listing.cityAliases,
  country: listing.country ?? listing.venue?.country,
});

/**
 * Raises the weight of two places by the line-up: an act cannot play at two venues at once. With one line-up and one start, two
 * names are likely to be one venue's (renamed, translated, named after a sponsor or a room), the more so where they are near
 * or similar. Two names of cities may be a town and its suburb. It takes the whole line-up, and a start that agrees.
 */
export function adjustByLineup(
  place: PlaceComparison,
  start: StartComparison,
  { shared, containment, isEqual }: LineupComparison,
  title: TitleEvidence | null,
): PlaceComparison {
  const raised = (level: RaisedLevel): PlaceComparison => {
    const weight = raisedPlaceWeights[level];
    return weight > place.weight ? { ...place, level, weight, isRaised: true } : place;
  };
  const placeIsAtLeast = (level: PlaceCode): boolean => isAtLeast({ code: place.level }, level);
  // "Nowadays" in Queens, in Ridgewood and in New York: of one name, with one title, at one hour.
  if (
    shared === 0 &&
    place.sameNameUnknownCity &&
    isAtLeast(start, 'start.within-30-minutes') &&
    isAtLeast(
      title,
      isAtLeast(start, 'start.within-5-minutes') ? 'title.same-short-segment' : 'title.same-general',
    )
  )
    return raised('raised.unknown-city-and-title');
  // Venues of nearly one name, and one title of distinctive words.
  if (
    shared === 0 &&
    place.sharesDistinctiveToken &&
    placeIsAtLeast('venue.extra-words') &&
    isAtLeast(title, 'title.most-of-3-words')
  )
    return isAtLeast(start, 'start.written-as-utc') &&
      !start.needsTimeShift &&
      !placeIsAtLeast('venue.likely-same')
      ? raised('raised.word-and-title')
      : place;
  // "NDSM Warehouse" and "NDSM-Werf": halls of one ground, if not one hall, and the clocks agree to minutes.
  if (
    shared === 0 &&
    place.sharesDistinctiveToken &&
    place.isSameCity &&
    placeIsAtLeast('venue.different') &&
    isAtLeast(title, 'title.most-of-3-words')
  )
    return isAtLeast(start, 'start.within-5-minutes') ? raised('raised.word-city-and-title') : place;
  if (
    shared === 0 ||
    containment < 0.75 ||
    start.needsTimeShift ||
    start.isIncompatible ||
    !placeIsAtLeast('city.different')
  )
    return place;
  const titled = isAtLeast(title, 'title.act-name');
  const {
    evidence,
    isNear,
    sharesDistinctiveToken,
    sameNameIgnoringStopWords,
    isSameCity,
    sameNameTwoUnknownCities,
  } = place;
  // A venue of one name under two names of cities, perhaps a town and its suburb.
  if (sameNameTwoUnknownCities && isAtLeast(start, 'start.date-and-clock'))
    return raised('raised.two-unknown-cities');
  if (!placeIsAtLeast('venue.unlike'))
    return placeIsAtLeast('venue.same-name-far') && isAtLeast(start, 'start.within-30-minutes') && shared >= 2
      ? raised('raised.far-start-and-acts')
      : place;
  const maySpeakForOne = placeIsAtLeast('city.possible-district');
  if (evidence === 'city' || (maySpeakForOne && !placeIsAtLeast('venue.likely-same')))
    return raised('raised.possibly-same');
  if (maySpeakForOne) return place;
  // Two venues in two cities, as far as is known.
  const whole = isAtLeast(start, 'start.same-date') && isEqual;
  if (!isSameCity && !isNear)
    return shared >= 2
      ? raised(
          isAtLeast(start, 'start.within-30-minutes')
            ? 'raised.other-city-start-and-acts'
            : whole
              ? 'raised.other-city-date-and-line-up'
              : 'raised.other-city-and-acts',
        )
      : place;
  const several = shared >= 2;
  if (
    isNear &&
    isAtLeast(start, 'start.date-and-clock') &&
    (sharesDistinctiveToken || several || titled || isAtLeast(start, 'start.same-date'))
  )
    return raised('raised.near');
  if (
    sameNameIgnoringStopWords &&
    (isAtLeast(start, 'start.same-date') || (isAtLeast(start, 'start.date-and-clock') && (several || titled)))
  )
    return raised('raised.general-words');
  if (isAtLeast(start, 'start.same-date') && several && sharesDistinctiveToken)
    return raised('raised.word-date-and-acts');
  if (isAtLeast(start, 'start.within-30-minutes') && sharesDistinctiveToken && titled)
    return raised('raised.word-start-and-title');
  if (isAtLeast(start, 'start.within-5-minutes') && isEqual && titled)
    return raised('raised.start-title-and-line-up');
  if (isAtLeast(start, 'start.within-30-minutes'))
    return raised(
      several
        ? 'raised.start-and-acts'
        : sharesDistinctiveToken
          ? 'raised.word-and-start'
          : titled
            ? 'raised.start-and-title'
            : 'raised.start',
    );
  if (isAtLeast(start, 'start.date-and-clock') && sharesDistinctiveToken)
    return raised(several || titled ? 'raised.word-clock-and-more' : 'raised.word-and-clock');
  if (shared >= 3 && isAtLeast(start, 'start.midnight')) return raised('raised.midnight-and-3-acts');
  if (isAtLeast(start, 'start.date-and-clock') && several)
    return raised(whole ? 'raised.date-and-line-up' : 'raised.clock-and-acts');
  return place;
}
