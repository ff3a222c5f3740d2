/** Runs a command of this program in a process of its own, so that long work never delays requests. */
import { once } from 'node:events';
import { constants } from 'node:os';
import { selfCommand } from '../child-process.ts';
import { type LaunchedProcess, launch } from './launch/launch.ts';
import { collectOutput, stopProcess } from './scheduler.ts';

/** What the command printed as JSON, or why it failed. */
export type CommandOutcome<T> = { result: T; error: null } | { result: null; error: string };

/** Runs commands on one data file, one at a time: `stop` ends the command that was started last. */
export class BackgroundCommand {
  readonly #data: string;
  readonly #variables: Readonly<Record<string, string>>;
  #child: LaunchedProcess | null = null;

  /**
   * @param data the data file that the commands work on
   * @param variables are added to the environment
   */
  constructor(data: string, variables: Readonly<Record<string, string>> = {}) {
    this.#data = data;
    this.#variables = variables;
  }

  /** Runs a command with `--json`, with low priority; never rejects. */
  async run<T>(words: readonly string[], failureName: string): Promise<CommandOutcome<T>> {
    const { command, args } = selfCommand();
    const { CRATEBASE_ROLE: _, ...env } = process.env;
    // Requests go first.
    const priority = constants.priority.PRIORITY_LOW;
    const own = [...args, ...words, '--json', '--data', this.#data];
    const child = launch({ command, args: own, env: { ...env, ...this.#variables }, priority });
    child.stdin.end();
    this.#child = child;
    const [out, err] = [collectOutput(child.stdout), collectOutput(child.stderr)];
    try {
      const [status, signal] = (await once(child, 'close')) as [number | null, string | null];
      if (status === 0) return { result: JSON.parse(out()) as T, error: null };
      return { result: null, error: errorOf(err(), failureName, signal ?? `status ${status}`) };
    } catch (failure) {
      return { result: null, error: failure instanceof Error ? failure.message : String(failure) };
    } finally {
      this.#child = null;
    }
  }

  /** Ends a running command. Its remains are removed. */
  async stop(): Promise<void> {
    if (this.#child !== null) await stopProcess(this.#child);
  }
}

/** The last line that the process printed, without its name. */
function errorOf(stderr: string, failureName: string, how: string): string {
  const line = stderr.trim().split('\n').at(-1) ?? '';
  return line === '' ? `${failureName} ended (${how}).` : line.replace(/^cratebase: /, '').slice(0, 500);
}
