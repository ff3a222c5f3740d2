/**
 * The registry of scheduled sources (docs/spec/imports.md#sources), used by the commands `sources` and `sync` and by
 * the scheduler of `serve`.
 */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import type { Actor } from '../../contract/roles.ts';
import { isKeyHost } from '../../contract/source-formats.ts';
import { Failure } from '../../failure.ts';
import type { BlockedHost } from '../../fetch/blocked-host.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import type { SourceType } from '../../sources/adapter.ts';
import { isHttpUrl } from '../../sources/common/redact.ts';
import type { HeldState } from '../../store/schedule/held-records.ts';
import {
  type ScheduleRow,
  ScheduleStore,
  type UnscheduledSourceRow,
} from '../../store/schedule/schedules.ts';
import { hasStaleRecords } from '../../store/stale.ts';
import { type ImportReport, importFeed } from '../import/import-feed.ts';
import { finishInterruptedWork } from '../process-stale.ts';
import { previewRules, type RulesPreview } from '../rules/preview-stored.ts';
import { changeRules, type RuleChanges } from '../rules/rule-changes.ts';
import { readSourceRules } from '../rules/source-rules.ts';
import { withWriteLease } from '../write-lock/write-lease.ts';
import { isProcessGone, recordDeadRuns, unexpectedExitReason } from './dead-runs.ts';
import { type HeldDecision, type HeldList, type HeldSelection, HeldSources } from './held-sources.ts';
import { type AddressInput, type RecognizedAddress, recognizeAddress } from './recognize-address.ts';
import { readRejections, type StoredRejections } from './run-report.ts';
import {
  parseSourceConfig,
  type SourceConfigInput,
  type SourceSummary,
  toImportSummary,
  toSourceSummary,
} from './source-config.ts';
import { type ChangeEffect, type SourceChanges, SourceEditor } from './source-editor.ts';
import { type Contribution, SourceHistory, type SourceRunSummary } from './source-history.ts';
import { importPreviewedRecords, previewSource } from './source-preview.ts';
import { SourceSync, type SyncOptions, type SyncReport } from './source-sync.ts';

export type { SyncOptions, SyncReport } from './source-sync.ts';

/** Everything about one source. */
export type SourceDetails = SourceSummary & {
  /** The usual number of records of a complete read; null if it is not known yet. */
  usual_records: number | null;
  held: { waiting: number; rejected: number };
  contribution: Contribution;
  /** The last runs, newest first. */
  runs: SourceRunSummary[];
};

/** Runs in the details of a source. */
const maxShownRuns = 5;

/** Returns the secret options that the environment sets for a source type. */
type SecretSettings = (type: SourceType) => Record<string, string>;
export type SourceRegistryDeps = {
  fetch: GuardedFetch;
  secretSettings: SecretSettings;
  /** Returns why a URL must not be fetched, as far as this is known without a request; null if it may be. */
  blockedHostOf: (address: string) => BlockedHost | null;
};

export class SourceRegistry {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #fetch: GuardedFetch;
  readonly #secretSettings: SecretSettings;
  readonly #blockedHostOf: SourceRegistryDeps['blockedHostOf'];
  readonly #schedules: ScheduleStore;
  readonly #editor: SourceEditor;
  readonly #history: SourceHistory;
  readonly #held: HeldSources;
  readonly #sync: SourceSync;

  constructor(
    sqlite: Database.Database,
    clock: Clock,
    { fetch, secretSettings: keys, blockedHostOf: blocked }: SourceRegistryDeps,
  ) {
    this.#sqlite = sqlite;
    this.#clock = clock;
    this.#fetch = fetch;
    this.#secretSettings = keys;
    this.#blockedHostOf = blocked;
    this.#schedules = new ScheduleStore(sqlite);
    const now = () => clock.now();
    this.#editor = new SourceEditor(sqlite, now);
    this.#history = new SourceHistory(sqlite);
    this.#held = new HeldSources(sqlite, now);
    this.#sync = new SourceSync(sqlite, clock, { fetch, secretSettings: keys });
  }

  /**
   * Adds a source with its rules, which is due at once. Throws a `Failure` if a setting is invalid or the name is taken.
   */
  add(input: SourceConfigInput & { rules?: RuleChanges | undefined }, actor: Actor): SourceSummary {
    return this.#show(this.#find(this.#editor.add(input, actor)));
  }

  /**
   * Changes settings and rules of a source, also of one without a schedule. Imports nothing: the next run does, or
   * `applyRules`.
   */
  async set(
    name: string,
    changes: SourceChanges,
    actor: Actor,
  ): Promise<ChangeEffect & { source: SourceSummary }> {
    const effect = await this.#editor.set(this.#findAny(name), changes, actor);
    return { ...effect, source: this.summary(name) };
  }

  /** Returns what is wrong with each change of settings and rules; empty if all are accepted. Writes nothing. */
  check(name: string, changes: SourceChanges): Failure[] {
    return this.#editor.check(this.#findAny(name), changes);
  }

  /** Pauses a source: the schedule skips it. Returns its summary. */
  pause(name: string, actor: Actor): SourceSummary {
    this.#editor.pause(this.#find(name), actor);
    return this.summary(name);
  }

  /** Resumes a paused source. It runs at once if a run was due meanwhile. */
  resume(name: string, actor: Actor): SourceSummary {
    this.#editor.resume(this.#find(name), actor);
    return this.summary(name);
  }

  /** Describes one source, also one without a schedule. */
  summary(name: string): SourceSummary {
    const row = this.#findAny(name);
    if ('url' in row) return this.#show(row);
    return toImportSummary(row, this.#schedules.countRecords(row.source_id));
  }

  /** Everything about one source. */
  async show(name: string): Promise<SourceDetails> {
    const { source_id: id } = this.#findAny(name);
    const { waiting, rejected } = this.#held.counts(id);
    return {
      ...this.summary(name),
      usual_records: this.#history.usual(id),
      held: { waiting, rejected },
      contribution: await this.#history.contribution(id),
      runs: this.#history.runs(id).slice(0, maxShownRuns),
    };
  }

  /** The last runs of a source, newest first. */
  runs(name: string): SourceRunSummary[] {
    return this.#history.runs(this.#findAny(name).source_id);
  }

  /** The rejected records of the last run, at most 100. */
  rejected(name: string): StoredRejections {
    return readRejections(this.#find(name).last_report);
  }

  /** How many of its records only this source lists. */
  contribution(name: string): Promise<Contribution> {
    return this.#history.contribution(this.#findAny(name).source_id);
  }

  /** What the rules of a source, with these changes, keep and drop of the records that it lists. Writes nothing. */
  async preview(name: string, changes: RuleChanges = {}): Promise<RulesPreview> {
    const row = this.#findAny(name);
    const rules = changeRules(readSourceRules(name, row.rules), changes);
    return await previewRules(this.#sqlite, { id: row.source_id, name }, rules, this.#clock.now());
  }

  /**
   * Reads the start of a source that need not exist, and shows its records as they would be imported. Writes nothing.
   * @returns the records too, for `importPreview` on a copy of the data file
   */
  async previewUrl(
    input: Omit<SourceConfigInput, 'every' | 'trust'> & { rules?: RuleChanges | undefined; maxMs?: number },
  ): ReturnType<typeof previewSource> {
    const { name, type, url, options } = parseSourceConfig(input);
    return await previewSource({
      name,
      type,
      location: url,
      options: { ...options, ...this.#secretSettings(type) },
      rules: changeRules({}, input.rules ?? {}),
      maxMs: input.maxMs,
      fetch: this.#fetch,
      now: this.#clock.now(),
    });
  }

  /**
   * Finds out what source an address is, and reads its first records. Writes nothing. A key of the operator is only
   * sent to the host of its service.
   * @throws Failure if the address cannot be fetched or its service must not be read
   */
  recognize(input: AddressInput): Promise<RecognizedAddress> {
    return recognizeAddress(input, {
      fetch: this.#fetch,
      now: this.#clock.now(),
      secretOptions: (type, url) => (isKeyHost(type, url) ? this.#secretSettings(type) : {}),
      existing: {
        has: (name) => this.#schedules.findAny(name) !== undefined,
        isScheduled: (name) => this.#schedules.find(name) !== undefined,
        nameAt: (type, url) =>
          this.#schedules.all().find((row) => row.type === type && row.url === url)?.name ?? null,
      },
    });
  }

  /** Reads the start of a scheduled source as `previewUrl` does, with its settings and rules and these changes. */
  async previewRead(name: string, changes: RuleChanges = {}): ReturnType<typeof previewSource> {
    const row = this.#find(name);
    const type = row.type as SourceType;
    return await previewSource({
      name,
      type,
      location: row.url,
      options: { ...parseOptions(row), ...this.#secretSettings(type) },
      rules: changeRules(readSourceRules(name, row.rules), changes),
      fetch: this.#fetch,
      now: this.#clock.now(),
    });
  }

  /** Imports the records of a preview. Only for a copy of the data file: this writes. */
  async importPreview(
    { preview, records }: Awaited<ReturnType<typeof previewSource>>,
    { clock, rules = {} }: { clock?: 'local' | undefined; rules?: RuleChanges | undefined },
    options: Pick<SyncOptions, 'onMatched' | 'onWait'>,
  ): Promise<void> {
    const { source, type } = preview;
    const row = this.#schedules.findAny(source);
    await this.#withLease(`a preview of ${source}`, options, () =>
      importPreviewedRecords(this.#sqlite, {
        source,
        type,
        clock: row?.clock ?? clock,
        rules: changeRules(row === undefined ? {} : readSourceRules(source, row.rules), rules),
        records,
        now: this.#clock.now(),
        onMatched: options.onMatched,
      }),
    );
  }

  /** Records of a held source that wait for an editor, or that one rejected. */
  held(name: string, options: { state?: HeldState; limit?: number; offset?: number } = {}): HeldList {
    return this.#held.list(this.#findAny(name), options);
  }

  /** Approves records that wait. `publishApproved` imports them, or the next `sync --due`. */
  approve(name: string, selection: HeldSelection, actor: Actor): Promise<HeldDecision> {
    return this.#held.decide(this.#findAny(name), selection, 'approved', actor);
  }

  /** Rejects records that wait: later runs do not publish them. */
  reject(name: string, selection: HeldSelection, actor: Actor): Promise<HeldDecision> {
    return this.#held.decide(this.#findAny(name), selection, 'rejected', actor);
  }

  /** Imports the approved records of a source, while holding the write lease. Returns null if there are none. */
  publishApproved(
    name: string,
    options: Pick<SyncOptions, 'signal' | 'onWait' | 'onRejected'> = {},
  ): Promise<ImportReport | null> {
    return this.#withLease(`the publication of approved records of ${name}`, options, () =>
      this.#held.publish(this.#findAny(name), options),
    );
  }

  /**
   * Withdraws the records that the patterns of a source exclude by now, without reading the source, and computes again
   * what its new settings concern. Returns the number of withdrawn records.
   */
  async applyRules(
    name: string,
    options: Pick<SyncOptions, 'signal' | 'onWait'> = {},
  ): Promise<{ withdrawn: number; revision: number }> {
    const report = await this.#withLease(`the rules of ${name}`, options, () =>
      importFeed(this.#sqlite, {
        ...sourceOf(this.#findAny(name)),
        now: this.#clock.now(),
        input: emptyInput(),
        signal: options.signal,
      }),
    );
    return { withdrawn: countWithdrawn(report), revision: report.revision };
  }

  /** Returns the private host that blocks a source with the current settings; null if none does or it is unknown. */
  blocked(name: string): BlockedHost | null {
    const { url } = this.#find(name);
    return isHttpUrl(url) ? this.#blockedHostOf(url) : null;
  }

  /** All scheduled sources by name, then sources that have records but no schedule: imported manually, or removed. */
  list(): SourceSummary[] {
    const planned = this.#schedules.all().map((row) => this.#show(row));
    const imported = this.#schedules
      .imports()
      .map((row) => toImportSummary(row, this.#schedules.countRecords(row.source_id)));
    return [...planned, ...imported.filter(({ records }) => records > 0)];
  }

  /**
   * Removes a schedule. The records stay, or are withdrawn as after a complete feed without records.
   * @returns the number of listed and withdrawn records
   */
  async remove(
    name: string,
    { withdraw }: { withdraw: boolean },
    actor: Actor,
  ): Promise<{ name: string; records: number; withdrawn: number }> {
    const row = this.#find(name);
    const records = this.#schedules.countRecords(row.source_id);
    let withdrawn = 0;
    if (withdraw) {
      const report = await this.#withLease(`the removal of ${name}`, {}, () =>
        importFeed(this.#sqlite, {
          ...sourceOf(row),
          now: this.#clock.now(),
          input: emptyInput(),
          complete: true,
          force: true,
          // An operator's removal is no cancellation.
          onMissing: 'remove',
          dropsPast: true,
        }),
      );
      withdrawn = countWithdrawn(report);
    }
    this.#editor.remove(row, actor, { withdrawn });
    return { name: row.name, records, withdrawn };
  }

  /** The names of the sources that are due, longest overdue first. */
  due(): string[] {
    return this.#schedules.due(this.#clock.now()).map(({ name }) => name);
  }

  /**
   * Finishes the work of a killed command or sync, and publishes approved records, while holding the write lease.
   * @param signal stops the work at a committed transaction and throws the abort reason
   */
  async finishInterrupted(signal?: AbortSignal | undefined): Promise<void> {
    for (const name of this.#held.approvedSources()) await this.publishApproved(name, { signal });
    if (!hasStaleRecords(this.#sqlite)) return;
    await this.#withLease('what was left half done', { signal }, async () => {
      // The previous holder of the lease may have finished it.
      if (hasStaleRecords(this.#sqlite)) await finishInterruptedWork(this.#sqlite, this.#clock.now(), signal);
    });
  }

  /** Throws a `Failure` if there is no source of this name. */
  assertExists(name: string): void {
    this.#find(name);
  }

  /** The names of the sources that are not paused. */
  active(): string[] {
    return this.#schedules
      .all()
      .filter(({ paused_ts }) => paused_ts === null)
      .map(({ name }) => name);
  }

  /** The names of all sources. */
  names(): string[] {
    return this.#schedules.all().map(({ name }) => name);
  }

  /** Records runs of this machine whose process died as failures. Returns the names of their sources. */
  recordDeadRuns(): Promise<string[]> {
    return recordDeadRuns(this.#sqlite, this.#clock.now(), (runner) =>
      isProcessGone(runner) ? unexpectedExitReason : null,
    );
  }

  /**
   * Aborts the current run with a failure from elsewhere, such as a socket error; it is reported like any other.
   * @returns false if no source is being read
   */
  interrupt(failure: unknown): boolean {
    return this.#sync.interrupt(failure);
  }

  /**
   * Runs a source while holding the write lease, and schedules its next run. A source that cannot be read is reported,
   * not thrown.
   * @throws Failure if there is no source of this name
   */
  async sync(name: string, options: SyncOptions = {}): Promise<SyncReport> {
    this.#find(name);
    return await this.#withLease(`the sync of ${name}`, options, () =>
      this.#sync.run(() => this.#find(name), options),
    );
  }

  #withLease<T>(what: string, options: SyncOptions, work: () => Promise<T>): Promise<T> {
    return withWriteLease(
      this.#sqlite,
      {
        what,
        wait: true,
        isWatched: options.signal !== undefined,
        onWait: options.onWait,
        signal: options.signal,
      },
      work,
    );
  }

  #find(name: string): ScheduleRow {
    const row = this.#schedules.find(name);
    if (row) return row;
    if (this.#schedules.imports().some((source) => source.name === name)) {
      throw new Failure(`${name} is not scheduled. Schedule it with \`cratebase sources add ${name} …\`.`);
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

  /** Finds a source with or without a schedule. */
  #findAny(name: string): ScheduleRow | UnscheduledSourceRow {
    return this.#schedules.findAny(name) ?? this.#find(name);
  }

  #show(row: ScheduleRow): SourceSummary {
    return toSourceSummary(row, this.#schedules.countRecords(row.source_id));
  }
}

const countWithdrawn = ({ kinds }: ImportReport): number =>
  Object.values(kinds).reduce((sum, kind) => sum + kind.withdrawn, 0);

const sourceOf = ({ name, type, trust, clock }: ScheduleRow | UnscheduledSourceRow) => ({
  source: name,
  type,
  trust,
  clock,
});

const parseOptions = ({ options }: ScheduleRow) => JSON.parse(options) as Record<string, string>;

async function* emptyInput(): AsyncGenerator<Uint8Array> {}
