/** The answer that the three tools of events share. */

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
import { festivalLines, maxQuoteLength, placeLines, unusedTextNotes } from './event-notes.ts';
import { eventLine, finishText, matchLines, toToolChoice, toToolEvent, toToolUnderstood } from './format.ts';

/** What a tool asks; how far to count and what time it is are the same for all. */
type EventsToolInput = Omit<EventQuery, 'now' | 'countTo'>;

/** Finds events and shows them. */
export function answerEvents(asked: EventsToolInput, call: ToolContext): ToolResult {
  return call.catalogue.reader.snapshot(() => {
    const all = { ...asked, now: call.now, countTo: toolLimits.maximum };
    const found = findOrToolError(all, call);
    const events = found.items.map((item) => toToolEvent(item, call.baseUrl));
    return {
      structured: {
        ...toToolChoice(found.names[0]),
        names: found.names.map(toToolUnderstood),
        events,
        has_more: found.hasMore,
      },
      text: finishText(lines(all, found, events, call), call),
    };
  });
}

/** A problem with an input is told in the words of the tools. */
function findOrToolError(asked: EventQuery, { catalogue }: ToolContext): EventResults {
  try {
    return findEvents(asked, catalogue);
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'invalid_parameter')
      throw new ToolInputError(failure.message);
    throw failure;
  }
}

function lines(
  asked: EventQuery,
  found: EventResults,
  events: readonly ToolEvent[],
  call: ToolContext,
): string[] {
  const which = criteriaText(found);
  const regionOf = ({ slug }: { slug: string }) => findCity(call.catalogue, slug)?.region ?? null;
  return [
    `${howMany(asked, found, events.length)}${which === '' ? '' : ` ${which}`}${events.length === 0 ? '.' : ':'}`,
    ...events.map(eventLine),
    ...(found.hasMore ? [continuationHint(asked.limit, found, events)] : []),
    ...unusedTextNotes(found),
    ...windowLines(asked, found),
    ...found.names.flatMap((choice) => matchLines(choice, choice.kind === 'city' ? regionOf : undefined)),
    ...placeLines(asked, found, call),
    ...festivalLines(asked, found, call),
    ...(events.length === 0 ? emptyResultHints(asked, found, findRelaxed(asked, found, call.catalogue)) : []),
  ];
}

/** "No upcoming events", "1 upcoming event", "The first 10 of 37 upcoming events". */
function howMany({ includePast }: EventQuery, { hasMore, count }: EventResults, shown: number): string {
  const noun = `${includePast ? '' : 'upcoming '}${shown === 1 && !hasMore ? 'event' : 'events'}`;
  if (shown === 0) return `No ${noun}`;
  if (!hasMore) return `${shown} ${noun}`;
  return `The first ${shown === 1 ? '' : `${shown} `}of ${count ?? `more than ${toolLimits.maximum}`} ${noun}`;
}

/** What the events were looked for by, in words. */
function criteriaText({ names, country, words, window, items }: EventResults): string {
  const nameOf = ({ kind, match, region, text }: EntityLink): string => {
    if (match === null) return `"${text}"`;
    // An empty answer shows no place: "San José" has to be told from its namesakes.
    const isPlain = kind !== 'city' || items.length > 0 || match.country === null || country !== null;
    return lineSegment(`${region?.name ?? match.name}${isPlain ? '' : ` (${match.country})`}`);
  };
  const called = (kind: EntityLink['kind']) => names.filter((choice) => choice.kind === kind).map(nameOf);
  const said = (before: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`${before} ${all.join(' and ')}`];
  return [
    ...said('with', called('artist')),
    ...said('of the genre', called('genre')),
    ...said('at', called('venue')),
    ...said('in', called('city')),
    ...said('in', country === null ? [] : [countryNameWithArticle(country.code)]),
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
 * How to get at the rest. Every way ends: a higher limit shows all, or the window goes on from a later start than the one
 * it began with, and keeps its end.
 */
function continuationHint(
  limit: number,
  { count, window }: EventResults,
  events: readonly ToolEvent[],
): string {
  if (count !== null) return `There are more: ask again with limit ${count}.`;
  const higher = limit < toolLimits.maximum ? `with limit ${toolLimits.maximum}` : '';
  const [first, last] = [events[0], events.at(-1)].map((event) => event && startText(event));
  const end = window.night?.until ?? window.to;
  const until = end === undefined ? '' : `, to "${boundText(end)}"`;
  if (first !== last)
    return `There are more: ask again ${higher && `${higher}, or `}from "${last}"${until} on, where those that begin just then are listed again.`;
  if (higher !== '') return `There are more: ask again ${higher}.`;
  const later = new Date(Date.parse(last as string) + 1000).toISOString().replace('.000Z', 'Z');
  return `More than these begin at that very time: ask for one city, genre, venue or artist. From "${later}"${until} on are those that begin later.`;
}

/** When an event starts, as \`from\` takes it and lists are ordered by it. */
const startText = ({ start_at, date, timezone }: ToolEvent): string =>
  timezone === null ? `${date}T00:00:00Z` : start_at;

/** Which days words were read as, where they are the whole window. */
function windowLines({ from }: EventQuery, { window, reading }: EventResults): string[] {
  if (reading?.closed == null || !/\p{L}/u.test(reading.closed.replace(/^\d{4}-?w/i, ''))) return [];
  const days =
    window.night?.text ??
    windowText(window)
      .join(' ')
      .replace(/^(?:on|from) /, '');
  const later = reading.closed === from ? '; give "to" as well for a later end' : '';
  return [`"${reading.closed.slice(0, 100)}" is read as ${days} (${todayText(reading)})${later}.`];
}

const todayText = ({ today, zone }: WindowReading): string => `today is ${today} in ${zone ?? 'UTC'}`;

const pastHint = 'search_events with include_past: true lists past events.';

/** What to try where nothing was found. */
function emptyResultHints(
  asked: EventQuery,
  found: EventResults,
  { hasPast, withoutWords }: RelaxedResults,
): string[] {
  const { names, words, window, reading } = found;
  const past = hasPast ? [pastHint] : [];
  if (names.some(({ match, listedMatches: several }) => match === null && several.length === 0))
    return ['Check the spelling, or leave out that name or the place beside it.'];
  const [first, last] = [window.from, window.to].map((bound) => bound && boundText(bound).slice(0, 10));
  const isOver = window.night
    ? window.night.until.instant < asked.now
    : last !== undefined && reading !== null && last < reading.today;
  if (first !== undefined && last !== undefined && first > last) return ['"from" lies after "to".'];
  if (!asked.includePast && reading && isOver)
    return [[`That window is over (${todayText(reading)}).`, ...past].join(' ')];
  if (withoutWords !== null && withoutWords > 0) {
    const many = withoutWords > toolLimits.maximum ? `more than ${toolLimits.maximum}` : String(withoutWords);
    return [`Without "${words.slice(0, maxQuoteLength)}" in the name there are ${many}.`, ...past];
  }
  if (window.from || window.to || names.length > 1)
    return ['Try a longer window or fewer conditions.', ...past];
  return past;
}
