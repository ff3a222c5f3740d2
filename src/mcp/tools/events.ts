/** The answer that the three tools of events share. */
import type { Choice } from '../../catalogue/choose.ts';
import { countryName } from '../../catalogue/countries.ts';
import { type EventsAsked, type EventsFound, findEvents } from '../../catalogue/find-events.ts';
import type { Window } from '../../catalogue/times.ts';
import { Problem } from '../../contract/errors.ts';
import type { Bound } from '../../contract/parameters.ts';
import { type ToolEvent, toolLimits } from '../../contract/tools.ts';
import { type ToolAnswer, type ToolCall, ToolProblem } from '../tool.ts';
import { eventLine, finish, matchLines, showChoice, showEvent, showUnderstood } from './show.ts';

/** Finds events and shows them. */
export function answerEvents(asked: Omit<EventsAsked, 'now'>, call: ToolCall): ToolAnswer {
  const found = search({ ...asked, now: call.now }, call);
  const events = found.items.map((item) => showEvent(item, call.baseUrl));
  return {
    structured: {
      ...showChoice(found.names[0]),
      names: found.names.map(showUnderstood),
      events,
      has_more: found.hasMore,
    },
    text: finish(lines(asked, found, events, call.now), call),
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

function lines(
  asked: Omit<EventsAsked, 'now'>,
  found: EventsFound,
  events: readonly ToolEvent[],
  now: number,
): string[] {
  const what = [asked.includePast ? '' : 'upcoming', events.length === 1 ? 'event' : 'events']
    .filter(Boolean)
    .join(' ');
  const count = events.length === 0 ? 'No' : `${found.hasMore ? 'The first ' : ''}${events.length}`;
  const which = criteria(found);
  return [
    `${count} ${what}${which === '' ? '' : ` ${which}`}${events.length === 0 ? '.' : ':'}`,
    ...events.map(eventLine),
    ...(found.hasMore ? [more(asked.limit, events)] : []),
    ...found.names.flatMap(matchLines),
    ...(events.length === 0 ? wayOut(asked, found, now) : []),
  ];
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
    ...said('in', country === null ? [] : [countryName(country)]),
    ...(words === '' ? [] : [`whose name has "${words}"`]),
    ...windowWords(window),
  ].join(' ');
}

const boundText = (bound: Bound): string =>
  'date' in bound
    ? String(bound.date).replace(/^(\d+)(\d\d)(\d\d)$/, '$1-$2-$3')
    : new Date(bound.instant).toISOString().replace('.000Z', 'Z');

function windowWords({ from, to }: Window): string[] {
  const [first, last] = [from && boundText(from), to && boundText(to)];
  if (first !== undefined && first === last) return [`on ${first}`];
  return [...(first ? [`from ${first}`] : []), ...(last ? [`to ${last}`] : [])];
}

function more(limit: number, events: readonly ToolEvent[]): string {
  const last = events.at(-1)?.start_at ?? '';
  const raise = limit < toolLimits.maximum ? `a limit of up to ${toolLimits.maximum}, or ` : '';
  return `There are more: ask again with ${raise}from "${last}" on.`;
}

/** What to try where nothing was found. */
function wayOut(asked: Omit<EventsAsked, 'now'>, { names, window }: EventsFound, now: number): string[] {
  if (names.some(({ match }) => match === null)) {
    return ['Check the spelling, or leave out that name or the place beside it.'];
  }
  const order = [window.from, window.to].map((bound) => bound && boundText(bound));
  if (order[0] !== undefined && order[1] !== undefined && order[0].slice(0, 10) > order[1].slice(0, 10))
    return ['"from" lies after "to".'];
  const today = new Date(now).toISOString().slice(0, 10);
  if (!asked.includePast && order[1] !== undefined && order[1].slice(0, 10) < today) {
    return [
      `That window is over (today is ${today}). search_events with include_past: true lists past events.`,
    ];
  }
  if (window.from || window.to || names.length > 1) return ['Try a longer window or fewer conditions.'];
  return asked.includePast ? [] : ['search_events with include_past: true lists past events.'];
}
