/**
 * Checks the data file of a running service for damage: soon after the start, then once a day, in a thread with a small
 * share of one core (docs/decisions/54-damage-check.md).
 */
import type { Worker } from 'node:worker_threads';
import { startThread } from '../../assets.ts';
import type { Log } from '../../log.ts';
import type { CheckThreadOptions, CheckThreadResult } from '../integrity/check-thread.ts';

/** The result of the last complete check. */
export type DamageState = {
  /** When it ended (ms since 1970); null before the first. */
  checkedTs: number | null;
  /** What is damaged, in a sentence for each table. */
  damage: readonly string[];
};
export const uncheckedFile: DamageState = { checkedTs: null, damage: [] };

/** When checks begin, in ms, and how fast they are. */
export type DamageCheckPace = {
  firstMs: number;
  everyMs: number;
  /** After a check that could not be made. */
  retryMs: number;
  /** Pause after each piece of work, as a multiple of the time that it took. */
  pauseFactor: number;
};
const defaultPace: DamageCheckPace = {
  firstMs: 60_000,
  everyMs: 86_400_000,
  retryMs: 3_600_000,
  pauseFactor: 24,
};
/** Problems in one line of the log. */
const maxLogged = 3;
const advice =
  '`cratebase verify` says more; stop the service and restore a backup (cratebase restore FILE), or export the catalogue and import it into a new file';

/** Runs the checks for damage, from its creation until `stop`. Its timers and thread do not keep the process alive. */
export class DamageCheck {
  state: DamageState = uncheckedFile;
  readonly #path: string;
  readonly #log: Log;
  readonly #isUsable: () => boolean;
  readonly #onChange: () => void;
  readonly #pace: DamageCheckPace;
  #thread: Worker | null = null;
  #timer: NodeJS.Timeout;
  #isStopped = false;

  /** @param isUsable whether the file at the path is that of the service */
  constructor(
    path: string,
    log: Log,
    {
      isUsable,
      onChange,
      pace = {},
    }: { isUsable: () => boolean; onChange: () => void; pace?: Partial<DamageCheckPace> },
  ) {
    this.#path = path;
    this.#log = log;
    this.#isUsable = isUsable;
    this.#onChange = onChange;
    this.#pace = { ...defaultPace, ...pace };
    this.#timer = this.#after(this.#pace.firstMs);
  }

  /** Ends a running check. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#thread?.terminate();
  }

  #after(ms: number): NodeJS.Timeout {
    return setTimeout(() => this.#check(), ms).unref();
  }

  #check(): void {
    if (!this.#isUsable()) {
      this.#timer = this.#after(this.#pace.retryMs);
      return;
    }
    const began = performance.now();
    const options: CheckThreadOptions = { path: this.#path, pauseFactor: this.#pace.pauseFactor };
    let isDone = false;
    const end = (result: CheckThreadResult) => {
      if (isDone || this.#isStopped) return;
      isDone = true;
      this.#thread = null;
      this.#finish(result, (performance.now() - began) / 1_000);
    };
    try {
      const thread = startThread('store/integrity/check-thread', options);
      this.#thread = thread;
      thread.unref();
      thread.once('message', end);
      thread.once('error', (failure: unknown) => end({ problems: [], error: String(failure) }));
      thread.once('exit', () => end({ problems: [], error: 'The thread ended early.' }));
    } catch (failure) {
      end({ problems: [], error: String(failure) });
    }
  }

  #finish({ problems, error }: CheckThreadResult, seconds: number): void {
    // A file that was overwritten meanwhile is reported as such, and is no longer this one.
    const isLost = !this.#isUsable();
    if (error !== null || isLost) {
      if (!isLost) this.#log('warn', 'the data file could not be checked for damage', { error });
      this.#timer = this.#after(this.#pace.retryMs);
      return;
    }
    this.#timer = this.#after(this.#pace.everyMs);
    this.state = { checkedTs: Date.now(), damage: problems };
    if (problems.length > 0) {
      const others = problems.length - maxLogged;
      this.#log('error', 'The data file is damaged.', {
        data: this.#path,
        damage: problems.slice(0, maxLogged).join('; ') + (others > 0 ? `; and ${others} more` : ''),
        advice,
      });
    } else
      this.#log('info', 'the data file was checked for damage: there is none', {
        seconds: Math.round(seconds),
      });
    this.#onChange();
  }
}
