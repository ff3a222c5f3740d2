/** Recognizes headings of tracklists, and lines that contain several tracks. */
import {
  columnHeadings,
  heading,
  headingAtEnd,
  headingBefore,
  headingDate,
  introductionEnd,
  sentenceWords,
  spacedLetters,
} from './patterns.ts';

const leadingDecoration = /^(?:[\s\p{Extended_Pictographic}\u2500-\u25ff*=_~#>•·|.:[({【「『-]|\ufe0f)+/u;
const trailingDecoration =
  /^(?:[\s\p{Extended_Pictographic}\u2500-\u25ff:：.*=_~#\-–—!\])}】」』|↓]|\ufe0f)*$/u;

/**
 * Returns the text after the heading of a tracklist on its line ('' without any), or null if the line is not a heading.
 * "Tracklist is in the comments" is no heading.
 */
export function parseHeading(line: string): string | null {
  if (line.length > 20_000) return null;
  const text = line.replace(leadingDecoration, '').replace(spacedLetters, (word) => word.replaceAll(' ', ''));
  const match = heading.exec(text);
  if (columnHeadings.test(text)) return '';
  if (!match) {
    if (line.length < 80 && headingAtEnd.test(line)) return '';
    const before = headingBefore.exec(line);
    return before ? line.slice(before[0].length) : null;
  }
  const rest = text.slice(match[0].length);
  if (trailingDecoration.test(rest) || headingDate.test(rest) || introductionEnd.test(rest)) return '';
  const colon = /^([^:：]{0,50})[:：]\s*(?!\d\d\b|\/\/)(.*)$/s.exec(rest);
  if (colon && !/\s[-–—]\s/.test(colon[1] as string) && !sentenceWords.test(colon[1] as string))
    return colon[2] as string;
  if (/^\s*[-–—|:]?\s*(?:[[(]?\d{1,3}[.):\]]|0?1\s)/.test(rest) && rest.length > 30)
    return rest.replace(/^[\s:–—|-]+/, '');
  return rest.length <= 40 && !/\s[-–—]\s/.test(rest) && !sentenceWords.test(rest) ? '' : null;
}

const openLineEnd = /^(.*\S)\s*(?:\s[-–—/]|[–—])$/u;
const separatorPattern = /\s[-–—/]\s|\s[-–—]\S/u;
const startsWithNumber = /^(?:[[(]?\d{1,3}[\])]?(?:[.):\s]|$)|#)/;

/** Joins lines that end with the separator between artist and title. */
export function joinBrokenLines(lines: readonly string[]): string[] {
  const joined: string[] = [];
  for (const line of lines) {
    const previous = joined.at(-1) ?? '';
    const open = previous.length > 200 ? null : openLineEnd.exec(previous);
    const continues =
      open && !separatorPattern.test(open[1] as string) && line !== '' && !separatorPattern.test(line);
    if (continues && !startsWithNumber.test(line)) joined[joined.length - 1] += ` ${line}`;
    else joined.push(line);
  }
  return joined;
}

const numberPattern = /(?:^|\s)[[(]?(\d{1,3})[.)\]]\s*(?=\S)/g;
const timePattern = /(?:^|\s)[[(]?(?:(\d{1,2}):)?(\d{1,3}):(\d{2})[\])]?(?=\s)/g;
const trackSeparators = [/\s+\/{1,2}\s+/, /\s*[;|•]\s*/, /,\s+/];

/**
 * Splits a line with several tracks: "1. A - B 2. C - D", "00:00 A - B 03:12 C - D". Under a heading, separators
 * between tracks are accepted as well.
 * @param isUnderHeading whether the line belongs to a tracklist
 */
export function splitTracks(line: string, isUnderHeading: boolean): string[] {
  if (line === '') return [];
  if (line.length < 30 || line.length > 20_000) return [line];
  const cuts = findNumbers(line) ?? findTimes(line);
  if (cuts) return cuts.map((cut, index) => line.slice(cut, cuts[index + 1]).trim());
  if (!isUnderHeading) return [line];
  for (const part of trackSeparators) {
    const pieces = line.split(part).filter((piece) => piece.trim() !== '');
    if (pieces.length > 2 && pieces.every((piece) => piece.split(/\s[-–—]\s/).length === 2)) return pieces;
  }
  return [line];
}

/** Returns the positions of consecutive numbers in a line, if it has three or more. */
function findNumbers(line: string): number[] | null {
  const cuts: number[] = [];
  let next: number | null = null;
  for (const match of line.matchAll(numberPattern)) {
    const number = Number(match[1]);
    if (next === null ? number > 1 : number !== next) continue;
    cuts.push(match.index);
    next = number + 1;
  }
  return cuts.length > 2 && cuts[0] !== undefined && cuts[0] < 5 ? cuts : null;
}

/** Returns the positions of increasing times in a line, if it has three or more. */
function findTimes(line: string): number[] | null {
  const times = [...line.matchAll(timePattern)].map((match) => ({
    at: match.index,
    time: Number(match[1] ?? 0) * 3_600 + Number(match[2]) * 60 + Number(match[3]),
  }));
  const areIncreasing = times.every(
    ({ time }, index) => index === 0 || time > (times[index - 1] as { time: number }).time,
  );
  return times.length > 2 && areIncreasing && (times[0]?.at ?? 9) < 5 ? times.map(({ at }) => at) : null;
}
