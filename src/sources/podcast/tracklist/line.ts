/** One line of a written tracklist, taken apart: time, number, artist, title and what may be a label. */
import { nonArtist, nonTitle, unidentified } from './patterns.ts';

/** A line that may be a track. */
export type TracklistLine = {
  /** Seconds from the start of the show; null where no time stands before the track. */
  start: number | null;
  /** A time behind the track: where it starts, or how long it is. */
  trailing: number | null;
  /** Two or three digits in square brackets: minutes, or a number. */
  bracketed: number | null;
  number: number | null;
  /** The number was told by a space alone ("1 Artist - Title"), as in "808 State - Title": it may belong to the name. */
  isNumberUncertain: boolean;
  /** "A1": the side of a record; it may belong to the name as well. */
  hasRecordSide: boolean;
  /** Played with the track before it ("w/"). */
  isLayered: boolean;
  /** What was left of the line, and its parts: artist, title and what else stood between dashes. */
  text: string;
  parts: string[];
  /** The parts with what was taken for a number or side. */
  partsWithNumber: string[];
};

const bulletPattern =
  /^(?:#\s+|[•·∙●▪◦■▶►★☆✦*➤➜→»>♫♪]+\s*|(?:\p{Extended_Pictographic}\ufe0f?\s*)+|[-–—]\s+)/u;
const timePattern = String.raw`(?:(\d{1,2}):)?(\d{1,3}):(\d{2})(?:[.,]\d{1,3})?`;
const anyTimePattern = String.raw`(?:\d{1,2}:)?\d{1,3}:\d{2}(?:[.,]\d{1,3})?`;
const leadingTime = new RegExp(
  String.raw`^[[({<]?\s*${timePattern}(?:\s*(?:-|–|—|~|to|→|>)\s*${anyTimePattern})?\s*[\])}>]?(?=$|[\s\-–—|:•.])\s*`,
  'i',
);
const minutesInBrackets = /^(?:\[(\d{1,3}|\d?\?{1,3})['’′]?\]\s*|(\d{1,3})['’′]\s+)/;
const firmNumber =
  /^(?:(?:track|nr\.?|no\.?)\s*)?#?\(?(\d{1,3})(?:\s*[.):\]](?!\d)\s*|\s+[-–—|/]\s+|[-/]\s+|\s*°\s*)|^(?:#|track\s+)(\d{1,3})\s+/i;
const uncertainNumber = /^(\d{1,3})(?:\.\d)?\s+(?=\S)/;
const recordSide = /^([A-H]{1,2}\d{1,2})(?:\s*[.):\]]\s*|\s+[-–—]\s+|\s+)(?=\S)/;
const leadingSeparator = /^(?:[-–—|:•~]+\s+|[-–—|:•~]+(?=[\p{L}\p{N}"“'‘«]))/u;
const layeredPrefix = /^\(?\s*(?:w\s?\/|with:?\s|\+\s|&\s|layered with\s)\s*/i;
const urlPattern = /\s*[[(]?(?:https?:\/\/|www\.)\S+[\])]?/gi;
const timeOfDaySuffix = /^\s*(?:a\.?m\.?|p\.?m\.?|uhr|h\b|gmt|utc|cet|cest|est|pst)/i;

/**
 * @param line one line of text
 * @returns its parts, or null where it can be no track: an address, a schedule, a sentence
 */
export function parseTracklistLine(line: string): TracklistLine | null {
  if (line.length > 2_000) return null;
  let rest = normalizeLine(line);
  if (rest.length > 300) return null;
  const entry: TracklistLine = {
    start: null,
    trailing: null,
    bracketed: null,
    number: null,
    isNumberUncertain: false,
    hasRecordSide: false,
    isLayered: false,
    text: '',
    parts: [],
    partsWithNumber: [],
  };
  // A number may stand before the time or behind it.
  for (let turn = 0; turn < 3; turn++) {
    const before = rest;
    rest = takeTime(rest, entry) ?? '';
    if (rest === '' && before !== '') return null;
    rest = takeNumber(rest, entry);
    if (rest === before) break;
    rest = rest.replace(leadingSeparator, '');
  }
  const layer = layeredPrefix.exec(rest);
  if (layer && layer[0].trim() !== '') {
    entry.isLayered = true;
    rest = rest.slice(layer[0].length);
    if (layer[0].trimStart().startsWith('(')) rest = rest.replace(/\)\s*$/, '');
  }
  rest = takeTrailingTime(rest, entry);
  if (rest === '') return null;
  entry.text = takeUncertainNumber(rest, entry);
  entry.parts = splitParts(entry.text);
  entry.partsWithNumber = entry.isNumberUncertain || entry.hasRecordSide ? splitParts(rest) : entry.parts;
  return entry.parts.length === 0 || isTooLong(entry.parts) ? null : entry;
}

/** A digit in a keycap is a number; signs that nobody sees are taken out. */
const normalizeLine = (line: string): string =>
  line
    .normalize('NFC')
    .replace(/(\d)\ufe0f?\u20e3/gu, '$1')
    .replace(/[－﹣]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(bulletPattern, '')
    .trim();

/** The rest behind a time; null where the time is one of the day. */
function takeTime(text: string, entry: TracklistLine): string | null {
  if (entry.start !== null || entry.bracketed !== null) return text;
  const match = leadingTime.exec(text);
  if (match && Number(match[3]) < 60 && (match[1] === undefined || Number(match[2]) < 60)) {
    const rest = text.slice(match[0].length);
    if (timeOfDaySuffix.test(rest)) return null;
    entry.start = Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]);
    return rest.replace(leadingSeparator, '');
  }
  const short = minutesInBrackets.exec(text);
  if (!short) return text;
  const said = short[1] ?? short[2] ?? '';
  entry.bracketed = said.endsWith('?') ? -1 : Number(said);
  return text.slice(short[0].length);
}

function takeNumber(text: string, entry: TracklistLine): string {
  if (entry.number !== null) return text;
  const match = firmNumber.exec(text);
  if (!match) return text;
  entry.number = Number(match[1] ?? match[2]);
  return text.slice(match[0].length);
}

/** Takes off what may be a number or a side of a record: the list as a whole shows whether it is one. */
function takeUncertainNumber(text: string, entry: TracklistLine): string {
  if (entry.number !== null) return text;
  const number = uncertainNumber.exec(text);
  const side = recordSide.exec(text);
  if (number) {
    entry.number = Number(number[1]);
    entry.isNumberUncertain = true;
  } else if (side) entry.hasRecordSide = true;
  const taken = number ?? side;
  return taken ? text.slice(taken[0].length).replace(leadingSeparator, '') : text;
}

const trailingTime = new RegExp(String.raw`\s+[[(]?${timePattern}[\])]?$`);

/** Takes off addresses and a time behind the track. */
function takeTrailingTime(text: string, entry: TracklistLine): string {
  const rest = text.replace(urlPattern, '').trim();
  const match = trailingTime.exec(rest);
  if (!match || Number(match[3]) > 59) return rest;
  if (entry.start === null)
    entry.trailing = Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]);
  return rest.slice(0, match.index);
}

/** Separators in the order in which they are believed; what stands in brackets is not looked at. */
const separators = [
  /\s+(?:[-–—―−‒]{1,3})\s+/g,
  /\s*[–—―]\s*/g,
  /\s+-{1,2}(?=\S)|(?<=\S)-{1,2}\s+/g,
  /\s+[•·∙▪]\s+/g,
  /\s+\|\s+/g,
  /\s+(?:~|::|\/\/)\s+/g,
];
const quoted = /^(.{1,100}?)[\s:,]+["“„«‘]([^"“”„«»]{1,150})["”“»’](.{0,100})$/u;
const singlyQuoted = /^(.{1,100}?)\s'([^']{1,150})'(?=$|[\s,[(])(.{0,100})$/u;

function splitParts(text: string): string[] {
  const hidden = maskBrackets(text);
  for (const separator of separators) {
    const cuts = [...hidden.matchAll(separator)].filter((cut) => cut.index > 0);
    if (cuts.length === 0) continue;
    const parts: string[] = [];
    let from = 0;
    for (const cut of cuts) {
      parts.push(text.slice(from, cut.index));
      from = cut.index + cut[0].length;
    }
    parts.push(text.slice(from));
    const whole = parts.map((part) => part.trim()).filter((part) => part !== '');
    if (whole.length > 1) return whole;
  }
  const match = quoted.exec(text) ?? singlyQuoted.exec(text);
  if (match) return [match[1] as string, `${match[2]}${match[3]}`].map((part) => part.trim());
  return text === '' ? [] : [text.trim()];
}

/** The text with all that stands in brackets made unreadable, so that nothing is parted there. */
const maskBrackets = (text: string): string => {
  const hide = (part: string) => '\u0001'.repeat(part.length);
  return text.replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, hide).replace(/\([^()]*\)|\[[^[\]]*\]/g, hide);
};

const countWords = (text: string): number => text.split(/\s+/).length;

/** A sentence, and the beginning of another; "St. Catherine and the Calm" is none. */
const sentenceEnd =
  /(?<!\b(?:st|mr|mrs|ms|dr|jr|sr|vs|feat|ft|pt|vol|no))[.!?]\s+\p{Lu}\p{Ll}+\s+\p{Ll}+\s+\p{Ll}+\s/iu;

/** Sentences with a dash in them are no tracks. */
const isTooLong = ([artist = '', ...titles]: string[]): boolean =>
  artist.length > 120 ||
  countWords(artist) > 14 ||
  titles.join(' ').length > 200 ||
  countWords(titles.join(' ')) > 28 ||
  sentenceEnd.test(titles.join(' '));

/** Whether a line says artist and title, or that nobody knows them. */
export function isTrack(parts: readonly string[]): boolean {
  const [artist = '', title = ''] = parts;
  if (parts.length === 1) return unidentified.test(artist) && /\p{L}|\?/u.test(artist);
  return (
    !nonArtist.test(artist) &&
    !nonTitle.test(title) &&
    !/^@|@\w+$/.test(title) &&
    !isMailAddress(title) &&
    /[\p{L}\p{N}\p{S}?]/u.test(title)
  );
}

function isMailAddress(text: string): boolean {
  if (/\s/.test(text)) return false;
  const at = text.indexOf('@', 1);
  return at !== -1 && text.lastIndexOf('.', text.length - 2) > at + 1;
}

/** How a list parts artist and title where it has no dashes: "Artist / Title", "Title by Artist", "Artist: Title". */
export type SeparatorStyle = 'slash' | 'by' | 'colon';
const separatorStyles: readonly [SeparatorStyle, RegExp][] = [
  ['slash', /^[^/]*[^/\s]\s+\/\s+[^/\s]/],
  ['by', /^.{1,120}\S\sby\s\S.{0,100}$/i],
  ['colon', /^[^:]{1,60}:\s+\S.{0,120}$/],
];

const hasDash = /\s[-–—]{1,3}\s/;

/** The manners in which a line that has no dash could be parted. */
export const possibleStyles = ({ parts, text }: TracklistLine): SeparatorStyle[] =>
  parts.length === 1 || !hasDash.test(text)
    ? separatorStyles
        .filter(([manner, pattern]) => (parts.length === 1 || manner === 'slash') && pattern.test(text))
        .map(([manner]) => manner)
    : [];

/** A line's parts in the manner of its list: artist, title, and what more there is. */
export function splitByStyle(manner: SeparatorStyle, entry: TracklistLine): string[] {
  const { text } = entry;
  if (!possibleStyles(entry).includes(manner)) return entry.parts;
  if (manner === 'slash') return text.split(/\s+\/\s+/).filter((part) => part !== '');
  if (manner === 'by') {
    const at = text.toLowerCase().lastIndexOf(' by ');
    return [text.slice(at + 4).trim(), text.slice(0, at).trim()];
  }
  const at = text.indexOf(':');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
