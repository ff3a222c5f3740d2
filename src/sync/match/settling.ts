/** Putting records in order after an operator decided of them. */
import type { FeedKind, Statement } from '../../contract/feed.ts';
import type { Workbench } from '../workbench.ts';
import type { Anchor } from './cluster.ts';
import { isNamed } from './explaining.ts';
import type { NamedKind } from './named-judge.ts';

export class Settling {
  readonly #bench: Workbench;
  readonly #now: number;

  constructor(bench: Workbench, now: number) {
    this.#bench = bench;
    this.#now = now;
  }

  /** Files a record under what a statement calls it, where its kind is found so. */
  file(kind: FeedKind, record: number, one: Anchor & { statement: string }): void {
    if (!isNamed(kind)) return;
    this.#bench.matching.named.file(kind, record, one, JSON.parse(one.statement) as Statement<NamedKind>);
  }

  /**
   * Works a record out; of one that is known by name alone, its names. What others say stays where it is: an operator
   * decided of this one only.
   */
  workOut(kind: FeedKind, id: number): void {
    const { sources, context, writer, names } = this.#bench;
    if (sources.said(id).length > 0) {
      this.#resettle(kind, id, true);
      return;
    }
    const row = writer.row(kind, id);
    if (!row || !('aliases' in row)) return;
    const given = context.lookup.givenNames(id).filter((name) => name !== row.name);
    writer.save(kind, id, { aliases: JSON.stringify(given) }, () => [], this.#now);
    names.write(kind, id, row.name as string, given, { prominence: names.prominence(kind, id) });
  }

  /**
   * Puts the surroundings of records in order under the new decisions; those known by name alone have none.
   * @param isFixed nothing moves: a decision is taken back
   */
  resettle(kind: FeedKind, ids: readonly number[], isFixed = false): void {
    for (const id of ids) if (this.#bench.sources.said(id).length > 0) this.#resettle(kind, id, isFixed);
  }

  #resettle(kind: FeedKind, id: number, isFixed: boolean): void {
    const { matching } = this.#bench;
    const settled =
      kind === 'event'
        ? matching.events.resettle(id, isFixed)
        : isNamed(kind)
          ? matching.named.resettle(kind, id, isFixed)
          : { record: id, changed: [] };
    for (const one of new Set([
      id,
      ...settled.changed,
      ...(settled.record === null ? [] : [settled.record]),
    ])) {
      if (this.#bench.sources.said(one).length > 0) this.#bench.rebuild(kind, one);
    }
  }
}
