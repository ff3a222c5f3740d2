/**
 * Keeps acts whose names consist of emoji in free texts. A text is normalized before it is parsed, which removes emoji; so
 * such names are written in letters before, and as they were afterwards.
 */
import { isEmojiName, normalizeName, normalizeText, splitEmojiName } from '../normalize.ts';
import type { ParsedAct } from '../types.ts';

/** Signs between names that emoji are not decoration of: "Ann, 👾", "Ann b2b 👾". */
const nameSeparator = /([,;\n]|(?<=\s)(?:b2b|b3b|b4b|f2f|vs\.?|feat\.?|ft\.?|x|×)(?=\s))/giu;
/** Longer names are decoration. */
const maxNameLength = 24;
const flagsOnly = /^[\u{1f1e6}-\u{1f1ff}\s]+$/u;
const notPlain = /[^\x20-\x7e\s]/;
const prefix = 'Emojiname';
const written = /Emojiname((?:[a-p]{4})+)/g;

/** Writes the names of emoji in a text in letters. An emoji on a line of its own is no name, unless a word is before it: "DJ 🎧". */
export function writeEmojiNames(text: string): string {
  if (!notPlain.test(text)) return text;
  return text
    .split('\n')
    .map((line) => {
      const parts = line.split(nameSeparator);
      return parts.map((part, at) => (at % 2 === 0 ? writeName(part, parts.length > 1) : part)).join('');
    })
    .join('\n');
}

function writeName(part: string, isInList: boolean): string {
  const text = part.trim();
  if (text === '' || text.length > 2 * maxNameLength || !notPlain.test(text)) return part;
  const marked = isEmojiName(text) ? { name: text, mark: '' } : splitEmojiName(text);
  if (marked === null || marked.name.length > maxNameLength || isDecoration(marked.name, isInList))
    return part;
  return part.replace(text, () => `${encode(normalizeName(marked.name))} ${marked.mark}`.trim());
}

function isDecoration(name: string, isInList: boolean): boolean {
  if (normalizeText(name) !== '') return false;
  const signs = [...new Intl.Segmenter().segment(name.trim())].map(({ segment }) => segment);
  return !isInList || flagsOnly.test(name) || (signs.length > 1 && new Set(signs).size === 1);
}

const encode = (name: string): string =>
  prefix +
  Array.from({ length: name.length }, (_, at) =>
    name
      .charCodeAt(at)
      .toString(16)
      .padStart(4, '0')
      .replace(/./g, (digit) => String.fromCharCode(97 + Number.parseInt(digit, 16))),
  ).join('');

const decode = (letters: string): string =>
  letters.replace(/[a-p]{4}/g, (unit) =>
    String.fromCharCode([...unit].reduce((code, letter) => code * 16 + letter.charCodeAt(0) - 97, 0)),
  );

const restore = (text: string): string => text.replace(written, (_, letters: string) => decode(letters));

/** Restores the names that `writeEmojiNames` wrote in letters. */
export const restoreEmojiNames = (acts: readonly ParsedAct[]): ParsedAct[] =>
  acts.map((act) =>
    act.name.includes(prefix)
      ? { ...act, name: restore(act.name), alternatives: act.alternatives.map(restore) }
      : act,
  );
