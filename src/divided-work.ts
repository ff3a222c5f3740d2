/**
 * Divides the work of one answer among several turns of the event loop. The work is a synchronous function that reads the
 * catalogue. Its costly reads are steps, whose results are kept. After some milliseconds the next step ends the part by an
 * exception. The next part calls the function again: the steps before that one return what was kept.
 */
import { performance } from 'node:perf_hooks';

/** A part makes no further step after this time, in ms. A step itself may take longer. */
const defaultPartMs = 3;
/** After more changes of the catalogue than this, the work is done in one part. */
const maxRestarts = 2;
/** After this number of parts, the work is done in one more. */
const maxParts = 100;

/** Ends a part. Code between a step and `DividedWork.run` must not keep it from passing. */
class PartOver extends Error {}
/** One object for all parts: it has no use for a stack. */
const partOver = new PartOver('The rest of this work belongs to the next part.');

/** The work whose part is running; null outside of parts, where steps read at once. */
let current: DividedWork | null = null;
/** The number of methods whose calls are steps. */
let lastMethod = 0;

export type Part<T> = { isDone: true; result: T } | { isDone: false };

/** The work of one answer, which is run in parts (`runDivided`) until one of them is done. */
export class DividedWork {
  readonly #readState: () => unknown;
  readonly #partMs: number;
  readonly #now: () => number;
  readonly #kept = new Map<string, unknown>();
  #state: unknown;
  #restarts = -1;
  #parts = 0;
  /** When the first new step of this part began; null before. */
  #startedAt: number | null = null;
  /** Whether this part has made a step: without one, it would get no further. */
  #hasStep = false;

  /**
   * @param readState the state of what steps read; steps of another state are forgotten
   * @param partMs how long a part makes new steps, in ms
   * @param now a clock in ms, for tests
   */
  constructor(readState: () => unknown, partMs = defaultPartMs, now = () => performance.now()) {
    this.#readState = readState;
    this.#partMs = partMs;
    this.#now = now;
  }

  /** Whether a part has run. */
  get isBegun(): boolean {
    return this.#parts > 0;
  }

  /** Runs one part. All parts get the same function, which always makes the same steps. Passes on its errors. */
  run<T>(work: () => T): Part<T> {
    const state = this.#readState();
    if (this.#restarts < 0 || state !== this.#state) {
      this.#state = state;
      this.#kept.clear();
      this.#restarts += 1;
    }
    this.#parts += 1;
    this.#startedAt = null;
    this.#hasStep = false;
    const outer = current;
    current = this;
    try {
      return { isDone: true, result: work() };
    } catch (failure) {
      if (failure !== partOver) throw failure;
      return { isDone: false };
    } finally {
      current = outer;
    }
  }

  /** Returns what a step read before; otherwise makes the step, or ends the part. */
  step<T>(key: string, read: () => T): T {
    if (this.#kept.has(key)) return this.#kept.get(key) as T;
    this.#startedAt ??= this.#now();
    const isOver = this.#hasStep && this.#isDividing && this.#now() - this.#startedAt >= this.#partMs;
    if (isOver) throw partOver;
    const result = read();
    this.#hasStep = true;
    // The work must not change what its next part gets again.
    this.#kept.set(key, Array.isArray(result) ? Object.freeze(result) : result);
    return result;
  }

  get #isDividing(): boolean {
    return this.#restarts <= maxRestarts && this.#parts <= maxParts;
  }
}

/** Runs a part when its turn comes. `isContinued` is false for the first part of a work. */
export type RunInTurn = <R>(part: () => R, isContinued: boolean) => R | Promise<R>;

/** Runs the parts of a work one after the other. */
export async function runDivided<T>(divided: DividedWork, runInTurn: RunInTurn, work: () => T): Promise<T> {
  for (;;) {
    const part = await runInTurn(() => divided.run(work), divided.isBegun);
    if (part.isDone) return part.result;
  }
}

type Method = (...args: unknown[]) => unknown;

/**
 * Makes calls of these methods steps of the work that runs them. Within such work, arrays that they return are frozen.
 * Their arguments must be plain data that JSON writes without loss: `undefined` within an array, `NaN`, sets and maps
 * would be mistaken for others. Together with the state of the catalogue, they must decide the result.
 */
export function inSteps<T extends object>(reader: T, methods: readonly (keyof T & string)[]): T {
  for (const name of methods) {
    const method = reader[name] as Method;
    const id = ++lastMethod;
    const step: Method = (...args) =>
      current === null
        ? method.apply(reader, args)
        : current.step(`${id}${JSON.stringify(args)}`, () => method.apply(reader, args));
    Object.defineProperty(reader, name, { value: step });
  }
  return reader;
}
