/** Parses one entry of a line-up: the name of an act and the marks around it. */

import { memoize } from '../../memoize.ts';
import { extractBrackets, splitOutsideBrackets } from '../brackets.ts';
import { normalizeText } from '../normalize.ts';
import * as words from '../patterns.ts';
import type { ParsedAct, PerformanceTag } from '../types.ts';
import { stripLineNoise } from './line-noise.ts';

const clockTime =
  '(?:[01]?\\d|2[0-4])(?:[:.h][0-5]\\d(?:\\s?(?:h|uhr|am|pm))?|\\s?(?:h|uhr|am|pm|a\\.m\\.|p\\.m\\.))(?!\\p{L})';
const closingTime = `(?:${clockTime}|(?:ende?|close|closing|late|open end|fin|cierre)(?!\\p{L})|\\d{1,2}(?!\\d)(?:\\s?(?:h|uhr|am|pm))?)`;
const timeRange = `(?:${clockTime}|\\d{1,2})\\s*(?:[–-]|to|till?|bis|à|a|>|→)\\s*${closingTime}`;
const timeRangePattern = new RegExp(
  `${words.wordStart}[([]?\\s*${timeRange.replace(`(?:${clockTime}|\\d{1,2})`, clockTime)}\\s*[)\\]]?${words.wordEnd}`,
  'giu',
);
/** Each run of spaces belongs to one part, because two adjacent parts would try all ways to share it. */
const edgeTime = `(?:(?:[([]\\s*)?${timeRange}\\s*(?:[)\\]]\\s*)?|${clockTime}\\s*)(?:[)\\]]\\s*)?`;
const leadingTime = new RegExp(`^\\s*(?:[([]\\s*)?${edgeTime}[:|–-]*\\s*`, 'iu');
const trailingTime = new RegExp(
  `(?<!\\s)\\s*(?:[@|–-]\\s*)?(?:[([]\\s*)?(?<![\\p{L}\\p{N}:.])${edgeTime}$`,
  'iu',
);
/** Maximum length of a time at the end of a text. */
const maxTimeLength = 80;
const digitPattern = /\d/;

/** Removes set times at both ends of a text and time ranges inside it; digits of names stay. */
export function dropTimes(text: string): string {
  if (!digitPattern.test(text)) return text;
  const begun = text.replace(leadingTime, '');
  const bare = begun.slice(0, -maxTimeLength) + begun.slice(-maxTimeLength).replace(trailingTime, '');
  const spanless = bare.replace(timeRangePattern, ' ').trim();
  return spanless === '' ? text : spanless;
}

/** A text that is certainly a clock time. */
const unambiguousTime =
  '(?:[01]?\\d|2[0-4])(?:[:.]|h)[0-5]\\d(?:\\s?(?:h|uhr|am|pm))?|(?:1[0-2]|[1-9])\\s?(?:am|pm)';
const timetableSlot = new RegExp(
  `(?<![\\p{L}\\p{N}:./])(?:\\d{1,2}\\s*[–-]\\s*)?(?:${unambiguousTime})(?:\\s*(?:[–-]|to|till?|bis|à|>|→)\\s*(?:${unambiguousTime}|end|ende|late|close|open end|fin))?(?![\\p{L}\\p{N}:/])\\s*[:|–-]?`,
  'giu',
);

/** Replaces the times of a timetable by bullets: "23:00 Ann 01:00 Bob". */
export function timesToBullets(text: string): string {
  if (!digitPattern.test(text)) return text;
  const slots = text.match(timetableSlot)?.length ?? 0;
  return slots > 1 ? text.replace(timetableSlot, ' • ') : text;
}

type ParsedEntry = { acts: ParsedAct[]; moreToCome: boolean };

const trailingMore = new RegExp(
  `(?:${words.trailingMore}|\\s+(?:&|and|und|y|et|e|en|i|with|w/|\\+)\\s*(?:(?:special |his |her |their |very special |many |local |other )*(?:friends|guests?|freunde|gäste|amis|invités|amigos|invitados|convidados|amici|ospiti|vrienden|gasten|goście|przyjaciele|supports?(?: acts?)?|residents?(?: djs)?|local djs|(?:other|more|local) .*(?:artists|djs|acts))))[.!]*$`,
  'iu',
);
const countryTagPattern = new RegExp(`^(?:${words.countryTag})$`, 'u');
const guestInBrackets = /^(?:feat\.?|ft\.?|featuring|w\/|with|b2b|&|\+)\s+(.+)$/iu;
const supportPattern = words.wholePattern(words.supportWords);
const placeholderName = words.wholePattern(words.placeholder);
const alwaysPlaceholderName = words.wholePattern(words.alwaysPlaceholder);

/** Whether a name is a placeholder even with an id: "Various Artists", "Unknown Artist", "Special Guest". */
export const isPlaceholderArtist = (name: string): boolean =>
  name.length <= 60 && alwaysPlaceholderName.test(normalizeText(name).trim());
/** Phrases before a name: "Hosted by A", "w. A", "DJs A". */
const leadingPhrase =
  /^(?:(?:hosted|hosting|visuals|music|sounds?) by\s+|(?:live|djs?|live[- ]?acts?|special guests?|headliners?|hosts?|opening|closing|visuals|vj|mc|music|ft|feat|featuring)\s*:\s*|with:?\s+|\/?w[/.]+\s*|\/w\s+|djs\s+(?=\S)|(?:dj[ -]?set|live[ -]?(?:set|pa))\s+(?=\S))/iu;
/** Phrases behind a name: "A presents Project", "A plays Album", "A performing …". */
const trailingPhrase = new RegExp(
  `\\s+(?:${[
    '[af]\\.?k\\.?a\\.?|formerly|pres\\.?|presents?|presenting|präsentiert|présente|presenta|plays?|playing|performs?|performing|spielt|joue|celebrat(?:es|ing)|hosted by .*|curated by .*',
  ].join('|')})\\s+.*$`,
  'iu',
);
/** Removes a label or city behind a dash: "Ann - Ostgut Ton Records". */
function stripLabel(text: string): string {
  const last = [...text.matchAll(labelWord)].at(-1)?.index ?? -1;
  const line = text.length - (text.split(/[\n\r\u2028\u2029]/).at(-1)?.length ?? 0);
  for (const dash of text.matchAll(/(?<!\s)\s+[–-](?=\s+\S)/gu)) {
    let first = dash.index + dash[0].length;
    while (/\s/.test(text[first] ?? '')) first++;
    if (first >= last) break;
    if (first >= line) return text.slice(0, dash.index);
  }
  return text;
}
const labelWord = /\b(?:records?|recordings|rec\.?|music|label|berlin|london)\b/giu;

/** Parses one entry without separators. */
export function parseEntry(text: string): ParsedEntry {
  let moreToCome = false;
  let name = stripLineNoise(text);
  const without = name.replace(trailingMore, '');
  if (without !== name && without.trim() !== '') {
    moreToCome = true;
    name = without;
  }
  const bracketed = extractBrackets(name);
  const marks = new Set<PerformanceTag>();
  const together: string[] = [];
  let billing: ParsedAct['billing'] = null;
  for (const content of bracketed.contents) {
    const joined = guestInBrackets.exec(content)?.[1];
    if (joined !== undefined) together.push(...splitOutsideBrackets(joined, /\s*[,+]\s*|\s+&\s+/gu).parts);
    else if (supportPattern.test(content)) billing = 'support';
    else for (const mark of parseTags(content)) marks.add(mark);
  }
  // A name of brackets alone is their content: "(((O)))", "[a:rpia:r]".
  let bare =
    bracketed.outside === '' ? name.replace(/^[([{]+|[)\]}]+$/g, '').trim() || name : bracketed.outside;
  bare = stripLabel(
    bare
      .replace(leadingPhrase, '')
      .replace(/^@(?=\p{L})/u, '')
      .replace(trailingPhrase, ''),
  );
  for (let split = splitTrailingTag(bare); split !== null; split = splitTrailingTag(bare)) {
    marks.add(split.mark);
    bare = split.name;
  }
  bare = dropCountryTag(stripQuotes(dropTimes(bare)));
  if (bare === '' || placeholderName.test(bare) || !/[\p{L}\p{N}\p{S}\p{P}]/u.test(bare))
    return { acts: [], moreToCome: true };
  const group = together.length > 0 ? 1 : null;
  const act = (own: string): ParsedAct => ({
    name: own,
    alternatives: splitAlternatives(own),
    tags: [],
    group,
    billing: null,
    stage: null,
  });
  const guests = together
    .map((guest) => guest.trim())
    .filter((guest) => guest !== '' && !placeholderName.test(guest));
  return { acts: [{ ...act(bare), tags: [...marks], billing }, ...guests.map(act)], moreToCome };
}

/** The marks in a bracket: "(live)", "(DJ set, all night long)". */
function parseTags(content: string): PerformanceTag[] {
  const single = parseTag(content);
  if (single !== null) return [single];
  if (countryTagPattern.test(content)) return [];
  return content.split(/\s*(?:[,/|+–]|\s-\s)\s*/u).flatMap((piece) => parseTag(piece) ?? []);
}

function parseTag(text: string): PerformanceTag | null {
  return (
    (words.performanceTags.find(([pattern]) => pattern.test(text.trim()))?.[1] as
      | PerformanceTag
      | undefined) ?? null
  );
}

/** Splits the longest mark off the end of a name; null if there is none or no name would remain. */
function splitTrailingTag(text: string): { name: string; mark: PerformanceTag } | null {
  const parts = text.split(' ');
  for (let count = Math.min(5, parts.length - 1); count > 0; count--) {
    const written = parts
      .slice(-count)
      .join(' ')
      .replace(/^[–\-*:|]\s*/u, '')
      .replace(/[*]+$/u, '');
    const mark = parseTag(written);
    // These words are more often part of a name than a mark: "Aroma DJ".
    if (
      mark === null ||
      /^(?:djs?|opening|closing|host|mc|lights?|visuals?|pa|debut|long|vinyl|extended|acoustic|akustik)$/iu.test(
        written,
      )
    )
      continue;
    const name = parts
      .slice(0, -count)
      .join(' ')
      .replace(/\s*[–\-*:|,]+$/u, '')
      .trim();
    if (name !== '' && !/^(?:the|dj|mc)$/iu.test(name)) return { name, mark };
  }
  return null;
}

/** Removes quotation marks and stars on both sides of a name; a sign on one side is part of the name ("_minted"). */
const stripQuotes = (text: string): string => {
  const lead = /^["*_~]+/.exec(text)?.[0].length ?? 0;
  const behind = /(?<!["*_~])["*_~]+$/.exec(text)?.[0].length ?? 0;
  const isAround = lead > 0 && (behind > 0 || lead === text.length) && text.length > 1;
  const bare = (
    isAround ? text.slice(lead, Math.max(lead, text.length - behind)) : text.replace(/^\*+\s+|\s*\*+$/gu, '')
  ).trim();
  return (bare.match(/"/g)?.length ?? 0) === 1 ? bare.replace('"', '').trim() : bare;
};
/** Removes a country code behind a name: "Ben Klock - DE", "Ben Klock /UK". */
const dropCountryTag = (text: string): string =>
  text
    .replace(/\s*[/–-]\s*(?:DE|UK|US|USA|FR|IT|ES|NL|BE|PL|CH|AT|GER)$/u, '')
    .replace(/^[\s•*+–\-:|,]+|[\s•*+&–\-:|,]+$/g, '')
    .replace(/\s+\.$/, '')
    .trim();

/** Maximum length of a name that is split into several. */
const maxJointLength = 200;
const jointSign = /\s(?:&|and|und|et|y)\s|\//iu;

/** The names that "A & B" may consist of; empty if it is certainly one name. Each is read for every rebuild of its event. */
export const splitJointName: (name: string) => readonly string[] = memoize(30_000, (name) => {
  if (name.length > maxJointLength || !jointSign.test(name)) return [];
  const parts = splitAlternatives(name);
  // Single letters are not names: "R & S", "I / Y".
  return parts.every((part) => (part.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= 2) ? parts : [];
});

/** Both names of "A & B" or "Body/Head", which may be two acts; empty if the second is "the …" or "his …". */
function splitAlternatives(name: string): string[] {
  const slashed = name.split('/');
  if (slashed.length === 2 && slashed.every((part) => /^[\p{L}\p{N} .'-]{4,}$/u.test(part))) return slashed;
  const parts = name.split(/\s+(?:&|and|und|et|y)\s+/iu);
  if (parts.length < 2 || parts.some((part) => part.length < 2)) return [];
  if (
    parts.slice(1).some((part) => /^(?:the|his|her|their|die|les|los|co\.?|company|sons|the)\b/iu.test(part))
  )
    return [];
  return parts.map((part) => part.trim());
}
