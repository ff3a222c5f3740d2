/**
 * Preloaded into the service by `bench/turns.ts`. A timer of 1 ms takes the processor time of the main thread between two
 * of its calls: one turn of the event loop. Messages of the parent reset the figures, report them and profile.
 */
import { Session } from 'node:inspector';
import { isMainThread } from 'node:worker_threads';

const longMs = 20;
/** Turns up to 1 s, in steps of 0.01 ms. Turns without work are not counted. */
const stepMs = 0.01;
const minMs = 0.05;
const maxProfiled = 8;

if (isMainThread && process.send !== undefined) watch();

function watch() {
  const histogram = new Uint32Array(100_000);
  /** The longest turns, with their times by the clock of the profiler, in µs. */
  let longest = [];
  let [turns, over, worst] = [0, 0, 0];
  let session = null;
  let previous = process.threadCpuUsage();
  let startedAt = process.hrtime.bigint();

  const tick = () => {
    const spent = process.threadCpuUsage(previous);
    previous = process.threadCpuUsage();
    const endedAt = process.hrtime.bigint();
    const ms = (spent.user + spent.system) / 1_000;
    if (ms >= minMs) {
      turns += 1;
      histogram[Math.min(histogram.length - 1, Math.floor(ms / stepMs))] += 1;
      worst = Math.max(worst, ms);
      if (ms > longMs) over += 1;
      if (longest.length < maxProfiled || ms > longest.at(-1).ms) {
        longest.push({ ms, from: Number(startedAt / 1_000n), to: Number(endedAt / 1_000n) });
        longest.sort((one, other) => other.ms - one.ms);
        longest.length = Math.min(longest.length, maxProfiled);
      }
    }
    startedAt = endedAt;
  };

  const reset = () => {
    histogram.fill(0);
    longest = [];
    [turns, over, worst] = [0, 0, 0];
  };

  const at = (share) => {
    let left = Math.ceil(share * turns);
    for (let step = 0; step < histogram.length; step++) {
      left -= histogram[step];
      if (left <= 0) return (step + 1) * stepMs;
    }
    return worst;
  };

  const report = () => ({
    turns,
    p50Ms: at(0.5),
    p9999Ms: Math.min(worst, at(0.9999)),
    worstMs: worst,
    over,
  });

  setInterval(tick, 1).unref();
  process.on('message', ({ turns: asked }) => {
    if (asked === 'reset') {
      reset();
      process.send({ turns: true });
    } else if (asked === 'report') {
      process.send({ turns: report() });
    } else if (asked === 'profile') {
      session = new Session();
      session.connect();
      session.post('Profiler.enable');
      session.post('Profiler.setSamplingInterval', { interval: 500 });
      session.post('Profiler.start', () => process.send({ turns: true }));
    } else if (asked === 'profiled') {
      const kept = longest;
      session.post('Profiler.stop', (_failure, { profile }) => {
        session.disconnect();
        process.send({ turns: kept.map((turn) => ({ ...turn, stacks: stacksOf(profile, turn) })) });
      });
    }
  });
  // A service that stops does not wait for its parent.
  process.channel.unref();
}

/** The calls that were sampled within a turn, those with most samples first. */
function stacksOf({ nodes, samples, timeDeltas, startTime }, { from, to }) {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const nameOf = ({ callFrame: { functionName, url, lineNumber } }) =>
    `${functionName || '(anonymous)'} ${url.replace(/^.*\/(?=src\/|node_modules\/)/, '')}:${lineNumber + 1}`;
  const counts = new Map();
  let time = startTime;
  let sampled = 0;
  for (const [index, id] of samples.entries()) {
    time += timeDeltas[index];
    if (time < from || time > to) continue;
    sampled += 1;
    const seen = new Set();
    for (let node = id; node !== undefined; node = parents.get(node)) seen.add(nameOf(byId.get(node)));
    for (const name of seen) counts.set(name, (counts.get(name) ?? 0) + 1);
  }
  return [...counts]
    .sort(([, one], [, other]) => other - one)
    .slice(0, 40)
    .map(([name, count]) => `${Math.round((100 * count) / sampled)}% ${name}`);
}
