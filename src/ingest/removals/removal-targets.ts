/** Finds the records and sources that a person wants to remove or restore, and says why that is not possible. */
import { Failure } from '../../failure.ts';
import type { RecordFinder, RecordIdentity } from '../../store/records/record-finder.ts';
import type { RemovalState, RemovedRecord, RemovedRecords } from '../../store/resolution/removed-records.ts';
import type { SourceRow } from '../../store/resolution/source-records.ts';
import { findRecord } from '../corrections/find-record.ts';
import type { WriteSession } from '../write-session.ts';
import type { Removal } from './removal-steps.ts';

/** Looks up what a person names, also removed records. Only reads. */
export class RemovalTargets {
  readonly #session: WriteSession;
  readonly #finder: RecordFinder;

  /** @param finder finds removed records too */
  constructor(session: WriteSession, finder: RecordFinder) {
    this.#session = session;
    this.#finder = finder;
  }

  get #removed(): RemovedRecords {
    return this.#session.lookup.removed;
  }

  /** The record to be hidden or deleted. Throws a `Failure` with advice if it cannot be. */
  findRemovable(text: string, state: Removal): RecordIdentity {
    const record = findRecord(this.#finder, text);
    const name = `${record.kind}/${record.slug}`;
    const before = this.#removed.find(record.id);
    if (before?.state === 'forgotten')
      throw new Failure('This record is forgotten for good.', 1, { code: 'forgotten' });
    if (before?.state === 'deleted' && state === 'hidden' && this.#removed.isFixed(record.id))
      throw new Failure(`${name} is deleted already. \`cratebase undelete ${name}\` brings it back.`, 1, {
        code: 'deleted_already',
      });
    if (before === null) this.#assertUnused(record);
    return record;
  }

  /** Throws a `Failure` for a city or genre that other records need. */
  #assertUnused({ kind, id, slug }: RecordIdentity): void {
    if (kind !== 'city' && kind !== 'genre') return;
    const counts = Object.entries(this.#session.matcher.merger.store.countDependents(kind, id));
    if (counts.length === 0) return;
    const uses = counts
      .map(([one, count]) => `${count.toLocaleString('en')} ${pluralOf(one, count)}`)
      .join(', ');
    throw new Failure(
      `${kind}/${slug} is used by ${uses}. Merge it into the right ${kind} with \`cratebase merge\`, or remove those records first.`,
      1,
      { code: 'in_use', value: counts.reduce((sum, [, count]) => sum + count, 0) },
    );
  }

  /** The removed record in one of these states, or a record that is shown already. Throws a `Failure` otherwise. */
  findRestorable(text: string, states: readonly RemovalState[]): RecordIdentity {
    const record = findRecord(this.#finder, text);
    const removal = this.#removed.find(record.id);
    if (removal === null) return record;
    const name = `${record.kind}/${record.slug}`;
    if (removal.state === 'forgotten')
      throw new Failure('This record is forgotten for good: nothing is left that could be restored.', 1, {
        code: 'forgotten',
      });
    if (!states.includes(removal.state))
      throw new Failure(`${name} is deleted, not hidden. Run \`cratebase undelete ${name}\`.`, 1, {
        code: 'deleted_not_hidden',
      });
    const { parent } = removal.saved;
    if (parent !== null && this.#removed.has(parent)) {
      const above = this.#removed.find(parent) as RemovedRecord;
      throw new Failure(
        `${name} was removed with ${above.kind}/${above.slug}. Bring that back: \`cratebase undelete ${above.kind}/${above.slug}\`.`,
        1,
        { code: 'removed_with', value: `${above.kind}/${above.slug}` },
      );
    }
    return record;
  }

  /** The artist to be forgotten, which may be removed. */
  findForgettable(text: string): RecordIdentity {
    const record = findRecord(this.#finder, text);
    if (record.kind === 'artist') return record;
    throw new Failure(
      `Only an artist can be forgotten, and ${record.kind}/${record.slug} is none. \`cratebase delete\` takes other records out of the catalogue.`,
      1,
      { code: 'only_artists' },
    );
  }

  /** The source of a name. Throws a `Failure` if there is none. */
  findSource(name: string): SourceRow {
    const source = this.#session.sources.findSource(name);
    if (source === undefined)
      throw new Failure(`There is no source ${name}. \`cratebase sources list\` shows all.`, 1, {
        isMissing: true,
      });
    return source;
  }
}

const pluralOf = (kind: string, count: number): string =>
  count === 1 ? kind : kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`;
