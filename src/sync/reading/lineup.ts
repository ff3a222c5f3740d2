/** Reading line-ups as they are written in texts (issue 5, part 2). */
import type { Act, Mark } from './act.ts';
import { dropTimes, readEntry } from './entry.ts';
import { nameKey } from './names.ts';
import { plain } from './plain.ts';
import { cutOutside, splitOutside } from './split.ts';
import * as words from './words.ts';

/** Acts and what else a text says of them. */
export type WrittenLineup = { acts: Act[]; moreToCome: boolean };

/** "1. ", "2) " in front of every line. */
const ordinal = /^\d{1,2}[.)]\s+/;

type Place = { floor: string | null; billing: Act['billing'] };

const floorHead = words.entire(words.floorHead);
const heading = words.entire(words.heading);
const supportHead = words.entire(words.support);
const headlineHead = words.entire('headliners?|main acts?|top acts?|hauptact');
const nobody = words.entire(words.nobody);
const more = words.entire(words.andMore);
/** Longest text read: what follows is no line-up. */
const longest = 10_000;
/** Longest entry read: what is longer is a sentence. */
const longestEntry = 200;
/** Longest line that can be a heading and nothing else. */
const longestHead = 80;

/** Reads a line-up text: names separated by commas, lines, "b2b", "+" …; floors as headings; times, countries, labels dropped. */
export function readLineup(text: string): Act[] {
  return readWritten(plain(withBreaks(text.slice(0, longest)))).acts;
}

/** The acts of one written entry of a line-up: "Âme b2b Dixon (live)" gives two, "TBA" none, "A & B" one with alternatives. */
export function actNames(name: string): Act[] {
  if (isPlainName(name))
    return [{ name, alternatives: [], marks: [], group: null, billing: null, floor: null }];
  return readWritten(plain(name.slice(0, 1_000)).replace(/\n/g, ' '), true).acts;
}

/** Letters, digits and what stands inside names: no separator, bracket, colon or dash between spaces. */
const nameLetters =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]*(?:[ -][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]+)*$/;

/** Most entries are a name and nothing else; a million line-ups are read faster for seeing that first. */
const isPlainName = (name: string): boolean =>
  name.length <= 60 && nameLetters.test(name) && !words.maybeMore.test(name);

/** Reads text that is plain already; `one` where it is a single entry, whose commas part names all the same. */
export function readWritten(text: string, one = false): WrittenLineup {
  const reader = new LineupReader();
  if (one) reader.list(text, { floor: null, billing: null });
  else reader.lines(text);
  return { acts: unique(reader.acts), moreToCome: reader.moreToCome };
}

const withBreaks = (text: string): string =>
  text.replace(/<(?:br|\/p|\/li|\/div)\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ');

class LineupReader {
  readonly acts: Act[] = [];
  moreToCome = false;
  #groups = 0;

  lines(text: string): void {
    let floor: string | null = null;
    let billing: Act['billing'] = null;
    const written = text.split('\n').filter((line) => line !== '');
    const isNumbered = written.length > 1 && written.every((line) => ordinal.test(line));
    const lines = isNumbered ? written.map((line) => line.replace(ordinal, '')) : written;
    for (const chunk of lines.flatMap(floorsOf)) {
      const { head, rest } = headOf(chunk, lines.length > 1);
      if (head !== null) {
        billing = supportHead.test(head) ? 'support' : headlineHead.test(head) ? 'headline' : null;
        if (isFloor(head) || (billing === null && !heading.test(head))) floor = head;
      }
      if (rest !== '') this.list(rest, { floor, billing });
      // "Support: X" on one line speaks of that line alone.
      if (rest !== '' && head !== null) billing = null;
    }
  }

  /** Entries between separators; the last of an enumeration may be joined by "and". */
  list(text: string, place: Place): void {
    let { billing } = place;
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
    const entry = part.replace(/^(?:[\s•*+–\-:|,]|&\s)+|[\s•*+&–\-:|,]+$/g, '').trim();
    if (entry === '') return [];
    if (more.test(entry)) {
      this.moreToCome = true;
      return [];
    }
    if (nobody.test(entry)) {
      this.moreToCome = true;
      return [];
    }
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
  `\\s*${words.from}(?:b[2-5]b|f2f|back[ -]to[ -]back|face (?:to|2) face|vs\\.?|versus|feat\\.?|featuring|ft\\.)${words.to}\\.?\\s*|\\s+[x×]\\s+`,
  'giu',
);
const backToBack = /b[2-5]b|f2f|back|face/i;
const supportCut = new RegExp(
  `[,;+/|(–-]?\\s*${words.from}(?:w/\\s*|with\\s+|mit\\s+|and\\s+|&\\s*|\\+\\s*|plus\\s+)?(?:${words.support})\\s*:?\\s+(?=\\S)`,
  'iu',
);
const supportLead = new RegExp(`^(?:w/\\s*|with\\s+|\\+\\s*)?(?:${words.support})\\s*:?\\s+`, 'iu');
const isFloor = (head: string): boolean => floorHead.test(head);

/** "Main Room: A, B; Panorama Bar: C" and "[Main Floor] A, B [Bar] C" are several lines written as one. */
function floorsOf(line: string): string[] {
  const byHead = line.split(/\s*[;|/]\s*(?=[^:;|/]{2,40}:\s)/u);
  if (byHead.length > 1 && byHead.every((chunk) => /^[^:]{2,40}:\s/u.test(chunk))) return byHead;
  const bracketed = line.split(/\s*(?=\[[^\]]{2,40}\])/u);
  const heads = bracketed.map((chunk) => /^\[([^\]]{2,40})\]/u.exec(chunk)?.[1]);
  if (heads.length > 1 && heads.every((head) => head !== undefined && isFloor(head))) return bracketed;
  return [line];
}

/** A line's heading, if it has one, and what follows it. */
function headOf(line: string, several: boolean): { head: string | null; rest: string } {
  const bracket = /^\[([^\]]{2,40})\]\s*:?\s*(.*)$/u.exec(line);
  if (bracket && isFloor(bracket[1] as string))
    return { head: bracket[1] as string, rest: bracket[2] as string };
  const at = /^([^:,]{2,40}):(?:\s+(.*)|)$/u.exec(line.replace(/^[@–\-•*#=~\s]+/u, ''));
  if (at) {
    const head = (at[1] as string).replace(/[\s–\-•*#=~]+$/u, '');
    const rest = (at[2] ?? '').trim();
    if (isFloor(head) || heading.test(head) || supportHead.test(head) || rest === '' || several)
      return { head, rest };
  }
  const dashed = /^(.{2,40}?)\s+[–-]\s+(.+)$/u.exec(line);
  if (dashed && isStrictFloor(dashed[1] as string))
    return { head: dashed[1] as string, rest: dashed[2] as string };
  if (line.length > longestHead) return { head: null, rest: line };
  const alone = /^[@–\-•*#=~\s]*(.{2,40}?)[–\-•*#=~\s]*$/u.exec(line);
  if (alone && several && isStrictFloor(alone[1] as string)) return { head: alone[1] as string, rest: '' };
  return { head: null, rest: line };
}

/** A head without a colon must be a floor beyond doubt: "Room 2", "Main Floor". */
const strictFloor = words.entire(
  "(?:main|second|small|big|upper|lower|blue|red|black|white|green|techno|house|disco|drum ?& ?bass|trance|outdoor|indoor|ground|1st|2nd|open[- ]air|dark)[ -](?:room|floor|stage|hall|area|bar|tent|terrace|garden)|(?:room|floor|stage|area|hall|halle|saal|sala|salle|zaal|level|ebene) ?#?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|mainroom|mainfloor|mainstage|panorama bar|[\\p{L}']+ (?:stage|floor)",
);
const isStrictFloor = (head: string): boolean => strictFloor.test(head.trim());

/** The entries of one list, its separators outside brackets taken away. */
function entriesOf(text: string): string[] {
  const strong = /\s*(?:[,;•|\n]|\s\/{1,2}\s|\s\+\s?|\s?\+\s|\s>\s|\\)\s*/gu;
  const dashes = splitOutside(text, /\s[–-]\s/gu).parts;
  const { parts } = dashes.length > 2 && !text.includes(',') ? { parts: dashes } : splitOutside(text, strong);
  const isList = parts.length > 1;
  return parts.flatMap((part, index) => {
    const cut = splitOutside(part, unspacedSlash).parts;
    const slashed = cut.length > 2 || isList ? cut : [part];
    const loose = slashed.flatMap(
      (piece) => splitOutside(piece, /\s+(?:w\/|with|mit|avec|met|plus)\s+/giu).parts,
    );
    const isLast = index === parts.length - 1;
    if (
      !isList ||
      !isLast ||
      parts.slice(0, -1).some((other) => /\s(?:&|and|und|et|y|e|i|en)\s/iu.test(other))
    )
      return loose;
    return loose.flatMap(lastOfEnumeration);
  });
}

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
