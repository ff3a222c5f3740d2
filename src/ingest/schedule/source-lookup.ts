/** Finds sources by name, with or without a schedule, and describes them. */
import { Failure } from '../../failure.ts';
import type { ScheduleRow, ScheduleStore, UnscheduledSourceRow } from '../../store/schedule/schedules.ts';
import { type SourceSummary, toImportSummary, toSourceSummary } from './source-config.ts';

export class SourceLookup {
  readonly #schedules: ScheduleStore;

  constructor(schedules: ScheduleStore) {
    this.#schedules = schedules;
  }

  /** Finds a scheduled source. Throws a `Failure` if there is none of this name. */
  find(name: string): ScheduleRow {
    const row = this.#schedules.find(name);
    if (row) return row;
    if (this.#schedules.imports().some((source) => source.name === name)) {
      throw new Failure(
        `${name} is not scheduled. Schedule it with \`cratebase sources add ${name} …\`.`,
        1,
        { code: 'not_scheduled' },
      );
    }
    const names = this.names().slice(0, 20);
    throw new Failure(
      names.length === 0
        ? `There is no source ${name}: none is set up yet. See \`cratebase sources add --help\`.`
        : `There is no source ${name}. There are ${names.join(', ')}.`,
      1,
      { isMissing: true },
    );
  }

  /** Finds a source with or without a schedule. Throws a `Failure` if there is none of this name. */
  findAny(name: string): ScheduleRow | UnscheduledSourceRow {
    return this.#schedules.findAny(name) ?? this.find(name);
  }

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

  names(): string[] {
    return this.#schedules.all().map(({ name }) => name);
  }
}
