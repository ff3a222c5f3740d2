/** Counts the doubtful pairs without a decision, for `/metrics`. */
import type Database from 'better-sqlite3';
import { prepareValue } from '../statement.ts';

/** The count ends there, so that its cost is bounded. */
const maxPairs = 5_000;

/** Counts possible matches without a decision, at most 5,000. */
export function countUndecidedPairs(sqlite: Database.Database): number {
  return (
    prepareValue<number>(
      sqlite,
      `SELECT count(*) FROM (
         SELECT 1 FROM possible_matches p
         WHERE NOT EXISTS (
           SELECT 1 FROM match_decisions d
           WHERE d.kind = p.kind AND d.a_source = p.a_source AND d.a_external_id = p.a_external_id
             AND d.b_source = p.b_source AND d.b_external_id = p.b_external_id)
         LIMIT ?)`,
    ).get(maxPairs) ?? 0
  );
}
