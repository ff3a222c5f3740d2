/** Holds new records of a source back until an editor approves them (docs/guides/source-rules.md#review-before-publishing). */
import type Database from 'better-sqlite3';
import type { RecordKey } from '../../sources/common/input-items.ts';
import type { SourceRecords } from '../../store/resolution/source-records.ts';
import { HeldRecordStore } from '../../store/schedule/held-records.ts';
import type { RuledRecord, RuleVerdict } from './rule-filter.ts';

/** Records deleted in one transaction. */
const pageSize = 200;
/** If a run lists more records without publishing them, none is taken for unlisted: their keys would fill the memory. */
const maxListed = 200_000;

const keyText = (kind: string, externalId: string): string => `${kind}\0${externalId}`;

/** Runs a transaction as soon as the lock is free. */
type Write = <T>(work: () => T) => Promise<T>;

/** The records of one source that wait for an editor. */
export class HeldRecords {
  readonly #sqlite: Database.Database;
  readonly #held: HeldRecordStore;
  readonly #source: number;
  readonly #now: number;
  /** Keys of the records that this run listed without publishing them. */
  readonly #listed = new Set<string>();

  /**
   * @param source id of the source
   * @param now ms since 1970
   */
  constructor(sqlite: Database.Database, source: number, now: number) {
    this.#sqlite = sqlite;
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

  /** Notes that the run lists a record that is not published: one that waits, or whose line is rejected or skipped. */
  noteListed({ kind, externalId }: RecordKey): void {
    if (this.#listed.size <= maxListed) this.#listed.add(keyText(kind, externalId));
  }

  /** Deletes waiting records that were published meanwhile, because the source is not held any more. */
  async deletePublished(write: Write): Promise<void> {
    while ((await write(() => this.#held.deletePublished(this.#source, pageSize))) === pageSize);
  }

  /**
   * Deletes waiting records that a complete run did not list: their source took them back. Deletes none if more are
   * missing than the run listed, as a broken page has it.
   * @param records the number of records that the run listed
   */
  async deleteUnlisted(write: Write, records: number): Promise<void> {
    if (this.#listed.size > maxListed) return;
    const keys = this.#held.waitingKeys(
      this.#source,
      ({ kind, external_id }) => !this.#listed.has(keyText(kind, external_id)),
    );
    if (keys.length > records) return;
    for (let at = 0; at < keys.length; at += pageSize) {
      const remove = this.#sqlite.transaction(() => {
        for (const { kind, external_id: externalId } of keys.slice(at, at + pageSize))
          this.#held.remove({ source: this.#source, kind, externalId });
      });
      await write(() => remove.immediate());
    }
  }
}
