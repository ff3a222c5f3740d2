/** Normalizes text: styled Unicode letters become plain, and emoji, invisible characters and stacked marks are removed. */
import { wellFormed } from '../well-formed.ts';

/** Plain letters for small capitals and other letters that Unicode does not decompose. */
const plainByStyledLetter: Record<string, string> = {
  ᴀ: 'a',
  ʙ: 'b',
  ᴄ: 'c',
  ᴅ: 'd',
  ᴇ: 'e',
  ꜰ: 'f',
  ɢ: 'g',
  ʜ: 'h',
  ɪ: 'i',
  ᴊ: 'j',
  ᴋ: 'k',
  ʟ: 'l',
  ᴍ: 'm',
  ɴ: 'n',
  ᴏ: 'o',
  ᴘ: 'p',
  ꞯ: 'q',
  ǫ: 'q',
  ʀ: 'r',
  ꜱ: 's',
  ᴛ: 't',
  ᴜ: 'u',
  ᴠ: 'v',
  ᴡ: 'w',
  ʏ: 'y',
  ᴢ: 'z',
};
const styledLetterPattern = new RegExp(`[${Object.keys(plainByStyledLetter).join('')}]`, 'g');
/** White letters on black discs and squares. */
const boxedLetters = /[\u{1f150}-\u{1f169}\u{1f170}-\u{1f189}]/gu;
const invisible =
  /\u034f|[\u00ad\u061c\u115f\u1160\u17b4\u17b5\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e01ef}]|[\ufe00-\ufe0f]/gu;
const pictograph = /(?:[\p{Extended_Pictographic}\u{1f1e6}-\u{1f1ff}\u{1f3fb}-\u{1f3ff}]|\u20e3)+/gu;
const flag = /[\u{1f1e6}-\u{1f1ff}]{2}/gu;
/** Marks that strike through or encircle letters. */
const strikeThroughMarks = /(?<=[\p{L}\p{N}]\p{Mn}*)[\u0334-\u0338\u20d0-\u20ff]/gu;
const latinWithMarks = /(\p{Script=Latin})\p{Mn}+/gu;
/** Stacks of three or more marks, on letters of scripts that use at most two. */
const stackedMarks = /([\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{N}])\p{Mn}{3,}/gu;
const ascii = /^[\x20-\x7e]*$/;

/**
 * Normalizes a text: 𝕭𝖊𝖗𝖑𝖎𝖓, ⓣⓔⓒⓗⓝⓞ, fullwidth letters and small capitals become plain letters, emoji are removed, and runs
 * of spaces become one. Line breaks stay. An emoji that stands between names more than once becomes a bullet.
 */
export function normalizeText(text: string): string {
  if (ascii.test(text)) return collapseSpaces(text);
  return collapseSpaces(
    stripEmoji(
      wellFormed(text)
        .replace(/[™®©℠]/g, '')
        .replace(invisible, ''),
    )
      .replace(boxedLetters, (letter) => plainBoxedLetter(letter.codePointAt(0) as number))
      .normalize('NFKD')
      .replace(/^.*$/gsu, stripStackedMarks)
      .normalize('NFC')
      .replace(styledLetterPattern, (letter) => plainByStyledLetter[letter] as string)
      .replace(/[‐‑‒–—―−]/g, '–')
      .replace(/[’‘ʼ`´′]/g, "'")
      .replace(/[“”„«»″]/g, '"')
      .replace(/[•·∙●▪◦■▶►★☆✦✧✩✪✶✺⋆∗†‡◆◇○◉⁕‣・]/gu, '•')
      .replace(/[│┃∣¦❘❙❚丨]/g, '|'),
  );
}

/** What is left of a name such as "DJ 👩‍🎤" without its emoji. */
const roleWord = /^(?:djs?|mc|vj|the|miss|mr|mrs)?$/i;

/** Whether a name consists of emoji, alone or behind a word such as "DJ". */
export const isEmojiName = (name: string): boolean =>
  !ascii.test(name) && name.search(pictograph) >= 0 && roleWord.test(normalizeText(name));

/** Marks behind a name of emoji: brackets; and words, which need a name with a word, because "🔴 LIVE" is no name. */
const bracketsOnly = /^[([][^()[\]]{1,40}[)\]]$/;
const markWords = /^(?:live(?: set| act| pa)?|dj[- ]?set|hybrid(?: set)?)$/i;
/** Longer texts are no names. */
const maxMarkedLength = 200;

/** Splits "DJ 🎧 (live)" and "DJ 🎧 live" into a name of emoji and the mark behind it; null for other texts. */
export function splitEmojiName(text: string): { name: string; mark: string } | null {
  if (ascii.test(text) || text.length > maxMarkedLength) return null;
  const last = [...text.matchAll(pictograph)].at(-1);
  if (last === undefined) return null;
  const rest = text.slice(last.index + last[0].length).replace(/^\ufe0f/, '');
  const [name, mark] = [text.slice(0, text.length - rest.length), rest.trim()];
  if (!/^\s/.test(rest) || !isEmojiName(name)) return null;
  const isMark = bracketsOnly.test(mark) || (markWords.test(mark) && normalizeText(name) !== '');
  return isMark ? { name: collapseSpaces(name), mark: normalizeText(mark) } : null;
}

/** Normalizes the name of an act; one that consists of emoji stays as it is written, also before a mark. */
export function normalizeName(name: string): string {
  if (isEmojiName(name)) return collapseSpaces(name);
  const marked = splitEmojiName(name);
  return marked === null ? normalizeText(name) : `${marked.name} ${marked.mark}`;
}

/** Whether a text has styled letters (𝕭𝖊𝖗𝖑𝖎𝖓, ⓣⓔⓒⓗⓝⓞ, ᴛᴇᴄʜɴᴏ) or emoji. */
export function hasStyledLetters(text: string): boolean {
  if (ascii.test(text)) return false;
  const letters = (written: string): string =>
    written
      .normalize('NFC')
      .replace(/µ/g, 'μ')
      .replace(/[^\p{L}]/gu, '');
  return /[\u{10000}-\u{10ffff}]/u.test(text) || letters(normalizeText(text)) !== letters(text);
}

/** Removes all marks from struck-through text, and only stacks of marks from other text. */
function stripStackedMarks(text: string): string {
  const bare = text.replace(strikeThroughMarks, '');
  return bare.length < text.length - 1
    ? bare.replace(latinWithMarks, '$1')
    : bare.replace(stackedMarks, '$1');
}

const collapseSpaces = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .trim();

const plainBoxedLetter = (code: number): string => String.fromCharCode(65 + ((code - 0x1f150) % 32));

/** Removes emoji; emoji that separate names ("A 🔥 B 🔥 C") become bullets. */
function stripEmoji(text: string): string {
  const kept = text
    .replace(boxedLetters, (letter) => plainBoxedLetter(letter.codePointAt(0) as number))
    .replace(flag, ' ')
    .replace(/\bI\s*[❤♥♡]\s*/gu, 'I Love ');
  const between = kept
    .trim()
    .replace(/(?<![^\p{L}\p{N}])[^\p{L}\p{N}]+$/u, '')
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .match(pictograph);
  const bullet = between && between.length > 1 && new Set(between).size === 1 ? ` • ` : ' ';
  return kept.replace(pictograph, bullet);
}
