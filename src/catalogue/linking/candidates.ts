/** Candidate records for a name, and their scores. */
import type { NamedRecord } from '../../store/search/named-records.ts';
import type { MatchType } from '../match-types.ts';

/** A candidate record and its score; 1 means the exact name or slug. */
export type Candidate = {
  readonly id: number;
  readonly slug: string;
  readonly name: string;
  readonly city: string | null;
  readonly country: string | null;
  readonly score: number;
};

export const matchScores: Record<MatchType, number> = {
  name: 1,
  alias: 0.95,
  beginning: 0.8,
  words: 0.75,
  guess: 0.7,
  'part of a guess': 0.6,
};
/** Deducted if only a part of the text is the name, next to a place or title. */
const partialPenalty = 0.05;
/** Minimum score of an exact match: the record's name, an alias or its slug. */
export const exactScore = matchScores.alias - partialPenalty;

/** Lowers the score of a candidate by 0.05, because its name is only a part of the text. Scores have two decimals. */
export const withPartialPenalty = (candidate: Candidate): Candidate => ({
  ...candidate,
  score: Math.round((candidate.score - partialPenalty) * 100) / 100,
});

/** Makes a candidate of a record, with a score as in `matchScores`. */
export const toCandidate = (record: Omit<NamedRecord, 'timezone'>, score: number): Candidate => ({
  id: record.id,
  slug: record.slug,
  name: record.name,
  city: record.city,
  country: record.country,
  score,
});

/** Keeps each record once, at the position of its best name. */
export function bestPerRecord(candidates: readonly Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of candidates) {
    const current = best.get(candidate.id);
    if (current === undefined || current.score < candidate.score) best.set(candidate.id, candidate);
  }
  return [...best.values()];
}
