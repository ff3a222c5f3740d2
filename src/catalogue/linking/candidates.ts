/** Records that a name may mean, and how well they fit. */
import type { NamedRecord } from '../../store/search/named-records.ts';
import type { MatchType } from '../search.ts';

/** A record that a name may mean, and how well it fits: 1 is the name itself or the slug. */
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
/** What is taken off where only a part of the text is the name, and the rest its place or a title. */
const partialPenalty = 0.05;
/** From this score on, a name is the record's own, an alias or its slug: no part, no guess. */
export const exactScore = matchScores.alias - partialPenalty;

export const withPartialPenalty = (candidate: Candidate): Candidate => ({
  ...candidate,
  score: Math.round((candidate.score - partialPenalty) * 100) / 100,
});

export const toCandidate = (record: Omit<NamedRecord, 'timezone'>, score: number): Candidate => ({
  id: record.id,
  slug: record.slug,
  name: record.name,
  city: record.city,
  country: record.country,
  score,
});

/** Each record once, where the best of its names stands. */
export function bestPerRecord(found: readonly Candidate[]): Candidate[] {
  const best = new Map<number, Candidate>();
  for (const candidate of found) {
    const known = best.get(candidate.id);
    if (known === undefined || known.score < candidate.score) best.set(candidate.id, candidate);
  }
  return [...best.values()];
}
