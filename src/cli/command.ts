/** Helpers of all commands: settings as options, examples, the data file, output as JSON or text, signals. */
import { type Command, Option } from 'commander';
import type { App, ClusterAddressParts } from '../app.ts';
import type { Clock } from '../clock.ts';
import { type Flags, localUrl, readSettings } from '../config.ts';
import { Failure, Interrupted } from '../failure.ts';
import { type SettingName, settings } from '../settings.ts';
import { shellQuote } from '../shell-quote.ts';
import { print, printJson } from './output/terminal.ts';

export { shellQuote, singleQuote } from '../shell-quote.ts';

/** Returns a setting as an option of commander. The configuration parses its value. */
export function settingOption(name: SettingName): Option {
  const { flags, description, fallback, env, shape } = settings[name];
  const defaultNote = shape === 'value' && fallback !== null ? ` (default: ${fallback})` : '';
  const text = `${description}${defaultNote}`;
  // Default and variable share a pair of brackets.
  return new Option(
    flags,
    text.endsWith(')') ? `${text.slice(0, -1)}, env: ${env})` : `${text} (env: ${env})`,
  );
}

/** Returns the options of a command line, by the name of the setting. */
export function flagsOf(command: Command): Flags {
  const { sync, samples, ...options } = command.optsWithGlobals<{ sync?: boolean; samples?: boolean }>();
  // Commander parses `--no-sync` as `sync: false`.
  return {
    ...options,
    ...(sync === false ? { noSync: true } : {}),
    ...(samples === undefined ? {} : samples ? { samples } : { noSamples: true }),
  };
}

type CommandExamples = readonly (readonly [line: string, meaning: string])[];
const examples = new WeakMap<Command, CommandExamples>();
/** Returns the examples of a command, for the manual page and the guides. */
export const examplesOf = (command: Command): CommandExamples => examples.get(command) ?? [];

/** Adds examples to the end of a command's --help. */
export function addExamples(command: Command, entries: CommandExamples): void {
  examples.set(command, entries);
  const width = Math.max(...entries.map(([line]) => line.length)) + 2;
  const lines = entries.map(([line, meaning]) => `  $ ${line.padEnd(width)}${meaning}`.trimEnd());
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** Returns a command line for the same data file. */
export function followUpCommand(command: Command, words: string): string {
  const { data, cluster, clusterCa, objects } = flagsOf(command);
  const values = {
    cluster,
    'cluster-ca': clusterCa,
    objects,
    data: replacedPath === null ? data : replacedPath.data,
  };
  const options = Object.entries(values).map(([name, value]) =>
    typeof value === 'string' ? ` --${name} ${shellQuote(value)}` : '',
  );
  return `cratebase ${words}${options.join('')}`;
}

/** Whether `--json` was given: the result then is one JSON document on standard output. */
export const wantsJson = (command: Command): boolean => command.optsWithGlobals().json === true;

/** Prints the result of a command: `value` with --json, otherwise `text`. */
export function printResult(command: Command, value: unknown, text: () => string): void {
  if (wantsJson(command)) printJson(value, process.stdout.isTTY ? 2 : 0);
  else {
    const result = text();
    if (result !== '') print(result);
  }
}

/** Returns the path of the data file: `--data`, `CRATEBASE_DATA`, or `./cratebase.db`. */
export const dataPath = (command: Command): string =>
  readSettings(['data'], flagsOf(command), process.env).data;

/** Reads the settings of fetching: the address for the user agent, and the private addresses that are allowed. */
export const readFetchConfig = (
  command: Command,
): { baseUrl: string | null; fetchAllow: readonly string[] } =>
  readSettings(['baseUrl', 'fetchAllow'], flagsOf(command), process.env);

export type WithAppOptions = {
  create?: boolean;
  readOnly?: boolean;
  anySchema?: boolean;
  data?: string;
  clock?: Clock;
  cluster?: ClusterAddressParts | null;
};

/** The copy of a cluster's catalogue that this process reads: what is written to it would be lost. */
let copyForReading: string | null = null;
/** What `--data` was before a copy replaced it; null: it is as it was given. */
let replacedPath: { data: unknown } | null = null;

/** Makes the command read a copy of the catalogue of a cluster. */
export function readCopy(program: Command, path: string): void {
  copyForReading = path;
  useCopy(program, path);
}

/** Lets commands use a copy of the catalogue of a cluster instead of the file or folder that `--data` names. */
export function useCopy(program: Command, path: string): void {
  replacedPath = { data: program.opts().data };
  program.setOptionValue('data', path);
}

/** Opens the data file, runs `use` on it, and closes it. Heavy modules are loaded here, so that --help is fast. */
export async function withApp<T>(
  command: Command,
  options: WithAppOptions,
  use: (app: App) => T | Promise<T>,
): Promise<T> {
  const { data = dataPath(command), create = false, ...rest } = options;
  const readOnly = options.readOnly === true || data === copyForReading;
  const { openApp, describeReadError, lostFileMessage } = await import('../app.ts');
  exitOnSignals();
  const app = openApp({ ...rest, data, create, readOnly });
  /** Throws if the file was lost or its log cut off under the command, which may have written to it in vain. */
  const refuseLostFile = () => {
    const { fault } = app.file.state;
    if (fault !== 'missing' && fault !== 'replaced' && fault !== 'cut_log') return;
    app.file.abandon();
    throw new Failure(lostFileMessage(fault, data));
  };
  let result: T;
  try {
    try {
      result = await use(app);
    } finally {
      app.close();
    }
  } catch (failure) {
    refuseLostFile();
    // A full disk or a locked file becomes a `Failure` with advice.
    throw describeReadError(failure, data);
  }
  refuseLostFile();
  return result;
}

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];
/** The current action of a signal; null: this module does not listen yet. */
let onSignal: ((signal: Signal) => void) | null = null;

/**
 * Sets the action of SIGINT and SIGTERM. The listener is added once and stays: a signal that comes while one listener
 * replaces another would be lost.
 */
function handleSignals(action: (signal: Signal) => void): void {
  const isFirst = onSignal === null;
  onSignal = action;
  if (isFirst) for (const signal of signals) process.on(signal, () => onSignal?.(signal));
}

/** Ends the process on a signal by `process.exit`, which runs the exit handlers. Committed work stays. */
export function exitOnSignals(): void {
  // `serve` has its own listeners.
  if (onSignal === null && signals.every((signal) => process.listenerCount(signal) === 0))
    handleSignals((signal) => process.exit(new Interrupted(signal).exitStatus));
}

/** Time to reach the end of a batch after the first signal, ms. */
const shutdownGraceMs = 1_800;

/**
 * Returns a signal for work that reports what it committed. The first SIGINT or SIGTERM aborts it with an
 * `Interrupted`; a second one, or `shutdownGraceMs`, ends the process.
 */
export function abortOnSignals(): AbortSignal {
  const controller = new AbortController();
  handleSignals((signal) => {
    const interrupted = new Interrupted(signal);
    if (controller.signal.aborted) process.exit(interrupted.exitStatus);
    setTimeout(() => process.exit(interrupted.exitStatus), shutdownGraceMs).unref();
    controller.abort(interrupted);
  });
  return controller.signal;
}

/** Returns the base address of record pages by the settings of this command. */
export const configuredBaseUrl = (command: Command): string => {
  const { baseUrl, host, port } = readSettings(['baseUrl', 'host', 'port'], flagsOf(command), process.env);
  return baseUrl ?? localUrl(host, port);
};
