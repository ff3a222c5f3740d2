/** Measures how late the event loop of this process runs its timers. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

/** Delays in seconds: the median, the 99th percentile and the maximum. */
export type EventLoopDelay = { p50: number; p99: number; max: number };

type IntervalHistogram = ReturnType<typeof monitorEventLoopDelay>;

const resolutionMs = 20;
/** The delays of the last one to two windows are reported. */
const windowMs = 60_000;

let histogram: IntervalHistogram | null = null;
let previous: EventLoopDelay = { p50: 0, p99: 0, max: 0 };

/** Starts to measure; returns a function that stops it. */
export function watchEventLoop(): () => void {
  const own = monitorEventLoopDelay({ resolution: resolutionMs });
  own.enable();
  histogram = own;
  const timer = setInterval(() => {
    previous = read(own);
    own.reset();
  }, windowMs).unref();
  return () => {
    clearInterval(timer);
    own.disable();
    histogram = null;
  };
}

/** The delays of the last one to two minutes; zeros if nothing is measured. */
export function eventLoopDelay(): EventLoopDelay {
  return histogram === null ? previous : worstDelay(read(histogram), previous);
}

/** The larger of two delays, for several windows and processes. */
export const worstDelay = (one: EventLoopDelay, other: EventLoopDelay): EventLoopDelay => ({
  p50: Math.max(one.p50, other.p50),
  p99: Math.max(one.p99, other.p99),
  max: Math.max(one.max, other.max),
});

/** Converts a histogram. It measures the time between two timers, so an idle loop shows the resolution. */
function read(delays: IntervalHistogram): EventLoopDelay {
  if (delays.count === 0) return { p50: 0, p99: 0, max: 0 };
  const seconds = (nanoseconds: number) => Math.max(0, nanoseconds / 1e9 - resolutionMs / 1e3);
  return {
    p50: seconds(delays.percentile(50)),
    p99: seconds(delays.percentile(99)),
    max: seconds(delays.max),
  };
}
