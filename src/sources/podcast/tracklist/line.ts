/** Parses one line of a tracklist: time, number, artist, title, and a possible label. */
import { nonArtist, nonTitle, unidentified } from './patterns.ts';

/** A line that may be a track. */
export type TracklistLine = {
  /** Seconds from the start of the show; null without a time before the track. */
  start: number | null;
  /** A time after the track: its start or its duration. */
  trailing: number | null;
  /** Two or three digits in square brackets: minutes or a number. */
  bracketed: number | null;
  number: number | null;
  /**
   * Whether the number is followed by a space only ("1 Artist - Title"). It may belong to the name ("808 State -
   * Title").
   */
  isNumberUncertain: boolean;
  /** Whether the line starts with the side of a record ("A1"), which may belong to the name. */
  hasRecordSide: boolean;
  /** Whether it is played together with the previous track ("w/"). */
  isLayered: boolean;
  /** The rest of the line, and its parts: artist, title and other texts between dashes. */
  text: string;
  parts: string[];
  /** The parts including the possible number or side. */
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
 * Parses a line.
 * @param line one line of text
 * @returns its parts; null if it cannot be a track: an address, a schedule, a sentence
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
  // A number may be before or after the time.
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

/** Normalizes a line: keycap digits become digits, bullets are removed. */
const normalizeLine = (line: string): string =>
  line
    .normalize('NFC')
    .replace(/(\d)\ufe0f?\u20e3/gu, '$1')
    .replace(/[－﹣]/g, '-')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(bulletPattern, '')
    .trim();

/** Removes a leading time; null if it is a time of day. */
function takeTime(text: string, entry: TracklistLine): string | null {
  if (entry.start !== null || entry.bracketed !== null) return text;
  const match = leadingTime.exec(text);
  if (match && Number(match[3]) < 60 && (match[1] === undefined || Number(match[2]) < 60)) {
    const rest = text.slice(match[0].length);
    if (timeOfDaySuffix.test(rest)) return null;
    entry.start = Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]);
    return rest.replace(leadingSeparator, '');
  }
  const bracketedMinutes = minutesInBrackets.exec(text);
  if (!bracketedMinutes) return text;
  const minutes = bracketedMinutes[1] ?? bracketedMinutes[2] ?? '';
  entry.bracketed = minutes.endsWith('?') ? -1 : Number(minutes);
  return text.slice(bracketedMinutes[0].length);
}

function takeNumber(text: string, entry: TracklistLine): string {
  if (entry.number !== null) return text;
  const match = firmNumber.exec(text);
  if (!match) return text;
  entry.number = Number(match[1] ?? match[2]);
  return text.slice(match[0].length);
}

/** Removes a possible number or record side. The whole list decides whether it is one. */
function takeUncertainNumber(text: string, entry: TracklistLine): string {
  if (entry.number !== null) return text;
  const number = uncertainNumber.exec(text);
  const side = recordSide.exec(text);
  if (number) {
    entry.number = Number(number[1]);
    entry.isNumberUncertain = true;
  } else if (side) entry.hasRecordSide = true;
  const prefix = number ?? side;
  return prefix ? text.slice(prefix[0].length).replace(leadingSeparator, '') : text;
}

const trailingTime = new RegExp(String.raw`\s+[[(]?${timePattern}[\])]?$`);

/** Removes addresses and a time after the track. */
function takeTrailingTime(text: string, entry: TracklistLine): string {
  const rest = text.replace(urlPattern, '').trim();
  const match = trailingTime.exec(rest);
  if (!match || Number(match[3]) > 59) return rest;
  if (entry.start === null)
    entry.trailing = Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]);
  return rest.slice(0, match.index);
}

/** Separators by priority. Text in brackets is ignored. */
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
  const masked = maskBrackets(text);
  for (const separator of separators) {
    const cuts = [...masked.matchAll(separator)].filter((cut) => cut.index > 0);
    if (cuts.length === 0) continue;
    const parts: string[] = [];
    let from = 0;
    for (const cut of cuts) {
      parts.push(text.slice(from, cut.index));
      from = cut.index + cut[0].length;
    }
    parts.push(text.slice(from));
    const nonEmpty = parts.map((part) => part.trim()).filter((part) => part !== '');
    if (nonEmpty.length > 1) return nonEmpty;
  }
  const match = quoted.exec(text) ?? singlyQuoted.exec(text);
  if (match) return [match[1] as string, `${match[2]}${match[3]}`].map((part) => part.trim());
  return text === '' ? [] : [text.trim()];
}

/** Masks text in brackets, so that it is not split. */
const maskBrackets = (text: string): string => {
  const hide = (part: string) => '\u0001'.repeat(part.length);
  return text.replace(/\([^()]*\)|\[[^[\]]*\]|\{[^{}]*\}/g, hide).replace(/\([^()]*\)|\[[^[\]]*\]/g, hide);
};

const countWords = (text: string): number => text.split(/\s+/).length;

/** The end of a sentence and the start of another. "St. Catherine and the Calm" is none. */
const sentenceEnd =
  /(?<!\b(?:st|mr|mrs|ms|dr|jr|sr|vs|feat|ft|pt|vol|no))[.!?]\s+\p{Lu}\p{Ll}+\s+\p{Ll}+\s+\p{Ll}+\s/iu;

/** Sentences with a dash are not tracks. */
const isTooLong = ([artist = '', ...titles]: string[]): boolean =>
  artist.length > 120 ||
  countWords(artist) > 14 ||
  titles.join(' ').length > 200 ||
  countWords(titles.join(' ')) > 28 ||
  sentenceEnd.test(titles.join(' '));

/** Whether a line has artist and title, or says that they are unknown. */
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

/** How a list without dashes separates artist and title: "Artist / Title", "Title by Artist", "Artist: Title". */
export type SeparatorStyle = 'slash' | 'by' | 'colon';
const separatorStyles: readonly [SeparatorStyle, RegExp][] = [
  ['slash', /^[^/]*[^/\s]\s+\/\s+[^/\s]/],
  ['by', /^.{1,120}\S\sby\s\S.{0,100}$/i],
  ['colon', /^[^:]{1,60}:\s+\S.{0,120}$/],
];

const hasDash = /\s[-–—]{1,3}\s/;

/** Returns the styles that can split a line without dashes. */
export const possibleStyles = ({ parts, text }: TracklistLine): SeparatorStyle[] =>
  parts.length === 1 || !hasDash.test(text)
    ? separatorStyles
        .filter(([style, pattern]) => (parts.length === 1 || style === 'slash') && pattern.test(text))
        .map(([style]) => style)
    : [];

/** Splits a line by the style of its list: artist, title, and further parts. */
export function splitByStyle(style: SeparatorStyle, entry: TracklistLine): string[] {
  const { text } = entry;
  if (!possibleStyles(entry).includes(style)) return entry.parts;
  if (style === 'slash') return text.split(/\s+\/\s+/).filter((part) => part !== '');
  if (style === 'by') {
    const at = text.toLowerCase().lastIndexOf(' by ');
    return [text.slice(at + 4).trim(), text.slice(0, at).trim()];
  }
  const at = text.indexOf(':');
  return [text.slice(0, at).trim(), text.slice(at + 1).trim()];
}
