/**
 * Records of held sources: lists them, decides about them, and publishes the approved ones
 * (docs/guides/source-rules.md#review-before-publishing).
 */
import type Database from 'better-sqlite3';
import type { FeedKind } from '../../contract/feed.ts';
import type { Actor } from '../../contract/roles.ts';
import type { HeldList, HeldRecord, HeldState, RejectedItem } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { shellQuote } from '../../shell-quote.ts';
import type { AdapterItem, RecordKey } from '../../sources/common/input-items.ts';
import { AuditLog } from '../../store/audit-log.ts';
import { HeldRecordStore, type HeldRow, parseHeldContent } from '../../store/schedule/held-records.ts';
import type { ScheduleRow, UnscheduledSourceRow } from '../../store/schedule/schedules.ts';
import { type ImportReport, importFeed } from '../import/import-feed.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { summarizeListing } from './listing-summary.ts';

/** The records to decide about: external ids, or `kind:external id` where several kinds share one; or all that wait. */
export type HeldSelection = readonly string[] | 'all';
export type HeldDecision = { source: string; decided: number; state: HeldState };

type AnySource = ScheduleRow | UnscheduledSourceRow;

/** Records published in one import. */
const pageSize = 500;
/** Identities in an audit entry; a decision about more names their number only. */
const maxLoggedIds = 100;

/** Lists, decides and publishes records of held sources. */
export class HeldSources {
  readonly #sqlite: Database.Database;
  readonly #held: HeldRecordStore;
  readonly #now: () => number;

  constructor(sqlite: Database.Database, now: () => number) {
    this.#sqlite = sqlite;
    this.#held = new HeldRecordStore(sqlite);
    this.#now = now;
  }

  /** The records of a source in a state, in the order in which they arrived. */
  list(
    { source_id, name }: AnySource,
    { state = 'waiting', limit = 100, offset = 0 }: { state?: HeldState; limit?: number; offset?: number },
  ): HeldList {
    const records = this.#held.list(source_id, state, { limit, offset }).map(toHeldRecord);
    return { source: name, ...this.#held.counts(source_id), records };
  }

  /** The number of records of a source in each state. */
  counts(source: number): Record<HeldState, number> {
    return this.#held.counts(source);
  }

  /**
   * Approves or rejects records. Approved ones are published by `publish`, or by the next `sync --due`.
   * @throws Failure if a record does not wait
   */
  decide(
    { source_id: source, name }: AnySource,
    selection: HeldSelection,
    state: 'approved' | 'rejected',
    actor: Actor,
  ): Promise<HeldDecision> {
    const work = this.#sqlite.transaction(() => {
      const keys = selection === 'all' ? [] : this.#select(source, name, selection, state);
      for (const key of keys) this.#held.setState({ source, ...key }, state);
      const decided = selection === 'all' ? this.#held.setStateOfWaiting(source, state) : keys.length;
      if (decided > 0) {
        new AuditLog(this.#sqlite).add({
          createdTs: this.#now(),
          actor,
          action: state === 'approved' ? 'source.approve' : 'source.reject',
          subjectKind: 'source',
          subject: name,
          recordId: null,
          details: { count: decided, records: keys.slice(0, maxLoggedIds).map(toText) },
        });
      }
      return { source: name, decided, state };
    });
    return new LockRetry(this.#sqlite).write(() => work.immediate());
  }

  /** Finds the records that a person named. Rejected ones may be approved later. */
  #select(source: number, name: string, texts: readonly string[], state: HeldState): RecordKey[] {
    const states: HeldState[] = state === 'approved' ? ['waiting', 'rejected'] : ['waiting'];
    const keys = texts.map((text) => {
      const [, kind, id] = /^([a-z]+):(.+)$/s.exec(text) ?? [];
      const rowsOfKind =
        id === undefined ? [] : this.#held.find(source, id).filter((row) => row.kind === kind);
      const rows = (rowsOfKind.length > 0 ? rowsOfKind : this.#held.find(source, text)).filter((row) =>
        states.includes(row.state),
      );
      const [row, second] = rows;
      if (row === undefined)
        throw new Failure(
          `No record ${text} of ${name} waits. See \`cratebase sources held ${shellQuote(name)}\`.`,
          1,
          {
            code: 'held_missing',
          },
        );
      if (second !== undefined)
        throw new Failure(
          `Several records of ${name} have the id ${text}. Name one as ${toText(toKey(row))}.`,
        );
      return toKey(row);
    });
    // A record may be named twice.
    return [...new Map(keys.map((key) => [toText(key), key])).values()];
  }

  /** The names of the sources with approved records that are not published yet. */
  approvedSources(): string[] {
    return this.#held.approvedSources();
  }

  /**
   * Imports the approved records of a source. The caller holds the write lease. A record that the import rejects waits
   * again.
   * @returns null if there are none
   */
  async publish(
    source: AnySource,
    { signal, onRejected }: { signal?: AbortSignal | undefined; onRejected?: (one: RejectedItem) => void },
  ): Promise<ImportReport | null> {
    const { source_id, name, type } = source;
    if (this.#held.counts(source_id).approved === 0) return null;
    const keys: RecordKey[] = [];
    const rejectedLines = new Set<number>();
    const report = await importFeed(this.#sqlite, {
      source: name,
      type,
      now: this.#now(),
      records: this.#approvedRecords(source_id, keys),
      signal,
      onRejected: (one) => {
        rejectedLines.add(one.line);
        onRejected?.(one);
      },
    });
    const retry = new LockRetry(this.#sqlite, signal);
    for (let at = 0; at < keys.length; at += pageSize) {
      const page = keys.slice(at, at + pageSize);
      const settle = this.#sqlite.transaction(() => {
        for (const [index, key] of page.entries())
          if (rejectedLines.has(at + index + 1))
            this.#held.setState({ source: source_id, ...key }, 'waiting');
          else this.#held.remove({ source: source_id, ...key });
      });
      await retry.write(() => settle.immediate());
    }
    return report;
  }

  async *#approvedRecords(source: number, keys: RecordKey[]): AsyncGenerator<AdapterItem> {
    for (let offset = 0; ; offset += pageSize) {
      const rows = this.#held.list(source, 'approved', { limit: pageSize, offset });
      for (const row of rows) {
        keys.push(toKey(row));
        const record = { ...parseHeldContent(row.content), kind: row.kind, external_id: row.external_id };
        yield { record, where: toText(toKey(row)) };
      }
      if (rows.length < pageSize) return;
    }
  }
}

const toKey = ({ kind, external_id }: HeldRow): RecordKey => ({ kind, externalId: external_id });
const toText = ({ kind, externalId }: RecordKey): string => `${kind}:${externalId}`;

const toHeldRecord = ({ kind, external_id, content, state, held_ts }: HeldRow): HeldRecord => ({
  ...summarizeListing(kind as FeedKind, external_id, parseHeldContent(content)),
  state,
  held_at: new Date(held_ts).toISOString(),
});
