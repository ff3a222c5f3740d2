/** Cities and genres by name: kinds with so few records that all their names are looked at. */

import type { NamedRecordEntry, SmallKind } from '../../store/search/named-records.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import type { Catalogue } from '../handlers.ts';
import { cityByAbbreviation } from '../places/city-abbreviations.ts';
import { matchTypeOf } from '../search.ts';
import { bestPerRecord, type Candidate, matchScores, toCandidate } from './candidates.ts';
import { areWordsOneEditApart } from './typos.ts';

/**
 * The records that the text names, best first: those called so; else the more prominent of those whose name it begins,
 * or that it is one typo away from; then those with its words.
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

function lookUpSimilar(catalogue: Catalogue, kind: SmallKind, words: string): Candidate[] {
  const all = catalogue.reader.namedRecords.allNames(kind);
  const asked = words.split(' ');
  const found = all.flatMap((record, at): RankedCandidate[] => {
    if (matchesWords(record, words, asked)) {
      const how = matchTypeOf(words, { ...record, terms: record.words });
      return [{ at, record, tier: matchTiers[how] ?? 0, score: matchScores[how] }];
    }
    return areWordsOneEditApart(asked, record.words.split(' '))
      ? [{ at, record, tier: matchTiers.guess ?? 0, score: matchScores.guess }]
      : [];
  });
  const weights = new Map(
    found.map(({ record }) => [record.id, kind === 'genre' ? genreWeight(catalogue, record.id) : 1]),
  );
  const weightOf = ({ record }: RankedCandidate) => weights.get(record.id) ?? 0;
  found.sort(
    (a, b) =>
      // A name that nothing goes by is hardly the one that is meant.
      Number(weightOf(b) > 0) - Number(weightOf(a) > 0) ||
      a.tier - b.tier ||
      weightOf(b) - weightOf(a) ||
      a.at - b.at,
  );
  return bestPerRecord(found.map(({ record, score }) => toCandidate(record, score)));
}

type RankedCandidate = { at: number; record: NamedRecordEntry; tier: number; score: number };
/** A typo in a whole name is as likely as a beginning of another. */
const matchTiers: Partial<Record<ReturnType<typeof matchTypeOf>, number>> = {
  name: 0,
  alias: 0,
  beginning: 1,
  guess: 1,
  words: 2,
  'part of a guess': 3,
};

const maxCountedEvents = 200;
/** Nothing is upcoming then (ms), so that nothing has to be counted. */
const endOfTime = 8.64e15;
/** How much the catalogue holds of a genre: its artists, and its events as far as they are counted. */
function genreWeight({ reader }: Catalogue, id: number): number {
  const events = reader.events.source({ genre: id }).fetch(null, maxCountedEvents, null).length;
  return events + reader.details.genre(id, reader.upcoming(endOfTime)).artist_count;
}

/** The city that a text is short for, where it is on record. */
function citiesForAbbreviation({ reader }: Catalogue, text: string): Candidate[] {
  const city = cityByAbbreviation(text);
  if (city === null) return [];
  return reader.namedRecords
    .byExactName('city', city.name)
    .filter(({ country }) => country === city.country)
    .map((record) => toCandidate(record, matchScores.alias));
}

/** Whether a name has all the words, the last as a beginning; or is the same but for spaces. */
function matchesWords({ words }: NamedRecordEntry, text: string, asked: readonly string[]): boolean {
  if (words.replaceAll(' ', '') === text.replaceAll(' ', '')) return true;
  const own = words.split(' ');
  return asked.every((word, at) =>
    at === asked.length - 1 ? own.some((one) => one.startsWith(word)) : own.includes(word),
  );
}
