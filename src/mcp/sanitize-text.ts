/** Removes characters from names and quotes that would break or forge lines of a response. */

/** Line breaks and control characters. */
const lineBreak = /[\p{Cc}\u2028\u2029]/u;
const lineBreaks = /[\p{Cc}\u2028\u2029]+/gu;
/** Invisible characters and bidi controls. */
const hiddenCharacter = /\p{Cf}|\u034f|\u115f|\u1160|\u17b4|\u17b5|\u3164|\uffa0/u;
const hiddenCharacters = new RegExp(hiddenCharacter, 'gu');
const printableAscii = /^[\x20-\x7e]*$/;

/** Keeps joiners after letters of scripts that need them, and within emoji. */
function keepJoiner(mark: string, at: number, text: string): string {
  const isJoiner = mark === '\u200c' || mark === '\u200d';
  return isJoiner && at > 0 && text.charCodeAt(at - 1) > 0x2ff && !hiddenCharacter.test(text.charAt(at - 1))
    ? mark
    : '';
}

/** Returns the text on one line, so that no quoted text looks like a line of its own or has hidden characters. */
export function oneLine(text: string): string {
  if (printableAscii.test(text)) return text;
  const line = lineBreak.test(text) ? text.replace(lineBreaks, ' ') : text;
  return hiddenCharacter.test(line) ? line.replace(hiddenCharacters, keepJoiner) : line;
}

const bars = /\s*[|\u00a6\u01c0\u2223\u2502\u2503\u2758\u2759\u275a\uff5c\uffe8]+\s*/gu;

/** Replaces bars in a name, because bars separate the parts of a line. */
export const lineSegment = (text: string): string => text.replace(bars, ' / ').trim();
