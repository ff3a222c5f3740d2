/** The answer of the three tools about events. */

import type { WindowReading } from '../../catalogue/dates/event-window.ts';
import type { TimeWindow } from '../../catalogue/dates/time-window.ts';
import { type EventQuery, type EventResults, findEvents } from '../../catalogue/find-events.ts';
import type { EntityLink } from '../../catalogue/linking/entity-linking.ts';
import { findCity } from '../../catalogue/places/cities.ts';
import { countryNameWithArticle } from '../../catalogue/places/countries.ts';
import { findRelaxed, type RelaxedResults } from '../../catalogue/relaxed-search.ts';
import { Problem } from '../../contract/errors.ts';
import type { TimeBound } from '../../contract/parameters.ts';
import { type ToolEvent, toolLimits } from '../../contract/tools.ts';
import { lineSegment } from '../sanitize-text.ts';
import { type ToolContext, ToolInputError, type ToolResult } from '../tool.ts';
import { endingLines, festivalLines, maxQuoteLength, placeLines, unusedTextNotes } from './event-notes.ts';
import { eventLine, finishText, matchLines, toToolChoice, toToolEvent, toToolUnderstood } from './format.ts';

/** The query of a tool, without the members that are the same for all tools. */
type EventsToolInput = Omit<EventQuery, 'now' | 'countTo'>;

/** Finds events and formats the answer. */
export function answerEvents(query: EventsToolInput, call: ToolContext): ToolResult {
  return call.catalogue.reader.snapshot(() => {
    const all = { ...query, now: call.now, countTo: toolLimits.maximum };
    const results = findOrToolError(all, call);
    const events = results.items.map((item) => toToolEvent(item, call.baseUrl));
    return {
      structured: {
        ...toToolChoice(results.names[0]),
        names: results.names.map(toToolUnderstood),
        events,
        has_more: results.hasMore,
      },
      text: finishText(lines(all, results, events, call), call),
    };
  });
}

/** Finds events; turns an invalid parameter into a `ToolInputError`. */
function findOrToolError(query: EventQuery, { catalogue }: ToolContext): EventResults {
  try {
    return findEvents(query, catalogue);
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'invalid_parameter')
      throw new ToolInputError(failure.message);
    throw failure;
  }
}

function lines(
  query: EventQuery,
  results: EventResults,
  events: readonly ToolEvent[],
  call: ToolContext,
): string[] {
  const which = criteriaText(results);
  const regionOf = ({ slug }: { slug: string }) => findCity(call.catalogue, slug)?.region ?? null;
  return [
    `${howMany(query, results, events.length)}${which === '' ? '' : ` ${which}`}${events.length === 0 ? '.' : ':'}`,
    ...events.map(eventLine),
    ...(results.hasMore ? [continuationHint(query.limit, results, events)] : []),
    ...unusedTextNotes(results),
    ...windowLines(query, results),
    ...results.names.flatMap((choice) => matchLines(choice, choice.kind === 'city' ? regionOf : undefined)),
    ...endingLines(results, call),
    ...placeLines(query, results, call),
    ...festivalLines(query, results, call),
    ...(events.length === 0
      ? emptyResultHints(query, results, findRelaxed(query, results, call.catalogue))
      : []),
  ];
}

/** "No upcoming events", "1 upcoming event", "The first 10 of 37 upcoming events". */
function howMany({ includePast }: EventQuery, { hasMore, count }: EventResults, shown: number): string {
  const noun = `${includePast ? '' : 'upcoming '}${shown === 1 && !hasMore ? 'event' : 'events'}`;
  if (shown === 0) return `No ${noun}`;
  if (!hasMore) return `${shown} ${noun}`;
  return `The first ${shown === 1 ? '' : `${shown} `}of ${count ?? `more than ${toolLimits.maximum}`} ${noun}`;
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

function windowText({ from, to }: TimeWindow): string[] {
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
  { count, window }: EventResults,
  events: readonly ToolEvent[],
): string {
  if (count !== null) return `There are more: call again with limit ${count}.`;
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

const todayText = ({ today, zone }: WindowReading): string => `today is ${today} in ${zone ?? 'UTC'}`;

const pastHint = 'search_events with include_past: true lists past events.';

/** Returns hints for an empty result. */
function emptyResultHints(
  query: EventQuery,
  results: EventResults,
  { hasPast, withoutWords }: RelaxedResults,
): string[] {
  const { names, words, window, reading } = results;
  const past = hasPast ? [pastHint] : [];
  if (names.some(({ match, listedMatches: several }) => match === null && several.length === 0))
    return ['Check the spelling, or leave out that name or the place beside it.'];
  const [first, last] = [window.from, window.to].map((bound) => bound && boundText(bound).slice(0, 10));
  const isOver = window.night
    ? window.night.until.instant < query.now
    : last !== undefined && reading !== null && last < reading.today;
  if (first !== undefined && last !== undefined && first > last) return ['"from" lies after "to".'];
  if (!query.includePast && reading && isOver)
    return [[`That window is over (${todayText(reading)}).`, ...past].join(' ')];
  if (withoutWords !== null && withoutWords > 0) {
    const many = withoutWords > toolLimits.maximum ? `more than ${toolLimits.maximum}` : String(withoutWords);
    return [`Without "${words.slice(0, maxQuoteLength)}" in the name there are ${many}.`, ...past];
  }
  if (window.from || window.to || names.length > 1)
    return ['Try a longer window or fewer conditions.', ...past];
  return past;
}
