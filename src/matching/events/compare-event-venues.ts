/** Where two listings of shows take place, compared: houses where both name one, else cities. */

import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { containsSequence, countSharedWords, tokenize, venueStopWords } from '../../text/tokens.ts';
import { bothUnknownWeight, compareCities, possibleDistrictWeight } from '../entities/compare-cities.ts';
import { byAddressSuffix } from '../entities/compare-locations.ts';
import { differentScripts, distinctiveTokens, extraWordsText } from '../entities/compare-venue-names.ts';
import { compareVenues } from '../entities/compare-venues.ts';
import type { EventFacts, Evidence, VenueFacts } from '../model.ts';
import type { LineupComparison } from './compare-lineups.ts';
import type { StartComparison } from './compare-start-times.ts';

type EventWithTitle = EventFacts & { title: readonly string[] };

/** How two places lie to each other. */
export type PlaceComparison = Evidence & {
  /** A few steps apart, or of one address. */
  isNear: boolean;
  /** Their names share a word that tells houses apart. */
  isKin: boolean;
  /** One is a room of the other, by their names. */
  isRoom: boolean;
  /** Their names are one but for general words. */
  isNamesake: boolean;
  /** Their names are one, and one city is unknown: a district of the other, perhaps. */
  isSuburb: boolean;
  /** Their names are one, in two cities of one country of which nothing is known but their names. */
  isElsewhere: boolean;
  /** Both are in one city for all that is known, not only perhaps. */
  isOneTown: boolean;
};

const placeEvidence = (
  evidence: string,
  weight: number,
  text: string,
  more: Partial<
    Pick<
      PlaceComparison,
      'isNear' | 'isKin' | 'isRoom' | 'isNamesake' | 'isOneTown' | 'isSuburb' | 'isElsewhere'
    >
  > = {},
): PlaceComparison => ({
  evidence,
  weight,
  text,
  isNear: false,
  isKin: false,
  isRoom: false,
  isNamesake: false,
  isOneTown: false,
  isSuburb: false,
  isElsewhere: false,
  ...more,
});

/** Compares where two listings take place; weights of -6 and less rule out one show, but for what `adjustByLineup` knows. */
export function compareEventVenues(a: EventWithTitle, b: EventWithTitle): PlaceComparison {
  const [venueA, venueB] = [venueWithCity(a), venueWithCity(b)];
  if (!venueA || !venueB) return compareEventCities(a, b);
  const { outcome, score, reasons } = compareVenues({ ...venueA, source: null }, { ...venueB, source: null });
  const known = venueA.externalId != null && a.source === b.source && venueA.externalId === venueB.externalId;
  const why = reasons.map(({ text }) => text).join(', ');
  const isRoom = hasMoreTokens(venueA, venueB) || hasMoreTokens(venueB, venueA);
  if (known || outcome === 'same') return placeEvidence('venue', 2, `one venue: ${why}`, { isRoom });
  if (
    (titleTellsMove(a, b) || titleTellsMove(b, a)) &&
    !reasons.some(({ evidence }) => evidence === 'country')
  )
    return placeEvidence('venue', 1.2, movedEventText);
  // "Stadthalle" in Offenbach, "Stadthalle" in Offenburg: the name says nothing of the place.
  if (
    [venueA, venueB].every((venue) => isGenericName(venue)) &&
    outcome === 'doubtful' &&
    reasons.some((one) => one.evidence === 'city' && one.weight < 0)
  )
    return placeEvidence('venue', -4.5, `two venues: ${why}`);
  const isTold = reasons.some(({ text }) => text.endsWith(byAddressSuffix));
  const isOneName =
    !isChainName([...distinctiveTokens(venueA), ...distinctiveTokens(venueB)]) &&
    differOnlyByUnknownCity(reasons);
  const more = {
    isNear: reasons.some(
      ({ evidence, weight }) =>
        (evidence === 'distance' && weight >= 1) || (evidence === 'address' && weight >= 2),
    ),
    isOneTown: reasons.some(({ evidence, weight }) => evidence === 'city' && weight > -4),
    isSuburb: isOneName && (isTold || reasons.some(({ weight }) => weight === possibleDistrictWeight)),
    isElsewhere: isOneName && reasons.some(({ weight }) => weight === bothUnknownWeight),
    isNamesake: reasons.some(({ evidence, weight }) => evidence === 'name' && weight >= 2.4),
    isKin: countSharedWords(distinctiveTokens(venueA), distinctiveTokens(venueB)) > 0,
    isRoom,
  };
  const judged =
    outcome === 'doubtful'
      ? placeEvidence('venue', score >= 0.6 ? 1.6 : 0.5, `perhaps one venue: ${why}`, more)
      : placeEvidence(
          'venue',
          differentVenuesWeight(a, b, reasons, score),
          `${isOneName ? possibleDistrictText : 'two venues'}: ${why}`,
          more,
        );
  if (judged.weight > -6 && (isStageOf(a, b) || isStageOf(b, a)))
    return { ...judged, weight: 2, text: 'one venue is a stage of the other' };
  return judged;
}

/** "Lido (Keller)" and "Lido": the name of one has all the words of the other's, and more. */
function hasMoreTokens(long: VenueFacts, short: VenueFacts): boolean {
  const [all, some] = [distinctiveTokens(long), distinctiveTokens(short)];
  return all.length > some.length && some.every((word) => all.includes(word));
}

/** Whether two are called the same, and nothing but unknown names of cities speaks against them. */
const differOnlyByUnknownCity = (reasons: Evidence[]): boolean =>
  reasons.some(({ evidence, weight }) => evidence === 'name' && weight >= 2.6) &&
  reasons.every(
    ({ weight }) => weight >= 0 || weight === possibleDistrictWeight || weight === bothUnknownWeight,
  );

/** How two places are told of where their names are one, and one may be in a district of the other's city. */
export const possibleDistrictText = 'one name, perhaps in a district';

/** Names that houses of many cities have: of them the name says nothing of the place. */
const chainNamePattern =
  /^(?:o2|academy|arena|hard|rock|blues|fillmore|knitting|factory|stadthalle|rathaus|hall|hotel|park|stadium|beach|apollo|odeon|roxy|metro|empire|palace|civic|union|student|city|town|village|central|museum|cathedral|church|opera)$/;
const isGenericName = (venue: NonNullable<EventFacts['venue']>): boolean =>
  distinctiveTokens(venue).every((word) => word.length < 3 || chainNamePattern.test(word));
const isChainName = (words: readonly string[]): boolean =>
  words.join('').length < 8 || words.some((word) => chainNamePattern.test(word));

/** Whether the house that `b` names is where somebody plays in `a`: a room that is listed as a house of its own. */
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

/** How much it counts that two houses are different. */
function differentVenuesWeight(
  a: EventWithTitle,
  b: EventWithTitle,
  reasons: Evidence[],
  score: number,
): number {
  const found = (evidence: string) => reasons.find((reason) => reason.evidence === evidence);
  const isFar = ['country', 'distance', 'city'].some((evidence) => (found(evidence)?.weight ?? 0) <= -4);
  // The grounds of a festival lie between towns.
  const isClose = !found('country') && (found('distance')?.weight ?? 0) > -6;
  if (isClose && isSameEdition(a, b) && (found('name')?.weight ?? 0) >= 2.4) return 0.6;
  if (isFar) {
    if (found('country')) return -7;
    return (found('name')?.weight ?? 0) > 2 && !found('distance') ? -4.5 : -6.5;
  }
  const isNear = (found('distance')?.weight ?? 0) > -1;
  // Whoever puts the other's house into the title means it.
  if (isNear && (titleNamesVenue(a, b) || titleNamesVenue(b, a))) return 0.8;
  if (isNear && found('name')?.text === extraWordsText) return -0.5;
  if (isNear && found('name')?.text === differentScripts.text) return -0.8;
  return score < 0.02 ? -4 : -3;
}

const isSameEdition = (a: EventFacts, b: EventFacts): boolean =>
  a.festival != null &&
  a.festival.edition === b.festival?.edition &&
  tokenize(a.festival.name).join(' ') === tokenize(b.festival?.name ?? '').join(' ');

/** Whether a house's telling words stand in a title, words that many houses have between them or not. */
const titleContains = ({ title }: EventWithTitle, house: readonly string[]): boolean =>
  containsSequence(title, house) ||
  containsSequence(
    title.filter((word) => !venueStopWords.has(word)),
    house,
  );

/** Whether a title names the other's house, or a source is called after it: houses list their own shows. */
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

/** Why two places do not contradict each other, where a title tells of both. */
export const movedEventText = 'a show that was moved from one of the two houses to the other';
const movedPattern =
  /\b(?:verlegt|hochverlegt|umgezogen|moved|moving|relocated|(?:new|neue) (?:venue|location)|(?:venue|location) (?:change|upgrade)|change of venue|upgraded to|trasladad[oa]s?|cambio de (?:sala|recinto|sede|lugar|venue)|deplacee?s?|change(?:ment)? de (?:salle|lieu)|verplaatst|spostat[oa]|cambio (?:di )?(?:location|venue|sede)|movid[oa]|mudanca de local|przeniesion\w+|flyttad|flyttet|presunut\w*)\b/;

/** "Verlegt vom Gretchen ins Festsaal": a title says that the show moved, and names the other's house. */
function titleTellsMove(a: EventWithTitle, b: EventWithTitle): boolean {
  const words = b.venue ? distinctiveTokens(b.venue) : [];
  return words.join('').length >= 3 && movedPattern.test(a.title.join(' ')) && titleContains(a, words);
}

function compareEventCities(a: EventFacts, b: EventFacts): PlaceComparison {
  const [countryA, countryB] = [a.country ?? a.venue?.country, b.country ?? b.venue?.country];
  if (countryA && countryB && countryA !== countryB)
    return placeEvidence('country', -7, `${countryA} and ${countryB}`);
  const cities = compareCities(cityFactsOf(a), cityFactsOf(b));
  if (cities === null) return placeEvidence('place', 0, 'the place of one is not known');
  return placeEvidence(
    cities.evidence,
    cities.weight > 0 ? 1 : cities.weight > -4 ? -1.5 : -6.5,
    cities.text,
  );
}

const cityFactsOf = (listing: EventFacts) => ({
  city: listing.venue?.city ?? listing.city,
  cityAliases: listing.venue?.cityAliases ?? listing.cityAliases,
  country: listing.country ?? listing.venue?.country,
});

const groundsPattern =
  /^(?:site|festival\w*|grounds?|terrain|terrein|gelande|area|recinto|ferial|lieu|venue|event|field|du|de|del|des|le|la|the|of|am|auf|dem)$/;

/** "Site du Festival de Dour": where a festival is, that it says of every place it could be. */
const isFestivalGrounds = (venue: NonNullable<EventFacts['venue']>): boolean => {
  const town = new Set([venue.city ?? '', ...(venue.cityAliases ?? [])].flatMap(tokenize));
  const words = tokenize(venue.name).filter((word) => !town.has(word));
  return (
    words.some((word) => word.startsWith('festival')) && words.every((word) => groundsPattern.test(word))
  );
};

/** "Cologne, Cologne": a house that is called by its city alone is none that is said. */
const isCityNameOnly = ({ venue, city }: EventFacts): boolean => {
  const town = new Set([venue?.city ?? city ?? '', ...(venue?.cityAliases ?? [])].flatMap(tokenize));
  return tokenize(venue?.name ?? '').every((word) => town.has(word));
};

/** The house a listing names, with the city and country that stand beside it. */
function venueWithCity(listing: EventFacts) {
  const { venue } = listing;
  if (!venue || isPlaceholderVenue(venue.name) || isFestivalGrounds(venue) || isCityNameOnly(listing))
    return null;
  return { ...venue, city: venue.city ?? listing.city, country: venue.country ?? listing.country };
}

/**
 * Nobody plays two houses at once. With one line-up and one start, two names of houses are likely to be one house's (it
 * was renamed, translated, named after its sponsor or a room), the more so where they lie or read alike; two names of
 * cities may be a town and its suburb. It takes the whole line-up, and a start that agrees.
 */
export function adjustByLineup(
  place: PlaceComparison,
  start: StartComparison,
  { shared, contained, equal }: LineupComparison,
  title: Evidence | null,
): PlaceComparison {
  const raised = (weight: number): PlaceComparison => (weight > place.weight ? { ...place, weight } : place);
  // "Nowadays" in Queens, in Ridgewood and in New York: of one name, with one title, at one hour.
  if (
    shared === 0 &&
    place.isSuburb &&
    start.weight >= 1.3 &&
    (title?.weight ?? 0) >= (start.weight < 1.6 ? 2 : 1.4)
  )
    return raised(1.4);
  // Houses of nearly one name, and one title, of words that few shows have.
  if (shared === 0 && place.isKin && place.weight >= -0.5 && (title?.weight ?? 0) >= 2.2)
    return start.weight >= 0.5 && !start.needsTimeShift && place.weight < 1.4 ? raised(1.4) : place;
  // "NDSM Warehouse" and "NDSM-Werf": halls of one ground, if not one hall, and the clocks agree to minutes.
  if (shared === 0 && place.isKin && place.isOneTown && place.weight >= -3 && (title?.weight ?? 0) >= 2.2)
    return start.weight >= 1.6 ? raised(0.6) : place;
  if (shared === 0 || contained < 0.75 || start.needsTimeShift || start.isIncompatible || place.weight <= -7)
    return place;
  const titled = (title?.weight ?? 0) >= 0.8;
  const { evidence, weight, isNear, isKin, isNamesake, isOneTown, isElsewhere } = place;
  // A house of one name under two names of cities, a town and its suburb perhaps; not where they are known to be far.
  if (isElsewhere && start.weight >= 0.7) return raised(1.4);
  if (weight <= -4.5) return weight > -6 && start.weight >= 1.3 && shared >= 2 ? raised(-1.2) : place;
  if (evidence === 'city' || (weight > -2 && weight < 1.4)) return raised(1.4);
  if (weight > -2) return place;
  // Two houses in two cities, for all that is known.
  const whole = start.weight >= 0.9 && equal;
  if (!isOneTown && !isNear)
    return shared >= 2 ? raised(start.weight >= 1.3 ? -0.4 : whole ? -0.8 : -1.8) : place;
  const several = shared >= 2;
  if (isNear && start.weight >= 0.7 && (isKin || several || titled || start.weight >= 0.9))
    return raised(0.6);
  if (isNamesake && (start.weight >= 0.9 || (start.weight >= 0.7 && (several || titled)))) return raised(0.6);
  if (start.weight >= 0.9 && several && isKin) return raised(0.4);
  if (start.weight >= 1.3 && isKin && titled) return raised(0);
  if (start.weight >= 1.6 && equal && titled) return raised(-0.4);
  if (start.weight >= 1.3) return raised(several ? -0.4 : isKin ? -0.6 : titled ? -1.2 : -1.9);
  if (start.weight >= 0.7 && isKin) return raised(several || titled ? -0.4 : -1.4);
  if (shared >= 3 && start.weight >= -0.6) return raised(-0.4);
  if (start.weight >= 0.7 && several) return raised(whole ? -0.8 : -1.4);
  return place;
}
