/** Looks up cities and genres, kinds with so few records that all names are scanned. */

import { memoizeByObject } from '../../memoize.ts';
import type { NamedRecordEntry, SmallKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { areWordsOneEditApart } from '../../text/one-edit.ts';
import { matchTypeOf } from '../match-types.ts';
import { cityByAbbreviation } from '../places/city-abbreviations.ts';
import type { Catalogue } from '../request.ts';
import { bestPerRecord, type Candidate, matchScores, toCandidate } from './candidates.ts';

/**
 * Returns the records that match the text, best first: exact names, then the more prominent of prefix and one-typo
 * matches, then matches of words.
 */
export function lookUpSmallKind(catalogue: Catalogue, kind: SmallKind, text: string): Candidate[] {
  const { namedRecords: named } = catalogue.reader;
  const exact = named
    .byExactName(kind, text)
    .map((record) => toCandidate(record, matchScores[record.is_alias ? 'alias' : 'name']));
  if (kind === 'city') exact.push(...citiesForAbbreviation(catalogue, text));
  if (exact.length > 0) return bestPerRecord(exact).sort((a, b) => b.score - a.score);
  const words = normalizeForSearch(text);
  return words === '' ? [] : lookUpSimilar(catalogue, kind, words);
}

/** A name, its words, and its words without spaces. */
type SplitName = { record: NamedRecordEntry; own: readonly string[]; joined: string };

/** The names of a list, split. A list is replaced when the catalogue changes. */
const splitNames = memoizeByObject((all: readonly NamedRecordEntry[]): readonly SplitName[] =>
  all.map((record) => ({
    record,
    own: record.words.split(' '),
    joined: record.words.replaceAll(' ', ''),
  })),
);

function lookUpSimilar(catalogue: Catalogue, kind: SmallKind, words: string): Candidate[] {
  const queryWords = words.split(' ');
  const text = words.replaceAll(' ', '');
  const ranked: RankedCandidate[] = [];
  for (const [at, name] of splitNames(catalogue.reader.namedRecords.allNames(kind)).entries()) {
    const { record, own } = name;
    if (name.joined === text || matchesWords(own, queryWords)) {
      const how = matchTypeOf(words, { ...record, terms: record.words });
      ranked.push({ at, record, tier: matchTiers[how] ?? 0, score: matchScores[how] });
    } else if (areWordsOneEditApart(queryWords, own))
      ranked.push({ at, record, tier: matchTiers.guess ?? 0, score: matchScores.guess });
  }
  const weights = new Map(
    ranked.map(({ record }) => [record.id, kind === 'genre' ? genreWeight(catalogue, record.id) : 1]),
  );
  const weightOf = ({ record }: RankedCandidate) => weights.get(record.id) ?? 0;
  ranked.sort(
    (a, b) =>
      // A name that no record uses is unlikely to be meant.
      Number(weightOf(b) > 0) - Number(weightOf(a) > 0) ||
      a.tier - b.tier ||
      weightOf(b) - weightOf(a) ||
      a.at - b.at,
  );
  return bestPerRecord(ranked.map(({ record, score }) => toCandidate(record, score)));
}

type RankedCandidate = { at: number; record: NamedRecordEntry; tier: number; score: number };
/** A typo in a whole name ranks like a prefix match. */
const matchTiers: Partial<Record<ReturnType<typeof matchTypeOf>, number>> = {
  name: 0,
  alias: 0,
  beginning: 1,
  guess: 1,
  words: 2,
  'part of a guess': 3,
};

const maxCountedEvents = 200;
/** No event is upcoming at this time (ms), so no events are counted. */
const endOfTime = 8.64e15;
/** Returns the weight of a genre: its number of artists and counted events. */
function genreWeight({ reader }: Catalogue, id: number): number {
  const events = reader.events.source({ genre: id }).fetch(null, maxCountedEvents, null).length;
  return events + reader.details.genre(id, reader.upcoming(endOfTime)).artist_count;
}

/** Returns the city for an abbreviation, if it is on record. */
function citiesForAbbreviation({ reader }: Catalogue, text: string): Candidate[] {
  const city = cityByAbbreviation(text);
  if (city === null) return [];
  return reader.namedRecords
    .byExactName('city', city.name)
    .filter(({ country }) => country === city.country)
    .map((record) => toCandidate(record, matchScores.alias));
}

/** Whether a name contains all words, the last as a prefix. */
function matchesWords(own: readonly string[], queryWords: readonly string[]): boolean {
  return queryWords.every((word, at) =>
    at === queryWords.length - 1 ? own.some((one) => one.startsWith(word)) : own.includes(word),
  );
}
