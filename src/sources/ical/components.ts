/**
 * A calendar's text as components with their properties (RFC 5545, 3.1 and 3.4), each line read by itself: one that is
 * no property costs its own event at most, and never the calendar.
 */
import ICAL from 'ical.js';

/** One property: its value as jCal (RFC 7265) has it, its parameters by lower-case name. */
export type IcalProperty = { name: string; parameters: Readonly<Record<string, string>>; values: unknown[] };

export type IcalComponent = {
  name: string;
  /** The line it begins at, from 1. */
  line: number;
  properties: ReadonlyMap<string, IcalProperty[]>;
  /** As written, for what only a whole component means (VTIMEZONE). */
  source: string;
  /** Its END is missing: the text broke off. */
  isTruncated: boolean;
};

type ContentLine = { number: number; text: string };

/** Components within these count; alarms and the like are passed over with all that is in them. */
const wantedComponents = new Set(['VEVENT', 'VTIMEZONE']);
const propertyLine = /^[A-Za-z0-9-]+[;:]/;
/** A line longer than this says nothing that is kept: attachments within the text. */
const maxLineLength = 200_000;

/** The lines of a text, put together where they were folded, or broken by who does not know how to fold. */
function* unfold(text: string): Generator<ContentLine> {
  let current: ContentLine | null = null;
  let number = 0;
  for (let start = 0; start < text.length; ) {
    const found = text.slice(start, start + 1_000_000).search(/\r\n|\n|\r/);
    const end = found < 0 ? Math.min(text.length, start + 1_000_000) : start + found;
    const line = text.slice(start, end);
    start = end + (text.startsWith('\r\n', end) ? 2 : found < 0 ? 0 : 1);
    number++;
    const folded = /^[ \t]/.test(line);
    if (current !== null && (folded || (line.trim() !== '' && !propertyLine.test(line)))) {
      if (current.text.length < maxLineLength) current.text += folded ? line.slice(1) : ` ${line}`;
      continue;
    }
    if (current !== null) yield current;
    current = line.trim() === '' ? null : { number, text: line };
  }
  if (current !== null) yield current;
}

/** Every event and time zone of a text; the properties of the calendar itself come last, as `VCALENDAR`. */
export function* parseComponents(text: string): Generator<IcalComponent> {
  const calendar: ContentLine[] = [];
  /** The wanted component being read, and how deep we are in others within it. */
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
      // Its END is missing; the next one begins all the same.
      yield toComponent(open, true);
      open = { name, lines: [line], depth: 0 };
    } else {
      open.lines.push(line);
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

function toComponent({ name, lines }: { name: string; lines: ContentLine[] }, cut: boolean): IcalComponent {
  const properties = new Map<string, IcalProperty[]>();
  let depth = 0;
  for (const { text } of lines) {
    const mark = /^(BEGIN|END):/i.exec(text);
    if (mark) depth += mark[1]?.toUpperCase() === 'BEGIN' ? 1 : -1;
    // The lines of alarms and of daylight rules are not the component's own.
    else if (depth <= 1) addProperty(properties, text);
  }
  const source = name === 'VTIMEZONE' ? lines.map(({ text }) => text).join('\r\n') : '';
  return { name, line: lines[0]?.number ?? 1, properties, source, isTruncated: cut };
}

function addProperty(properties: Map<string, IcalProperty[]>, text: string): void {
  const read = parseProperty(text);
  if (read === null) return;
  const others = properties.get(read.name);
  if (others === undefined) properties.set(read.name, [read]);
  else if (others.length < 5_000) others.push(read);
}

/** One line as a property; null where it is none. A quotation mark that is never closed is passed over. */
function parseProperty(text: string): IcalProperty | null {
  return tryParseProperty(text) ?? (text.includes('"') ? tryParseProperty(text.replaceAll('"', '')) : null);
}

/** Who writes VALUE=DATE before a clock time means the clock time. */
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

/** The first value of a property that is text and not blank. */
export function propertyText(component: IcalComponent, name: string): string | null {
  for (const { values } of component.properties.get(name) ?? []) {
    const text = values.map(String).join(', ').trim();
    if (text !== '') return text;
  }
  return null;
}
