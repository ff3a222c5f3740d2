/**
 * Compares two listings of events. All evidence is weighed together. The prior of two listings at one date is low: only what
 * they share raises it (docs/spec/imports.md#evidence).
 */

import { memoizeByObject } from '../../memoize.ts';
import { areSimilarWords, tokenize } from '../../text/tokens.ts';
import { countryTokens } from '../entities/compare-cities.ts';
import {
  decideByRule,
  type EventFacts,
  type Evidence,
  evidenceOf,
  type MatchResult,
  type MatchRule,
  scoreEvidence,
} from '../model.ts';
import { compareLinks } from '../page-links.ts';
import { type EvidenceCode, eventWeights, isAtLeast } from '../weights.ts';
import { adjustByLineup, compareEventVenues, type PlaceComparison } from './compare-event-venues.ts';
import { compareLineups, type LineupComparison } from './compare-lineups.ts';
import { compareStarts, type StartComparison } from './compare-start-times.ts';
import {
  compareTitleAttributes,
  isPartOfOther,
  partRules,
  sameOccasionCodes,
} from './compare-title-attributes.ts';
import { compareTitles, type TitleEvidence, tokenSetOf } from './compare-titles.ts';
import { type LineupAct, readLineupActs } from './lineup-acts.ts';
import { type EventLength, readTitleStructure, type TitleStructure } from './title-attributes.ts';
import { sourceNameBits } from './titles-of-venues.ts';

const eventEvidence = evidenceOf(eventWeights);
const prior = -3.2;
/** The score from which two listings are the same; higher where their starts are evidence against it. */
const sameEventThreshold = 0.75;
const sameEventThresholdApart = 0.8;
const noPages: ReadonlySet<string> = new Set();

/** Maximum number of characters of a title, and of acts whose words are compared with it. */
const maxTitleLength = 300;
const maxActs = 300;

type PreparedEvent = EventFacts & {
  acts: LineupAct[];
  title: readonly string[];
  parsedTitle: TitleStructure;
  /** The whole title where it is longer than `maxTitleLength`; else ''. */
  longTitle: string;
  /** The words of the acts' names, each once. */
  actWords: readonly string[];
};

/** A listing with its line-up and title read; each object is read once. */
const prepareEvent = memoizeByObject((listing: EventFacts): PreparedEvent => {
  const name = listing.name.slice(0, maxTitleLength);
  const structure = readTitleStructure(name, listing.venue?.name, eventLength(listing));
  const acts = readLineupActs(listing.lineup);
  return {
    ...listing,
    name,
    acts,
    title: structure.words,
    parsedTitle: structure,
    longTitle: listing.name.length > maxTitleLength ? listing.name : '',
    actWords: [...new Set(acts.slice(0, maxActs).flatMap(({ tokenRuns: runs }) => runs.flat()))],
  };
});

/**
 * Compares two listings. Pure, and the same for (a, b) and (b, a).
 * @param busy pages (as written) that serve events of several dates
 * @returns the outcome with its score, the rule that decided, and every reason with its weight
 */
export function compareEvents(
  a: EventFacts,
  b: EventFacts,
  busy: ReadonlySet<string> = noPages,
): MatchResult {
  const [first, second] = orderPair(a, b);
  // Many listings near another are of another date: their titles and line-ups are not read.
  const start = compareStarts(first, second);
  const isOneSource = first.source === second.source && first.externalId !== second.externalId;
  if (!isOneSource && isOfOtherDates(start)) return resultOfOtherDates(start);
  const [one, two] = [prepareEvent(first), prepareEvent(second)];
  if (isOneSource) return compareSameSource(one, two, start);
  const place = compareEventVenues(one, two);
  if (!isAtLeast({ code: place.level }, 'venue.same-name-far'))
    return decideByRule('another-place', 'different', 0.01, [toEvidence(start), toEvidence(place)]);
  return scoreAll(one, two, start, place, busy);
}

const isOfOtherDates = (start: StartComparison): boolean => !isAtLeast(start, 'start.next-date-and-clock');
const resultOfOtherDates = (start: StartComparison): MatchResult =>
  decideByRule('another-date', 'different', 0, [toEvidence(start)]);

/** Compares the dates of two listings of different sources. Returns the result of `compareEvents` if they differ, else null. */
export function compareDates(a: EventFacts, b: EventFacts): MatchResult | null {
  const start = compareStarts(...orderPair(a, b));
  return isOfOtherDates(start) ? resultOfOtherDates(start) : null;
}

/** See `sourceNameBits` of venues. */
export const sourceBitsOf = (event: EventFacts, source: string): number =>
  sourceNameBits(prepareEvent(event), source);

const isBefore = (a: EventFacts, b: EventFacts): boolean =>
  a.source < b.source || (a.source === b.source && a.externalId <= b.externalId);
const orderPair = (a: EventFacts, b: EventFacts): [EventFacts, EventFacts] =>
  isBefore(a, b) ? [a, b] : [b, a];
const toEvidence = ({ code, evidence, weight, level, values, because }: Evidence): Evidence => ({
  code,
  evidence,
  weight,
  ...(level && { level }),
  ...(values && { values }),
  ...(because && { because }),
});

/** Two ids at one source: one show only where venue, start and title agree. */
function compareSameSource(a: PreparedEvent, b: PreparedEvent, start: StartComparison): MatchResult {
  const place = compareEventVenues(a, b);
  const agrees =
    a.startAt === b.startAt &&
    a.title.join(' ') === b.title.join(' ') &&
    a.title.length > 0 &&
    a.longTitle === b.longTitle &&
    (place.code === 'venue.same' || place.code === 'venue.stage');
  const reasons = [
    toEvidence(start),
    toEvidence(place),
    eventEvidence(agrees ? 'source.listed-twice' : 'source.two-ids', a.source),
  ];
  // Two dates without a clock may be an early and a late show.
  const hasClock = /\d[Tt ]\d/.test(a.startAt);
  if (agrees && !hasClock) return decideByRule('same-source-and-date', 'doubtful', 0.6, reasons);
  return agrees
    ? decideByRule('listed-twice', 'same', 0.95, reasons)
    : decideByRule('two-listings', 'different', 0.02, reasons);
}

function scoreAll(
  a: PreparedEvent,
  b: PreparedEvent,
  start: StartComparison,
  where: PlaceComparison,
  busy: ReadonlySet<string>,
): MatchResult {
  const lineups = compareLineups(a, b);
  const isOneVenue = oneVenueCodes.has(where.code);
  const sameStart = isOneVenue && isAtLeast(start, 'start.within-30-minutes');
  const sameActs = lineups.shared > 0 && lineups.containment >= 0.75;
  const parts = compareTitleAttributes(a.parsedTitle.parts, b.parsedTitle.parts, lineups.sharedInBoth > 0, {
    sameStart,
    sameStartAndActs: sameStart && sameActs,
    unknownOccasion:
      sameActs &&
      isOneVenue &&
      isAtLeast(start, 'start.written-as-utc') &&
      !start.needsTimeShift &&
      (isUnrelatedPart(a, b) || isUnrelatedPart(b, a)),
    isWholeFestival: isWholeFestival(a) || isWholeFestival(b),
  });
  const links = compareLinks(a, b, busy);
  const title = compareTitles(
    a,
    b,
    placeTokensOf(a, b),
    { a: a.actWords, b: b.actWords },
    lineups.shared > 0,
  );
  const place = adjustByLineup(where, start, lineups, title);
  const reasons = [
    toEvidence(start),
    toEvidence(place),
    lineups.reason,
    title,
    ...parts,
    ...links,
    ...compareMinorEvidence(a, b),
  ].filter((reason) => reason !== null);
  const judged = scoreEvidence(
    reasons,
    prior,
    isAtLeast(start, 'start.early-clock-on-date') ? sameEventThreshold : sameEventThresholdApart,
  );
  const rule = parts.map(({ code }) => partRules.get(code)).find((one) => one !== undefined);
  const hasSharedPage = links.some(({ code }) => code === 'link.shared');
  if (rule !== undefined && !(hasSharedPage && judged.score >= 0.5))
    return decideByRule(rule, 'different', Math.min(judged.score, 0.1), reasons);
  return downgradeWeakMatch(judged, {
    start,
    place,
    lineups,
    title,
    hasSharedPage,
    isSameOccasion: parts.some(({ code }) => sameOccasionCodes.has(code)),
    isPartOfOther: sameActs && isAtLeast(title, 'title.same-short-segment') && isPartOfOther(a, b),
  });
}

const oneVenueCodes: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'venue.likely-same',
  'venue.same',
  'venue.stage',
]);

/** Whether `a` comes before or after an event that `b` does not name: "Decadence Afters: Jane Doe", "Jane Doe at Lido". */
const isUnrelatedPart = (
  { parsedTitle: { parts } }: PreparedEvent,
  { title, actWords }: PreparedEvent,
): boolean => {
  const words = [...title, ...actWords];
  return (
    parts.occasion.length > 0 &&
    !parts.occasion.some((word) => words.some((other) => areSimilarWords(word, other)))
  );
};

/** "Decadence Colorado 2026": the name of the festival alone, without an end. */
const isWholeFestival = ({ title, festival, endAt }: PreparedEvent): boolean => {
  if (festival == null || endAt) return false;
  const festivalWords = tokenize(festival.name);
  return title.every((word) => festivalWords.includes(word) || word === 'festival' || /^\d+$/.test(word));
};

type EventFeatures = {
  start: StartComparison;
  place: PlaceComparison;
  lineups: LineupComparison;
  title: TitleEvidence | null;
  hasSharedPage: boolean;
  /** Both are the same one of a season or year. */
  isSameOccasion: boolean;
  /** One of them is a stage of the other, or what precedes it. */
  isPartOfOther: boolean;
};

/** Makes a match that rests on too little a possible match. */
function downgradeWeakMatch(result: MatchResult, features: EventFeatures): MatchResult {
  const rule = result.outcome === 'same' && !features.hasSharedPage ? weaknessOf(features) : null;
  return rule === null ? result : { ...result, outcome: 'doubtful', rule };
}

function weaknessOf({
  start,
  place,
  lineups,
  title,
  isSameOccasion,
  isPartOfOther: isPart,
}: EventFeatures): MatchRule | null {
  const hasTitle = isAtLeast(title, 'title.same-short-segment');
  if (lineups.shared === 0 && !hasTitle && !isSameOccasion) return 'place-and-date';
  if (place.evidence !== 'venue' && lineups.shared === 0 && !isAtLeast(title, 'title.most-of-3-words'))
    return 'title-of-many-shows';
  if (isPart) return 'listed-part';
  if (start.isIncompatible) return 'hours-apart';
  // An act on one floor may play on another, or in the venue above it.
  if (place.isRoom && lineups.shared === 1 && lineups.containment < 0.75 && !hasTitle) return 'room';
  if (start.needsTimeShift && lineups.shared < 2 && !hasTitle) return 'clocks';
  const isAnotherPlace = !place.isRaised && !isAtLeast({ code: place.level }, 'city.possible-district');
  if (isAnotherPlace && (lineups.shared < 3 || lineups.containment < 0.75)) return 'another-place';
  return null;
}

/** The words of the two places, which tell no titles apart. */
const placeTokensOf = (a: PreparedEvent, b: PreparedEvent): Set<string> =>
  tokenSetOf(
    ...countryTokens(a.country ?? a.venue?.country),
    ...countryTokens(b.country ?? b.venue?.country),
    a.venue?.name,
    b.venue?.name,
    a.venue?.city,
    b.venue?.city,
    a.city,
    b.city,
    ...(a.venue?.aliases ?? []),
    ...(b.venue?.aliases ?? []),
  );

// ------------------------------------------------------------------------------------------------------------- lesser

/** Minor evidence: festival, length, prices, genres. */
function compareMinorEvidence(a: PreparedEvent, b: PreparedEvent): (Evidence | null)[] {
  return [compareEditions(a, b), compareLengths(a, b), comparePrices(a, b), compareGenres(a, b)];
}

function compareEditions(a: EventFacts, b: EventFacts): Evidence | null {
  if (!a.festival || !b.festival) return null;
  const name = (listing: EventFacts) => tokenize(listing.festival?.name ?? '').join(' ');
  if (name(a) !== name(b)) return eventEvidence('festival.different');
  return eventEvidence(
    a.festival.edition === b.festival.edition ? 'festival.same' : 'festival.other-edition',
  );
}

const hourMs = 3_600_000;

/** From this length on an event is more than one night. */
const minMultiDayHours = 44;
/** The same for events that begin by day: "Sat 12:00 to Sun 23:00". */
const minMultiDayHoursByDay = 30;
/** From this length on it may be. */
const minPossiblyMultiDayHours = 26;

/** The length of a listing in nights. */
function eventLength(listing: EventFacts): EventLength {
  const hours = durationHours(listing) ?? 0;
  const clock = Number(/\d[Tt ](\d\d)/.exec(listing.startAt)?.[1] ?? 0);
  if (hours >= minMultiDayHours || (hours >= minMultiDayHoursByDay && clock >= 9 && clock <= 18))
    return 'days';
  return hours >= minPossiblyMultiDayHours ? 'perhaps' : 'night';
}

/** Compares the lengths of two listings, where both have one: one night and several days are different events. */
function compareLengths(a: PreparedEvent, b: PreparedEvent): Evidence | null {
  const [one, two] = [durationHours(a), durationHours(b)];
  if (one === null || two === null) return null;
  const short = Math.min(one, two);
  if (!(one > two ? a : b).parsedTitle.parts.isMultiDay || short > 24) return null;
  return eventEvidence('length.night-and-days');
}

function durationHours({ startAt, endAt }: EventFacts): number | null {
  if (!endAt) return null;
  const [start, end] = [startAt, endAt].map((text) =>
    Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text.slice(0, 16).concat('Z')),
  );
  const hours = ((end as number) - (start as number)) / hourMs;
  if (!Number.isFinite(hours) || hours < 0) return null;
  return endAt.length === 10 ? hours + 24 : hours;
}

function comparePrices(a: EventFacts, b: EventFacts): Evidence | null {
  for (const one of pricedTickets(a)) {
    for (const two of pricedTickets(b)) {
      if (one.currency !== two.currency) continue;
      if (one.low === two.low && one.low > 0 && one.high === two.high) return eventEvidence('price.same');
      const [low, high] = [Math.min(one.low, two.low), Math.max(one.low, two.low)];
      if (low > 0 && high / low > 4) return eventEvidence('price.far-apart');
    }
  }
  return null;
}

/** The tickets of a listing that state a price; each object is read once. */
const pricedTickets = memoizeByObject(({ tickets }: EventFacts) =>
  (tickets ?? []).flatMap(({ price_min: low, price_max: high, currency }) =>
    low == null ? [] : [{ low, high, currency }],
  ),
);

function compareGenres(a: EventFacts, b: EventFacts): Evidence | null {
  const genres = new Set((a.genres ?? []).map((genre) => tokenize(genre).join(' ')));
  if (genres.size === 0 || !b.genres || b.genres.length === 0) return null;
  const shared = b.genres.some((genre) => genres.has(tokenize(genre).join(' ')));
  return shared ? eventEvidence('genre.shared') : null;
}
