/** Keys of names of emoji: those that decide contain the emoji, those that find candidates spell it. */
import anyAscii from 'any-ascii';
import { fold, normalizeForSearch } from './fold.ts';
import { isEmojiName, normalizeName, splitEmojiName } from './normalize.ts';

/** Signs that change how an emoji looks: forms and colours of skin. */
const looks = /[\ufe00-\ufe0f\u{1f3fb}-\u{1f3ff}]/gu;
/** Signs that change an emoji and are none: joiners, selectors, colours of skin, tags. */
const modifiers = /[\u200d\ufe00-\ufe0f\u20e3\u{1f3fb}-\u{1f3ff}\u{e0000}-\u{e007f}]/gu;

/**
 * The key that decides whether two names of emoji are one: "DJ 🎧" becomes "dj 🎧", so that it differs from "DJ Headphones".
 * Colours of skin and the form of a sign do not count, joiners do. Null for other names.
 */
export function emojiKey(name: string): string | null {
  if (isEmojiName(name)) return fold(normalizeName(name.replace(looks, '')));
  const marked = splitEmojiName(name);
  return marked === null ? null : `${emojiKey(marked.name)} ${normalizeForSearch(marked.mark)}`.trim();
}

/**
 * Spells the emoji of a name in Latin words: "DJ 🎧" becomes "dj headphones". An emoji without a known word is spelled by
 * its code point. Only for finding candidates: names of one spelling may be two.
 */
export function emojiWords(name: string): string {
  const spelled = [...name.replace(modifiers, '')].map((sign) => {
    if (/[\x20-\x7e]/.test(sign)) return sign;
    const words = anyAscii(sign);
    return ` ${/[a-z0-9]/i.test(words) ? words : (sign.codePointAt(0) as number).toString(16)} `;
  });
  return normalizeForSearch(spelled.join(''));
}

/** The key of a name by its words; that of a name without letters, or of emoji, is the name itself. */
export const wordsKey = (name: string): string =>
  isEmojiName(name) ? fold(normalizeName(name)) : normalizeForSearch(name) || name;
