/** The answer of the three tools about events. */

import { isNonBlank, type WindowReading } from '../../catalogue/dates/event-window.ts';
import type { TimeWindow } from '../../catalogue/dates/time-window.ts';
import {
  chooseEditions,
  findNearestEditions,
  isFestivalWord,
  type NearestEditions,
  namesFestivals,
} from '../../catalogue/festival-editions.ts';
import type { EventQuery, EventResults } from '../../catalogue/find-events.ts';
import { findWithinLimits, type LimitedResults, type LimitReading } from '../../catalogue/limited-events.ts';
import type { EntityLink } from '../../catalogue/linking/entity-linking.ts';
import { findPastEvents } from '../../catalogue/past-events.ts';
import { findCity } from '../../catalogue/places/cities.ts';
import { countryNameWithArticle } from '../../catalogue/places/countries.ts';
import { findRelaxed, type NextDay } from '../../catalogue/relaxed-search.ts';
import type { Catalogue } from '../../catalogue/request.ts';
import { dayMs } from '../../clock.ts';
import { Problem } from '../../contract/errors.ts';
import type { TimeBound } from '../../contract/parameters.ts';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { type ToolEdition, type ToolEvent, type ToolEventRef, toolLimits } from '../../contract/tools.ts';
import { lineSegment } from '../sanitize-text.ts';
import { type ToolContext, ToolInputError, type ToolResult } from '../tool.ts';
import { endingLines, festivalLines, maxQuoteLength, placeLines, unusedTextNotes } from './event-notes.ts';
import { eventLines, eventRefLine, toEventRef, toToolEvent } from './event-text.ts';
import { editionLine, editionLines, toToolEdition } from './festivals.ts';
import { finishText, matchLines, toToolChoice, toToolInterpretedName } from './format.ts';
import { isLimiting, limitNotes, limitTexts } from './limit-notes.ts';
import { venueLine, venueOf } from './venue-text.ts';

/** The query of a tool, without the members that are the same for all tools. */
type EventsToolInput = Omit<EventQuery, 'now' | 'countTo'>;

/** Everything that an answer about events contains. */
type EventsAnswer = {
  query: EventQuery;
  results: EventResults;
  reading: LimitReading | null;
  events: readonly ToolEvent[];
  festivals: readonly ToolEdition[];
  /** Where a question for festivals finds none; null if it finds some, or is no such question. */
  nearest: NearestEditions | null;
  past: { count: number | null; latest: ToolEventRef } | null;
  subgenres: readonly RecordRef[];
  venue: ApiRecord<'Venue'> | null;
};

/** Finds events and formats the answer. */
export function answerEvents(query: EventsToolInput, call: ToolContext): ToolResult {
  return call.catalogue.reader.snapshot(() => {
    const { now, homeCity } = call;
    const answer = collect({ ...query, homeCity, now, countTo: toolLimits.maximum }, call);
    const { results, events, festivals, past, subgenres, venue } = answer;
    return {
      structured: {
        ...toToolChoice(results.names[0]),
        names: results.names.map(toToolInterpretedName),
        events,
        has_more: results.hasMore,
        festivals,
        past,
        subgenres,
        venue,
      },
      text: finishText(lines(answer, call), call),
      validUntil: validUntil(answer, call),
    };
  });
}

/** Local days, and with them "today" and "tonight", begin on a quarter of an hour (UTC) in every time zone. */
const quarterMs = 15 * 60_000;

/**
 * Returns until when an answer to words about time is valid: the next quarter of an hour, the next start of an event
 * ("now" and "tonight" include events that have started), or a timestamp of the query. Null for a query without such words.
 */
function validUntil({ query, results }: EventsAnswer, { now, catalogue }: ToolContext): number | null {
  const { window } = results;
  if (![query.from, query.to, query.query].some(isNonBlank)) return null;
  const instants = [window.from, window.to, window.night?.until].flatMap((bound) =>
    bound !== undefined && 'instant' in bound && bound.instant > now ? [bound.instant] : [],
  );
  const nextStart = catalogue.reader.nextStart(now) ?? Number.POSITIVE_INFINITY;
  return Math.min(now - (now % quarterMs) + quarterMs, nextStart, ...instants);
}

function collect(input: EventQuery, call: ToolContext): EventsAnswer {
  const { catalogue } = call;
  const { query, results: firstResults, reading } = findOrToolError(input, call);
  const editions = chooseEditions(query, firstResults, catalogue);
  const nearest = editions.length > 0 ? null : findNearestEditions(query, firstResults, catalogue);
  const hasFestivals = editions.length > 0 || nearest !== null;
  const results = hasFestivals ? withFestivalWords(query, firstResults, catalogue) : firstResults;
  const isPastAsked = query.includePast || results.order === 'last' || results.items.length === 0;
  const past = isPastAsked ? findPastEvents(query, results, catalogue) : null;
  const genre = results.names.find(({ kind }) => kind === 'genre')?.match;
  return {
    query,
    results,
    reading,
    events: results.items.map((item) => toToolEvent(item, call)),
    festivals: editions.map((edition) => toToolEdition(edition, call)),
    nearest,
    past: past && { count: past.count, latest: toEventRef(past.latest, call) },
    subgenres: genre ? catalogue.reader.artistExtras.subgenres(genre.id) : [],
    venue: venueOf(results, call),
  };
}

/** Drops the words of a free text that its festivals explain from those that were not understood. */
function withFestivalWords(query: EventQuery, results: EventResults, catalogue: Catalogue): EventResults {
  const isFestivalText = results.names.every(({ kind }) => kind !== 'artist');
  if (!isFestivalText || (query.query ?? '') === '') return results;
  if (namesFestivals(query, results, catalogue)) return { ...results, unread: [], guesses: [] };
  const words = results.items.length > 0 ? results.words : withoutFestivalWords(results.words);
  return { ...results, words, unread: results.unread.filter((word) => !isFestivalWord(word)) };
}

const withoutFestivalWords = (words: string): string =>
  words
    .split(' ')
    .filter((word) => !isFestivalWord(word))
    .join(' ');

/** Finds events; turns an invalid parameter into a `ToolInputError`. */
function findOrToolError(query: EventQuery, { catalogue }: ToolContext): LimitedResults {
  try {
    return findWithinLimits(query, catalogue);
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'invalid_parameter')
      throw new ToolInputError(failure.message);
    throw failure;
  }
}

function lines(answer: EventsAnswer, call: ToolContext): string[] {
  const { query, results, reading, events, festivals, past, subgenres, venue } = answer;
  const regionOf = ({ slug }: { slug: string }) => findCity(call.catalogue, slug)?.region ?? null;
  const askedArtists = new Set(
    results.names.flatMap(({ kind, match }) => (kind === 'artist' && match ? [match.slug] : [])),
  );
  const isEmpty = events.length === 0 && festivals.length === 0;
  return [
    ...headLines(answer),
    ...eventLines(events, askedArtists),
    ...(results.hasMore ? [continuationHint(query.limit, results, events)] : []),
    ...festivalHead(festivals, query.now),
    ...editionLines(festivals),
    ...nearestLines(answer, call),
    ...namedLines(results),
    ...pastLines(past),
    ...(venue === null ? [] : [venueLine(venue)]),
    ...(subgenres.length === 0 ? [] : [subgenresLine(subgenres)]),
    ...unusedTextNotes(results),
    ...(reading === null ? [] : limitNotes(reading)),
    ...windowLines(query, results),
    ...results.names.flatMap((choice) => matchLines(choice, choice.kind === 'city' ? regionOf : undefined)),
    ...endingLines(results, call),
    ...placeLines(query, results, call),
    ...festivalLines(query, results, call),
    ...(isEmpty && !isLimiting(reading) ? emptyResultHints(answer, call.catalogue) : []),
  ];
}

function festivalHead(festivals: readonly ToolEdition[], now: number): string[] {
  const noun = festivals.length === 1 ? 'edition' : 'editions';
  const over = festivals.every((edition) => isOver(edition, now))
    ? ` that ${festivals.length === 1 ? 'is' : 'are'} over`
    : '';
  return festivals.length === 0 ? [] : [`Festival ${noun}${over}:`];
}

/** Says that no festival fits a question for festivals, and names the next ones, or the last. */
function nearestLines({ query, nearest, results }: EventsAnswer, call: ToolContext): string[] {
  if (nearest === null) return [];
  const { editions, areOver } = nearest;
  const noun = `${query.includePast ? '' : 'upcoming '}festival editions`;
  const none = `No ${noun} ${criteriaText({ ...results, words: '' })}`.trim();
  const which = areOver ? 'The last on record, which are over' : 'The next on record';
  return [
    `${none}.${editions.length === 0 ? '' : ` ${which}:`}`,
    ...editions.map((edition) => editionLine(toToolEdition(edition, call))),
  ];
}

/** Returns the first line: how many events there are, or why none was searched. */
function headLines({ query, results, reading, events, festivals }: EventsAnswer): string[] {
  if (events.length === 0) {
    if (festivals.some((edition) => query.includePast || !isOver(edition, query.now))) return [];
    const refused = results.names.find(
      ({ kind, match, listedMatches, alternatives }) =>
        match === null &&
        listedMatches.length === 0 &&
        ((kind !== 'venue' && kind !== 'city') || alternatives.length === 0),
    );
    if (refused !== undefined)
      return [
        `Nothing was searched: "${refused.text}" is not the name of ${articleOf(refused.kind)} on record.`,
      ];
  }
  const which = results.named?.isOnly
    ? `named "${results.named.text}"`
    : [criteriaText(results), ...limitTexts(reading)].join(' ').trim();
  const order = results.isNewestFirst && events.length > 1 ? ', newest first' : '';
  return [
    `${howMany(query, results, events.length)}${which === '' ? '' : ` ${which}`}${order}${events.length === 0 ? '.' : ':'}`,
  ];
}

/** Whether an edition is over; a date alone ends with its day. */
function isOver({ start_at, end_at }: ToolEdition, now: number): boolean {
  const end = end_at ?? start_at;
  return end !== null && Date.parse(end) + (end.length === 10 ? dayMs : 0) <= now;
}

const articleOf = (kind: string): string => `${kind === 'artist' ? 'an' : 'a'} ${kind}`;

/** Says that the first events have the name in the text, and that the others fit another reading of it. */
function namedLines({ named }: EventResults): string[] {
  if (named === null || named.isOnly) return [];
  const which = named.count === 1 ? 'The first event is' : `The first ${named.count} events are`;
  return [`${which} named "${named.text}". The others fit the names in it.`];
}

function pastLines(past: EventsAnswer['past']): string[] {
  if (past === null) return [];
  const { count, latest } = past;
  const many =
    count === null
      ? 'Very many past events fit'
      : `${count} past ${count === 1 ? 'event fits' : 'events fit'}`;
  return [`${many}. The latest: ${eventRefLine(latest)}`];
}

const subgenresLine = (subgenres: readonly RecordRef[]): string =>
  lineSegment(`Subgenres, which are included: ${subgenres.map(({ name }) => name).join(', ')}.`);

/** "No upcoming events", "1 upcoming event", "The first 10 of 37 upcoming events". */
function howMany(
  { includePast }: EventQuery,
  { hasMore, count, order }: EventResults,
  eventCount: number,
): string {
  const time = !includePast || order === 'next' ? 'upcoming ' : order === 'last' ? 'past ' : '';
  const noun = `${time}${eventCount === 1 && !hasMore ? 'event' : 'events'}`;
  if (eventCount === 0) return `No ${noun}`;
  if (!hasMore) return `${eventCount} ${noun}`;
  return `The first ${eventCount === 1 ? '' : `${eventCount} `}of ${count ?? `more than ${toolLimits.maximum}`} ${noun}`;
}

/** Describes the conditions of the query. */
function criteriaText({ names, otherGenres, country, words, window, items }: EventResults): string {
  const nameOf = ({ kind, match, region, text }: EntityLink): string => {
    if (match === null) return `"${text}"`;
    // An empty answer shows no place, but several countries have a "San José".
    const isPlain = kind !== 'city' || items.length > 0 || match.country === null || country !== null;
    return lineSegment(`${region?.name ?? match.name}${isPlain ? '' : ` (${match.country})`}`);
  };
  const namesOfKind = (kind: EntityLink['kind']) =>
    names.filter((choice) => choice.kind === kind).map(nameOf);
  const phrase = (before: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`${before} ${all.join(' and ')}`];
  return [
    ...phrase('with', namesOfKind('artist')),
    ...phrase('of', namesOfKind('festival')),
    ...phrase('with artists of', namesOfKind('label')),
    ...phrase(
      'of the genre',
      [[...namesOfKind('genre'), ...otherGenres.map(nameOf)].join(' or ')].filter((text) => text !== ''),
    ),
    ...phrase('at', namesOfKind('venue')),
    ...phrase('in', namesOfKind('city')),
    ...phrase('in', country === null ? [] : [countryNameWithArticle(country.code)]),
    ...(words === '' ? [] : [`whose name has "${words.slice(0, maxQuoteLength)}"`]),
    ...windowText(window),
  ].join(' ');
}

const boundText = (bound: TimeBound): string =>
  'date' in bound
    ? String(bound.date).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3')
    : new Date(bound.instant).toISOString().replace('.000Z', 'Z');

function windowText({ from, to, night }: TimeWindow): string[] {
  if (night?.isMoment) return ['at this moment'];
  const [first, last] = [from && boundText(from), to && boundText(to)];
  if (first !== undefined && first === last) return [`on ${first}`];
  return [...(first ? [`from ${first}`] : []), ...(last ? [`to ${last}`] : [])];
}

/**
 * Returns how to get the remaining events. This always terminates: a higher limit returns all, or the window begins
 * later and keeps its end.
 */
function continuationHint(
  limit: number,
  { count, window, isNewestFirst }: EventResults,
  events: readonly ToolEvent[],
): string {
  if (count !== null) return `There are more: call again with limit ${count}.`;
  if (isNewestFirst) return `There are more: call again to "${startText(events.at(-1) as ToolEvent)}".`;
  const higher = limit < toolLimits.maximum ? `with limit ${toolLimits.maximum}` : '';
  const [first, last] = [events[0], events.at(-1)].map((event) => event && startText(event));
  const end = window.night?.until ?? window.to;
  const until = end === undefined ? '' : `, to "${boundText(end)}"`;
  if (first !== last)
    return `There are more: call again ${higher && `${higher}, or `}from "${last}"${until}. Events that start at that time are repeated.`;
  if (higher !== '') return `There are more: call again ${higher}.`;
  const later = new Date(Date.parse(last as string) + 1000).toISOString().replace('.000Z', 'Z');
  return `More events start at that time: add a city, genre, venue or artist. For later events, call again from "${later}"${until}.`;
}

/** Returns the start of an event in the form of `from`, by which lists are ordered. */
const startText = ({ start_at, date, timezone }: ToolEvent): string =>
  timezone === null ? `${date}T00:00:00Z` : start_at;

/** Returns a note about the dates of a phrase such as "this weekend". */
function windowLines({ from }: EventQuery, { window, reading }: EventResults): string[] {
  if (reading?.closed == null || !/\p{L}/u.test(reading.closed.replace(/^\d{4}-?w/i, ''))) return [];
  const days =
    window.night?.text ??
    windowText(window)
      .join(' ')
      .replace(/^(?:on|from) /, '');
  const later = reading.closed === from ? '; for a later end, pass "to" as well' : '';
  return [`"${reading.closed.slice(0, 100)}" is read as ${days} (${todayText(reading)})${later}.`];
}

const todayText = ({ today, zone, present }: WindowReading): string =>
  `today is ${today} in ${zone ?? 'UTC'}${present === today ? '' : `, where the night of ${present} lasts until 06:00`}`;

/** The nearest day that has what was asked for. */
const nextDayHint = ({ date, events, time }: NextDay): string =>
  `${time === null ? '' : `The next one starts at ${time} on ${date}. `}The nearest day with ${events === 1 ? 'such an event' : 'such events'} is ${date} (${events ?? `more than ${toolLimits.maximum}`} ${events === 1 ? 'event' : 'events'}): call again with from "${date}" and to "${date}".`;

const pastHint = 'search_events with include_past: true lists past events.';

function emptyResultHints({ query, results, nearest }: EventsAnswer, catalogue: Catalogue): string[] {
  const { hasPast, withoutWords, nextDay } = findRelaxed(query, results, catalogue);
  const { names, words, window, reading } = results;
  const past = hasPast ? [pastHint] : [];
  if (names.some(({ match, listedMatches: several }) => match === null && several.length === 0))
    return ['Check the spelling, or leave out that name or the place beside it.'];
  const [first, last] = [window.from, window.to].map((bound) => bound && boundText(bound).slice(0, 10));
  const isOver = window.night
    ? window.night.until.instant < query.now
    : last !== undefined && reading !== null && last < reading.present;
  if (first !== undefined && last !== undefined && first > last) return ['"from" lies after "to".'];
  if (!query.includePast && reading && isOver)
    return [[`That window is over (${todayText(reading)}).`, ...past].join(' ')];
  if (withoutWords !== null && withoutWords > 0) {
    const many = withoutWords > toolLimits.maximum ? `more than ${toolLimits.maximum}` : String(withoutWords);
    return [`Without "${words.slice(0, maxQuoteLength)}" in the name there are ${many}.`, ...past];
  }
  // A question for festivals has its nearest editions instead of days of other events.
  if (nearest !== null) return past;
  if (nextDay !== null) return [nextDayHint(nextDay), ...past];
  if (window.from || window.to || names.length > 1)
    return ['Try a longer window or fewer conditions.', ...past];
  return past;
}
