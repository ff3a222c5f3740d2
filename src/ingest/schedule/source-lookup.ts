/** Finds sources by name, with or without a schedule, and describes them. */
import type { SourceSummary } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { shellQuote } from '../../shell-quote.ts';
import type { ScheduleRow, ScheduleStore, UnscheduledSourceRow } from '../../store/schedule/schedules.ts';
import { toImportSummary, toSourceSummary } from './source-config.ts';

/** A failure names at most so many sources. */
const maxNames = 20;

/** Reads sources from the schedule. Only reads. */
export class SourceLookup {
  readonly #schedules: ScheduleStore;

  constructor(schedules: ScheduleStore) {
    this.#schedules = schedules;
  }

  /**
   * Finds a scheduled source. Throws a `Failure` if there is none of this name.
   * @param purpose what the failure advises for a source without a schedule
   */
  find(name: string, purpose: 'read' | 'remove' = 'read'): ScheduleRow {
    const row = this.#schedules.find(name);
    if (row) return row;
    if (this.#schedules.imports().some((source) => source.name === name)) {
      const advice =
        purpose === 'read'
          ? `Schedule it with \`cratebase sources add ${shellQuote(name)} …\`.`
          : `To delete the source with its records, run \`cratebase sources remove ${shellQuote(name)} --purge\`.`;
      throw new Failure(`${name} is not scheduled. ${advice}`, 1, { code: 'not_scheduled' });
    }
    const names = this.#listedNames();
    const more = names.length - maxNames;
    const list = `${names.slice(0, maxNames).join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
    throw new Failure(
      names.length === 0
        ? `There is no source ${name}: none is set up yet. See \`cratebase sources add --help\`.`
        : `There is no source ${name}. There are ${list}.`,
      1,
      { isMissing: true },
    );
  }

  /** The names of scheduled sources, then of sources that have records but no schedule. */
  #listedNames(): string[] {
    const imported = this.#schedules
      .imports()
      .filter((row) => this.#schedules.countRecords(row.source_id) > 0)
      .map(({ name }) => name);
    return [...this.names(), ...imported];
  }

  /** Finds a source with or without a schedule. Throws a `Failure` if there is none of this name. */
  findAny(name: string): ScheduleRow | UnscheduledSourceRow {
    return this.#schedules.findAny(name) ?? this.find(name);
  }

  /** Describes a scheduled source with the number of its records. */
  describe(row: ScheduleRow): SourceSummary {
    return toSourceSummary(row, this.#schedules.countRecords(row.source_id));
  }

  /** Describes one source, also one without a schedule. */
  summary(name: string): SourceSummary {
    const row = this.findAny(name);
    if ('url' in row) return this.describe(row);
    return toImportSummary(row, this.#schedules.countRecords(row.source_id));
  }

  /** All scheduled sources by name, then sources that have records but no schedule: imported manually, or removed. */
  list(): SourceSummary[] {
    const planned = this.#schedules.all().map((row) => this.describe(row));
    const imported = this.#schedules
      .imports()
      .map((row) => toImportSummary(row, this.#schedules.countRecords(row.source_id)));
    return [...planned, ...imported.filter(({ records }) => records > 0)];
  }

  /** The names of the sources that are not paused. */
  active(): string[] {
    return this.#schedules
      .all()
      .filter(({ paused_ts }) => paused_ts === null)
      .map(({ name }) => name);
  }

  /** The names of the scheduled sources. */
  names(): string[] {
    return this.#schedules.all().map(({ name }) => name);
  }
}
