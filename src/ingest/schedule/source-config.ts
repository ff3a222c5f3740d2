/** Validates source settings and describes sources without their secrets. */

import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { dayMs } from '../../clock.ts';
import type { SourceSummary } from '../../contract/source-summaries.ts';
import { Failure } from '../../failure.ts';
import { adapterOptions, type SourceType, sourceTypes } from '../../sources/adapter.ts';
import { isHttpUrl, redactUrl } from '../../sources/common/redact.ts';
import {
  parseOptions,
  parseRejections,
  type ScheduleRow,
  type UnscheduledSourceRow,
} from '../../store/schedule/schedules.ts';
import { summarizeRules } from '../rules/rule-changes.ts';
import { parseStoredRules } from '../rules/source-rules.ts';
import { formatInterval, parseInterval } from './schedule-times.ts';

/** The settings of a source as text, as given to `sources add`. */
export type SourceConfigInput = {
  name: string;
  type: string;
  url: string;
  trust?: string | undefined;
  every?: string | undefined;
  clock?: string | undefined;
  complete?: boolean | undefined;
  /** Each `name=value`. */
  options?: readonly string[] | undefined;
};

export const maxTrust = 100;
const clocks = ['instant', 'local'] as const;

const usageError = (message: string, field: string): Failure => new Failure(message, 2, { field });

/** Parses a source name. Throws a `Failure` (usage error); `label` names the value in messages. */
export function parseSourceName(text: string, label = 'The name of a source'): string {
  if (!/^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text) || text.trim() === '') {
    throw usageError(`${label} has at most 100 characters on one line.`, 'name');
  }
  return text.trim();
}

/** Names of new sources are typed in commands and used in file names and URLs. */
function readNewSourceName(text: string): string {
  const name = parseSourceName(text);
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._&'+()-]*$/u.test(name)) {
    throw usageError(
      `The name of a source has letters, digits, spaces and the characters . _ & ' + ( ) -, and begins with a letter or digit; ${JSON.stringify(text)} does not.`,
      'name',
    );
  }
  if (name === starterName) throw new Failure(starterIsTaken, 2, { field: 'name', code: 'taken' });
  if (name === editorsSourceName) throw new Failure(editorsIsTaken, 2, { field: 'name', code: 'taken' });
  return name;
}

/** The source name of the built-in catalogue. */
export const starterName = 'starter';
export const starterIsTaken =
  'starter is the name of the built-in starter catalogue: records of another source would be taken for its own. Choose another name.';

/** The source of records that people write by hand (`cratebase add`), and its type. */
export const editorsSourceName = 'editors';
export const editorsSourceType = 'manual';
export const editorsIsTaken =
  'editors is the name of the source of records that people add by hand (`cratebase add`). Choose another name.';

/** Parses a source type. Throws a `Failure` (usage error) that lists all. */
export function parseSourceType(text: string): SourceType {
  const type = sourceTypes.find((name) => name === text);
  if (type) return type;
  throw usageError(`--type is ${joinList(sourceTypes)}, not ${JSON.stringify(text)}.`, 'type');
}

/** Parses a trust from 0 to 100; null if none is given. Throws a `Failure` (usage error). */
export function parseTrust(text: string | undefined): number | null {
  if (text === undefined) return null;
  const trust = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (trust <= maxTrust) return trust;
  throw usageError(`--trust is a whole number from 0 to ${maxTrust}, not ${JSON.stringify(text)}.`, 'trust');
}

/** Parses how a source writes times; null if none is given. Throws a `Failure` (usage error). */
export function parseClock(text: string | undefined): 'instant' | 'local' | null {
  if (text === undefined) return null;
  const clock = clocks.find((name) => name === text);
  if (clock) return clock;
  throw usageError(`--clock is ${joinList(clocks)}, not ${JSON.stringify(text)}.`, 'clock');
}

/**
 * Parses `name=value` options of a source type; the last one wins. Throws a `Failure` (usage error) that lists the
 * valid names.
 */
export function parseSourceOptions(type: SourceType, pairs: readonly string[] = []): Record<string, string> {
  const options: Record<string, string> = {};
  for (const text of pairs) {
    const [, name, value] = /^([a-z][a-z0-9-]{0,49})=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined || value.length > 1_000) {
      throw usageError(
        `--option is name=value, such as country=DE, not ${JSON.stringify(text.slice(0, 100))}.`,
        'options',
      );
    }
    if (!adapterOptions[type].includes(name)) throw unknownOptionError(type, name);
    options[name] = value;
  }
  return options;
}

function unknownOptionError(type: SourceType, name: string): Failure {
  const names = adapterOptions[type];
  const there = names.length === 0 ? 'none' : names.length === 1 ? names[0] : joinList(names, 'and');
  return usageError(`A source of type ${type} has no option ${name}; it has ${there}.`, 'options');
}

export type SourceConfig = {
  name: string;
  type: SourceType;
  url: string;
  trust: number | null;
  clock: 'instant' | 'local' | null;
  everyMs: number;
  complete: boolean;
  options: Record<string, string>;
};

/** Parses source settings. Throws a `Failure` (usage error) that says what is accepted. */
export function parseSourceConfig(input: SourceConfigInput): SourceConfig {
  const everyMs = input.every === undefined ? dayMs : parseEvery(input.every);
  const type = parseSourceType(input.type);
  return {
    name: readNewSourceName(input.name),
    type,
    url: parseLocation(input.url),
    trust: parseTrust(input.trust),
    clock: parseClock(input.clock),
    everyMs,
    complete: input.complete === true,
    options: parseSourceOptions(type, input.options),
  };
}

/** Parses the interval of a source. Throws a `Failure` (wrong usage). */
export function parseEvery(text: string): number {
  const everyMs = parseInterval(text);
  if (everyMs !== null) return everyMs;
  throw usageError(
    `--every is a span from 5m to 31d, such as 90m, 12h or 7d, not ${JSON.stringify(text)}.`,
    'every',
  );
}

/**
 * Resolves a location: http and https URLs unchanged, `webcal:` as its http equivalent, files and folders as absolute
 * paths, so that they work from any working directory.
 */
export function parseLocation(location: string): string {
  const text = location.replace(/^webcals?:\/\//i, 'https://');
  if (isHttpUrl(text)) {
    if (URL.canParse(text)) return text;
    throw usageError(`--url is not an address: ${redactUrl(text)}`, 'url');
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw usageError(`--url is an http or https address, a file or a folder, not ${redactUrl(text)}`, 'url');
  }
  if (existsSync(text)) return resolve(text);
  throw usageError(`There is no file or folder ${text}. An address begins with http:// or https://.`, 'url');
}

/** Describes a scheduled source. `records` is the number of records that it lists. */
export function toSourceSummary(row: ScheduleRow, records: number): SourceSummary {
  return {
    name: row.name,
    type: row.type,
    scheduled: true,
    url: redactUrl(row.url),
    trust: row.trust,
    clock: row.clock,
    every: formatInterval(row.interval_ms),
    complete: row.is_full_feed === 1,
    options: publicOptions(row.options),
    records,
    last_run_at: toIsoTime(row.last_run_ts),
    last_success_at: toIsoTime(row.last_success_ts),
    next_run_at: row.paused_ts === null ? toIsoTime(row.next_ts) : null,
    paused_at: toIsoTime(row.paused_ts),
    failures: row.failures,
    last_error: row.last_error,
    ...parseRejections(row.last_report),
    rules: summarizeRules(parseStoredRules(row.name, row.rules)),
  };
}

/** Describes a source without a schedule. */
export function toImportSummary(row: UnscheduledSourceRow, records: number): SourceSummary {
  const { name, type, trust, clock, last_run_ts: last } = row;
  return {
    ...{ name, type, scheduled: false, url: null, trust, clock, every: null, complete: false, options: {} },
    ...{ records, last_run_at: toIsoTime(last), last_success_at: null, next_run_at: null },
    ...{ paused_at: null, failures: 0, last_error: null, rejected_count: 0, rejected: [] },
    rules: summarizeRules(parseStoredRules(name, row.rules)),
  };
}

/** The options of a source (a JSON object) with hidden secrets. */
export function publicOptions(options: string): Record<string, string> {
  const entries = Object.entries(parseOptions(options));
  return Object.fromEntries(entries.map(([name, value]) => [name, secretName.test(name) ? redacted : value]));
}

/** The names of the options (a JSON object) that are secret. */
export const secretOptionNames = (options: string): string[] =>
  Object.keys(parseOptions(options)).filter((name) => secretName.test(name));

const redacted = '(hidden)';
const secretName = /key|token|secret|pass|auth|sig/i;
const toIsoTime = (ts: number | null): string | null => (ts === null ? null : new Date(ts).toISOString());

/** The secret values in a URL or options, which must not appear in messages. */
export function secretValues(url: string, options: Readonly<Record<string, string>>): string[] {
  const secretOptions = Object.entries(options).filter(([name]) => secretName.test(name));
  if (isHttpUrl(url) && URL.canParse(url)) {
    const { searchParams, password } = new URL(url);
    secretOptions.push(...[...searchParams].filter(([name]) => secretName.test(name)), [
      'password',
      password,
    ]);
  }
  return secretOptions.map(([, value]) => value).filter((value) => value.length > 3);
}

const joinList = (names: readonly string[], last = 'or'): string =>
  `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
