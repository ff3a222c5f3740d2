/**
 * Whether two listings are one show. Everything that is known is weighed together; no evidence against is no evidence
 * for: the prior of two listings at one date is low, and only what they share lifts it (docs/spec/imports.md#evidence).
 */
import { type Act, actsOf } from './acts.ts';
import { countryWords } from './cities.ts';
import { compareLineups, type Lineups } from './lineups.ts';
import { compareLinks } from './links.ts';
import { type Judgement, type Listing, type Reason, ruled, weigh } from './listing.ts';
import { compareParts, type Length, readParts, type Title } from './occasion-parts.ts';
import { isPartOfOther } from './part-alone.ts';
import { compareTitles, placeWordsOf } from './titles.ts';
import { compareStarts, type When } from './when.ts';
import { asPlayed, comparePlaces, type Place } from './where.ts';
import { alikeWords, wordsOf } from './words.ts';

const prior = -3.2;
/** From here on two listings are the same; it takes more where their starts speak against it. */
const sameFrom = 0.75;
const sameFromApart = 0.8;
const none: ReadonlySet<string> = new Set();

/** So many letters of a title are compared, and the words of so many acts with them. */
const longestTitle = 300;
const mostActs = 300;

type Prepared = Listing & {
  acts: Act[];
  title: readonly string[];
  read: Title;
  /** The whole of a title that is longer than is compared; else ''. */
  longTitle: string;
  /** The words of the acts' names, each once. */
  actWords: readonly string[];
};

const prepared = new WeakMap<Listing, Prepared>();

/** A listing with its line-up and title read; each object is read once. */
function prepare(listing: Listing): Prepared {
  let known = prepared.get(listing);
  if (known === undefined) {
    const name = listing.name.slice(0, longestTitle);
    const read = readParts(name, listing.venue?.name, lengthOf(listing));
    const acts = actsOf(listing.lineup);
    known = {
      ...listing,
      name,
      acts,
      title: read.words,
      read,
      longTitle: listing.name.length > longestTitle ? listing.name : '',
      actWords: [...new Set(acts.slice(0, mostActs).flatMap(({ runs }) => runs.flat()))],
    };
    prepared.set(listing, known);
  }
  return known;
}

/**
 * Whether two listings are one show. Pure, and the same for (a, b) and (b, a).
 * @param busy pages (as written) that are known to serve shows of several dates
 * @returns the outcome with its score, the rule that decided, and every reason with its weight
 */
export function judgeEvents(a: Listing, b: Listing, busy: ReadonlySet<string> = none): Judgement {
  const [one, two] = inOrder(prepare(a), prepare(b));
  const start = compareStarts(one, two);
  if (one.source === two.source && one.externalId !== two.externalId) return judgeOwn(one, two, start);
  if (start.weight <= -9) return ruled('another date', 'different', 0, [told(start)]);
  const place = comparePlaces(one, two);
  if (place.weight <= -6) return ruled('another place', 'different', 0.01, [told(start), told(place)]);
  return weighAll(one, two, start, place, busy);
}

const isBefore = (a: Listing, b: Listing): boolean =>
  a.source < b.source || (a.source === b.source && a.externalId <= b.externalId);
const inOrder = (a: Prepared, b: Prepared): [Prepared, Prepared] => (isBefore(a, b) ? [a, b] : [b, a]);
const told = ({ evidence, weight, text }: Reason): Reason => ({ evidence, weight, text });

/** Of two ids at one source that agree in all but the clock, which neither says. */
export const oneDate = 'one source, one date';

/** Two ids at one source: one show only where venue, start and title agree. */
function judgeOwn(a: Prepared, b: Prepared, start: When): Judgement {
  const place = comparePlaces(a, b);
  const agrees =
    a.startAt === b.startAt &&
    a.title.join(' ') === b.title.join(' ') &&
    a.title.length > 0 &&
    a.longTitle === b.longTitle &&
    place.evidence === 'venue' &&
    place.weight >= 2;
  const reasons = [
    told(start),
    told(place),
    { evidence: 'source', weight: agrees ? 2 : -6, text: `two ids at ${a.source}` },
  ];
  // Dates alone may be an early and a late show: their starts cannot be said to agree.
  const hasClock = /\d[Tt ]\d/.test(a.startAt);
  if (agrees && !hasClock) return ruled(oneDate, 'doubtful', 0.6, reasons);
  return agrees
    ? ruled('one source, listed twice', 'same', 0.95, reasons)
    : ruled('one source, two listings', 'different', 0.02, reasons);
}

function weighAll(a: Prepared, b: Prepared, start: When, where: Place, busy: ReadonlySet<string>): Judgement {
  const lineups = compareLineups(a, b);
  const begins = start.weight >= 1.3 && where.weight >= 1.6;
  const play = lineups.shared > 0 && lineups.contained >= 0.75;
  const apart = play && start.weight >= 0.5 && where.weight >= 1.6 && !start.shifted;
  const known = {
    begins,
    plays: begins && play,
    apart: apart && (isNotOf(a, b) || isNotOf(b, a)),
    whole: isWhole(a) || isWhole(b),
  };
  const parts = compareParts(a.read.parts, b.read.parts, lineups.listed > 0, known);
  const links = compareLinks(a, b, busy);
  const title = compareTitles(
    a,
    b,
    wordsOfPlaces(a, b),
    { a: a.actWords, b: b.actWords },
    lineups.shared > 0,
  );
  const place = asPlayed(where, start, lineups, title);
  const reasons = [
    told(start),
    told(place),
    lineups.reason,
    title,
    ...parts.map(told),
    ...links,
    ...lesser(a, b),
  ].filter((reason) => reason !== null);
  const judged = weigh(reasons, prior, start.weight < 0 ? sameFromApart : sameFrom);
  const veto = parts.find(({ rule }) => rule !== null);
  const linked = links.some(({ weight }) => weight >= 4);
  if (veto?.rule && !(linked && judged.score >= 0.5))
    return ruled(veto.rule, 'different', Math.min(judged.score, 0.1), reasons);
  const festive = parts.some(({ weight }) => weight >= 1);
  const partly = isPartOfOther(a, b, { ...lineups, title: title?.weight ?? 0 });
  return doubted(judged, { start, place, lineups, title, linked, festive, partly });
}

/** Whether `a` comes before or after something that `b` does not know: "Decadence Afters: Jane Doe", "Jane Doe at Lido". */
const isNotOf = ({ read: { parts } }: Prepared, { title, actWords }: Prepared): boolean => {
  const words = [...title, ...actWords];
  return (
    parts.occasion.length > 0 &&
    !parts.occasion.some((word) => words.some((other) => alikeWords(word, other)))
  );
};

/** "Decadence Colorado 2026": a festival by its name alone, of which no end is said. */
const isWhole = ({ title, festival, endAt }: Prepared): boolean => {
  const named = wordsOf(festival?.name ?? '');
  const rest = title.filter((word) => !named.includes(word) && word !== 'festival' && !/^\d+$/.test(word));
  return festival != null && !endAt && rest.length === 0;
};

type Found = {
  start: When;
  place: Place;
  lineups: Lineups;
  title: Reason | null;
  linked: boolean;
  /** Both are said to be the same one of a season or year. */
  festive: boolean;
  /** One of them is a stage of the other, or what precedes it. */
  partly: boolean;
};

/** What adds up to "the same" but rests on too little is in doubt. */
function doubted(judged: Judgement, found: Found): Judgement {
  const { start, place, lineups, title, linked, festive, partly } = found;
  if (judged.outcome !== 'same' || linked) return judged;
  const positive = lineups.shared > 0 || (title?.weight ?? 0) >= 0.9 || festive;
  const doubt = (rule: string): Judgement => ({ ...judged, outcome: 'doubtful', rule });
  if (!positive) return doubt('nothing in common but place and date');
  if (place.evidence !== 'venue' && lineups.shared === 0 && (title?.weight ?? 0) <= 2)
    return doubt('a title of many shows, and no house');
  if (partly) return doubt('a part listed on its own');
  if (start.apart) return doubt('hours apart');
  // Who plays on one floor may play on another, or in the house above it.
  if (place.isRoom && lineups.shared === 1 && lineups.contained < 0.75 && (title?.weight ?? 0) < 0.9)
    return doubt('a room, and the house');
  if (start.shifted && lineups.shared < 2 && (title?.weight ?? 0) < 1.2)
    return doubt('the clocks need more evidence');
  if (place.weight <= -2 && (lineups.shared < 3 || lineups.contained < 0.75)) return doubt('another place');
  return judged;
}

/** Words of places say nothing in a title. */
const wordsOfPlaces = (a: Prepared, b: Prepared): Set<string> =>
  placeWordsOf(
    ...countryWords(a.country ?? a.venue?.country),
    ...countryWords(b.country ?? b.venue?.country),
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

/** Evidence that decides nothing alone: festival, length, prices, genres. */
function lesser(a: Prepared, b: Prepared): (Reason | null)[] {
  return [compareFestivals(a, b), compareLengths(a, b), comparePrices(a, b), compareGenres(a, b)];
}

function compareFestivals(a: Listing, b: Listing): Reason | null {
  if (!a.festival || !b.festival) return null;
  const name = (listing: Listing) => wordsOf(listing.festival?.name ?? '').join(' ');
  if (name(a) !== name(b)) return { evidence: 'festival', weight: -1, text: 'different festivals' };
  return a.festival.edition === b.festival.edition
    ? { evidence: 'festival', weight: 0.4, text: 'one festival' }
    : { evidence: 'festival', weight: -4, text: 'different editions' };
}

const hourMs = 3_600_000;

/** So many hours are more than one night. */
const daysFrom = 44;
/** So many are, of what begins by day: "Sat 12:00 to Sun 23:00". */
const daysFromNoon = 30;
/** So many may be. */
const perhapsFrom = 26;

/** Whether a listing is of what goes on for days. */
function lengthOf(listing: Listing): Length {
  const hours = hoursOf(listing) ?? 0;
  const clock = Number(/\d[Tt ](\d\d)/.exec(listing.startAt)?.[1] ?? 0);
  if (hours >= daysFrom || (hours >= daysFromNoon && clock >= 9 && clock <= 18)) return 'days';
  return hours >= perhapsFrom ? 'perhaps' : 'night';
}

/** How long it goes on, as far as it is written; one night and several days are different things. */
function compareLengths(a: Prepared, b: Prepared): Reason | null {
  const [one, two] = [hoursOf(a), hoursOf(b)];
  if (one === null || two === null) return null;
  const short = Math.min(one, two);
  if (!(one > two ? a : b).read.parts.spans || short > 24) return null;
  return { evidence: 'length', weight: -3, text: 'one goes on for days, the other for a night' };
}

function hoursOf({ startAt, endAt }: Listing): number | null {
  if (!endAt) return null;
  const [start, end] = [startAt, endAt].map((text) =>
    Date.parse(/^\d{4}-\d\d-\d\d$/.test(text) ? `${text}T00:00Z` : text.slice(0, 16).concat('Z')),
  );
  const hours = ((end as number) - (start as number)) / hourMs;
  if (!Number.isFinite(hours) || hours < 0) return null;
  return endAt.length === 10 ? hours + 24 : hours;
}

function comparePrices(a: Listing, b: Listing): Reason | null {
  for (const one of a.tickets ?? []) {
    for (const two of b.tickets ?? []) {
      if (one.price_min == null || two.price_min == null || one.currency !== two.currency) continue;
      if (one.price_min === two.price_min && one.price_min > 0 && one.price_max === two.price_max)
        return { evidence: 'price', weight: 0.4, text: 'the same prices' };
      const [low, high] = [Math.min(one.price_min, two.price_min), Math.max(one.price_min, two.price_min)];
      if (low > 0 && high / low > 4) return { evidence: 'price', weight: -0.4, text: 'prices far apart' };
    }
  }
  return null;
}

function compareGenres(a: Listing, b: Listing): Reason | null {
  const genres = new Set((a.genres ?? []).map((genre) => wordsOf(genre).join(' ')));
  if (genres.size === 0 || !b.genres || b.genres.length === 0) return null;
  const shared = b.genres.some((genre) => genres.has(wordsOf(genre).join(' ')));
  return shared ? { evidence: 'genre', weight: 0.2, text: 'a genre in common' } : null;
}
