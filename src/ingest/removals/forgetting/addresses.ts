/** Finds names in web addresses and slugs, and drops the addresses. */

import { fold } from '../../../text/fold.ts';

/** The members of all kinds that are addresses or contain some. */
export type AddressMembers = {
  url?: string | null;
  image_url?: string | null;
  website?: string | null;
  feed_url?: string | null;
  audio_url?: string | null;
  links?: { url: string }[] | null;
  tickets?: { url: string }[] | null;
};

/** Maximum number of words in a name, and of words that are read. */
const maxWords = 5;
const maxAddressWords = 200;
/** Shorter words may mean anything. */
const minJoinedLength = 8;

/** The entries that pass a test; the same list if all do. */
export function keptOf<T>(entries: readonly T[], test: (entry: T) => boolean): T[] {
  const keptEntries = entries.filter(test);
  return keptEntries.length === entries.length ? (entries as T[]) : keptEntries;
}

/** What takes the place of the members with addresses that pass a test: null, or a list without them. */
export function scrubAddresses(members: AddressMembers, isNamedIn: (url: string) => boolean): AddressMembers {
  const scrubbed: AddressMembers = {};
  for (const member of ['url', 'image_url', 'website', 'feed_url', 'audio_url'] as const) {
    const url = members[member];
    if (url && isNamedIn(url)) scrubbed[member] = null;
  }
  for (const member of ['links', 'tickets'] as const) {
    const entries = members[member];
    if (entries) scrubbed[member] = keptOf(entries, ({ url }) => !isNamedIn(url));
  }
  return scrubbed;
}

/**
 * Whether some words of an address in sequence spell a name, whatever is between them.
 * @param mayBegin whether a name may begin with a word: a quick test
 * @param isName whether letters and digits without anything between them are a name
 */
export function spellsName(
  address: string,
  mayBegin: (word: string) => boolean,
  isName: (letters: string) => boolean,
): boolean {
  const words = wordsOf(address);
  return words.some((word, at) => {
    // A host name has no signs between the words.
    if (word.length >= minJoinedLength && isName(word)) return true;
    if (!mayBegin(word)) return false;
    for (let count = Math.min(maxWords, words.length - at); count >= 2; count--)
      if (isName(words.slice(at, at + count).join(''))) return true;
    return false;
  });
}

function wordsOf(address: string): string[] {
  const ascii = fold(decoded(address)).replace(/['’]/g, '');
  return ascii.split(/[^\p{L}\p{N}]+/u, maxAddressWords).filter(Boolean);
}

/** The address without percent-encoding, if it is valid. */
function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
