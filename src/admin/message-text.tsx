/** A message of the program on a page. */
import type { VNode } from 'preact';
import { readMark } from './english.ts';

/** A message of the program: words between backticks are commands. */
export function MessageText({ text }: { text: string }): VNode {
  const { text: shown, isEnglish } = readMark(text);
  const pieces = shown.split('`').map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
  return isEnglish ? <span lang="en">{pieces}</span> : <>{pieces}</>;
}
