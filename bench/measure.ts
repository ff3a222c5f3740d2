/** Runs rounds of load in turn (ABAB…), so that a disturbance of the machine affects both sides, and takes medians. */
import type { BareHandlers } from './bare.ts';
import type { Case } from './cases.ts';
import type { Caller } from './catalogue.ts';
import { Child } from './child.ts';
import type { ClientHandlers } from './client.ts';
import type { Round, RoundResult } from './messages.ts';
import { processorMs, type Running } from './server.ts';

export type Side = {
  perSecond: number;
  bytesPerAnswer: number;
  p50Ms: number;
  p99Ms: number;
  clientBusy: number;
  /** Processor time of the server per request, in microseconds: all its threads, and the system for it. */
  processorUs: number;
};
export type Comparison = {
  cratebase: Side;
  bare: Side;
  ratio: number;
  /** How busy the bare server was; where the client was busier, its rate is the client's. */
  bareBusy: number;
};

export const connections = 16;
const rounds = 5;
/** V8 compiles what runs often in its first seconds, and our code is more than that of a bare server. */
const maxWarmUpSeconds = 2;

export class Bench {
  readonly #server: Running;
  readonly #file: string;
  readonly #caller: Caller;
  readonly #seconds: number;
  readonly #client = new Child<ClientHandlers>('client.ts');
  readonly #bare = new Child<BareHandlers>('bare.ts');
  readonly #warmUpSeconds: number;
  #barePort = 0;
  /** Requests that the server was sent so far. */
  sent = 0;

  /** @param seconds of load for each case on each side */
  constructor(server: Running, file: string, caller: Caller, seconds: number) {
    this.#server = server;
    this.#file = file;
    this.#caller = caller;
    this.#seconds = seconds;
    this.#warmUpSeconds = Math.min(maxWarmUpSeconds, seconds);
  }

  async open(): Promise<void> {
    this.#barePort = await this.#bare.call('listen', undefined);
    await this.#client.call('key', this.#caller.key);
  }

  async close(): Promise<void> {
    await Promise.all([this.#client.stop(), this.#bare.stop()]);
  }

  /** One case on both servers. */
  async compare({ id, paths, cold, bare }: Case): Promise<Comparison> {
    if (bare === 'select-page' || bare === 'select-record')
      await this.#bare.call('select', { file: this.#file, from: bare });
    else {
      const withHeaders = bare === 'memory-headers';
      await this.#bare.call('learn', { from: this.#server.url, key: this.#caller.key, paths, withHeaders });
      this.sent += paths.length;
    }
    await this.#client.call('paths', { name: id, paths });
    const ours: MeasuredRound[] = [];
    const theirs: MeasuredRound[] = [];
    const busy: number[] = [];
    await this.#round(id, cold, this.#warmUpSeconds);
    await this.#bareRound(id, cold, this.#warmUpSeconds);
    for (let round = 0; round < rounds; round++) {
      ours.push(await this.#round(id, cold, this.#seconds / rounds));
      await this.#bare.call('busy', undefined);
      theirs.push(await this.#bareRound(id, cold, this.#seconds / rounds));
      busy.push(await this.#bare.call('busy', undefined));
    }
    const [cratebase, other] = [summarize(ours), summarize(theirs)];
    return {
      cratebase,
      bare: other,
      ratio: cratebase.perSecond / other.perSecond,
      bareBusy: median(busy),
    };
  }

  /** How many times as long the deepest page takes as the first. */
  async compareDepth(paths: { first: string; deepest: string }): Promise<{ first: Side; deepest: Side }> {
    const results: Record<'first' | 'deepest', MeasuredRound[]> = { first: [], deepest: [] };
    const ends = ['first', 'deepest'] as const;
    for (const end of ends) {
      await this.#client.call('paths', { name: end, paths: [paths[end]] });
      await this.#round(end, true, this.#warmUpSeconds);
    }
    for (let round = 0; round < rounds; round++) {
      for (const end of ends) results[end].push(await this.#round(end, true, this.#seconds / rounds));
    }
    return { first: summarize(results.first), deepest: summarize(results.deepest) };
  }

  async #round(list: string, cold: boolean, seconds: number): Promise<MeasuredRound> {
    const result = await this.#load(
      { port: this.#server.port, list, cold, connections, seconds },
      this.#server.processorMs,
    );
    this.sent += result.sent;
    return result;
  }

  #bareRound(list: string, cold: boolean, seconds: number): Promise<MeasuredRound> {
    return this.#load({ port: this.#barePort, list, cold, connections, seconds }, () =>
      processorMs(this.#bare.pid),
    );
  }

  async #load(round: Round, usedMs: () => number): Promise<MeasuredRound> {
    const before = usedMs();
    const result = await this.#client.call('round', round);
    return { ...result, processorMs: usedMs() - before };
  }
}

type MeasuredRound = RoundResult & { processorMs: number };

function summarize(results: readonly MeasuredRound[]): Side {
  const middle = (name: keyof RoundResult) => median(results.map((result) => result[name]));
  return {
    perSecond: middle('perSecond'),
    bytesPerAnswer: middle('bytesPerAnswer'),
    p50Ms: middle('p50Ms'),
    p99Ms: middle('p99Ms'),
    clientBusy: middle('clientBusy'),
    processorUs: (1_000 * sum(results, 'processorMs')) / Math.max(1, sum(results, 'requests')),
  };
}

const sum = (results: readonly MeasuredRound[], name: 'processorMs' | 'requests'): number =>
  results.reduce((total, result) => total + result[name], 0);

/** The one in the middle; of an even number, the mean of the two. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length / 2;
  const [low, high] = [sorted[Math.ceil(half) - 1] as number, sorted[Math.floor(half)] as number];
  return (low + high) / 2;
}

/** Whether a goal is met, in words; empty without a figure. */
export const verdict = (met: boolean | null): string => (met === null ? '' : met ? 'met' : 'MISSED');
