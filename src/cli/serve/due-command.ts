/**
 * Runs a command of this program whenever it is due: scheduled backups and exports. The command runs in a process of its
 * own. Other services may share the folder of its results: the command then skips, and says when to come back.
 */
import { formatDuration, isWaiting } from '../../clock.ts';
import { describeFailure, type Log } from '../../log.ts';
import type { BackgroundCommand, CommandOutcome } from './background-command.ts';
import type { Scheduler } from './scheduler.ts';

const pollIntervalMs = 30_000;
/** After a failure, the next attempt comes after a tenth of the interval, within these bounds. */
const minRetryMs = 60_000;
const maxRetryMs = 3_600_000;

/** Another service made a result in this folder, or makes one now (`newest_at` is null). */
export type Skipped = { skipped: true; newest_at: string | null };

/** The outcome of a run that was not skipped, with its times (ms since 1970). */
export type DueRun<Result> = CommandOutcome<Result> & { startedTs: number; endedTs: number };

/** The messages of the log. */
export type DueTexts = {
  /** "the backup": its failure is logged as "the backup failed". */
  subject: string;
  /** "the backups": their state may be unreadable for a while. */
  plural: string;
  /** "The backup process": subject of the error if the process ends without a message. */
  process: string;
};

export type DueCommand<Result> = {
  command: BackgroundCommand;
  /** The words of the command, without `--every`. */
  words: readonly string[];
  folder: string;
  /** Time between two runs, in ms. */
  everyMs: number;
  /** Delay of the first poll, in ms: a run may have become due while no service ran. */
  firstPollDelayMs: number;
  texts: DueTexts;
  /** Whether the command can run now. */
  isUsable: () => boolean;
  /** When the last good run began or ended (ms since 1970); null: never. */
  lastSuccessTs: () => number | null;
  /** Logs a result. */
  report: (result: Result, seconds: number) => void;
  /** Stores a run. */
  record: (run: DueRun<Result>) => Promise<void>;
};

/** Starts the schedule. `stop` ends a running command, whose remains are removed. */
export function startDueCommand<Result extends object>(due: DueCommand<Result>, log: Log): Scheduler {
  const runner = new DueCommandRunner(due, log);
  const firstTimer = setTimeout(() => void runner.poll(), due.firstPollDelayMs);
  const timer = setInterval(() => void runner.poll(), pollIntervalMs);
  return {
    async stop() {
      clearTimeout(firstTimer);
      clearInterval(timer);
      await runner.stop();
    },
  };
}

class DueCommandRunner<Result extends object> {
  readonly #due: DueCommand<Result>;
  readonly #log: Log;
  #run: Promise<void> | null = null;
  #isStopped = false;
  /** No attempt before then: after a failure, or while another service runs the command. */
  #notBeforeMs = 0;

  constructor(due: DueCommand<Result>, log: Log) {
    this.#due = due;
    this.#log = log;
  }

  /** Runs the command if it is due; never rejects. */
  async poll(): Promise<void> {
    if (this.#run !== null || this.#isStopped) return;
    const { plural } = this.#due.texts;
    this.#run = this.#runIfDue().catch((failure: unknown) =>
      // The file may be locked or missing for a while: the next poll tries again.
      this.#log('warn', `the state of ${plural} could not be read or stored`, describeFailure(failure)),
    );
    await this.#run;
    this.#run = null;
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#due.command.stop();
    await this.#run;
  }

  async #runIfDue(): Promise<void> {
    const { command, words, everyMs, texts, isUsable, lastSuccessTs, report, record } = this.#due;
    const startedTs = Date.now();
    if (isWaiting(this.#notBeforeMs, startedTs, Math.max(everyMs, minRetryMs)) || !isUsable()) return;
    const last = lastSuccessTs();
    // A time in the future is of a clock that was wrong.
    if (last !== null && last <= startedTs && startedTs - last < everyMs) return;
    const outcome = await command.run<Result | Skipped>(
      [...words, '--every', formatDuration(everyMs)],
      texts.process,
    );
    const times = { startedTs, endedTs: Date.now() };
    if (outcome.error !== null) {
      if (this.#isStopped) return;
      this.#reportFailure(outcome.error, times.endedTs);
      await record({ result: null, error: outcome.error, ...times });
    } else if ('skipped' in outcome.result) {
      const { newest_at: newest } = outcome.result;
      this.#notBeforeMs = newest === null ? startedTs + minRetryMs : Date.parse(newest) + everyMs;
    } else {
      report(outcome.result, (times.endedTs - startedTs) / 1_000);
      await record({ result: outcome.result, error: null, ...times });
    }
  }

  #reportFailure(error: string, endedTs: number): void {
    const { everyMs, folder, texts } = this.#due;
    const retryMs = Math.min(maxRetryMs, Math.max(minRetryMs, everyMs / 10));
    this.#notBeforeMs = endedTs + retryMs;
    this.#log('error', `${texts.subject} failed`, { folder, error, again_in: formatDuration(retryMs) });
  }
}
