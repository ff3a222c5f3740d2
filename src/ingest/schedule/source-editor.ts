/**
 * Adds sources, changes their settings and rules, and pauses them. Each change and its audit entry are one transaction.
 * Nothing here imports records, so a service may call it.
 */
import type Database from 'better-sqlite3';
import type { Actor } from '../../contract/roles.ts';
import { isKeyHost, keyHostOf } from '../../contract/source-formats.ts';
import { Failure } from '../../failure.ts';
import { shellQuote } from '../../shell-quote.ts';
import type { SourceType } from '../../sources/adapter.ts';
import { isHttpUrl, redactUrl } from '../../sources/common/redact.ts';
import { AuditLog } from '../../store/audit-log.ts';
import { SourceStore } from '../../store/resolution/source-store.ts';
import {
  parseOptions,
  type ScheduleChanges,
  type ScheduleRow,
  ScheduleStore,
  type UnscheduledSourceRow,
} from '../../store/schedule/schedules.ts';
import { changeRules, type RuleChanges, summarizeRules } from '../rules/rule-changes.ts';
import { parseStoredRules, type SourceRules } from '../rules/source-rules.ts';
import { LockRetry } from '../write-lock/lock-retry.ts';
import { formatInterval } from './schedule-times.ts';
import {
  parseClock,
  parseEvery,
  parseLocation,
  parseSourceConfig,
  parseSourceOptions,
  parseTrust,
  publicOptions,
  type SourceConfigInput,
  secretOptionNames,
} from './source-config.ts';

/** New settings and rules as texts. Members that are left out stay. */
export type SourceChanges = RuleChanges & {
  trust?: string | undefined;
  every?: string | undefined;
  url?: string | undefined;
  clock?: string | undefined;
  complete?: boolean | undefined;
  /** Each `name=value`; an empty value removes the option. */
  options?: readonly string[] | undefined;
};

/** What a change means for the records that are stored. */
export type ChangeEffect = {
  /** Names of the settings and rules that changed. */
  changed: string[];
  /** Whether the next run reads every page again, because records may be imported differently. */
  reads_again: boolean;
  /** Whether records that are shown are computed again: the trust, the clock or the credit changed. */
  recomputes: boolean;
};

type AnySource = ScheduleRow | UnscheduledSourceRow;
type Settings = {
  url?: string;
  every?: string;
  complete?: boolean;
  options?: Record<string, string>;
  trust: number;
  clock: string;
} & ReturnType<typeof summarizeRules>;

/** Settings that decide what the next run imports, and settings that responses show. */
const readAgainSettings = [
  'complete',
  'include',
  'exclude',
  'default_city',
  'default_country',
  'default_timezone',
  'default_genres',
  'hold',
  'max_age',
] as const;
const shownSettings = ['trust', 'clock', 'license', 'attribution', 'attribution_url'] as const;

/** Changes the settings of sources for a person, and writes the audit log. */
export class SourceEditor {
  readonly #sqlite: Database.Database;
  readonly #schedules: ScheduleStore;
  readonly #audit: AuditLog;
  readonly #now: () => number;

  /** @param now returns ms since 1970 */
  constructor(sqlite: Database.Database, now: () => number) {
    this.#sqlite = sqlite;
    this.#schedules = new ScheduleStore(sqlite);
    this.#audit = new AuditLog(sqlite);
    this.#now = now;
  }

  /** Adds a source with its rules, due at once. Throws a `Failure` if a setting is invalid or the name is taken. */
  add(input: SourceConfigInput & { rules?: RuleChanges | undefined }, actor: Actor): string {
    const plan = parseSourceConfig(input);
    if (actor.startsWith('account:')) refuseToSendKey(plan.type, plan.url);
    const now = this.#now();
    this.#sqlite
      .transaction(() => {
        if (!this.#schedules.add({ ...plan, nextTs: now }, now))
          throw new Failure(
            `There is a source ${plan.name} already. Change it with \`cratebase sources set\`, or use another name.`,
            1,
            { field: 'name', code: 'taken' },
          );
        const source = this.#schedules.findAny(plan.name) as AnySource;
        const rules = changeRules(parseStoredRules(source.name, source.rules), input.rules ?? {});
        this.#schedules.setSource(source.source_id, { rules: JSON.stringify(rules) });
        const after = settingsOf({ ...source, rules: JSON.stringify(rules) }, rules);
        this.#log('source.add', plan.name, actor, { type: plan.type, after });
      })
      .immediate();
    return plan.name;
  }

  /** Removes a schedule; the source and its records stay. `details` go to the audit log. */
  remove(row: ScheduleRow, actor: Actor, details: Record<string, unknown>): void {
    this.#sqlite
      .transaction(() => {
        this.#schedules.remove(row.source_id);
        const before = { type: row.type, url: redactUrl(row.url), every: formatInterval(row.interval_ms) };
        this.#log('source.remove', row.name, actor, { ...details, before });
      })
      .immediate();
  }

  /** Returns what is wrong with each change, tried one by one; empty if all are accepted. Writes nothing. */
  check(source: AnySource, changes: SourceChanges): Failure[] {
    return Object.entries(changes).flatMap(([name, value]) => {
      try {
        changedSource(source, { [name]: value });
        return [];
      } catch (failure) {
        if (!(failure instanceof Failure)) throw failure;
        return [failure];
      }
    });
  }

  /**
   * Changes settings and rules. Records whose shown values depend on them are marked to be computed again, which the
   * next `sync --due` of the schedule does, or `finishInterrupted`.
   * @throws Failure if a value is invalid, or the source does not exist
   */
  async set(source: AnySource, changes: SourceChanges, actor: Actor): Promise<ChangeEffect> {
    const retry = new LockRetry(this.#sqlite);
    const markStale = () =>
      new SourceStore(this.#sqlite).markRecordsStale(source.source_id, (work) => retry.write(work));
    // Before the change as well: the process may be killed after it.
    if (isShownSetting(changedSettings(source, changedSource(source, changes)))) await markStale();
    const effect = await retry.write(() =>
      this.#sqlite.transaction(() => this.#set(source.name, changes, actor)).immediate(),
    );
    if (effect.recomputes) await markStale();
    return effect;
  }

  #set(name: string, changes: SourceChanges, actor: Actor): ChangeEffect {
    const source = this.#schedules.findAny(name) as AnySource;
    const next = changedSource(source, changes);
    if (actor.startsWith('account:')) {
      refuseToMoveSecrets(source, next.source);
      // A server that the operator chose in the terminal may stay.
      if ('url' in source && 'url' in next.source && originOf(source.url) !== originOf(next.source.url))
        refuseToSendKey(next.source.type, next.source.url);
    }
    const [before, after] = [settingsOf(source, next.oldRules), settingsOf(next.source, next.rules)];
    const changed = changedSettings(source, next);
    // A secret in an address or option is hidden in `after`, so the row itself is compared too.
    const isRewritten = JSON.stringify(source) !== JSON.stringify(next.source);
    if (!isRewritten) return { changed: [], reads_again: false, recomputes: false };
    this.#schedules.setSource(source.source_id, {
      trust: next.source.trust,
      clock: next.source.clock,
      rules: next.source.rules,
    });
    const { isElsewhere, ...schedule } = next.schedule;
    const nextTs = isElsewhere ? { nextTs: this.#now() } : {};
    if ('url' in next.source) this.#schedules.setSchedule(source.source_id, { ...schedule, ...nextTs });
    const readsAgain = isElsewhere === true || readAgainSettings.some((rule) => changed.includes(rule));
    if (readsAgain) this.#schedules.clearPages(name);
    const pick = (settings: Settings) => Object.fromEntries(changed.map((key) => [key, settings[key]]));
    this.#log('source.set', name, actor, { before: pick(before), after: pick(after) });
    return { changed, reads_again: readsAgain, recomputes: isShownSetting(changed) };
  }

  /** Pauses a source: it is read only by hand. Returns false if it was paused already. */
  pause(row: ScheduleRow, actor: Actor): boolean {
    return this.#setPaused(row, this.#now(), 'source.pause', actor);
  }

  /** Resumes a paused source. Returns false if it was not paused. */
  resume(row: ScheduleRow, actor: Actor): boolean {
    return this.#setPaused(row, null, 'source.resume', actor);
  }

  #setPaused(
    { source_id, name }: ScheduleRow,
    pausedTs: number | null,
    action: string,
    actor: Actor,
  ): boolean {
    return this.#sqlite
      .transaction(() => {
        const isPaused = this.#schedules.find(name)?.paused_ts != null;
        if (isPaused === (pausedTs !== null)) return false;
        this.#schedules.setSchedule(source_id, { pausedTs });
        this.#log(action, name, actor, {});
        return true;
      })
      .immediate();
  }

  #log(action: string, subject: string, actor: Actor, details: Record<string, unknown>): void {
    const createdTs = this.#now();
    this.#audit.add({ createdTs, actor, action, subjectKind: 'source', subject, recordId: null, details });
  }
}

/** A source with changes: its row, the changed columns of its schedule, and the rules after and before. */
type ChangedSource = {
  source: AnySource;
  schedule: NewSchedule;
  rules: SourceRules;
  oldRules: SourceRules;
};

/** The names of the settings that differ. */
function changedSettings(source: AnySource, next: ChangedSource): (keyof Settings)[] {
  const [before, after] = [settingsOf(source, next.oldRules), settingsOf(next.source, next.rules)];
  return (Object.keys(after) as (keyof Settings)[]).filter(
    (key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
}

const isShownSetting = (changed: readonly (keyof Settings)[]): boolean =>
  shownSettings.some((key) => changed.includes(key));

/** Computes the row of a source with the changes, and the changed columns of its schedule. */
function changedSource(source: AnySource, changes: SourceChanges): ChangedSource {
  const isReset = changes.unset?.includes('all') === true;
  const oldRules = isReset ? readOrEmpty(source) : parseStoredRules(source.name, source.rules);
  const rules = changeRules(oldRules, changes);
  const common = {
    trust: parseTrust(changes.trust) ?? source.trust,
    clock: parseClock(changes.clock) ?? source.clock,
    rules: JSON.stringify(rules),
  };
  const schedule = 'url' in source ? scheduleChanges(source, changes) : noSchedule(source, changes);
  const next = {
    ...source,
    ...common,
    ...(schedule.url === undefined ? {} : { url: schedule.url }),
    ...(schedule.everyMs === undefined ? {} : { interval_ms: schedule.everyMs }),
    ...(schedule.complete === undefined ? {} : { is_full_feed: schedule.complete ? 1 : 0 }),
    ...(schedule.options === undefined ? {} : { options: JSON.stringify(schedule.options) }),
  } as AnySource;
  return { source: next, schedule, rules, oldRules };
}

/** Refuses to send the secret options of a source to another server: an editor cannot see them, and could read them there. */
function refuseToMoveSecrets(source: AnySource, next: AnySource): void {
  if (!('url' in source && 'url' in next) || originOf(source.url) === originOf(next.url)) return;
  const names = secretOptionNames(next.options);
  if (names.length === 0) return;
  throw new Failure(
    `${source.name} has secret options (${names.join(', ')}), which another server must not get. Change its address in the terminal with \`cratebase sources set ${shellQuote(source.name)} --url URL\`, or remove the source and add it again.`,
    1,
    { field: 'url' },
  );
}

/** Refuses an address of an editor to which the requests would carry the key of the operator. */
function refuseToSendKey(type: string, url: string): void {
  const host = keyHostOf(type);
  if (host === null || isKeyHost(type, url)) return;
  throw new Failure(
    `A source of the type ${type} has an address at https://${host}, because its requests carry the key of the operator. The terminal accepts others.`,
  );
}

/** The server of an address; a path is a place of its own. */
const originOf = (url: string): string => (isHttpUrl(url) && URL.canParse(url) ? new URL(url).origin : url);

function readOrEmpty({ name, rules }: AnySource): SourceRules {
  try {
    return parseStoredRules(name, rules);
  } catch {
    return {};
  }
}

function noSchedule({ name }: AnySource, { url, every, complete, options }: SourceChanges): NewSchedule {
  if (url === undefined && every === undefined && complete === undefined && options === undefined) return {};
  throw new Failure(
    `${name} is imported by hand, so it has no address and no interval. Schedule it with \`cratebase sources add\`.`,
  );
}

/** `isElsewhere`: another place is read from now on, so the source is due at once. */
type NewSchedule = ScheduleChanges & { isElsewhere?: boolean };

function scheduleChanges(row: ScheduleRow, changes: SourceChanges): NewSchedule {
  const schedule: NewSchedule = {};
  if (changes.url !== undefined) schedule.url = parseLocation(changes.url);
  if (changes.every !== undefined) schedule.everyMs = parseEvery(changes.every);
  if (changes.complete !== undefined) schedule.complete = changes.complete;
  if (changes.options !== undefined) {
    const options = {
      ...parseOptions(row.options),
      ...parseSourceOptions(row.type as SourceType, changes.options),
    };
    schedule.options = Object.fromEntries(Object.entries(options).filter(([, value]) => value !== ''));
  }
  const isOther =
    (schedule.url !== undefined && schedule.url !== row.url) ||
    (schedule.options !== undefined && JSON.stringify(schedule.options) !== row.options);
  if (isOther) schedule.isElsewhere = true;
  else if (schedule.everyMs !== undefined)
    schedule.latestNextTs = (row.last_success_ts ?? row.next_ts - row.interval_ms) + schedule.everyMs;
  return schedule;
}

/** The settings of a source without secrets, for the audit log. */
function settingsOf(source: AnySource, rules: SourceRules): Settings {
  const common = { trust: source.trust, clock: source.clock, ...summarizeRules(rules) };
  if (!('url' in source)) return common;
  return {
    url: isHttpUrl(source.url) ? redactUrl(source.url) : source.url,
    every: formatInterval(source.interval_ms),
    complete: source.is_full_feed === 1,
    options: publicOptions(source.options),
    ...common,
  };
}
