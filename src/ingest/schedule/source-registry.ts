/**
 * The registry of scheduled sources (docs/spec/imports.md#sources), used by the commands `sources` and `sync` and by
 * the scheduler of `serve`.
 */
import type {
  Contribution,
  HeldList,
  HeldState,
  ListedSource,
  RulesPreview,
  SourceDetails,
  SourceRunSummary,
  SourceSummary,
  StoredRejections,
} from '../../contract/source-summaries.ts';

export type { ClosedVenueNotice } from '../../contract/source-summaries.ts';

import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import type { Actor } from '../../contract/roles.ts';
import type { Failure } from '../../failure.ts';
import type { BlockedHost } from '../../fetch/blocked-host.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import { isHttpUrl } from '../../sources/common/redact.ts';
import { hasStaleRecords } from '../../store/records/record-marks.ts';
import { parseRejections, ScheduleStore } from '../../store/schedule/schedules.ts';
import { type ImportReport, importFeed } from '../import/import-feed.ts';
import { finishInterruptedWork } from '../process-stale.ts';
import type { RuleChanges } from '../rules/rule-changes.ts';
import { type HeldLease, withWriteLease } from '../write-lock/write-lease.ts';
import { closedVenuesBySource, closedVenuesOf, noClosedVenues } from './closed-venues.ts';
import { isProcessGone, recordDeadRuns, unexpectedExitReason } from './dead-runs.ts';
import { type HeldDecision, type HeldSelection, HeldSources } from './held-sources.ts';
import type { AddressInput, RecognizedAddress } from './recognize-address.ts';
import type { SourceConfigInput } from './source-config.ts';
import { type ChangeEffect, type SourceChanges, SourceEditor } from './source-editor.ts';
import { SourceHistory } from './source-history.ts';
import { SourceLookup } from './source-lookup.ts';
import {
  type PreviewInput,
  type SecretSettings,
  SourcePreviews,
  type SourceStart,
} from './source-previews.ts';
import { SourceSync, type SyncOptions, type SyncReport, sourceOf } from './source-sync.ts';

export type { SyncOptions, SyncReport } from './source-sync.ts';

/** Runs in the details of a source. */
const maxShownRuns = 5;

export type SourceRegistryDeps = {
  fetch: GuardedFetch;
  secretSettings: SecretSettings;
  /** Returns why a URL must not be fetched, as far as this is known without a request; null if it may be. */
  blockedHostOf: (address: string) => BlockedHost | null;
};

/** Adds, changes, runs and removes sources. Changes of records wait for the write lease. */
export class SourceRegistry {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #blockedHostOf: SourceRegistryDeps['blockedHostOf'];
  readonly #schedules: ScheduleStore;
  readonly #lookup: SourceLookup;
  readonly #previews: SourcePreviews;
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
    this.#blockedHostOf = blocked;
    this.#schedules = new ScheduleStore(sqlite);
    this.#lookup = new SourceLookup(this.#schedules);
    this.#previews = new SourcePreviews(sqlite, clock, {
      schedules: this.#schedules,
      lookup: this.#lookup,
      fetch,
      secretSettings: keys,
    });
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
    return this.#lookup.describe(this.#lookup.find(this.#editor.add(input, actor)));
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
    const effect = await this.#editor.set(this.#lookup.findAny(name), changes, actor);
    return { ...effect, source: this.summary(name) };
  }

  /** Returns what is wrong with each change of settings and rules; empty if all are accepted. Writes nothing. */
  check(name: string, changes: SourceChanges): Failure[] {
    return this.#editor.check(this.#lookup.findAny(name), changes);
  }

  /** Pauses a source: the schedule skips it. Returns its summary. */
  pause(name: string, actor: Actor): SourceSummary {
    this.#editor.pause(this.#lookup.find(name), actor);
    return this.summary(name);
  }

  /** Resumes a paused source. It runs at once if a run was due meanwhile. */
  resume(name: string, actor: Actor): SourceSummary {
    this.#editor.resume(this.#lookup.find(name), actor);
    return this.summary(name);
  }

  /** Describes one source, also one without a schedule. */
  summary(name: string): SourceSummary {
    return this.#lookup.summary(name);
  }

  /** Everything about one source. */
  async show(name: string): Promise<SourceDetails> {
    const { source_id: id } = this.#lookup.findAny(name);
    const { waiting, rejected } = this.#held.counts(id);
    return {
      ...this.summary(name),
      closed_venues: closedVenuesOf(this.#sqlite, name, this.#clock.now()),
      usual_records: this.#history.usual(id),
      held: { waiting, rejected },
      contribution: await this.#history.contribution(id),
      runs: this.#history.runs(id).slice(0, maxShownRuns),
    };
  }

  /** The last runs of a source, newest first. */
  runs(name: string): SourceRunSummary[] {
    return this.#history.runs(this.#lookup.findAny(name).source_id);
  }

  /** The rejected records of the last run, at most 100. */
  rejected(name: string): StoredRejections {
    return parseRejections(this.#lookup.find(name).last_report);
  }

  /** How many of its records only this source lists. */
  contribution(name: string): Promise<Contribution> {
    return this.#history.contribution(this.#lookup.findAny(name).source_id);
  }

  /** What the rules of a source, with these changes, keep and drop of the records that it lists. Writes nothing. */
  preview(name: string, changes: RuleChanges = {}): Promise<RulesPreview> {
    return this.#previews.rules(name, changes);
  }

  /**
   * Reads the start of a source that need not exist, and shows its records as they would be imported. Writes nothing.
   * @returns the records too, for `importPreview` on a copy of the data file
   */
  previewUrl(input: PreviewInput): Promise<SourceStart> {
    return this.#previews.address(input);
  }

  /**
   * Finds out what source an address is, and reads its first records. Writes nothing. A key of the operator is only
   * sent to the host of its service.
   * @throws Failure if the address cannot be fetched or its service must not be read
   */
  recognize(input: AddressInput): Promise<RecognizedAddress> {
    return this.#previews.recognize(input);
  }

  /** Reads the start of a scheduled source as `previewUrl` does, with its settings and rules and these changes. */
  previewRead(name: string, changes: RuleChanges = {}): Promise<SourceStart> {
    return this.#previews.read(name, changes);
  }

  /** Imports the records of a preview. Only for a copy of the data file: this writes. */
  async importPreview(
    start: SourceStart,
    settings: { clock?: 'local' | undefined; rules?: RuleChanges | undefined },
    options: Pick<SyncOptions, 'onMatched' | 'onWait'>,
  ): Promise<void> {
    await this.#withLease(`a preview of ${start.preview.source}`, options, () =>
      this.#previews.import(start, { ...settings, onMatched: options.onMatched }),
    );
  }

  /** Records of a held source that wait for an editor, or that one rejected. */
  held(name: string, options: { state?: HeldState; limit?: number; offset?: number } = {}): HeldList {
    return this.#held.list(this.#lookup.findAny(name), options);
  }

  /** Approves records that wait. `publishApproved` imports them, or the next `sync --due`. */
  approve(name: string, selection: HeldSelection, actor: Actor): Promise<HeldDecision> {
    return this.#held.decide(this.#lookup.findAny(name), selection, 'approved', actor);
  }

  /** Rejects records that wait: later runs do not publish them. */
  reject(name: string, selection: HeldSelection, actor: Actor): Promise<HeldDecision> {
    return this.#held.decide(this.#lookup.findAny(name), selection, 'rejected', actor);
  }

  /** Imports the approved records of a source, while holding the write lease. Returns null if there are none. */
  publishApproved(
    name: string,
    options: Pick<SyncOptions, 'signal' | 'isWatched' | 'onWait' | 'onRejected'> = {},
  ): Promise<ImportReport | null> {
    return this.#withLease(`the publication of approved records of ${name}`, options, () =>
      this.#held.publish(this.#lookup.findAny(name), options),
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
        ...sourceOf(this.#lookup.findAny(name)),
        now: this.#clock.now(),
        input: emptyInput(),
        signal: options.signal,
      }),
    );
    return { withdrawn: countWithdrawn(report), revision: report.revision };
  }

  /** Returns the private host that blocks a source with the current settings; null if none does or it is unknown. */
  blocked(name: string): BlockedHost | null {
    const { url } = this.#lookup.find(name);
    return isHttpUrl(url) ? this.#blockedHostOf(url) : null;
  }

  /** All scheduled sources by name, then sources that have records but no schedule: imported manually, or removed. */
  list(): ListedSource[] {
    const closedVenues = closedVenuesBySource(this.#sqlite, this.#clock.now());
    return this.#lookup
      .list()
      .map((source) => ({ ...source, closed_venues: closedVenues.get(source.name) ?? noClosedVenues }));
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
    const row = this.#lookup.find(name, 'remove');
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
    this.#lookup.find(name);
  }

  /** The names of the sources that are not paused. */
  active(): string[] {
    return this.#lookup.active();
  }

  /** The names of the scheduled sources. */
  names(): string[] {
    return this.#lookup.names();
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
    this.#lookup.find(name);
    return await this.#withLease(`the sync of ${name}`, options, (lease) =>
      this.#sync.run(() => this.#lookup.find(name), { ...options, lease }),
    );
  }

  #withLease<T>(what: string, options: SyncOptions, work: (lease: HeldLease) => Promise<T>): Promise<T> {
    return withWriteLease(
      this.#sqlite,
      {
        what,
        wait: true,
        isWatched: options.isWatched ?? options.signal !== undefined,
        onWait: options.onWait,
        signal: options.signal,
      },
      work,
    );
  }
}

const countWithdrawn = ({ kinds }: ImportReport): number =>
  Object.values(kinds).reduce((sum, kind) => sum + kind.withdrawn, 0);

async function* emptyInput(): AsyncGenerator<Uint8Array> {}
