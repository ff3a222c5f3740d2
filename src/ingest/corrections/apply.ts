/** Putting records in order after an operator decided of them. */
import type { FeedKind, FeedRecordContent } from '../../contract/feed.ts';
import type { SourceRecordKey } from '../../matching/clustering.ts';
import type { NamedEntityKind } from '../../matching/entities/compare-entities.ts';
import type { WriteSession } from '../write-session.ts';
import { isNamedEntityKind } from './explain.ts';

export class CorrectionApplier {
  readonly #session: WriteSession;
  readonly #now: number;

  constructor(bench: WriteSession, now: number) {
    this.#session = bench;
    this.#now = now;
  }

  /** Files a record under what a statement calls it, where its kind is found so. */
  index(kind: FeedKind, record: number, one: SourceRecordKey & { statement: string }): void {
    if (!isNamedEntityKind(kind)) return;
    this.#session.matcher.entities.index(
      kind,
      record,
      one,
      JSON.parse(one.statement) as FeedRecordContent<NamedEntityKind>,
    );
  }

  /**
   * Works a record out; of one that is known by name alone, its names. What others say stays where it is: an operator
   * decided of this one only.
   */
  rebuild(kind: FeedKind, id: number): void {
    const { sources, context, writer, names } = this.#session;
    if (sources.statementsOf(id).length > 0) {
      this.#resettle(kind, id, true);
      return;
    }
    const row = writer.row(kind, id);
    if (!row || !('aliases' in row)) return;
    const given = context.lookup.inheritedNames(id).filter((name) => name !== row.name);
    writer.save(kind, id, { aliases: JSON.stringify(given) }, () => [], this.#now);
    names.write(kind, id, row.name as string, given, { prominence: names.prominence(kind, id) });
  }

  /**
   * Puts the surroundings of records in order under the new decisions; those known by name alone have none.
   * @param isFixed nothing moves: a decision is taken back
   */
  regroup(kind: FeedKind, ids: readonly number[], isFixed = false): void {
    for (const id of ids)
      if (this.#session.sources.statementsOf(id).length > 0) this.#resettle(kind, id, isFixed);
  }

  #resettle(kind: FeedKind, id: number, isFixed: boolean): void {
    const { matcher: matching } = this.#session;
    const settled =
      kind === 'event'
        ? matching.events.regroup(id, isFixed)
        : isNamedEntityKind(kind)
          ? matching.entities.regroup(kind, id, isFixed)
          : { record: id, changed: [] };
    for (const one of new Set([
      id,
      ...settled.changed,
      ...(settled.record === null ? [] : [settled.record]),
    ])) {
      if (this.#session.sources.statementsOf(one).length > 0) this.#session.rebuild(kind, one);
    }
  }
}
