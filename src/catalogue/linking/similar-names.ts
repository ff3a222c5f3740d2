/** Finds the record that a bare name probably means: one letter away, with details or many more events. */
import { isBareBeside, type NamedByListings } from '../../store/answers/similar-names.ts';
import { normalizeForSearch } from '../../text/fold.ts';
import { maxComparedLength, variedWords } from '../../text/one-edit.ts';
import type { Catalogue } from '../request.ts';
import { type Candidate, matchScores, toCandidate } from './candidates.ts';
import { oneEditVariants } from './typos.ts';

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
  if (words.length > maxComparedLength) return [];
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
function variantsOf(name: string): string[] {
  const words = name.split(' ');
  return variedWords(words).flatMap((at) =>
    oneEditVariants(words[at] as string).map((variant) =>
      [...words.slice(0, at), variant, ...words.slice(at + 1)].join(' '),
    ),
  );
}
