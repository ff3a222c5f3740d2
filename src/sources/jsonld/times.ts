/** Parses the start and end of a schema.org event. */

import { dayMs } from '../../clock.ts';
import { parseClockTime, parseDateTime } from '../common/values.ts';
import type { JsonLdGraph, JsonLdNode } from './graph.ts';

export type EventTimes = { start_at: string; end_at?: string };

/** Many programs write a date as midnight to midnight, or to 23:59. */
const midnight = /T00:00:00/;
const endOfDay = /T(?:23:59|00:00:00)/;

/** Returns the start and the end; null if there is no valid start. */
export function parseEventTimes(graph: JsonLdGraph, node: JsonLdNode): EventTimes | null {
  const start = parseDateTime(graph.text(node, 'startDate') ?? '');
  if (start === null) return null;
  const end = parseDateTime(graph.text(node, 'endDate') ?? '');
  if (start.length === 10) {
    const opened = parseDoorTime(graph, node, start);
    return {
      start_at: opened ?? start,
      ...(end !== null && end.slice(0, 10) >= start ? { end_at: end } : {}),
    };
  }
  if (midnight.test(start) && end !== null && endOfDay.test(end)) {
    const first = start.slice(0, 10);
    const last =
      midnight.test(end) && end.slice(0, 10) > first ? dayBefore(end.slice(0, 10)) : end.slice(0, 10);
    return { start_at: first, ...(last > first ? { end_at: last } : {}) };
  }
  return { start_at: start, ...(end === null || !isAfter(end, start) ? {} : { end_at: end }) };
}

const hasZone = (text: string): boolean => /(?:Z|[+-]\d\d:\d\d)$/.test(text);

/** Whether the end is after the start. Programs without an end write the start again, or the year 1970. */
function isAfter(end: string, start: string): boolean {
  // The date of a night does not say that it ends on the next morning.
  if (end.length === 10) return end > start.slice(0, 10);
  const ofOneSort = hasZone(end) === hasZone(start);
  return ofOneSort ? Date.parse(end) > Date.parse(start) : end.slice(0, 10) >= dayBefore(start.slice(0, 10));
}

const dayBefore = (date: string): string =>
  new Date(Date.parse(`${date}T00:00:00Z`) - dayMs).toISOString().slice(0, 10);

/** Returns the door time as the time of day of a start that is only a date. */
function parseDoorTime(graph: JsonLdGraph, node: JsonLdNode, date: string): string | null {
  const doors = graph.text(node, 'doorTime');
  if (doors === null) return null;
  const moment = parseDateTime(doors);
  if (moment !== null) return moment.length > 10 && moment.startsWith(date) ? moment : null;
  const clock = parseClockTime(doors);
  return clock === null ? null : `${date}T${clock}`;
}
