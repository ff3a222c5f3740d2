/** The answer that the three tools of events share. */
import type { Choice } from '../../catalogue/choose.ts';
import { cityShort } from '../../catalogue/city-abbreviations.ts';
import { countryCode, countryInText, countryName, isCountryCode } from '../../catalogue/countries.ts';
import { type EventsAsked, type EventsFound, findEvents, type Reading } from '../../catalogue/find-events.ts';
import type { Window } from '../../catalogue/times.ts';
import type { CountryRead } from '../../catalogue/wording.ts';
import { Problem } from '../../contract/errors.ts';
import type { Bound } from '../../contract/parameters.ts';
import { type ToolEvent, toolLimits } from '../../contract/tools.ts';
import { type ToolAnswer, type ToolCall, ToolProblem } from '../tool.ts';
import { eventLine, finish, matchLines, showChoice, showEvent, showUnderstood } from './show.ts';

/** What a tool asks; how far to count and what time it is are the same for all. */
type Asked = Omit<EventsAsked, 'now' | 'countTo'>;

/** Finds events and shows them. */
export function answerEvents(asked: Asked, call: ToolCall): ToolAnswer {
  const found = search({ ...asked, now: call.now, countTo: toolLimits.maximum }, call);
  const events = found.items.map((item) => showEvent(item, call.baseUrl));
  return {
    structured: {
      ...showChoice(found.names[0]),
      names: found.names.map(showUnderstood),
      events,
      has_more: found.hasMore,
    },
    text: finish(lines(asked, found, events), call),
  };
}

/** A problem with an input is told in the words of the tools. */
function search(asked: EventsAsked, { catalogue }: ToolCall): EventsFound {
  try {
    return catalogue.reader.snapshot(() => findEvents(asked, catalogue));
  } catch (failure) {
    if (failure instanceof Problem && failure.type === 'invalid_parameter')
      throw new ToolProblem(failure.message);
    throw failure;
  }
}

function lines(asked: Asked, found: EventsFound, events: readonly ToolEvent[]): string[] {
  const which = criteria(found);
  return [
    `${howMany(asked, found, events.length)}${which === '' ? '' : ` ${which}`}${events.length === 0 ? '.' : ':'}`,
    ...events.map(eventLine),
    ...(found.hasMore ? [more(asked.limit, found, events)] : []),
    ...windowLines(asked, found),
    ...found.names.flatMap(matchLines),
    ...placeLines(asked, found),
    ...(events.length === 0 ? wayOut(asked, found) : []),
  ];
}

/** "No upcoming events", "1 upcoming event", "The first 10 of 37 upcoming events". */
function howMany({ includePast }: Asked, { hasMore, count }: EventsFound, shown: number): string {
  const noun = `${includePast ? '' : 'upcoming '}${shown === 1 && !hasMore ? 'event' : 'events'}`;
  if (shown === 0) return `No ${noun}`;
  if (!hasMore) return `${shown} ${noun}`;
  return `The first ${shown === 1 ? '' : `${shown} `}of ${count ?? `more than ${toolLimits.maximum}`} ${noun}`;
}

/** What the events were looked for by, in words. */
function criteria({ names, country, words, window }: EventsFound): string {
  const called = (kind: Choice['kind']) =>
    names.filter((choice) => choice.kind === kind).map(({ match, text }) => match?.name ?? `"${text}"`);
  const said = (before: string, all: readonly string[]) =>
    all.length === 0 ? [] : [`${before} ${all.join(' and ')}`];
  return [
    ...said('with', called('artist')),
    ...said('of the genre', called('genre')),
    ...said('at', called('venue')),
    ...said('in', called('city')),
    ...said('in', country === null ? [] : [countryInText(country.code)]),
    ...(words === '' ? [] : [`whose name has "${words.slice(0, longestWords)}"`]),
    ...windowWords(window),
  ].join(' ');
}

const longestWords = 200;
const boundText = (bound: Bound): string =>
  'date' in bound
    ? String(bound.date).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3')
    : new Date(bound.instant).toISOString().replace('.000Z', 'Z');

function windowWords({ from, to }: Window): string[] {
  const [first, last] = [from && boundText(from), to && boundText(to)];
  if (first !== undefined && first === last) return [`on ${first}`];
  return [...(first ? [`from ${first}`] : []), ...(last ? [`to ${last}`] : [])];
}

/**
 * How to get at the rest. Every way ends: a higher limit shows all, or the window goes on from a later start than the one
 * it began with, and keeps its end.
 */
function more(limit: number, { count, window }: EventsFound, events: readonly ToolEvent[]): string {
  if (count !== null) return `There are more: ask again with limit ${count}.`;
  const higher = limit < toolLimits.maximum ? `with limit ${toolLimits.maximum}` : '';
  const [first, last] = [events[0], events.at(-1)].map((event) => event && startOf(event));
  const until = window.to === undefined ? '' : `, to "${boundText(window.to)}"`;
  if (first !== last)
    return `There are more: ask again ${higher && `${higher}, or `}from "${last}"${until} on, where those that begin just then are listed again.`;
  if (higher !== '') return `There are more: ask again ${higher}.`;
  const later = new Date(Date.parse(last as string) + 1000).toISOString().replace('.000Z', 'Z');
  return `More than these begin at that very time: ask for one city, genre, venue or artist. From "${later}"${until} on are those that begin later.`;
}

/** When an event starts, as \`from\` takes it and lists are ordered by it. */
const startOf = ({ start_at, date, timezone }: ToolEvent): string =>
  timezone === null ? `${date}T00:00:00Z` : start_at;

/** Which days words were read as, where they are the whole window. */
function windowLines({ from }: Asked, { window, reading }: EventsFound): string[] {
  if (reading?.closed == null || !/\p{L}/u.test(reading.closed.replace(/^\d{4}-?w/i, ''))) return [];
  const days = windowWords(window)
    .join(' ')
    .replace(/^(?:on|from) /, '');
  const later = reading.closed === from ? '; give "to" as well for a later end' : '';
  return [`"${reading.closed.slice(0, 100)}" is read as ${days} (${todayText(reading)})${later}.`];
}

const todayText = ({ today, zone }: Reading): string => `today is ${today} in ${zone ?? 'UTC'}`;

/** What a place may mean as well: a city's name or short form may be a country's, and the other way round. */
function placeLines(asked: Asked, { names, country }: EventsFound): string[] {
  const city = names.find(({ kind }) => kind === 'city');
  return [
    ...(city ? cityLines(city) : []),
    ...(country ? countryLines(country, country !== asked.country) : []),
  ];
}

function cityLines({ text, match }: Choice): string[] {
  const code = countryCode(text);
  const name = code === null ? null : countryName(code);
  if (code === null || name === match?.name) return [];
  if (match === null) return [`"${text}" is a country: pass it as country "${code}".`];
  return [`"${text}" is taken for the city; for the country ${name} pass country "${code}" and no city.`];
}

function countryLines({ code, text }: CountryRead, isGuessed: boolean): string[] {
  const city = cityShort(text);
  if (city && city.name !== countryName(code))
    return [
      `"${text}" is read as the country ${countryName(code)}; for the city ${city.name} pass city "${city.name}" and no country.`,
    ];
  return isGuessed && isCountryCode(text)
    ? [`Country: "${text}" is read as ${countryName(code)} (${code}).`]
    : [];
}

/** What to try where nothing was found. */
function wayOut(asked: Asked, { names, window, reading }: EventsFound): string[] {
  if (names.some(({ match }) => match === null)) {
    return ['Check the spelling, or leave out that name or the place beside it.'];
  }
  const [first, last] = [window.from, window.to].map((bound) => bound && boundText(bound).slice(0, 10));
  if (first !== undefined && last !== undefined && first > last) return ['"from" lies after "to".'];
  if (!asked.includePast && reading && last !== undefined && last < reading.today) {
    return [
      `That window is over (${todayText(reading)}). search_events with include_past: true lists past events.`,
    ];
  }
  if (window.from || window.to || names.length > 1) return ['Try a longer window or fewer conditions.'];
  return asked.includePast ? [] : ['search_events with include_past: true lists past events.'];
}
