/**
 * Keeps the facts of recent source records and the results of comparing them for each connection: the next import on it
 * compares with many of the same ones.
 */
import type Database from 'better-sqlite3';
import { LRUCache } from 'lru-cache';
import type { FeedRecordContent } from '../../contract/feed.ts';
import type { EntityFacts, NamedEntityKind } from '../../matching/entities/compare-entities.ts';
import type { MatchResult } from '../../matching/model.ts';
import { getOrCreate } from '../../memoize.ts';
import { PairCache } from './pair-cache.ts';

/** Maximum number of cached source records, and their total length in characters. */
const maxCachedStatements = 2_000;
const maxCachedChars = 8_000_000;
/** Maximum cached comparisons, about 15 MB. */
const maxCachedPairs = 20_000;

export type CachedEntityFacts = {
  text: string;
  statement: FeedRecordContent<NamedEntityKind>;
  /** What the looked-up facts depend on. */
  basis: string;
  facts: EntityFacts;
};

/** The cached facts and comparisons of one connection. */
export class EntityComparisons {
  /** Parsed source records: an unchanged one yields the same facts object, so that cached comparisons apply. */
  readonly facts = new LRUCache<string, CachedEntityFacts>({
    max: maxCachedStatements,
    maxSize: maxCachedChars,
    sizeCalculation: ({ text }) => text.length + 1,
  });
  /** Results by the facts of both sides, on which alone they depend. */
  readonly results = new PairCache<EntityFacts, MatchResult>(maxCachedPairs);
}

const byConnection = new WeakMap<Database.Database, EntityComparisons>();

/** The cache of a connection. */
export const entityComparisonsOf = (sqlite: Database.Database): EntityComparisons =>
  getOrCreate(byConnection, sqlite, () => new EntityComparisons());
