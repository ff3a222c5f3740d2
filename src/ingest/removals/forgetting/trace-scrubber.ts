/** Replaces the names, slugs and ids of a forgotten artist in texts and JSON values that are no source records. */

/** A text that identifies the artist, and what stands for it. */
export type TraceTerm = {
  text: string;
  replacement: string;
  /**
   * Whether the text hardly means anything else, as a name of two words does. Other terms are replaced only where an
   * artist is named.
   */
  isDistinct: boolean;
};

/** Members whose values name artists. */
const artistMembers = /^(?:lineup|artists|artist_name|tracklist)[+-]?$/;
const artistLists = /^(?:lineup|artists)[+-]?$/;
/** Members with free text about a record. */
const noteMembers: ReadonlySet<string> = new Set(['reason', 'error', 'where']);
const wordCharacter = /[\p{L}\p{N}]/u;

/** Scrubs texts and JSON values of one forgotten artist. Its methods return the same value if it contains none of the terms. */
export class TraceScrubber {
  readonly #terms: readonly TraceTerm[];
  readonly #dropped: string | null;

  /** @param dropped entries of line-ups and rosters that become this name are left out */
  constructor(terms: readonly TraceTerm[], dropped: string | null = null) {
    this.#dropped = dropped;
    // A longer name may contain a shorter one.
    this.#terms = terms.filter(({ text }) => text !== '').sort((a, b) => b.text.length - a.text.length);
  }

  /**
   * Replaces the terms in a text.
   * @param isNaming whether the text is known to name artists
   */
  text(text: string, isNaming: boolean): string {
    let result = text;
    for (const { text: term, replacement, isDistinct } of this.#terms)
      if (isDistinct || isNaming) result = replaceTerm(result, term, replacement);
    return result;
  }

  /** Replaces the terms in a JSON text. Returns the same text if it contains none. */
  json(text: string, isNaming: boolean): string {
    const value: unknown = JSON.parse(text);
    const scrubbed = this.value(value, isNaming);
    return scrubbed === value ? text : JSON.stringify(scrubbed);
  }

  /** Replaces the terms in all strings of a JSON value. Returns the same value if it contains none. */
  value(value: unknown, isNaming: boolean): unknown {
    if (typeof value === 'string') return this.text(value, isNaming);
    if (typeof value !== 'object' || value === null) return value;
    if (Array.isArray(value)) {
      const entries = value.map((entry) => this.value(entry, isNaming));
      return entries.some((entry, at) => entry !== value[at]) ? entries : value;
    }
    return this.#object(value as Record<string, unknown>, isNaming);
  }

  #object(value: Record<string, unknown>, isNaming: boolean): Record<string, unknown> {
    const { kind, field } = value;
    const isArtist =
      isNaming || kind === 'artist' || (typeof field === 'string' && artistMembers.test(field));
    let isChanged = false;
    const members = Object.entries(value).map(([key, member]) => {
      const isList = artistLists.test(key === 'value' && typeof field === 'string' ? field : key);
      const isNamingMember = isArtist || artistMembers.test(key) || noteMembers.has(key);
      const scrubbed = this.#dropEntries(this.value(member, isNamingMember), member, isList);
      isChanged ||= scrubbed !== member;
      return [key, scrubbed];
    });
    return isChanged ? Object.fromEntries(members) : value;
  }

  #dropEntries(scrubbed: unknown, before: unknown, isList: boolean): unknown {
    if (scrubbed === before || !isList || !Array.isArray(scrubbed)) return scrubbed;
    return scrubbed.filter((entry) => nameOf(entry) !== this.#dropped);
  }
}

/** The name in an entry of a line-up or roster. */
const nameOf = (entry: unknown): unknown =>
  typeof entry === 'object' && entry !== null ? (entry as { name?: unknown }).name : entry;

/** Replaces a text in any case where no letter or digit is next to it. */
function replaceTerm(text: string, term: string, replacement: string): string {
  if (text.length < term.length) return text;
  const [folded, searched] = sameLength(text, term);
  let result = '';
  let copied = 0;
  for (let at = folded.indexOf(searched); at >= 0; at = folded.indexOf(searched, at + 1)) {
    if (at < copied || isInWord(text, at, at + term.length)) continue;
    result += text.slice(copied, at) + replacement;
    copied = at + term.length;
  }
  return copied === 0 ? text : result + text.slice(copied);
}

/** Both texts in lower case, unless that changes the length of one. */
function sameLength(text: string, term: string): [string, string] {
  const lower: [string, string] = [text.toLowerCase(), term.toLowerCase()];
  return lower[0].length === text.length && lower[1].length === term.length ? lower : [text, term];
}

function isInWord(text: string, from: number, until: number): boolean {
  const isWord = (at: number) => wordCharacter.test(text.charAt(at));
  return (isWord(from) && isWord(from - 1)) || (isWord(until - 1) && isWord(until));
}
