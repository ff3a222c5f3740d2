/** Cities and genres by name: kinds with so few records that all their names are looked at. */
import { searchWords } from '../store/fold.ts';
import type { CalledRecord, FewKind } from '../store/named-records.ts';
import type { Catalogue } from './answers.ts';
import { type Candidate, candidateOf, eachOnce, scores } from './candidates.ts';
import { cityShort } from './city-abbreviations.ts';
import { howMet } from './search.ts';
import { areTyposApart } from './typos.ts';

/**
 * The records that the text names, best first: those called so; else the more prominent of those whose name it begins,
 * or that it is one typo away from; then those with its words.
 */
export function fewNamed(catalogue: Catalogue, kind: FewKind, text: string): Candidate[] {
  const { named } = catalogue.reader;
  const exact = named
    .called(kind, text)
    .map((record) => candidateOf(record, scores[record.is_alias ? 'alias' : 'name']));
  if (kind === 'city') exact.push(...citiesShort(catalogue, text));
  if (exact.length > 0) return eachOnce(exact).sort((a, b) => b.score - a.score);
  const words = searchWords(text);
  return words === '' ? [] : likeNamed(catalogue, kind, words);
}

function likeNamed(catalogue: Catalogue, kind: FewKind, words: string): Candidate[] {
  const all = catalogue.reader.named.all(kind);
  const asked = words.split(' ');
  const found = all.flatMap((record, at): Ranked[] => {
    if (fits(record, words, asked)) {
      const how = howMet(words, { ...record, terms: record.words });
      return [{ at, record, tier: tiers[how] ?? 0, score: scores[how] }];
    }
    return areTyposApart(asked, record.words.split(' '))
      ? [{ at, record, tier: tiers.guess ?? 0, score: scores.guess }]
      : [];
  });
  const weights = new Map(
    found.map(({ record }) => [record.id, kind === 'genre' ? weight(catalogue, record.id) : 1]),
  );
  const weightOf = ({ record }: Ranked) => weights.get(record.id) ?? 0;
  found.sort(
    (a, b) =>
      // A name that nothing goes by is hardly the one that is meant.
      Number(weightOf(b) > 0) - Number(weightOf(a) > 0) ||
      a.tier - b.tier ||
      weightOf(b) - weightOf(a) ||
      a.at - b.at,
  );
  return eachOnce(found.map(({ record, score }) => candidateOf(record, score)));
}

type Ranked = { at: number; record: CalledRecord; tier: number; score: number };
/** A typo in a whole name is as likely as a beginning of another. */
const tiers: Partial<Record<ReturnType<typeof howMet>, number>> = {
  name: 0,
  alias: 0,
  beginning: 1,
  guess: 1,
  words: 2,
  'part of a guess': 3,
};

const mostCounted = 200;
/** Nothing is upcoming then (ms), so that nothing has to be counted. */
const endOfTime = 8.64e15;
/** How much the catalogue holds of a genre: its artists, and its events as far as they are counted. */
function weight({ reader }: Catalogue, id: number): number {
  const events = reader.events.source({ genre: id }).fetch(null, mostCounted, null).length;
  return events + reader.details.genre(id, reader.upcoming(endOfTime)).artist_count;
}

/** The city that a text is short for, where it is on record. */
function citiesShort({ reader }: Catalogue, text: string): Candidate[] {
  const city = cityShort(text);
  if (city === null) return [];
  return reader.named
    .called('city', city.name)
    .filter(({ country }) => country === city.country)
    .map((record) => candidateOf(record, scores.alias));
}

/** Whether a name has all the words, the last as a beginning; or is the same but for spaces. */
function fits({ words }: CalledRecord, text: string, asked: readonly string[]): boolean {
  if (words.replaceAll(' ', '') === text.replaceAll(' ', '')) return true;
  const own = words.split(' ');
  return asked.every((word, at) =>
    at === asked.length - 1 ? own.some((one) => one.startsWith(word)) : own.includes(word),
  );
}
