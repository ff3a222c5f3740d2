/** Reading line-ups as they are written in texts (issue 5, part 2). */
import type { Act, Mark } from './act.ts';
import { unbulleted } from './beside.ts';
import { dropTimes, readEntry, timesApart } from './entry.ts';
import { floorsOf, headOf, isFloor, isHeading } from './floors.ts';
import { unplayed } from './instruments.ts';
import { nameKey } from './names.ts';
import { isAside, isNoAct } from './no-act.ts';
import { plain } from './plain.ts';
import { cutOutside, splitOutside } from './split.ts';
import * as words from './words.ts';

/** Acts and what else a text says of them. */
export type WrittenLineup = { acts: Act[]; moreToCome: boolean };

/** "1. ", "2) " in front of every line. */
const ordinal = /^\d{1,2}[.)]\s+/;

type Place = { floor: string | null; billing: Act['billing'] };

const supportHead = words.entire(words.support);
const headlineHead = words.entire('headliners?|main acts?|top acts?|hauptact');
const nobody = words.entire(words.nobody);
const more = words.entire(words.andMore);
/** Longest text read: what follows is no line-up. */
const longest = 1_000;
/** Longest entry read: what is longer is a sentence. */
const longestEntry = 200;

/** Reads a line-up text: names separated by commas, lines, "b2b", "+" …; floors as headings; times, countries, labels dropped. */
export function readLineup(text: string): Act[] {
  return readWritten(plain(withBreaks(text.slice(0, longest)))).acts;
}

/** The acts of one written entry of a line-up: "Âme b2b Dixon (live)" gives two, "TBA" none, "A & B" one with alternatives. */
export function actNames(name: string): Act[] {
  if (isPlainName(name))
    return [{ name, alternatives: [], marks: [], group: null, billing: null, floor: null }];
  return readWritten(plain(withBreaks(name.slice(0, longest))), true).acts;
}

/** Letters, digits and what stands inside names: no separator, bracket, colon or dash between spaces. */
const nameLetters =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]*(?:[ -][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]+)*$/;

/** Most entries are a name and nothing else; a million line-ups are read faster for seeing that first. */
const isPlainName = (name: string): boolean =>
  name.length <= 40 && nameLetters.test(name) && !sentence.test(name) && !words.maybeMore.test(name);
const sentence = /(?:\S+ ){6}/;

/** Reads text that is plain already; `one` where it is a single entry, whose commas part names all the same. */
export function readWritten(text: string, one = false): WrittenLineup {
  const reader = new LineupReader();
  if (one) reader.entry(text);
  else reader.lines(text);
  return { acts: unique(reader.acts), moreToCome: reader.moreToCome };
}

const withBreaks = (text: string): string =>
  text.replace(/<(?:br|\/p|\/li|\/div)\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ');

class LineupReader {
  readonly acts: Act[] = [];
  moreToCome = false;
  #groups = 0;
  /** What is known to be no heading, sentence or the like. */
  #seen: string | null = null;

  /** One entry, or what is written as one: several lines, floors and their acts. */
  entry(text: string): void {
    if (isNoAct(text) && !nobody.test(text)) return;
    this.#seen = text;
    const isHeaded = floorsOf(text).length > 1 || headOf(text, false).head !== null;
    if (isHeaded || text.includes('\n')) this.lines(text);
    else this.list(text, { floor: null, billing: null });
  }

  lines(text: string): void {
    let floor: string | null = null;
    let billing: Act['billing'] = null;
    const written = text.split('\n').filter((line) => line !== '');
    const isNumbered = written.length > 1 && written.every((line) => ordinal.test(line));
    const lines = isNumbered ? written.map((line) => line.replace(ordinal, '')) : written;
    for (const chunk of lines.flatMap(floorsOf)) {
      const { head, rest } = headOf(chunk, lines.length > 1);
      if (isAside(chunk)) continue;
      if (head !== null) {
        billing = supportHead.test(head) ? 'support' : headlineHead.test(head) ? 'headline' : null;
        if (isFloor(head) || (billing === null && !isHeading(head))) floor = head;
      }
      if (rest !== '') this.list(rest, { floor, billing });
      // "Support: X" on one line speaks of that line alone.
      if (rest !== '' && head !== null) billing = null;
    }
  }

  /** Entries between separators; the last of an enumeration may be joined by "and". */
  list(timed: string, place: Place): void {
    let { billing } = place;
    const text = withoutNotes(handlesApart(unplayed(timed)));
    const cut = cutOutside(dropTimes(text), supportCut);
    if (cut !== null && cut.before.trim() !== '') {
      this.list(cut.before, place);
      this.list(cut.after, { ...place, billing: 'support' });
      return;
    }
    let rest = dropTimes(text);
    const led = supportLead.exec(rest);
    if (led) {
      billing = 'support';
      rest = rest.slice(led[0].length);
    }
    const band = bandOf(rest);
    if (band !== null) this.acts.push({ ...band, billing, floor: place.floor });
    else for (const entry of entriesOf(rest)) this.#entry(entry, { ...place, billing });
  }

  #entry(entry: string, place: Place): void {
    const together = splitOutside(entry, joins);
    const acts = together.parts.flatMap((part) => this.#single(part));
    const grouped = acts.length > 1 && together.parts.length > 1 ? ++this.#groups : null;
    for (const act of acts) {
      const marks: Mark[] = together.separators.some((sign) => backToBack.test(sign)) ? ['b2b'] : [];
      this.acts.push({
        ...act,
        marks: [...new Set([...act.marks, ...marks])],
        group: grouped ?? (act.group === null ? null : this.#groups + act.group),
        billing: act.billing ?? place.billing,
        floor: act.floor ?? place.floor,
      });
    }
    this.#groups += acts.reduce((most, act) => Math.max(most, act.group ?? 0), 0);
  }

  #single(part: string): Act[] {
    if (part.length > longestEntry) return [];
    const entry = unbulleted(part)
      .replace(/^(?:[\s•*+–\-:|,]|&\s)+|(?:\s\+|[\s•*&–\-:|,])+$/g, '')
      .trim();
    if (entry === '') return [];
    const said = entry.replace(/(?<=\p{L})\s?[.!]+$/u, '');
    if ([entry, said].some((text) => more.test(text) || nobody.test(text))) {
      this.moreToCome = true;
      return [];
    }
    if (part !== this.#seen && isNoAct(part)) return [];
    const read = readEntry(entry);
    if (read.moreToCome) this.moreToCome = true;
    return read.acts;
  }
}

/** "Tyler, The Creator", "Florence + The Machine": one act, or two of which the second is "The Somethings". */
function bandOf(text: string): Act | null {
  const at = /^([^,+&/|•]{2,30})\s*[,+]\s+(the\s[^,+&/|•]{2,30})$/iu.exec(text);
  if (!at || text.search(joins) >= 0 || /[([]/.test(text)) return null;
  const alternatives = [at[1] as string, at[2] as string].map((name) => name.trim());
  return { name: text.trim(), alternatives, marks: [], group: null, billing: null, floor: null };
}

const joins = new RegExp(
  `\\s*${words.from}(?:b[2-5]b(?:[2-5]?b)*|f2f|back[ -]to[ -]back|face (?:to|2) face|vs\\.?|versus|feat\\.?|featuring|ft\\.?)${words.to}\\.?\\s*|\\s+[x×]\\s+(?![(\\[])|(?<=[\\p{L}\\p{N}])×(?=[\\p{L}\\p{N}])`,
  'giu',
);
const backToBack = /b[2-5]b|f2f|back|face/i;
const supportCut = new RegExp(
  `[,;+/|(–-]?\\s*${words.from}(?:w/\\s*|with\\s+|mit\\s+|and\\s+|&\\s*|\\+\\s*|plus\\s+)?(?:${words.support})\\s*:?\\s+(?=[^\\s•,;|/+])`,
  'iu',
);
const supportLead = new RegExp(`^(?:w/\\s*|with\\s+|\\+\\s*)?(?:${words.support})\\s*:?\\s+`, 'iu');
/** Where names end, outside brackets: signs between them, and "&" behind a bracket ("Ann (live) & Bob"). */
const strong =
  /\s*(?:[,;•\n]|\s\|{2,}\s|(?<!\|)\|(?!\|)|\s\/{1,3}\s|\s\+\s?|\s?\+\s(?=[\p{L}\p{N}])|\s>\s|\s[~_]\s|\\|(?<=[)\]])\s+(?:&|and|und|et|y)\s)\s*/gu;
const joined = /(?<!\bdj)\s+(?:w\/|with|mit|avec|met|plus)\s+/giu;

/** The entries of one list, its separators outside brackets taken away. */
function entriesOf(text: string): string[] {
  const dashes = splitOutside(text, /\s[–-]\s/gu).parts;
  const { parts } = dashes.length > 2 && !text.includes(',') ? { parts: dashes } : splitOutside(text, strong);
  const isList = parts.length > 1;
  const isEnumeration = /[,;]/.test(text);
  const named = isList && text.includes('|') ? parts.filter((part) => !country.test(part)) : parts;
  return named.flatMap(bracketsApart).flatMap((part, index, all) => {
    const cut = splitOutside(part, unspacedSlash).parts;
    const slashed = cut.length > 2 || isList ? cut : [part];
    const loose = slashed.flatMap((piece) => splitOutside(piece, joined).parts);
    const isLast = index === all.length - 1;
    if (
      !isList ||
      !isLast ||
      !isEnumeration ||
      all.slice(0, -1).some((other) => /\s(?:&|and|und|et|y|e|i|en)\s/iu.test(other))
    )
      return loose;
    return loose.flatMap(lastOfEnumeration);
  });
}

/** "Ann | DE". */
const country = /^(?:DE|UK|USA?|FR|IT|ES|NL|BE|PL|CH|AT)$/u;

/** "Ann (DE) Bob (live) Cid": where line breaks were lost, brackets still end names. */
function bracketsApart(part: string): string[] {
  const ends = /(?<=\s[([][^()[\]]{1,30}[)\]])\s+(?=\p{L})/gu;
  const pieces = part.split(ends);
  const isSeveral = pieces.filter((piece) => /[)\]]$/.test(piece)).length > 1 && pieces.length > 1;
  return isSeveral && part.search(joins) < 0 ? pieces : [part];
}

/** "@ann @bob": names as they are called elsewhere; a single one behind a name is an aside. */
function handlesApart(text: string): string {
  const handles = text.match(handle)?.length ?? 0;
  return handles > 1 ? text.replace(handle, ' • ') : text;
}
const handle = /(?:^|\s)@(?=[\p{L}_])/gu;

/** "22:00 Ann - Label - Berlin", "Ann - Label - Berlin": behind the name stands where it is from. */
function withoutNotes(text: string): string {
  const parts = splitOutside(text, /\s[–-]\s/gu).parts;
  if (parts.length < 2 || text.includes(',')) return timesApart(text);
  const first = parts[0] as string;
  const isTimed = dropTimes(first) !== first && /\p{L}/u.test(dropTimes(first));
  const isPlaced = parts.length > 2 && parts.slice(1).some((part) => placed.test(part.trim()));
  return isTimed || isPlaced ? first : timesApart(text);
}
const placed = new RegExp(`^(?:${words.countryTag})$`, 'u');

/** Names of four letters or more on both sides: "AC/DC" and "24/7" stay whole. */
const unspacedSlash = /(?<=[\p{L}\p{N}]{4})\/(?=[\p{L}\p{N}]{4})/gu;

/** "C & D" at the end of "A, B, C & D" is two; "Nick Cave & The Bad Seeds" one. */
function lastOfEnumeration(piece: string): string[] {
  const at =
    /^(.+?)\s+(?:&|and|und|et|y|e|en|i)\s+(?!(?:the|his|her|their|die|das|der|les|los|la|de)\s)(.+)$/iu.exec(
      piece,
    );
  return at ? [at[1] as string, at[2] as string] : [piece];
}

/** Each act once per floor. */
function unique(acts: Act[]): Act[] {
  const seen = new Map<string, Act>();
  for (const act of acts) {
    const key = `${act.floor ?? ''}\u0000${nameKey(act.name)}`;
    const first = seen.get(key);
    if (first) first.marks = [...new Set([...first.marks, ...act.marks])];
    else seen.set(key, act);
  }
  return [...seen.values()];
}
