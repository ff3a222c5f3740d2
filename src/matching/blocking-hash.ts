/** Hashes of texts as blocking keys, of events and of named records. */

/** A key is a hash times this, plus the day; records without a day leave it 0. */
export const dayRange = 2 ** 17;
/** Words are compared by this many first letters: typing errors and plurals are at the end. */
export const prefixLength = 5;

/** A hash of 34 bits (two FNV-1a of 17). */
export function blockingHash(text: string): number {
  let [one, two] = [0x811c9dc5, 0x1000193];
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    two = Math.imul(two ^ code, 0x5bd1e995) + 0x27d4eb2f;
  }
  return ((one >>> 0) % dayRange) * dayRange + ((two >>> 0) % dayRange);
}

/** The key of a text without a day. */
export const undatedKey = (text: string): number => blockingHash(text) * dayRange;
