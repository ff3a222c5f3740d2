/** Compares the places of two listings: venues where both name one, else cities. */

import { memoizeByObject } from '../../memoize.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { containsSequence, countSharedWords, tokenize, venueStopWords } from '../../text/tokens.ts';
import { compareCities } from '../entities/compare-cities.ts';
import { distinctiveTokens } from '../entities/compare-venue-names.ts';
import { compareVenues } from '../entities/compare-venues.ts';
import {
  type EventFacts,
  type Evidence,
  evidenceOf,
  type MatchResult,
  type VenueFacts,
  weighedEvidence,
} from '../model.ts';
import { type Comparison, type EvidenceCode, eventWeights, isAtLeast } from '../weights.ts';
import type { LineupComparison } from './compare-lineups.ts';
import type { StartComparison } from './compare-start-times.ts';
import type { TitleEvidence } from './compare-titles.ts';

type EventWithTitle = EventFacts & { title: readonly string[] };

/** The comparison of two places. */
export type PlaceComparison = Evidence & {
  /** A few steps apart, or of one address. */
  isNear: boolean;
  /** Their names share a distinctive token. */
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
const withFlags = (evidence: Evidence, flags: Partial<PlaceComparison> = {}): PlaceComparison => ({
  ...evidence,
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

/** Compares where two listings take place; weights of -6 and less rule out one show, but for what `adjustByLineup` knows. */
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
    isNear:
      has('address.same') || reasons.some(({ evidence, weight }) => evidence === 'distance' && weight >= 1),
    isSameCity: has('city.same', 'city.by-address', 'city.possible-translation', 'city.possible-district'),
    sameNameUnknownCity: isOneName && has('city.by-address', 'city.possible-district'),
    sameNameTwoUnknownCities: isOneName && has('city.both-unknown'),
    sameNameIgnoringStopWords: reasons.some(isOneNameOrRoom),
    sharesDistinctiveToken: countSharedWords(distinctiveTokens(venueA), distinctiveTokens(venueB)) > 0,
    isRoom,
  };
  let evidence: Evidence;
  if (outcome === 'doubtful')
    evidence = eventEvidence(score >= 0.6 ? 'venue.likely-same' : 'venue.possibly-same');
  else {
    const code = differentVenuesCode(a, b, reasons, score);
    evidence = isOneName
      ? weighedEvidence('venue.possible-district', eventWeights[code])
      : eventEvidence(code);
  }
  if (evidence.weight > -6 && (isStageOf(a, b) || isStageOf(b, a)))
    return withFlags(eventEvidence('venue.stage'), flags);
  return withFlags({ ...evidence, ...because }, flags);
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

/** "Lido (Keller)" and "Lido": the name of one has all the words of the other's, and more. */
function hasMoreTokens(long: VenueFacts, short: VenueFacts): boolean {
  const [all, some] = [distinctiveTokens(long), distinctiveTokens(short)];
  return all.length > some.length && some.every((word) => all.includes(word));
}

/** Whether two names are one, and only unknown names of cities are evidence against it. */
const differOnlyByUnknownCity = (reasons: Evidence[]): boolean =>
  reasons.some(({ code }) => oneNameCodes.has(code)) &&
  reasons.every(({ code, weight }) => weight >= 0 || unknownCityCodes.has(code));

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
    const named = tokenize(name);
    return words.every((word) => named.includes(word));
  };
  if (words.join('').length < 4 || isIn(a.venue?.name ?? '')) return false;
  return a.lineup.some(({ stage }) => stage != null && isIn(stage));
}

/** How two different venues compare. */
function differentVenuesCode(a: EventWithTitle, b: EventWithTitle, reasons: Evidence[], score: number) {
  const find = (comparison: Comparison) => reasons.find(({ evidence }) => evidence === comparison);
  const [country, distance, name] = [find('country'), find('distance'), find('name')];
  const isFar = [country, distance, find('city')].some((evidence) => (evidence?.weight ?? 0) <= -4);
  // The grounds of a festival lie between towns.
  const isClose = !country && distance?.code !== 'distance.over-30-km';
  if (isClose && isSameEdition(a, b) && name && isOneNameOrRoom(name)) return 'venue.same-edition';
  if (isFar) {
    if (country) return 'venue.other-country';
    const isOneName = name && (isOneNameOrRoom(name) || name.code === 'name.shared-part');
    return isOneName && !distance ? 'venue.same-name-far' : 'venue.far';
  }
  const isNear = (distance?.weight ?? 0) > -1;
  // A title that names the other's venue means it.
  if (isNear && (titleNamesVenue(a, b) || titleNamesVenue(b, a))) return 'venue.in-title';
  if (isNear && name && extraWordsCodes.has(name.code)) return 'venue.extra-words';
  if (isNear && name?.code === 'name.unreadable') return 'venue.other-script';
  return score < 0.02 ? 'venue.unlike' : 'venue.different';
}
const extraWordsCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'name.extra-words',
  'name.extra-words-of-several',
]);

const isSameEdition = (a: EventFacts, b: EventFacts): boolean =>
  a.festival != null &&
  a.festival.edition === b.festival?.edition &&
  tokenize(a.festival.name).join(' ') === tokenize(b.festival?.name ?? '').join(' ');

/** Whether a title contains the distinctive tokens of a venue in order, with or without stop words between them. */
const titleContains = ({ title }: EventWithTitle, venueTokens: readonly string[]): boolean =>
  containsSequence(title, venueTokens) ||
  containsSequence(
    title.filter((word) => !venueStopWords.has(word)),
    venueTokens,
  );

/** Whether a title names the other's venue, or the source has its name: venues list their own events. */
const titleNamesVenue = (a: EventWithTitle, b: EventWithTitle): boolean => {
  const words = b.venue ? distinctiveTokens(b.venue) : [];
  const { length } = words.join('');
  // "Bonobo @ Mehboob Studio" is no show in the bar of that name.
  const isAct = a.lineup?.some(({ name }) => tokenize(name).join('') === words.join('')) ?? false;
  return (
    (length >= 3 && !isAct && titleContains(a, words)) ||
    (length >= 4 && containsSequence(tokenize(a.source), words)) ||
    titleNamesSource(a, b)
  );
};

/** "Jane Doe at Zorlu PSM", listed by zorlupsm.com. */
function titleNamesSource({ title }: EventWithTitle, { source }: EventWithTitle): boolean {
  const [name = ''] = tokenize(source);
  return (
    name.length >= 6 &&
    title.some(
      (word, at) =>
        /^(?:at|in|im|en|au|op|w|na)$/.test(word) &&
        [2, 3, 4].some((end) => title.slice(at + 1, at + end).join('') === name),
    )
  );
}

const movedPattern =
  /\b(?:verlegt|hochverlegt|umgezogen|moved|moving|relocated|(?:new|neue) (?:venue|location)|(?:venue|location) (?:change|upgrade)|change of venue|upgraded to|trasladad[oa]s?|cambio de (?:sala|recinto|sede|lugar|venue)|deplacee?s?|change(?:ment)? de (?:salle|lieu)|verplaatst|spostat[oa]|cambio (?:di )?(?:location|venue|sede)|movid[oa]|mudanca de local|przeniesion\w+|flyttad|flyttet|presunut\w*)\b/;

/** "Verlegt vom Gretchen ins Festsaal": a title says that the event moved, and names the other's venue. */
function titleTellsMove(a: EventWithTitle, b: EventWithTitle): boolean {
  const words = b.venue ? distinctiveTokens(b.venue) : [];
  return words.join('').length >= 3 && movedPattern.test(a.title.join(' ')) && titleContains(a, words);
}

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

const groundsPattern =
  /^(?:site|festival\w*|grounds?|terrain|terrein|gelande|area|recinto|ferial|lieu|venue|event|field|du|de|del|des|le|la|the|of|am|auf|dem)$/;

/** "Site du Festival de Dour": a name that fits any grounds of the festival. */
const isFestivalGrounds = (venue: NonNullable<EventFacts['venue']>): boolean => {
  const town = new Set([venue.city ?? '', ...(venue.cityAliases ?? [])].flatMap(tokenize));
  const words = tokenize(venue.name).filter((word) => !town.has(word));
  return (
    words.some((word) => word.startsWith('festival')) && words.every((word) => groundsPattern.test(word))
  );
};

/** "Cologne, Cologne": the name of the city alone names no venue. */
const isCityNameOnly = ({ venue, city }: EventFacts): boolean => {
  const town = new Set([venue?.city ?? city ?? '', ...(venue?.cityAliases ?? [])].flatMap(tokenize));
  return tokenize(venue?.name ?? '').every((word) => town.has(word));
};

/** The venue of a listing, with city and country from the listing where it has none. Equal venues are one object. */
const venueWithCity = memoizeByObject((listing: EventFacts): NonNullable<EventFacts['venue']> | null => {
  const { venue } = listing;
  if (!venue || isPlaceholderVenue(venue.name) || isFestivalGrounds(venue) || isCityNameOnly(listing))
    return null;
  return shareVenue({
    ...venue,
    city: venue.city ?? listing.city,
    country: venue.country ?? listing.country,
  });
});

/** Maximum number of venues in `sharedVenues`, and maximum length of their texts. */
const maxSharedVenues = 5_000;
const maxSharedLength = 2_000;
const sharedVenues = new Map<string, NonNullable<EventFacts['venue']>>();

/** The first object with the content of this one: many listings have one venue, whose comparisons are cached. */
function shareVenue<Venue extends NonNullable<EventFacts['venue']>>(
  venue: Venue,
): NonNullable<EventFacts['venue']> {
  const text = JSON.stringify(venue);
  const shared = sharedVenues.get(text);
  if (shared !== undefined || text.length > maxSharedLength) return shared ?? venue;
  if (sharedVenues.size >= maxSharedVenues) sharedVenues.clear();
  sharedVenues.set(text, venue);
  return venue;
}

type VenuePair = MatchResult & { isRoom: boolean };
const venuePairs = memoizeByObject((_: VenueFacts) => new WeakMap<VenueFacts, VenuePair>());

/** Compares two venues; `isRoom` if the name of one has further words. Cached for both objects. */
function compareVenuePair(a: VenueFacts, b: VenueFacts): VenuePair {
  const ofFirst = venuePairs(a);
  let pair = ofFirst.get(b);
  if (pair === undefined) {
    const result = compareVenues({ ...a, source: null }, { ...b, source: null });
    pair = { ...result, isRoom: hasMoreTokens(a, b) || hasMoreTokens(b, a) };
    ofFirst.set(b, pair);
  }
  return pair;
}

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
  const raised = (weight: number): PlaceComparison => (weight > place.weight ? { ...place, weight } : place);
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
    return raised(1.4);
  // Venues of nearly one name, and one title of distinctive words.
  if (
    shared === 0 &&
    place.sharesDistinctiveToken &&
    place.weight >= -0.5 &&
    isAtLeast(title, 'title.most-of-3-words')
  )
    return isAtLeast(start, 'start.written-as-utc') && !start.needsTimeShift && place.weight < 1.4
      ? raised(1.4)
      : place;
  // "NDSM Warehouse" and "NDSM-Werf": halls of one ground, if not one hall, and the clocks agree to minutes.
  if (
    shared === 0 &&
    place.sharesDistinctiveToken &&
    place.isSameCity &&
    place.weight >= -3 &&
    isAtLeast(title, 'title.most-of-3-words')
  )
    return isAtLeast(start, 'start.within-5-minutes') ? raised(0.6) : place;
  if (
    shared === 0 ||
    containment < 0.75 ||
    start.needsTimeShift ||
    start.isIncompatible ||
    place.weight <= -7
  )
    return place;
  const titled = isAtLeast(title, 'title.act-name');
  const {
    evidence,
    weight,
    isNear,
    sharesDistinctiveToken,
    sameNameIgnoringStopWords,
    isSameCity,
    sameNameTwoUnknownCities,
  } = place;
  // A venue of one name under two names of cities, perhaps a town and its suburb.
  if (sameNameTwoUnknownCities && isAtLeast(start, 'start.date-and-clock')) return raised(1.4);
  if (weight <= -4.5)
    return weight > -6 && isAtLeast(start, 'start.within-30-minutes') && shared >= 2 ? raised(-1.2) : place;
  if (evidence === 'city' || (weight > -2 && weight < 1.4)) return raised(1.4);
  if (weight > -2) return place;
  // Two venues in two cities, as far as is known.
  const whole = isAtLeast(start, 'start.same-date') && isEqual;
  if (!isSameCity && !isNear)
    return shared >= 2
      ? raised(isAtLeast(start, 'start.within-30-minutes') ? -0.4 : whole ? -0.8 : -1.8)
      : place;
  const several = shared >= 2;
  if (
    isNear &&
    isAtLeast(start, 'start.date-and-clock') &&
    (sharesDistinctiveToken || several || titled || isAtLeast(start, 'start.same-date'))
  )
    return raised(0.6);
  if (
    sameNameIgnoringStopWords &&
    (isAtLeast(start, 'start.same-date') || (isAtLeast(start, 'start.date-and-clock') && (several || titled)))
  )
    return raised(0.6);
  if (isAtLeast(start, 'start.same-date') && several && sharesDistinctiveToken) return raised(0.4);
  if (isAtLeast(start, 'start.within-30-minutes') && sharesDistinctiveToken && titled) return raised(0);
  if (isAtLeast(start, 'start.within-5-minutes') && isEqual && titled) return raised(-0.4);
  if (isAtLeast(start, 'start.within-30-minutes'))
    return raised(several ? -0.4 : sharesDistinctiveToken ? -0.6 : titled ? -1.2 : -1.9);
  if (isAtLeast(start, 'start.date-and-clock') && sharesDistinctiveToken)
    return raised(several || titled ? -0.4 : -1.4);
  if (shared >= 3 && isAtLeast(start, 'start.midnight')) return raised(-0.4);
  if (isAtLeast(start, 'start.date-and-clock') && several) return raised(whole ? -0.8 : -1.4);
  return place;
}
