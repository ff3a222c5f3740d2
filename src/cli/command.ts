/** What all commands share: the settings as options, examples, the data file, one JSON document or a text. */
import { type Command, Option } from 'commander';
import type { App } from '../app.ts';
import type { Clock } from '../clock.ts';
import { type Flags, localUrl, readSettings } from '../config.ts';
import { Interrupted } from '../failure.ts';
import { type SettingName, settings } from '../settings.ts';
import { print } from './output/terminal.ts';

/** A setting as an option of commander; its value stays a text until the configuration reads it. */
export function settingOption(name: SettingName): Option {
  const { flags, description, fallback, env, shape } = settings[name];
  const known = shape === 'value' && fallback !== null ? ` (default: ${fallback})` : '';
  const text = `${description}${known}`;
  // One pair of brackets for both.
  return new Option(
    flags,
    text.endsWith(')') ? `${text.slice(0, -1)}, env: ${env})` : `${text} (env: ${env})`,
  );
}

/** The options given to a command, by the name of the setting. */
export function flagsOf(command: Command): Flags {
  const { sync, samples, ...given } = command.optsWithGlobals<{ sync?: boolean; samples?: boolean }>();
  // Commander reads `--no-sync` as "sync is false".
  return {
    ...given,
    ...(sync === false ? { noSync: true } : {}),
    ...(samples === false ? { noSamples: true } : {}),
  };
}

type CommandExamples = readonly (readonly [line: string, meaning: string])[];
const examples = new WeakMap<Command, CommandExamples>();
/** The examples of a command, for whoever tells of it elsewhere than in --help. */
export const examplesOf = (command: Command): CommandExamples => examples.get(command) ?? [];

/** Examples at the end of a command's --help. */
export function addExamples(command: Command, entries: CommandExamples): void {
  examples.set(command, entries);
  const width = Math.max(...entries.map(([line]) => line.length)) + 2;
  const lines = entries.map(([line, meaning]) => `  $ ${line.padEnd(width)}${meaning}`.trimEnd());
  command.addHelpText('after', `\nExamples:\n${lines.join('\n')}`);
}

/** A word in single quotes, for any shell. */
export const singleQuote = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** A word as a person types it in a shell: quoted if it needs to be. */
export const shellQuote = (word: string): string => (/^[\w./:@-]+$/.test(word) ? word : singleQuote(word));

/** A command to type next, on the same data file. */
export function followUpCommand(command: Command, words: string): string {
  const { data } = flagsOf(command);
  const path = typeof data === 'string' ? ` --data ${shellQuote(data)}` : '';
  return `cratebase ${words}${path}`;
}

export const wantsJson = (command: Command): boolean => command.optsWithGlobals().json === true;

/** Prints a result: as the one JSON document, or as a text for people. */
export function printResult(command: Command, value: unknown, text: () => string): void {
  if (wantsJson(command)) print(JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0));
  else {
    const shown = text();
    if (shown !== '') print(shown);
  }
}

export const dataPath = (command: Command): string =>
  readSettings(['data'], flagsOf(command), process.env).data;

/** Who the service is to those it fetches from, and which private addresses it may fetch from. */
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
};

/** Runs `useSession` on the opened data file, and closes it. All that is heavy is loaded here and not before. */
export async function withApp<T>(
  command: Command,
  options: WithAppOptions,
  use: (app: App) => T | Promise<T>,
): Promise<T> {
  const { data = dataPath(command), create = false, readOnly = false, ...rest } = options;
  const { openApp, describeReadError } = await import('../app.ts');
  exitOnSignals();
  const app = openApp({ data, create, readOnly, ...rest });
  try {
    try {
      return await use(app);
    } finally {
      app.close();
    }
  } catch (failure) {
    // A full disk, a file that others hold: no surprise, and there is something to be done.
    throw describeReadError(failure, data);
  }
}

const signals = ['SIGINT', 'SIGTERM'] as const;
type Signal = (typeof signals)[number];
/** What a signal does at present; null where this module listens to none. */
let onSignal: ((signal: Signal) => void) | null = null;

/**
 * Decides what a signal does from now on. There is one listener, for good: one that took the place of another could lose a
 * signal that came before.
 */
function handleSignals(action: (signal: Signal) => void): void {
  const isFirst = onSignal === null;
  onSignal = action;
  if (isFirst) for (const signal of signals) process.on(signal, () => onSignal?.(signal));
}

/** Lets a command that is interrupted put away what it has begun; what it committed stays. */
export function exitOnSignals(): void {
  // `createServer` has listeners of its own.
  if (onSignal === null && signals.every((signal) => process.listenerCount(signal) === 0))
    handleSignals((signal) => process.exit(new Interrupted(signal).exitStatus));
}

/** How long the work has to end at a committed batch, ms, before its process does. */
const shutdownGraceMs = 1_800;

/**
 * The same for work that is to say what it committed: the first signal aborts with an `Interrupted`; whatever goes on
 * then is ended with the process, as it is by a second one.
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

/** Under which address a record's page is told to lie. */
export const configuredBaseUrl = (command: Command): string => {
  const given = readSettings(['baseUrl', 'host', 'port'], flagsOf(command), process.env);
  return given.baseUrl ?? localUrl(given.host, given.port);
};
