/** Parses line-ups from texts. */

import { cutOutsideBrackets, splitOutsideBrackets } from '../brackets.ts';
import { nameKey } from '../name-similarity.ts';
import { isEmojiName, normalizeName, normalizeText, splitEmojiName } from '../normalize.ts';
import * as words from '../patterns.ts';
import type { ParsedAct, PerformanceTag } from '../types.ts';
import { restoreEmojiNames, writeEmojiNames } from './emoji-acts.ts';
import { dropTimes, parseEntry, timesToBullets } from './entry.ts';
import { stripInstruments } from './instruments.ts';
import { stripBullets } from './line-noise.ts';
import { isInfoLine, isNonArtistLine } from './non-artist.ts';
import { isHeading, isStageHeading, parseHeading, splitByStage } from './stage-headings.ts';

/** The acts of a line-up, and whether it announces more. */
export type ParsedLineup = { acts: ParsedAct[]; moreToCome: boolean };

/** A number before a line: "1. ", "2) ". */
const ordinal = /^\d{1,2}[.)]\s+/;

type EntryDefaults = { stage: string | null; billing: ParsedAct['billing'] };

const supportHeading = words.wholePattern(words.supportWords);
const headlineHeading = words.wholePattern('headliners?|main acts?|top acts?|hauptact');
const placeholderName = words.wholePattern(words.placeholder);
const moreToComePattern = words.wholePattern(words.andMore);
/** Longer texts are cut: the rest is no line-up. */
const maxTextLength = 1_000;
/** Longer entries are sentences. */
const maxEntryLength = 200;

/** Parses a line-up text: names separated by commas, lines, "b2b", "+"; stages as headings; times, countries and labels are removed. */
export function parseLineup(text: string): ParsedAct[] {
  const written = writeEmojiNames(htmlBreaksToNewlines(text.slice(0, maxTextLength)));
  return restoreEmojiNames(parseNormalizedLineup(normalizeText(written)).acts);
}

/** Parses one entry of a line-up: "Âme b2b Dixon (live)" gives two acts, "TBA" none, "A & B" one with alternatives. */
export function parseLineupEntry(name: string): ParsedAct[] {
  if (isPlainName(name)) return [actOf(name)];
  const emoji = name.length <= maxEntryLength ? parseEmojiEntry(name) : null;
  if (emoji !== null) return emoji;
  return parseNormalizedLineup(normalizeText(htmlBreaksToNewlines(name.slice(0, maxTextLength))), true).acts;
}

/** Parses an entry with names of emoji, which the parser would drop: "DJ 🎧 (live)", "👾 b2b Ann"; null for other entries. */
function parseEmojiEntry(text: string): ParsedAct[] | null {
  const { parts, separators } = splitOutsideBrackets(text, jointSetSeparator);
  const acts = parts.map(parseEmojiName);
  if (acts.every((act) => act === null)) return null;
  if (parts.length === 1) return acts.flatMap((act) => act ?? []);
  const isTogether = separators.some((sign) => backToBack.test(sign));
  const all = parts.flatMap((part, at) => acts[at] ?? parseLineupEntry(part));
  return all.map((act) => ({
    ...act,
    tags: [...new Set([...act.tags, ...(isTogether ? (['b2b'] as const) : [])])],
    group: all.length > 1 ? 1 : null,
  }));
}

/** Parses a name of emoji with a mark behind it. Without a word in the name, the mark must describe a performance or a country. */
function parseEmojiName(text: string): ParsedAct | null {
  if (isEmojiName(text)) return actOf(normalizeName(text));
  const marked = splitEmojiName(text);
  if (marked === null) return null;
  const [act] = parseNormalizedLineup(`Ann ${marked.mark}`, true).acts;
  const isMark = act !== undefined && (act.tags.length > 0 || /^[([][A-Z]{2,3}[)\]]$/.test(marked.mark));
  if (!isMark && normalizeText(marked.name) === '') return null;
  return { ...actOf(marked.name), tags: act?.tags ?? [], billing: act?.billing ?? null };
}

const actOf = (name: string): ParsedAct => ({
  name,
  alternatives: [],
  tags: [],
  group: null,
  billing: null,
  stage: null,
});

/** Letters, digits and characters inside names: no separator, bracket, colon or dash between spaces. */
const plainNamePattern =
  /^[A-Za-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]*(?:[ -][A-Za-z0-9\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f'.]+)*$/;

/** Whether an entry is a name alone, as most are; this check saves parsing them. */
const isPlainName = (name: string): boolean =>
  name.length <= 40 &&
  plainNamePattern.test(name) &&
  !sixWordsPattern.test(name) &&
  !words.nonNameWord.test(name);
const sixWordsPattern = /(?:\S+ ){6}/;

/** Parses normalized text. A single entry may also contain several names separated by commas. */
export function parseNormalizedLineup(text: string, isSingleEntry = false): ParsedLineup {
  const reader = new LineupParser();
  if (isSingleEntry) reader.parseEntryText(text);
  else reader.parseLines(text);
  return { acts: mergeSameActs(reader.acts), moreToCome: reader.moreToCome };
}

const htmlBreaksToNewlines = (text: string): string =>
  text.replace(/<(?:br|\/p|\/li|\/div)\s*\/?>/gi, '\n').replace(/<\/?[a-z][^<>]{0,200}>/gi, ' ');

class LineupParser {
  readonly acts: ParsedAct[] = [];
  moreToCome = false;
  #groupCount = 0;
  /** The text that was already checked by `isNonArtistLine`. */
  #checkedText: string | null = null;

  /** Parses one entry, which may have several lines or stages. */
  parseEntryText(text: string): void {
    if (isNonArtistLine(text) && !placeholderName.test(text)) return;
    this.#checkedText = text;
    const isHeaded = splitByStage(text).length > 1 || parseHeading(text, false).head !== null;
    if (isHeaded || text.includes('\n')) this.parseLines(text);
    else this.parseList(text, { stage: null, billing: null });
  }

  parseLines(text: string): void {
    let floor: string | null = null;
    let billing: ParsedAct['billing'] = null;
    const written = text.split('\n').filter((line) => line !== '');
    const isNumbered = written.length > 1 && written.every((line) => ordinal.test(line));
    const lines = isNumbered ? written.map((line) => line.replace(ordinal, '')) : written;
    for (const chunk of lines.flatMap(splitByStage)) {
      const { head, rest } = parseHeading(chunk, lines.length > 1);
      if (isInfoLine(chunk)) continue;
      if (head !== null) {
        billing = supportHeading.test(head) ? 'support' : headlineHeading.test(head) ? 'headline' : null;
        if (isStageHeading(head) || (billing === null && !isHeading(head))) floor = head;
      }
      if (rest !== '') this.parseList(rest, { stage: floor, billing });
      // "Support: X" on one line applies to this line only.
      if (rest !== '' && head !== null) billing = null;
    }
  }

  /** Parses entries between separators; the last of an enumeration may be joined by "and". */
  parseList(timed: string, place: EntryDefaults): void {
    let { billing } = place;
    const text = stripNotes(splitHandles(stripInstruments(timed)));
    const cut = cutOutsideBrackets(dropTimes(text), supportWithinList);
    if (cut !== null && cut.before.trim() !== '') {
      this.parseList(cut.before, place);
      this.parseList(cut.after, { ...place, billing: 'support' });
      return;
    }
    let rest = dropTimes(text);
    const led = supportAtStart.exec(rest);
    if (led) {
      billing = 'support';
      rest = rest.slice(led[0].length);
    }
    const band = parseBandName(rest);
    if (band !== null) this.acts.push({ ...band, billing, stage: place.stage });
    else for (const entry of splitEntries(rest)) this.#parseGroup(entry, { ...place, billing });
  }

  #parseGroup(entry: string, place: EntryDefaults): void {
    const together = splitOutsideBrackets(entry, jointSetSeparator);
    const acts = together.parts.flatMap((part) => this.#parseSingle(part));
    const grouped = acts.length > 1 && together.parts.length > 1 ? ++this.#groupCount : null;
    for (const act of acts) {
      const marks: PerformanceTag[] = together.separators.some((sign) => backToBack.test(sign))
        ? ['b2b']
        : [];
      this.acts.push({
        ...act,
        tags: [...new Set([...act.tags, ...marks])],
        group: grouped ?? (act.group === null ? null : this.#groupCount + act.group),
        billing: act.billing ?? place.billing,
        stage: act.stage ?? place.stage,
      });
    }
    this.#groupCount += acts.reduce((most, act) => Math.max(most, act.group ?? 0), 0);
  }

  #parseSingle(part: string): ParsedAct[] {
    if (part.length > maxEntryLength) return [];
    const entry = stripBullets(part)
      .replace(/^(?:[\s•*+–\-:|,]|&\s)+|(?:\s\+|[\s•*&–\-:|,])+$/g, '')
      .trim();
    if (entry === '') return [];
    const unpunctuated = entry.replace(/(?<=\p{L})\s?[.!]+$/u, '');
    if ([entry, unpunctuated].some((text) => moreToComePattern.test(text) || placeholderName.test(text))) {
      this.moreToCome = true;
      return [];
    }
    if (part !== this.#checkedText && isNonArtistLine(part)) return [];
    const parsed = parseEntry(entry);
    if (parsed.moreToCome) this.moreToCome = true;
    return parsed.acts;
  }
}

/** Parses names such as "Tyler, The Creator" and "Florence + The Machine": one act, or two; null for other texts. */
function parseBandName(text: string): ParsedAct | null {
  const at = /^([^,+&/|•]{2,30})\s*[,+]\s+(the\s[^,+&/|•]{2,30})$/iu.exec(text);
  if (!at || text.search(jointSetSeparator) >= 0 || /[([]/.test(text)) return null;
  const alternatives = [at[1] as string, at[2] as string].map((name) => name.trim());
  return { name: text.trim(), alternatives, tags: [], group: null, billing: null, stage: null };
}

const jointSetSeparator = new RegExp(
  `\\s*${words.wordStart}(?:b[2-5]b(?:[2-5]?b)*|f2f|back[ -]to[ -]back|face (?:to|2) face|vs\\.?|versus|feat\\.?|featuring|ft\\.?)${words.wordEnd}\\.?\\s*|\\s+[x×]\\s+(?![(\\[])|(?<=[\\p{L}\\p{N}])×(?=[\\p{L}\\p{N}])`,
  'giu',
);
const backToBack = /b[2-5]b|f2f|back|face/i;
const supportWithinList = new RegExp(
  `[,;+/|(–-]?\\s*${words.wordStart}(?:w/\\s*|with\\s+|mit\\s+|and\\s+|&\\s*|\\+\\s*|plus\\s+)?(?:${words.supportWords})\\s*:?\\s+(?=[^\\s•,;|/+])`,
  'iu',
);
const supportAtStart = new RegExp(`^(?:w/\\s*|with\\s+|\\+\\s*)?(?:${words.supportWords})\\s*:?\\s+`, 'iu');
/** Separators between names outside brackets, and "&" behind a bracket ("Ann (live) & Bob"). */
const entrySeparator =
  /\s*(?:[,;•\n]|\s\|{2,}\s|(?<!\|)\|(?!\|)|\s\/{1,3}\s|\s\+\s?|\s?\+\s(?=[\p{L}\p{N}])|\s>\s|\s[~_]\s|\\|(?<=[)\]])\s+(?:&|and|und|et|y)\s)\s*/gu;
const withSeparator = /(?<!\bdj)\s+(?:w\/|with|mit|avec|met|plus)\s+/giu;

/** Splits a list into entries at separators outside brackets. */
function splitEntries(text: string): string[] {
  const dashes = splitOutsideBrackets(text, /\s[–-]\s/gu).parts;
  const { parts } =
    dashes.length > 2 && !text.includes(',') ? { parts: dashes } : splitOutsideBrackets(text, entrySeparator);
  const isList = parts.length > 1;
  const isEnumeration = /[,;]/.test(text);
  const named = isList && text.includes('|') ? parts.filter((part) => !countryCodeOnly.test(part)) : parts;
  return named.flatMap(splitAfterBrackets).flatMap((part, index, all) => {
    const cut = splitOutsideBrackets(part, unspacedSlash).parts;
    const slashed = cut.length > 2 || isList ? cut : [part];
    const loose = slashed.flatMap((piece) => splitOutsideBrackets(piece, withSeparator).parts);
    const isLast = index === all.length - 1;
    if (
      !isList ||
      !isLast ||
      !isEnumeration ||
      all.slice(0, -1).some((other) => /\s(?:&|and|und|et|y|e|i|en)\s/iu.test(other))
    )
      return loose;
    return loose.flatMap(splitLastOfEnumeration);
  });
}

/** A country code between bars: "Ann | DE". */
const countryCodeOnly = /^(?:DE|UK|USA?|FR|IT|ES|NL|BE|PL|CH|AT)$/u;

/** Splits names behind brackets where line breaks are missing: "Ann (DE) Bob (live) Cid". */
function splitAfterBrackets(part: string): string[] {
  const ends = /(?<=\s[([][^()[\]]{1,30}[)\]])\s+(?=\p{L})/gu;
  const pieces = part.split(ends);
  const isSeveral = pieces.filter((piece) => /[)\]]$/.test(piece)).length > 1 && pieces.length > 1;
  return isSeveral && part.search(jointSetSeparator) < 0 ? pieces : [part];
}

/** Replaces the signs of several handles by bullets: "@ann @bob". A single handle behind a name is a remark. */
function splitHandles(text: string): string {
  const handles = text.match(handle)?.length ?? 0;
  return handles > 1 ? text.replace(handle, ' • ') : text;
}
const handle = /(?:^|\s)@(?=[\p{L}_])/gu;

/** Removes label and city behind a name: "22:00 Ann - Label - Berlin", "Ann - Label - Berlin". */
function stripNotes(text: string): string {
  const parts = splitOutsideBrackets(text, /\s[–-]\s/gu).parts;
  if (parts.length < 2 || text.includes(',')) return timesToBullets(text);
  const [first] = parts;
  const isTimed = dropTimes(first) !== first && /\p{L}/u.test(dropTimes(first));
  const isPlaced = parts.length > 2 && parts.slice(1).some((part) => countryTagPattern.test(part.trim()));
  return isTimed || isPlaced ? first : timesToBullets(text);
}
const countryTagPattern = new RegExp(`^(?:${words.countryTag})$`, 'u');

/** A slash between names of four letters or more: "AC/DC" and "24/7" stay whole. */
const unspacedSlash = /(?<=[\p{L}\p{N}]{4})\/(?=[\p{L}\p{N}]{4})/gu;

/** Splits "C & D" at the end of "A, B, C & D"; "Nick Cave & The Bad Seeds" stays whole. */
function splitLastOfEnumeration(piece: string): string[] {
  const at =
    /^(.+?)\s+(?:&|and|und|et|y|e|en|i)\s+(?!(?:the|his|her|their|die|das|der|les|los|la|de)\s)(.+)$/iu.exec(
      piece,
    );
  return at ? [at[1] as string, at[2] as string] : [piece];
}

/** Merges acts with one name key on one stage. */
function mergeSameActs(acts: ParsedAct[]): ParsedAct[] {
  const seen = new Map<string, ParsedAct>();
  for (const act of acts) {
    const key = `${act.stage ?? ''}\u0000${nameKey(act.name)}`;
    const first = seen.get(key);
    if (first) first.tags = [...new Set([...first.tags, ...act.tags])];
    else seen.set(key, act);
  }
  return [...seen.values()];
}
