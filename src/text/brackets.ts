/** Splits texts at separators outside brackets, and extracts the contents of brackets. */

/** Marks each UTF-16 unit of a text that stands inside round, square or curly brackets with 1. */
function bracketMask(text: string): Uint8Array {
  const inside = new Uint8Array(text.length);
  const open: number[] = [];
  for (let at = 0; at < text.length; at++) {
    const sign = text[at] as string;
    if ('([{'.includes(sign)) open.push(at);
    else if (')]}'.includes(sign)) {
      const began = open.pop();
      if (began !== undefined && open.length === 0) inside.fill(1, began, at + 1);
    }
  }
  return inside;
}

const openingBracket = /[([{]/;

/** Splits a text at every match of a global expression that begins outside brackets. Unclosed brackets are ignored. */
export function splitOutsideBrackets(
  text: string,
  separator: RegExp,
): { parts: [first: string, ...others: string[]]; separators: string[] } {
  const inside = openingBracket.test(text) ? bracketMask(text) : null;
  const parts: [string, ...string[]] = [text];
  const separators: string[] = [];
  let began = 0;
  for (const match of text.matchAll(separator)) {
    if (match[0] === '' || inside?.[match.index] === 1) continue;
    parts[parts.length - 1] = text.slice(began, match.index);
    separators.push(match[0]);
    began = match.index + match[0].length;
    parts.push(text.slice(began));
  }
  return { parts, separators };
}

/** The text before and after the first match outside brackets; null if there is none. */
export function cutOutsideBrackets(
  text: string,
  separator: RegExp,
): { before: string; after: string } | null {
  const { parts, separators } = splitOutsideBrackets(text, withGlobalFlag(separator));
  const [before] = parts;
  const [first] = separators;
  return first === undefined ? null : { before, after: text.slice(before.length + first.length) };
}

const globalPatterns = new WeakMap<RegExp, RegExp>();

/** The same expression with the flag g; cached, because compiling long expressions is slow. */
function withGlobalFlag(separator: RegExp): RegExp {
  const cached = globalPatterns.get(separator);
  if (cached !== undefined) return cached;
  const pattern = new RegExp(separator.source, `${separator.flags.replace('g', '')}g`);
  globalPatterns.set(separator, pattern);
  return pattern;
}

/** Splits a text into the part outside brackets and the content of each bracket. */
export function extractBrackets(text: string): { outside: string; contents: string[] } {
  const contents: string[] = [];
  let outside = text;
  const innermost = /\(([^()[\]{}]*)\)|\[([^()[\]{}]*)\]|\{([^()[\]{}]*)\}/gu;
  for (let round = 0; round < 4 && innermost.test(outside); round++) {
    outside = outside.replace(innermost, (all, a, b, c, at) => {
      if (isWithinWord(outside, at, at + all.length) || isOptionalLetter(outside, at, a ?? b ?? c))
        return `\ue001${a ?? b ?? c}\ue002`;
      contents.push(((a ?? b ?? c) as string).trim());
      return ' ';
    });
    innermost.lastIndex = 0;
  }
  return {
    outside: outside
      .replace(/\ue001/g, '(')
      .replace(/\ue002/g, ')')
      .replace(/\s+/g, ' ')
      .trim(),
    contents: contents.filter((text) => text !== ''),
  };
}

/** Whether a bracket holds a single letter behind a letter: "Sill(y)". */
const isOptionalLetter = (text: string, at: number, content: string): boolean =>
  /^\p{Ll}$/u.test(content) && /\p{L}$/u.test(text.slice(Math.max(0, at - 2), at));

/** Whether a bracket is part of a word, with letters on both sides: "M(h)aol". */
const isWithinWord = (text: string, from: number, to: number): boolean =>
  /\p{L}$/u.test(text.slice(Math.max(0, from - 2), from)) && /^\p{L}/u.test(text.slice(to, to + 2));
