/**
 * Tries mutated inputs. Every input has a random generator of its own, made from the seed, the fuzzer's name and the
 * input's number, so a failure is repeated by the command that it prints.
 *
 * CRATEBASE_FUZZ_SEED (default 1) chooses other inputs; CRATEBASE_FUZZ_RUNS multiplies their number (default 1);
 * CRATEBASE_FUZZ_INPUT tries the input of that number alone.
 */
import { createHash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';

export const seed = process.env.CRATEBASE_FUZZ_SEED ?? '1';
const factor = Number(process.env.CRATEBASE_FUZZ_RUNS ?? 1);
const only = process.env.CRATEBASE_FUZZ_INPUT;

/** Random numbers of one input. */
export class Chance {
  #state: number;

  constructor(...from: (string | number)[]) {
    this.#state = createHash('sha256').update(from.join('\0')).digest().readUInt32LE(0);
  }

  /** A whole number from 0 to below `end` (mulberry32). */
  below(end: number): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * end);
  }

  of<T>(list: readonly T[]): T {
    return list[this.below(list.length)] as T;
  }

  /** True once in `times`. */
  once(times: number): boolean {
    return this.below(times) === 0;
  }
}

/** 'read' where the input was taken, 'rejected' where it was refused as it should be. */
export type Outcome = 'read' | 'rejected';
type Fuzzer<T> = {
  /** Inputs, unless the environment asks for more. */
  runs: number;
  make: (chance: Chance) => T;
  /** Throws where the input shows a defect. */
  attempt: (input: T) => Outcome | Promise<Outcome>;
  /** Longest time an input may take: of the processor in this process, or by the clock where another process works (ms). */
  maxMs?: number;
  clock?: 'processor' | 'wall';
  /** Most memory that may be held at the end, above that at the beginning (MiB). */
  mostMiB?: number;
};

/** Tries all inputs of a fuzzer and tells what it counted; the first defect ends it. */
export async function fuzz<T>(context: TestContext, fuzzer: Fuzzer<T>): Promise<void> {
  const { runs, make, attempt, maxMs = 1_000, clock = 'processor', mostMiB = 400 } = fuzzer;
  const count = Math.ceil(runs * factor);
  const before = process.memoryUsage().rss;
  let rejected = 0;
  let slowest = { ms: 0, number: 0 };
  context.diagnostic(`seed ${seed}`);
  const from = only === undefined ? 0 : Number(only);
  const to = only === undefined ? count : from + 1;
  for (let number = from; number < to; number++) {
    const input = make(new Chance(seed, context.name, number));
    const cpu = process.cpuUsage();
    const started = performance.now();
    const fail = (reason: unknown): never => {
      throw new Error(`${context.name}: ${messageOf(reason)}\n${repeat(context, number, input)}`, {
        cause: reason,
      });
    };
    try {
      if ((await attempt(input)) === 'rejected') rejected++;
    } catch (error) {
      fail(error);
    }
    const { user, system } = process.cpuUsage(cpu);
    const ms = clock === 'wall' ? performance.now() - started : (user + system) / 1_000;
    if (ms > slowest.ms) slowest = { ms, number };
    if (ms > maxMs) fail(`took ${Math.round(ms)} ms`);
  }
  const grown = (process.memoryUsage().rss - before) / 2 ** 20;
  context.diagnostic(
    `${context.name}: ${to - from} inputs, ${rejected} rejected, slowest ${Math.round(slowest.ms)} ms (input ${slowest.number}), memory ${Math.round(grown)} MiB more`,
  );
  if (grown > mostMiB) throw new Error(`${context.name}: held ${Math.round(grown)} MiB (seed ${seed})`);
}

const messageOf = (reason: unknown): string =>
  reason instanceof Error ? (reason.stack ?? reason.message) : String(reason);

function repeat(context: TestContext, number: number, input: unknown): string {
  const text = typeof input === 'string' ? input : JSON.stringify(input);
  const kept = join(tmpdir(), `cratebase-fuzz-${seed}-${number}.txt`);
  writeFileSync(kept, text ?? String(input));
  const name = context.name.replace(/[^\w ]/g, '.');
  return (
    `Input ${number}, kept in ${kept}: ${(text ?? '').slice(0, 300)}\n` +
    `Repeat: CRATEBASE_FUZZ_SEED=${seed} CRATEBASE_FUZZ_INPUT=${number} node --import tsx --test --test-name-pattern '${name}' '${context.filePath}'`
  );
}
