/**
 * Writes corrections of matching to the audit log, within their transaction, and keeps what an undo needs. Without an
 * actor nothing is written.
 */

import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { RecordSummary } from '../../contract/review-items.ts';
import type { Actor } from '../../contract/roles.ts';
import type { RecordIdentity } from '../../store/records/record-finder.ts';
import { publicId } from '../../store/records/serialize.ts';
import type { PossibleMatchRow } from '../../store/resolution/match-store.ts';
import { RecordLog, undoAction } from '../record-log.ts';
import { toRecordSummary } from './explain.ts';

/** What an entry about two records holds: the pair as `pairIdOf` writes it, both records, and the decision before. */
export type PairDetails = {
  pair: string;
  record: RecordSummary;
  other: RecordSummary;
  /** Whether the decision replaced the opposite one. */
  replaced: boolean;
  /** The possible matches between the two, which an undo stores again. */
  matches: PossibleMatchRow[];
  /** Of a merge: the arguments of `split` that undo it. */
  split?: string[];
};
export type SplitDetails = { record: RecordSummary; parts: RecordSummary[] };

/** The actions about matching in the audit log. */
export const correctionActions = {
  merge: 'record.merge',
  neverMerge: 'record.never-merge',
  split: 'record.split',
  undo: undoAction,
} as const;

/** The entries of one person about matching; without an actor, its methods do nothing and return null. */
export class CorrectionLog {
  readonly #log: RecordLog | null;

  constructor(sqlite: Database.Database, now: number, actor: Actor | undefined) {
    this.#log = actor === undefined ? null : new RecordLog(sqlite, now, actor);
  }

  /** Adds an entry about a record. Returns its id; null without an actor. */
  add(action: string, record: RecordIdentity, details: Record<string, unknown>): number | null {
    return this.#log?.add(action, record, details) ?? null;
  }

  /** Adds an entry that undoes another one, and marks that one. Returns its id; null without an actor. */
  addUndo(undone: number, record: RecordIdentity, details: Record<string, unknown>): number | null {
    return this.#log?.addUndo(undone, record, details) ?? null;
  }
}

/** The two records of a decision, for the audit log. */
export const pairDetails = (
  a: RecordIdentity,
  b: RecordIdentity,
  rest: Omit<PairDetails, 'pair' | 'record' | 'other'>,
): PairDetails => ({
  pair: pairIdOf(a.kind as FeedKind, a.id, b.id),
  record: toRecordSummary(a),
  other: toRecordSummary(b),
  ...rest,
});

/** Names a pair of records, independent of the order: `art_00001a-art_00002b`. */
export const pairIdOf = (kind: FeedKind, one: number, other: number): string =>
  `${publicId(kind, Math.min(one, other))}-${publicId(kind, Math.max(one, other))}`;
