/** Holds new records of a source back until an editor approves them (docs/guides/source-rules.md#review-before-publishing). */
import type Database from 'better-sqlite3';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import { HeldRecordStore } from '../../store/schedule/held-records.ts';
import type { RuledRecord, RuleVerdict } from './rule-filter.ts';

/** The records of one source that wait for an editor. */
export class HeldRecords {
  readonly #held: HeldRecordStore;
  readonly #source: number;
  readonly #now: number;

  /**
   * @param source id of the source
   * @param now ms since 1970
   */
  constructor(sqlite: Database.Database, source: number, now: number) {
    this.#held = new HeldRecordStore(sqlite);
    this.#source = source;
    this.#now = now;
  }

  /** Returns why a record is held back; null if it was published before or approved. Only reads. */
  judge(
    sources: SourceRecords,
    { kind, externalId }: Pick<RuledRecord, 'kind' | 'externalId'>,
  ): RuleVerdict | null {
    const key = { source: this.#source, kind, externalId };
    const row = sources.find(key);
    if (row !== undefined && row.content !== null) return null;
    const state = this.#held.state(key);
    if (state === 'approved') return null;
    return { rule: 'hold', reason: state === 'rejected' ? 'an editor rejected it' : 'waits for approval' };
  }

  /** Saves a record that waits, or its latest content. The caller has begun a batch. */
  put({ kind, externalId, statement, slug }: RuledRecord & { slug: string | null }): void {
    const content = JSON.stringify(slug === null ? statement : { ...statement, slug });
    this.#held.put({ source: this.#source, kind, externalId }, content, this.#now);
  }
}
