/** A message of the program on a page. Some exist in English only, also on pages in another language. */
import type { VNode } from 'preact';

const mark = '\u0001en ';

/** Marks a message as English. `MessageText` shows it with its language. */
export const markEnglish = (text: string): string => (text.startsWith(mark) ? text : mark + text);

/** Returns a message without its mark, and whether it had one. */
const readMark = (text: string): { text: string; isEnglish: boolean } =>
  text.startsWith(mark) ? { text: text.slice(mark.length), isEnglish: true } : { text, isEnglish: false };

/** A message of the program: words between backticks are commands. */
export function MessageText({ text }: { text: string }): VNode {
  const { text: message, isEnglish } = readMark(text);
  const pieces = message
    .split('`')
    .map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
  return isEnglish ? <span lang="en">{pieces}</span> : <>{pieces}</>;
}
