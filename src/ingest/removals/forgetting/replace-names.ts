/** Replaces names within a text. */

/** Maximum number of words in a name, and of words that are read. */
const maxWords = 5;
const maxTextWords = 20_000;

/**
 * Replaces the longest names first.
 * @param minWords names of fewer words are not looked up
 * @param replacementOf what stands for a name; null if it is none
 * @param mayBegin whether a name may begin with a word: a quick test
 */
export function replaceNames(
  text: string,
  minWords: number,
  replacementOf: (name: string) => string | null,
  mayBegin: (word: string) => boolean = () => true,
): string {
  const words = [...text.matchAll(/[\p{L}\p{N}\p{M}_$¥€'’.-]+/gu)].slice(0, maxTextWords);
  let result = '';
  let copied = 0;
  for (let at = 0; at < words.length; ) {
    if (!mayBegin((words[at] as RegExpExecArray)[0])) {
      at++;
      continue;
    }
    const match = longestName(text, words, at, minWords, replacementOf);
    if (match === null) {
      at++;
      continue;
    }
    result += text.slice(copied, match.from) + match.replacement;
    copied = match.until;
    at += match.count;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Several words in one, as in an address. */
const hyphenated = /[\p{L}\p{N}][-_.][\p{L}\p{N}]/u;
const endings = ["'s", '’s', "'", '’', '.', '-'];

/** The length of a word without the full stop, hyphen or genitive at its end. */
function lengthOfWord(word: string): number {
  let length = word.length;
  for (;;) {
    const ending = endings.find((one) => word.endsWith(one, length));
    if (ending === undefined) return length;
    length -= ending.length;
  }
}

function longestName(
  text: string,
  words: readonly RegExpExecArray[],
  at: number,
  minWords: number,
  replacementOf: (name: string) => string | null,
): { from: number; until: number; count: number; replacement: string } | null {
  const from = (words[at] as RegExpExecArray).index;
  for (let count = Math.min(maxWords, words.length - at); count >= 1; count--) {
    const last = words[at + count - 1] as RegExpExecArray;
    const until = last.index + lengthOfWord(last[0]);
    const name = text.slice(from, until);
    if (count < minWords && !hyphenated.test(name)) continue;
    const replacement = name === '' ? null : replacementOf(name);
    if (replacement !== null && replacement !== name) return { from, until, count, replacement };
  }
  return null;
}
