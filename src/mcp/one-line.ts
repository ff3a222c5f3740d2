/** Text from elsewhere within the lines of an answer. */

/** What ends a line. */
const breaking = /[\p{Cc}\u2028\u2029]/u;
const allBreaking = /[\p{Cc}\u2028\u2029]+/gu;
/** What is not seen, or changes the direction of the text behind it. */
const unseen = /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u;
const allUnseen = new RegExp(unseen, 'gu');
const plain = /^[\x20-\x7e]*$/;

/** Joiners stay behind letters of scripts that need them, and within emoji. */
function keptMark(mark: string, at: number, text: string): string {
  const isJoiner = mark === '\u200c' || mark === '\u200d';
  return isJoiner && at > 0 && text.charCodeAt(at - 1) > 0x2ff && !unseen.test(text.charAt(at - 1))
    ? mark
    : '';
}

/** The same on one line: nothing that is quoted in an answer can look like a line of its own, or hides in it. */
export function oneLine(text: string): string {
  if (plain.test(text)) return text;
  const line = breaking.test(text) ? text.replace(allBreaking, ' ') : text;
  return unseen.test(line) ? line.replace(allUnseen, keptMark) : line;
}

const bars = /\s*[|\u00a6\u01c0\u2223\u2502\u2503\u2758\u2759\u275a\uff5c\uffe8]+\s*/gu;

/** A name as a part of a line whose parts stand between bars: none of its own. */
export const linePart = (text: string): string => text.replace(bars, ' / ').trim();
