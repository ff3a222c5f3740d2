/** Extracts tour, edition and occasions from titles. */

import { extractBrackets, splitOutsideBrackets } from '../brackets.ts';
import type { ParsedTitle } from '../types.ts';
import { trimSeparators, unlessEmpty } from './noise.ts';
import * as title from './patterns.ts';

/** Separators between the segments of a title. */
export const segmentSeparator = /\s*(?:\s\/{2,}\s|\s[–-]\s|\s?\|\s?|:\s|\s?•\s?|\s~\s|\n|\s>+\s)\s*/gu;

/** The qualifiers of a title and the text without them. */
export type ExtractedQualifiers = Pick<ParsedTitle, 'tour' | 'occasion' | 'edition'> & {
  text: string;
  /** The text without tour, parts and editions only. */
  textWithOccasions: string;
  /** Whether an occasion stands before the rest ("Boat Party: X"). */
  isOccasionFirst: boolean;
};

/** Whether a title is the edition of a series, and so not the name of an act: it has a number or an occasion such as an opening. */
export const isSeriesEdition = (taken: ExtractedQualifiers): boolean =>
  taken.edition !== null || taken.occasion.some((occasion) => seriesOccasions.has(occasion));
const seriesOccasions = new Set(
  'opening,closing,anniversary,weekend ticket,day ticket,new year,boat,pre-party,after-party,halloween,parking,workshop'.split(
    ',',
  ),
);

/** Extracts tour, occasions, parts and editions. */
export function extractQualifiers(text: string): ExtractedQualifiers {
  const occasion = new Set<string>();
  let rest = text;
  let edition: string | null = null;
  const tour = extractTour(rest);
  rest = tour.text;
  for (const match of rest.matchAll(title.partPattern)) occasion.add(normalizePart(match));
  rest = unlessEmpty(rest, rest.replace(title.partPattern, ' '));
  for (const pattern of title.editionPatterns) {
    const groups = [...rest.matchAll(pattern)][0]?.groups;
    if (!groups) continue;
    edition ??= groups.years ? `${groups.years} years` : (Object.values(groups).find(Boolean) ?? null);
    rest = unlessEmpty(rest, rest.replace(pattern, ' '));
  }
  const kept = rest;
  for (const [name, pattern] of title.occasionPatterns) {
    let isFound = false;
    const bare = rest.replace(pattern, (occasion, ...at) => {
      if (isWithinActName(rest, occasion, at, ambiguousOccasions.has(name))) return occasion;
      isFound = true;
      return ' ';
    });
    if (!isFound) continue;
    occasion.add(name);
    rest = unlessEmpty(rest, bare);
  }
  return {
    tour: tour.tour,
    occasion: [...occasion].sort(),
    edition: edition?.toLowerCase() ?? null,
    text: rest,
    textWithOccasions: kept,
    isOccasionFirst: edition === null && standsBefore(kept, rest),
  };
}

const listLeadIn =
  /(?<![\p{L}\p{N}])(?:w\s?\/+|(?:with|mit|avec|con|com|met|feat\.?|ft\.?|featuring|invites|pres(?:ents)?\.?)(?=[\s:]))|:\s/giu;

/** Occasions whose words are as often part of a name: "Marco Shuttle", "Orchestral Manoeuvres". */
const ambiguousOccasions: ReadonlySet<string> = new Set([
  'parking',
  'workshop',
  'tribute',
  'matinee',
  'night',
  'boat',
]);
const actJoiner = /,|\s(?:&|and|und|et|y|e)\s/iu;

/** Whether a match is part of a name in a list: "Nightfall w/ Late Nite Tuff Guy, Ann" is not a late night. */
function isWithinActName(text: string, occasion: string, rest: readonly unknown[], isSoft: boolean): boolean {
  const at = rest.find((value) => typeof value === 'number') as number;
  const lead = [...text.slice(0, at).matchAll(listLeadIn)].at(-1);
  // Text in brackets describes the event.
  const bare = text.replace(/[([][^()[\]]*[)\]]/gu, (aside) => '_'.repeat(aside.length));
  if (bare[at] === '_' || (lead === undefined && (!isSoft || /:\s/.test(bare.slice(at))))) return false;
  const from = lead === undefined ? 0 : lead.index + lead[0].length;
  const list = bare.slice(from).split(/\s[–|•-]\s/u)[0] as string;
  if (at >= from + list.length) return false;
  const parts = list.split(isSoft && lead !== undefined ? actJoiner : /,/u);
  if (parts.length > 1 || /\sb2b\s/i.test(list)) {
    const own = parts.find((part) => part.includes(occasion)) ?? occasion;
    return own.replace(/_+/g, '').trim() !== occasion.trim();
  }
  const isFirst = text.slice(from, at).trim() === '';
  return (
    lead !== undefined && lead[0] !== ': ' && isFirst && /^\s\p{L}/u.test(text.slice(at + occasion.length))
  );
}

const numberWords: Record<string, string> = {
  one: '1',
  two: '2',
  three: '3',
  four: '4',
  i: '1',
  ii: '2',
  iii: '3',
  iv: '4',
  eins: '1',
  zwei: '2',
  drei: '3',
  uno: '1',
  dos: '2',
  tres: '3',
  due: '2',
  deux: '2',
  trois: '3',
  '1st': '1',
  '2nd': '2',
  '3rd': '3',
  first: '1',
  second: '2',
  third: '3',
  erster: '1',
  zweiter: '2',
  dritter: '3',
  '1.': '1',
  '2.': '2',
  '3.': '3',
};
const partKinds: readonly (readonly [RegExp, string])[] = [
  [/^(?:day|tag|jour|día|dia|giorno|dag|dzień|date|termin)/iu, 'day'],
  [/^(?:night|nacht|abend|nuit|noche|notte|noc|noite)/iu, 'night'],
  [/^(?:week|weekend|wochenende)/iu, 'weekend'],
  [/^(?:session|show|concert|set)/iu, 'show'],
];

function normalizePart({ groups }: RegExpMatchArray): string {
  const what = groups?.what ?? groups?.whole ?? '';
  const number = (groups?.number ?? groups?.ordinal ?? '').toLowerCase();
  return `${partKinds.find(([pattern]) => pattern.test(what))?.[1] ?? 'part'} ${numberWords[number] ?? number}`;
}

/** Extracts a tour: a whole segment that mentions a tour, or the words of a tour inside a segment. */
export function extractTour(text: string): { tour: string | null; text: string } {
  if (!text.match(title.tourWord)) return { tour: null, text };
  const { parts: segments, separators } = splitOutsideBrackets(text, segmentSeparator);
  const at = segments.findIndex((segment, index) => index > 0 && segment.match(title.tourWord));
  if (at > 0) {
    const rest = segments.reduce(
      (all, segment, index) =>
        index === at ? all : all + (index > 0 ? separators[index - 1] : '') + segment,
      '',
    );
    // "Honey Tour w/ Yunè Pinku" also names a supporting act, "Bread Tour (Late Show)" an occasion.
    const segment = segments[at] as string;
    const cut = /\s\((?![^)]*(?:tour|gira|tourn))/iu.exec(segment) ?? title.withPattern.exec(segment);
    const withActs = cut && cut.index > 0 ? segment.slice(cut.index) : '';
    return {
      tour: trimSeparators(segment.slice(0, segment.length - withActs.length)),
      text: trimSeparators(`${rest} ${withActs}`),
    };
  }
  const bracket = extractBrackets(text).contents.find((content) => content.match(title.tourWord));
  const tour =
    bracket ??
    [...text.matchAll(title.tourPattern)].map((match) => match[0]).sort((a, b) => b.length - a.length)[0];
  if (!tour) return { tour: null, text };
  const rest = unlessEmpty(text, text.replace(tour, ' '));
  return rest === text ? { tour: null, text } : { tour: trimSeparators(tour), text: rest };
}

/** Whether the removed text stood before the remaining text, with a colon or "with" between them. */
function standsBefore(before: string, after: string): boolean {
  const at = before.indexOf(after.slice(0, 8));
  return (
    (at > 0 && /(?::|–|\||w\/|\b(?:with|mit|con|avec))\s*$/iu.test(before.slice(0, at))) ||
    /^(?:w\/|with |mit )/iu.test(after)
  );
}
