/**
 * Parses calendars into components with properties (RFC 5545, sections 3.1 and 3.4), line by line. An invalid line
 * affects its own event at most.
 */

import ICAL from 'ical.js';
import { getOrCreate } from '../../memoize.ts';

/** A property: its values as jCal (RFC 7265), its parameters by lower-case name. */
export type IcalProperty = { name: string; parameters: Readonly<Record<string, string>>; values: unknown[] };

export type IcalComponent = {
  name: string;
  /** First line, from 1. */
  line: number;
  properties: ReadonlyMap<string, IcalProperty[]>;
  /** Original text of a VTIMEZONE, which is parsed as a whole. */
  source: string;
  /** Whether its END is missing. */
  isTruncated: boolean;
};

type ContentLine = { number: number; text: string };

/** Components that are read; others (alarms) are skipped with their content. */
const wantedComponents = new Set(['VEVENT', 'VTIMEZONE']);
const propertyLine = /^[A-Za-z0-9-]+[;:]/;
const propertyName = /^[^;:]*/;
/** Max length of a line; longer ones are embedded attachments. */
const maxLineLength = 200_000;
/** Max lines of a component, and values of the properties of one name in it, such as EXDATE. Others are left out. */
const maxComponentLines = 50_000;
const maxPropertyValues = 5_000;

/** Yields unfolded lines. Lines that were broken without folding are joined as well. */
function* unfold(text: string): Generator<ContentLine> {
  let current: ContentLine | null = null;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const newline = text.slice(start, start + 1_000_000).search(/\r\n|\n|\r/);
    const end = newline < 0 ? Math.min(text.length, start + 1_000_000) : start + newline;
    const line = text.slice(start, end);
    start = end + (text.startsWith('\r\n', end) ? 2 : newline < 0 ? 0 : 1);
    number++;
    const isFolded = /^[ \t]/.test(line);
    if (current !== null && (isFolded || (line.trim() !== '' && !propertyLine.test(line)))) {
      if (current.text.length < maxLineLength) current.text += isFolded ? line.slice(1) : ` ${line}`;
      continue;
    }
    if (current !== null) yield current;
    current = line.trim() === '' ? null : { number, text: line };
  }
  if (current !== null) yield current;
}

/** Yields every event and time zone of a calendar, and last the calendar's own properties as `VCALENDAR`. */
export function* parseComponents(text: string): Generator<IcalComponent> {
  const calendar: ContentLine[] = [];
  /** The component that is being read, and the nesting depth inside it. */
  let open: { name: string; lines: ContentLine[]; depth: number } | null = null;
  let depth = 0;
  let ended = false;
  for (const line of unfold(text)) {
    const mark = /^(BEGIN|END):\s*([\w-]+)\s*$/i.exec(line.text);
    const begins = mark?.[1]?.toUpperCase() === 'BEGIN';
    const name = mark?.[2]?.toUpperCase() ?? '';
    if (open === null) {
      if (begins && wantedComponents.has(name)) open = { name, lines: [line], depth: 0 };
      else if (mark && name === 'VCALENDAR') ended = !begins;
      else if (mark) depth = Math.max(0, depth + (begins ? 1 : -1));
      else if (depth === 0) calendar.push(line);
    } else if (begins && name === open.name && name === 'VEVENT') {
      // Its END is missing, but the next event begins.
      yield toComponent(open, true);
      open = { name, lines: [line], depth: 0 };
    } else {
      if (mark || open.lines.length < maxComponentLines) open.lines.push(line);
      if (!mark) continue;
      if (!begins && name === open.name && (open.depth === 0 || name === 'VEVENT')) {
        yield toComponent(open, false);
        open = null;
      } else open.depth = Math.max(0, open.depth + (begins ? 1 : -1));
    }
  }
  if (open) yield toComponent(open, true);
  yield toComponent({ name: 'VCALENDAR', lines: calendar }, !ended);
}

function toComponent(
  { name, lines }: { name: string; lines: ContentLine[] },
  isTruncated: boolean,
): IcalComponent {
  const properties = new Map<string, IcalProperty[]>();
  const counts = new Map<string, number>();
  let depth = 0;
  for (const { text } of lines) {
    const mark = /^(BEGIN|END):/i.exec(text);
    if (mark) depth += mark[1]?.toUpperCase() === 'BEGIN' ? 1 : -1;
    // Lines of nested components (alarms, daylight rules) are not the component's own.
    else if (depth <= 1) addProperty(properties, counts, text);
  }
  const source = name === 'VTIMEZONE' ? lines.map(({ text }) => text).join('\r\n') : '';
  return { name, line: lines[0]?.number ?? 1, properties, source, isTruncated };
}

/** @param counts the number of values of each name, which lets lines beyond the limit cost nothing */
function addProperty(
  properties: Map<string, IcalProperty[]>,
  counts: Map<string, number>,
  text: string,
): void {
  const name = propertyName.exec(text)?.[0].toLowerCase() ?? '';
  const count = counts.get(name) ?? 0;
  if (count >= maxPropertyValues) return;
  const property = parseProperty(text);
  if (property === null) return;
  const values = property.values.slice(0, maxPropertyValues - count);
  counts.set(name, count + Math.max(values.length, 1));
  getOrCreate(properties, property.name, () => []).push({ ...property, values });
}

/** Parses a line as a property; null if it is not a property. An unclosed quotation mark is ignored. */
function parseProperty(text: string): IcalProperty | null {
  return tryParseProperty(text) ?? (text.includes('"') ? tryParseProperty(text.replaceAll('"', '')) : null);
}

/** Removes VALUE=DATE before a date with a clock time: the time is meant. */
function withoutFalseDate(text: string): string {
  const at = text.search(/;VALUE=DATE[;:]/i);
  if (at === -1) return text;
  const behind = text.slice(at + ';VALUE=DATE'.length);
  return /\d{8}T\d{4}/i.test(behind) ? text.slice(0, at) + behind : text;
}

function tryParseProperty(text: string): IcalProperty | null {
  try {
    const [name, parameters, , ...values] = ICAL.parse.property(withoutFalseDate(text)) as [
      string,
      object,
      string,
      ...unknown[],
    ];
    return {
      name: name.toLowerCase(),
      parameters: Object.fromEntries(
        Object.entries(parameters).map(([key, value]) => [key.toLowerCase(), String(value)]),
      ),
      values,
    };
  } catch {
    return null;
  }
}

/** Returns the first value that is not blank. */
export function propertyText(component: IcalComponent, name: string): string | null {
  for (const { values } of component.properties.get(name) ?? []) {
    const text = values.map(String).join(', ').trim();
    if (text !== '') return text;
  }
  return null;
}
