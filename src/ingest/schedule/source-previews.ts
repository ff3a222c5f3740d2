/** Previews of sources for the registry: of their rules, of an address, and of the start of a scheduled source. */
import type Database from 'better-sqlite3';
import type { Clock } from '../../clock.ts';
import { isKeyHost } from '../../contract/source-formats.ts';
import type { RulesPreview } from '../../contract/source-summaries.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';
import type { SourceType } from '../../sources/adapter.ts';
import { genreCheck } from '../../store/resolution/genre-check.ts';
import { parseOptions, type ScheduleStore } from '../../store/schedule/schedules.ts';
import { previewRules } from '../rules/preview-stored.ts';
import { changeRules, type RuleChanges } from '../rules/rule-changes.ts';
import { parseStoredRules } from '../rules/source-rules.ts';
import { type AddressInput, type RecognizedAddress, recognizeAddress } from './recognize-address.ts';
import { parseSourceConfig, type SourceConfigInput } from './source-config.ts';
import type { SourceLookup } from './source-lookup.ts';
import { importPreviewedRecords, previewSource } from './source-preview.ts';
import type { SyncOptions } from './source-sync.ts';

/** Returns the secret options that the environment sets for a source type. */
export type SecretSettings = (type: SourceType) => Record<string, string>;

/** An address to preview, and the rules for its records. */
export type PreviewInput = Omit<SourceConfigInput, 'every' | 'trust'> & {
  rules?: RuleChanges | undefined;
  maxMs?: number;
};

/** The start of a source: what it looks like, and its records. */
export type SourceStart = Awaited<ReturnType<typeof previewSource>>;

type SourcePreviewsDeps = {
  schedules: ScheduleStore;
  lookup: SourceLookup;
  fetch: GuardedFetch;
  secretSettings: SecretSettings;
};

/** Previews for the registry. Only `import` writes. */
export class SourcePreviews {
  readonly #sqlite: Database.Database;
  readonly #clock: Clock;
  readonly #deps: SourcePreviewsDeps;

  constructor(sqlite: Database.Database, clock: Clock, deps: SourcePreviewsDeps) {
    this.#sqlite = sqlite;
    this.#clock = clock;
    this.#deps = deps;
  }

  /** What the rules of a source, with these changes, keep and drop of the records that it lists. */
  async rules(name: string, changes: RuleChanges = {}): Promise<RulesPreview> {
    const row = this.#deps.lookup.findAny(name);
    const rules = changeRules(parseStoredRules(name, row.rules), changes);
    return await previewRules(this.#sqlite, { id: row.source_id, name }, rules, this.#clock.now());
  }

  /** Reads the start of a source that need not exist. */
  async address(input: PreviewInput): Promise<SourceStart> {
    const { name, type, url, options } = parseSourceConfig(input);
    return await previewSource({
      name,
      type,
      location: url,
      options: { ...options, ...this.#deps.secretSettings(type) },
      rules: changeRules({}, input.rules ?? {}),
      maxMs: input.maxMs,
      fetch: this.#deps.fetch,
      isGenre: genreCheck(this.#sqlite),
      now: this.#clock.now(),
    });
  }

  /** Finds out what source an address is. A key of the operator is only sent to the host of its service. */
  recognize(input: AddressInput): Promise<RecognizedAddress> {
    return recognizeAddress(input, {
      fetch: this.#deps.fetch,
      isGenre: genreCheck(this.#sqlite),
      now: this.#clock.now(),
      secretOptions: (type, url) => (isKeyHost(type, url) ? this.#deps.secretSettings(type) : {}),
      existing: {
        has: (name) => this.#deps.schedules.findAny(name) !== undefined,
        isScheduled: (name) => this.#deps.schedules.find(name) !== undefined,
        nameAt: (type, url) =>
          this.#deps.schedules.all().find((row) => row.type === type && row.url === url)?.name ?? null,
      },
    });
  }

  /** Reads the start of a scheduled source, with its settings and rules and these changes. */
  async read(name: string, changes: RuleChanges = {}): Promise<SourceStart> {
    const row = this.#deps.lookup.find(name);
    const type = row.type as SourceType;
    return await previewSource({
      name,
      type,
      location: row.url,
      options: { ...parseOptions(row.options), ...this.#deps.secretSettings(type) },
      rules: changeRules(parseStoredRules(name, row.rules), changes),
      fetch: this.#deps.fetch,
      isGenre: genreCheck(this.#sqlite),
      now: this.#clock.now(),
    });
  }

  /** Imports the records of a preview, while the caller holds the write lease. */
  async import(
    { preview, records }: SourceStart,
    {
      clock,
      rules = {},
      onMatched,
    }: {
      clock?: 'local' | undefined;
      rules?: RuleChanges | undefined;
      onMatched: SyncOptions['onMatched'];
    },
  ): Promise<void> {
    const { source, type } = preview;
    const row = this.#deps.schedules.findAny(source);
    await importPreviewedRecords(this.#sqlite, {
      source,
      type,
      clock: row?.clock ?? clock,
      rules: changeRules(row === undefined ? {} : parseStoredRules(source, row.rules), rules),
      records,
      now: this.#clock.now(),
      onMatched,
    });
  }
}
