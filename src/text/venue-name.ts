/** Parses names of venues as different sellers write them. */
import { memoize } from '../memoize.ts';
import { extractBrackets } from './brackets.ts';
import { alternatives, wordSet } from './lexicon.ts';
import { latinize } from './name-similarity.ts';
import { normalizeText } from './normalize.ts';
import * as words from './patterns.ts';

export type VenueName = {
  /** Folded distinctive words of the venue: no city, room or legal form, and no generic word unless all are generic. */
  key: string;
  /** Whether the name stands for no place: "TBA", "Secret location", "Online". */
  isPlaceholder: boolean;
};

const placeholderPattern = words.wholePattern(alternatives('placeholder-names', 'venue-name'));

/** Words for the kind of a venue, which do not identify it. */
const genericWords = wordSet('venue-words', 'generic');
/** Legal forms, which are removed before names are compared. */
const legalForm =
  /\b(?:gmbh(?: ?& ?co\.? ?kg)?|e\.? ?v\.?|ltd\.?|llc|inc\.?|s\.?r\.?l\.?|b\.?v\.?|s\.?a\.?s?\.?|ug)(?=\s|$)/giu;
/** Words that make another venue of the same name. */
const distinguishingWords = wordSet('venue-words', 'distinguishing');
const isDistinguishing = (word: string): boolean => distinguishingWords.has(word) || /^\d+$/.test(word);
/** Words that may make another venue, or be left out by a seller. */
const optionalWords = wordSet('venue-words', 'optional');

const roomPattern = words.wholePattern(words.stageHeading);
const numberedRoom = words.wholePattern(
  '(?:room|floor|stage|hall|halle|saal|sala|salle|zaal|area|studio|space|level)\\s?#?(?:[0-9]{1,2}|i{1,3}|one|two|three|a|b|c)|(?:main|big|small|great|grote|kleine|große[rn]?|großer|kleiner|grand|grande|petite|second|upstairs|downstairs|upper|lower|ground|basement|rooftop|terrace|garden|outdoor|indoor|front|back|club|live|concert)[ -]?(?:room|floor|stage|hall|saal|sala|salle|zaal|bar|terrace|area|space|scène|studio|theat(?:re|er)|club)?|rooftop|roof|terrace|terrasse|terrazza|terraza|basement|garden|garten|patio|courtyard|hof|upstairs|downstairs|foyer|lobby|main|mainroom|mainfloor|mainstage',
);

/** Whether a name is a placeholder, alone or with a place behind it: "TBA - New York", "Secret Location, East London", "TBA Brooklyn". */
function isPlaceholderName(text: string, city: string | null): boolean {
  const [first = ''] = text.split(/\s+[–|/-]+\s+|\s*[,:;|]\s*/u);
  const cityless =
    city === null ? text : text.replace(new RegExp(`\\s*${city.replace(/[^\p{L}\p{N}]/gu, '.')}$`, 'iu'), '');
  const afterTba = /^t\.?b\.?[acd]\.?\s+(?!.*(?:club|klub|bar|hall|studio|records)(?:\s|$))/iu.test(text);
  return [text, first, cityless.trim()].some((part) => placeholderPattern.test(part)) || afterTba;
}

/** Parses a venue's name; `city` is removed from its key unless nothing distinctive would remain. */
export function parseVenueName(name: string, city?: string | null): VenueName {
  return parseCached({ name, city: city ?? null });
}

const parseCached = memoize(
  20_000,
  ({ name, city }: { name: string; city: string | null }): VenueName =>
    parseUncached(normalizeText(name).replace(/\n/g, ' ').slice(0, 300), city),
  ({ name, city }) => `${name}\0${city ?? ''}`,
);

function parseUncached(text: string, city: string | null): VenueName {
  const bare = text.replace(/^["']+|["']+$/g, '').trim();
  const { outside } = extractBrackets(bare);
  if (isPlaceholderName(bare, city) || isPlaceholderName(outside, city))
    return { key: '', isPlaceholder: true };
  return { key: distinctiveWords(stripRoom(outside || bare, city), city).join(' '), isPlaceholder: false };
}

function distinctiveWords(name: string, city: string | null): string[] {
  const all = latinize(name.replace(legalForm, ' ')).split(' ').filter(Boolean);
  const cityless = withoutCity(all, city);
  const significant = cityless.filter((word) => !genericWords.has(word));
  const isDistinctive =
    significant.length > 0 && !significant.every((word) => isDistinguishing(word) || optionalWords.has(word));
  return isDistinctive ? significant : cityless;
}

/** Removes rooms and the city from a name: "Tresor - Globus", "fabric, Room 1", "Main Room @ Fabric", "Säule | Berghain". */
function stripRoom(text: string, city: string | null): string {
  const inside = /^(\S(?:.*?\S)??)\s+(?:@|at|im|in der|in|au|à la|en|nel|w)\s+(\S.*)$/iu.exec(text);
  if (inside && numberedRoom.test(inside[1] as string)) return inside[2] as string;
  const parts = text.split(/\s*(?:\s[–-]\s|\s?[|/,:;•]\s|\s[|/•])\s*/u).filter((part) => part !== '');
  const venues = parts.filter((part, at) => {
    const isRoom =
      parts.length > 1 &&
      (at > 0 ? roomPattern.test(part) || numberedRoom.test(part) : numberedRoom.test(part));
    const isCity = parts.length > 1 && at > 0 && city !== null && latinize(part) === latinize(city);
    // A street with its number, a postal code, a country: an address behind the name.
    const isAddress = at > 0 && /\d{1,5}[a-z]?$|^\d+ |\b\d{4,5}\b/iu.test(part) && /\p{L}{3}/u.test(part);
    return !isRoom && !isCity && !isAddress;
  });
  const first = venues[0] ?? parts[0] ?? text;
  const trailing =
    /^(.{3,}?)\s+((?:main|second|big|small|upper|lower|techno|house)[ -](?:room|floor|stage|hall|bar)|room (?:\d|one|two|three|[abc])|floor \d|stage \d)$/iu.exec(
      first,
    );
  if (trailing) return trailing[1] as string;
  return venues.length > 0 ? venues.slice(0, 3).join(' ') : first;
}

function withoutCity(all: string[], city: string | null): string[] {
  if (city === null) return all;
  const cityWords = latinize(city).split(' ');
  const at = all.findIndex((_, index) => cityWords.every((word, offset) => all[index + offset] === word));
  if (at < 0 || all.length === cityWords.length) return all;
  const rest = [...all.slice(0, at), ...all.slice(at + cityWords.length)];
  // "Arena Berlin" keeps its city: what remains could name any arena.
  return rest.every((word) => genericWords.has(word)) ? all : rest;
}
