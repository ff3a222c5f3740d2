/** Messages of the program, which exist in English only, on pages in another language. */

const mark = '\u0001en ';

/** Marks a message as English. `MessageText` shows it with its language. */
export const markEnglish = (text: string): string => (text.startsWith(mark) ? text : mark + text);

/** Returns a message without its mark, and whether it had one. */
export const readMark = (text: string): { text: string; isEnglish: boolean } =>
  text.startsWith(mark) ? { text: text.slice(mark.length), isEnglish: true } : { text, isEnglish: false };
