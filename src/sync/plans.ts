/** What sources are set to, and how they are told of without what is secret about them. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Failure } from '../failure.ts';
import type { ImportRow, ScheduleRow } from '../store/schedules.ts';
import type { Rejected } from './import.ts';
import { readFaults } from './kept-report.ts';
import { type SourceType, sourceTypes } from './sources/adapter.ts';
import { isAddress, shown } from './sources/open.ts';
import { optionsOf } from './sources/type-options.ts';
import { dayMs, readEvery, writeEvery } from './timing.ts';

/** A source as the operator gives it (`sources add`), each part as a text. */
export type GivenPlan = {
  name: string;
  type: string;
  url: string;
  trust?: string | undefined;
  every?: string | undefined;
  clock?: string | undefined;
  complete?: boolean | undefined;
  /** `name=value`, each. */
  options?: readonly string[] | undefined;
};

/** A source as it is told of; times are ISO 8601, UTC. */
export type ShownSource = {
  name: string;
  type: string;
  /** False for what was imported by hand or removed: it is not read by `serve` or `sync`, and `url`, `every` and `next_run_at` are null. */
  scheduled: boolean;
  /** Without keys and passwords. */
  url: string | null;
  trust: number;
  clock: 'instant' | 'local';
  every: string | null;
  complete: boolean;
  options: Record<string, string>;
  /** How many records it lists at present. */
  records: number;
  last_run_at: string | null;
  last_success_at: string | null;
  next_run_at: string | null;
  /** How often it failed since. */
  failures: number;
  last_error: string | null;
  /** How many records were rejected when it was last read, and the first of them. */
  rejected_count: number;
  rejected: Rejected[];
};

export const mostTrust = 100;
const clocks = ['instant', 'local'] as const;

const wrong = (message: string): Failure => new Failure(message, 2);

/** A source's name, trimmed; `called` is what a complaint calls it. Throws a `Failure` (wrong usage). */
export function readSourceName(text: string, called = 'The name of a source'): string {
  if (!/^[^\p{Cc}\p{Zl}\p{Zp}]{1,100}$/u.test(text) || text.trim() === '') {
    throw wrong(`${called} has at most 100 characters on one line.`);
  }
  return text.trim();
}

/** Of a source that is added: it is typed in commands, and stands in file names and addresses. */
function readNewSourceName(text: string): string {
  const name = readSourceName(text);
  if (!/^[\p{L}\p{N}][\p{L}\p{M}\p{N} ._&'+()-]*$/u.test(name)) {
    throw wrong(
      `The name of a source has letters, digits, spaces and the characters . _ & ' + ( ) -, and begins with a letter or digit; ${JSON.stringify(text)} does not.`,
    );
  }
  if (name === starterName) throw wrong(starterIsTaken);
  return name;
}

/** Of the source that the built-in catalogue comes from. */
export const starterName = 'starter';
export const starterIsTaken =
  'starter is the name of the built-in starter catalogue: records of another source would be taken for its own. Choose another name.';

export function readSourceType(text: string): SourceType {
  const type = sourceTypes.find((name) => name === text);
  if (type) return type;
  throw wrong(`--type is ${listed(sourceTypes)}, not ${JSON.stringify(text)}.`);
}

export function readTrust(text: string | undefined): number | null {
  if (text === undefined) return null;
  const trust = /^\d{1,3}$/.test(text) ? Number(text) : Number.NaN;
  if (trust <= mostTrust) return trust;
  throw wrong(`--trust is a whole number from 0 to ${mostTrust}, not ${JSON.stringify(text)}.`);
}

export function readClock(text: string | undefined): 'instant' | 'local' | null {
  if (text === undefined) return null;
  const clock = clocks.find((name) => name === text);
  if (clock) return clock;
  throw wrong(`--clock is ${listed(clocks)}, not ${JSON.stringify(text)}.`);
}

/** `name=value` pairs that a type knows; a later one wins. Throws a `Failure` (wrong usage) that says which there are. */
export function readOptions(type: SourceType, given: readonly string[] = []): Record<string, string> {
  const options: Record<string, string> = {};
  for (const text of given) {
    const [, name, value] = /^([a-z][a-z0-9-]{0,49})=(.*)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined || value.length > 1_000) {
      throw wrong(`--option is name=value, such as country=DE, not ${JSON.stringify(text.slice(0, 100))}.`);
    }
    if (!optionsOf[type].includes(name)) throw unknownOption(type, name);
    options[name] = value;
  }
  return options;
}

function unknownOption(type: SourceType, name: string): Failure {
  const known = optionsOf[type];
  const there = known.length === 0 ? 'none' : known.length === 1 ? known[0] : listed(known, 'and');
  return wrong(`A source of type ${type} has no option ${name}; it has ${there}.`);
}

export type Plan = {
  name: string;
  type: SourceType;
  url: string;
  trust: number | null;
  clock: 'instant' | 'local' | null;
  everyMs: number;
  complete: boolean;
  options: Record<string, string>;
};

/** What the operator gave, read; throws a `Failure` (wrong usage) that says what is accepted. */
export function readPlan(given: GivenPlan): Plan {
  const everyMs = given.every === undefined ? dayMs : readEvery(given.every);
  if (everyMs === null) {
    throw wrong(
      `--every is a span from 5m to 31d, such as 90m, 12h or 7d, not ${JSON.stringify(given.every)}.`,
    );
  }
  const type = readSourceType(given.type);
  return {
    name: readNewSourceName(given.name),
    type,
    url: readLocation(given.url),
    trust: readTrust(given.trust),
    clock: readClock(given.clock),
    everyMs,
    complete: given.complete === true,
    options: readOptions(type, given.options),
  };
}

/** An http or https address as it stands, `webcal:` as what it stands for; of a file or folder its whole path, so that it holds wherever `serve` runs. */
function readLocation(given: string): string {
  const text = given.replace(/^webcals?:\/\//i, 'https://');
  if (isAddress(text)) {
    if (URL.canParse(text)) return text;
    throw wrong(`--url is not an address: ${shown(text)}`);
  }
  if (/^[a-z][a-z0-9+.-]+:\/\//i.test(text)) {
    throw wrong(`--url is an http or https address, a file or a folder, not ${shown(text)}`);
  }
  if (existsSync(text)) return resolve(text);
  throw wrong(`There is no file or folder ${text}. An address begins with http:// or https://.`);
}

/** A source on file as it is told of. */
export function showSource(row: ScheduleRow, records: number): ShownSource {
  const options = Object.entries(JSON.parse(row.options) as Record<string, string>);
  return {
    name: row.name,
    type: row.type,
    scheduled: true,
    url: shown(row.url),
    trust: row.trust,
    clock: row.clock,
    every: writeEvery(row.every_ms),
    complete: row.complete === 1,
    options: Object.fromEntries(
      options.map(([name, value]) => [name, secretName.test(name) ? hidden : value]),
    ),
    records,
    last_run_at: stamp(row.last_run_ts),
    last_success_at: stamp(row.ok_ts),
    next_run_at: stamp(row.next_ts),
    failures: row.failures,
    last_error: row.error,
    ...readFaults(row.report),
  };
}

/** What was imported by hand, as it is told of. */
export function showImport(row: ImportRow, records: number): ShownSource {
  const { name, type, trust, clock, last_run_ts: last } = row;
  return {
    ...{ name, type, scheduled: false, url: null, trust, clock, every: null, complete: false, options: {} },
    ...{ records, last_run_at: stamp(last), last_success_at: null, next_run_at: null },
    ...{ failures: 0, last_error: null, rejected_count: 0, rejected: [] },
  };
}

const hidden = '(hidden)';
const secretName = /key|token|secret|pass|auth|sig/i;
const stamp = (ts: number | null): string | null => (ts === null ? null : new Date(ts).toISOString());

/** The values in an address or in options that must not appear in a message. */
export function secretsOf(url: string, options: Readonly<Record<string, string>>): string[] {
  const found = Object.entries(options).filter(([name]) => secretName.test(name));
  if (isAddress(url) && URL.canParse(url)) {
    const { searchParams, password } = new URL(url);
    found.push(...[...searchParams].filter(([name]) => secretName.test(name)), ['password', password]);
  }
  return found.map(([, value]) => value).filter((value) => value.length > 3);
}

const listed = (names: readonly string[], last = 'or'): string =>
  `${names.slice(0, -1).join(', ')} ${last} ${names.at(-1)}`;
