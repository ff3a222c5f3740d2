/** Texts that differ by one typo: an insertion, a deletion, a substitution or a transposition of two letters. */

const minWordLength = 4;
const maxWordLength = 24;

/** Further words of a name are not varied. */
const maxVariedWords = 3;
/** Longer names are not compared. */
export const maxComparedLength = 40;

/** Whether a word is long enough that a typo in it is likelier than another word. */
export const isCorrectable = (word: string): boolean => {
  const { length } = [...word];
  return length >= minWordLength && length <= maxWordLength;
};

/** Whether two texts differ by one insertion, deletion, substitution or transposition. */
export function isOneEditApart(left: string, right: string): boolean {
  if (left === right || !areSimilar(left, right)) return false;
  const [a, b] = [[...left], [...right]];
  if (a.length > b.length) return isOneEditApart(right, left);
  if (b.length - a.length > 1) return false;
  let at = 0;
  while (at < a.length && a[at] === b[at]) at++;
  const rest = (letters: string[], from: number) => letters.slice(from).join('');
  if (a.length < b.length) return rest(a, at) === rest(b, at + 1);
  if (rest(a, at + 1) === rest(b, at + 1)) return true;
  return a[at] === b[at + 1] && a[at + 1] === b[at] && rest(a, at + 2) === rest(b, at + 2);
}

/** An edit changes at most two characters, which are up to four code units. */
const maxEditUnits = 4;

/** Whether the parts between the common start and the common end are as short as one edit leaves them. */
function areSimilar(left: string, right: string): boolean {
  const shorter = Math.min(left.length, right.length);
  const longer = Math.max(left.length, right.length);
  let start = 0;
  while (start < shorter && left.charCodeAt(start) === right.charCodeAt(start)) start++;
  let end = 0;
  while (
    end < shorter - start &&
    left.charCodeAt(left.length - 1 - end) === right.charCodeAt(right.length - 1 - end)
  )
    end++;
  return longer - start - end <= maxEditUnits;
}

/** Whether the words are pairwise equal, or one typo apart if they are long enough. */
export function areWordsOneEditApart(words: readonly string[], otherWords: readonly string[]): boolean {
  return (
    words.length === otherWords.length &&
    words.every(
      (word, at) =>
        word === otherWords[at] || (isCorrectable(word) && isOneEditApart(word, otherWords[at] as string)),
    )
  );
}

/** The positions of the words of a name in which a typo is looked for. */
export const variedWords = (words: readonly string[]): number[] =>
  words.flatMap((word, at) => (word.length >= minWordLength ? [at] : [])).slice(0, maxVariedWords);

/** Whether two names, as `normalizeForSearch` returns them, differ by one typo in one of their words. */
export function areNamesOneEditApart(name: string, other: string): boolean {
  const [words, others] = [name.split(' '), other.split(' ')];
  if (words.length !== others.length) return false;
  const different = words.flatMap((word, at) => (word === others[at] ? [] : [at]));
  const [at] = different;
  return (
    different.length === 1 &&
    at !== undefined &&
    variedWords(words).includes(at) &&
    isOneEditApart(words[at] as string, others[at] as string)
  );
}

/** A name with the record that has it. `isSought`: its neighbours are looked for. */
export type ComparedName = { words: string; record: number; isSought: boolean };

/** A digest of 32 bits times this, plus the position of a name, is an exact double. */
const maxNames = 2 ** 21;
/** Names that share a form with one letter less. More are not compared with each other. */
const maxSharing = 64;

/**
 * Finds the pairs of names that differ by one typo, where one of the two is sought. Names with a typo between them have a
 * common form with one letter less; so the time grows with the letters of all names, not with their pairs. At most
 * 2,097,152 names are compared.
 *
 * @returns the sought name first
 */
export function pairsOneEditApart(names: readonly ComparedName[]): [ComparedName, ComparedName][] {
  const compared = names.slice(0, maxNames);
  const digests = digestsOf(compared).sort();
  const pairs = new Map<string, [ComparedName, ComparedName]>();
  for (let start = 0, end = 0; start < digests.length; start = end) {
    const digest = Math.floor((digests[start] as number) / maxNames);
    while (end < digests.length && Math.floor((digests[end] as number) / maxNames) === digest) end++;
    if (end - start < 2) continue;
    const group: ComparedName[] = [];
    for (let at = start; at < Math.min(end, start + maxSharing); at++)
      group.push(compared[(digests[at] as number) % maxNames] as ComparedName);
    for (const one of group) {
      if (!one.isSought) continue;
      for (const other of group)
        if (one.record !== other.record && areNamesOneEditApart(one.words, other.words))
          pairs.set(`${one.record} ${other.record}`, [one, other]);
    }
  }
  return [...pairs.values()];
}

/** The digests of the names and of their forms with one letter less, each with the position of its name. */
function digestsOf(names: readonly ComparedName[]): Float64Array {
  const room = names.reduce((sum, { words }) => sum + words.length + 1, 0);
  const digests = new Float64Array(room);
  let count = 0;
  for (const [position, { words: name }] of names.entries()) {
    if (name.length > maxComparedLength) continue;
    digests[count++] = digestOf(name, -1) * maxNames + position;
    const words = name.split(' ');
    const varied = variedWords(words);
    for (let at = 0, start = 0; at < words.length; start += (words[at++] as string).length + 1) {
      if (!varied.includes(at)) continue;
      for (let letter = start; letter < start + (words[at] as string).length; letter++)
        // Without either of two equal letters, the name is the same.
        if (letter === start || name[letter] !== name[letter - 1])
          digests[count++] = digestOf(name, letter) * maxNames + position;
    }
  }
  return digests.subarray(0, count);
}

/** FNV-1a of a text without the letter at one position. */
function digestOf(text: string, without: number): number {
  let digest = 0x811c9dc5;
  for (let at = 0; at < text.length; at++)
    if (at !== without) digest = Math.imul(digest ^ text.charCodeAt(at), 0x01000193);
  return digest >>> 0;
}
