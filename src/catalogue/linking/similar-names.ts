/** Finds the record that a bare name probably means: one letter away, with details or many more events. */
import { isBareBeside, type NamedByListings } from '../../store/answers/similar-names.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import type { Catalogue } from '../handlers.ts';
import { type Candidate, matchScores, toCandidate } from './candidates.ts';
import { areWordsOneEditApart, oneEditVariants } from './typos.ts';

const minWordLength = 4;
/** Further words are not varied. */
const maxVariedWords = 3;
const maxNameLength = 40;

/** Returns the richer records whose name is one letter from that of a bare record, the richest first. */
export function richerNamesakes(
  { reader }: Catalogue,
  kind: NamedByListings,
  record: Candidate,
): Candidate[] {
  const { similarNames, namedRecords } = reader;
  const weight = similarNames.weight(kind, record.id);
  if (weight.fields > 0) return [];
  const words = normalizeForSearch(record.name);
  if (words.length > maxNameLength) return [];
  return similarNames
    .named(kind, variantsOf(words))
    .flatMap((id) => {
      const other = namedRecords.byId(kind, id);
      const otherWeight = similarNames.weight(kind, id);
      if (other === null || id === record.id || !isBareBeside(weight, otherWeight)) return [];
      if (kind === 'venue' && other.city !== record.city) return [];
      return [{ other: toCandidate(other, matchScores.guess), weight: otherWeight }];
    })
    .sort((a, b) => b.weight.fields - a.weight.fields || b.weight.events - a.weight.events)
    .map(({ other }) => other);
}

/** Returns the names that differ from a name by one letter in one of its words. */
export function variantsOf(name: string): string[] {
  const words = name.split(' ');
  return words
    .map((word, at) => ({ word, at }))
    .filter(({ word }) => word.length >= minWordLength)
    .slice(0, maxVariedWords)
    .flatMap(({ word, at }) =>
      oneEditVariants(word).map((variant) =>
        [...words.slice(0, at), variant, ...words.slice(at + 1)].join(' '),
      ),
    );
}

/** Whether two names differ by one letter in each of some words. */
export const areSimilar = (name: string, other: string): boolean =>
  areWordsOneEditApart(normalizeForSearch(name).split(' '), normalizeForSearch(other).split(' '));
