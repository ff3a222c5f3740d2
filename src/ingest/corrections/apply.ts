/** Rebuilds and regroups records after an operator's decision. */

import type { FeedKind } from '../../contract/feed.ts';
import type { SourceRecordKey } from '../../matching/clustering.ts';
import type { NamedEntityKind } from '../../matching/entities/compare-entities.ts';
import type { RecordFinder } from '../../store/records/record-finder.ts';
import { parseContent } from '../../store/resolution/record-content.ts';
import { isNamedEntityKind } from '../resolution/entity-matcher.ts';
import type { WriteSession } from '../write-session.ts';
import type { CityVenues } from './city-venues.ts';
import type { DecisionWriter } from './decisions.ts';

/** What merges and splits work with. */
export type CorrectionTools = {
  session: WriteSession;
  names: RecordFinder;
  decisions: DecisionWriter;
  applier: CorrectionApplier;
  cityVenues: CityVenues;
};

/** Indexes, rebuilds and regroups records after a decision. All methods must be called within a batch. */
export class CorrectionApplier {
  readonly #session: WriteSession;
  readonly #now: number;

  constructor(session: WriteSession, now: number) {
    this.#session = session;
    this.#now = now;
  }

  /** Indexes a record under the names of a source record, for kinds that are matched by index. */
  index(kind: FeedKind, record: number, one: SourceRecordKey & { statement: string }): void {
    if (!isNamedEntityKind(kind)) return;
    this.#session.matcher.entities.candidates.index(
      kind,
      record,
      one,
      parseContent<NamedEntityKind>(one.statement),
    );
  }

  /** Indexes the record to which a source record moved instead of the one that it left. */
  move(
    kind: FeedKind,
    records: { from: number; to: number },
    one: SourceRecordKey & { statement: string },
  ): void {
    if (!isNamedEntityKind(kind)) return;
    const statement = parseContent<NamedEntityKind>(one.statement);
    this.#session.matcher.entities.candidates.move(kind, records, one, statement);
  }

  /**
   * Rebuilds a record, or the names of one known by name only. Other source records stay in place: the operator decided
   * about this record only.
   */
  rebuild(kind: FeedKind, id: number): void {
    const { sources, writer, names, lookup } = this.#session;
    if (sources.statementsOf(id).length > 0) {
      this.#resettle(kind, id, true);
      return;
    }
    const row = writer.row(kind, id);
    if (!row || !('aliases' in row)) return;
    const inheritedNames = lookup.inheritedNames(id).filter((name) => name !== row.name);
    writer.save(kind, id, { aliases: JSON.stringify(inheritedNames) }, () => [], this.#now);
    names.write(kind, id, row.name, inheritedNames, { prominence: names.prominence(kind, id) });
  }

  /**
   * Regroups the source records around records under the new decisions; records known by name only have none.
   * @param isFixed whether source records stay where they are, for a decision that is revoked
   */
  regroup(kind: FeedKind, ids: readonly number[], isFixed = false): void {
    for (const id of ids)
      if (this.#session.sources.statementsOf(id).length > 0) this.#resettle(kind, id, isFixed);
  }

  #resettle(kind: FeedKind, id: number, isFixed: boolean): void {
    const { matcher } = this.#session;
    const assignment =
      kind === 'event'
        ? matcher.events.regroup(id, isFixed)
        : isNamedEntityKind(kind)
          ? matcher.entities.regroup(kind, id, isFixed)
          : { record: id, changed: [] };
    for (const one of new Set([
      id,
      ...assignment.changed,
      ...(assignment.record === null ? [] : [assignment.record]),
    ])) {
      if (this.#session.sources.statementsOf(one).length > 0) this.#session.rebuild(kind, one);
    }
  }
}
