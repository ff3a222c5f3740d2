/** Texts in pictures: characters that the font has, and lines that fit. */
import anyAscii from 'any-ascii';
import type { Font } from './font.ts';

/** Longer texts are cut first: no picture shows more. */
const maxLetters = 400;

/**
 * Writes a text with characters that the font has: other scripts in Latin letters ("東京" as "DongJing"), without
 * characters that have no form of their own. Never returns an empty text for one that has letters.
 */
export function printable(text: string, font: Font): string {
  const line = text.toWellFormed().slice(0, maxLetters).toWellFormed().normalize('NFC');
  let written = '';
  for (const character of line.replace(/[\s\p{Cc}]+/gu, ' ')) {
    if (/[\p{Cf}\p{Co}\p{Cn}]/u.test(character)) continue;
    written += font.has(character) ? character : anyAscii(character);
  }
  return written.replace(/ {2,}/g, ' ').trim();
}

/** Cuts a text that is wider than the line, and ends it with "…". */
export function fit(text: string, font: Font, size: number, maxWidth: number): string {
  if (font.width(text, size) <= maxWidth) return text;
  const letters = [...text];
  let [low, high] = [0, letters.length];
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (font.width(`${letters.slice(0, middle).join('')}…`, size) <= maxWidth) low = middle;
    else high = middle - 1;
  }
  return `${letters.slice(0, low).join('').trimEnd()}…`;
}

/** Breaks a text into lines between words; words that are too long are cut, and so is the last line. */
export function wrap(text: string, font: Font, size: number, maxWidth: number, maxLines: number): string[] {
  const lines: string[] = [];
  const words = text.split(' ').filter((word) => word !== '');
  let line = '';
  for (const [index, word] of words.entries()) {
    const longer = line === '' ? word : `${line} ${word}`;
    if (font.width(longer, size) <= maxWidth || line === '') {
      line = longer;
      continue;
    }
    if (lines.length === maxLines - 1)
      return [...lines, fit([line, ...words.slice(index)].join(' '), font, size, maxWidth)];
    lines.push(fit(line, font, size, maxWidth));
    line = word;
  }
  return line === '' ? lines : [...lines, fit(line, font, size, maxWidth)];
}
