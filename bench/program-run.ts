/** Runs the program to its end, and measures its duration and processor time. */
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { performance } from 'node:perf_hooks';
import type { Program } from './server.ts';
import { round } from './steady-load.ts';

/** Seconds; null where `/proc` does not exist. */
export type ProgramRun = {
  seconds: number;
  cpuSeconds: number | null;
  /** How long the main thread was ready to run while other programs had the processors. */
  queuedSeconds: number | null;
};

const pollMs = 50;
/** The unit of `/proc`, in s: 100 a second on every Linux. */
const tickSeconds = 0.01;

/** Runs the program with arguments. Rejects with the end of its standard error if it fails. */
export function runProgram({ command, args }: Program, more: readonly string[]): Promise<ProgramRun> {
  const began = performance.now();
  return new Promise((resolve, reject) => {
    const child = spawn(command, [...args, ...more], { stdio: ['ignore', 'ignore', 'pipe'] });
    let cpuSeconds: number | null = null;
    let queuedSeconds: number | null = null;
    const timer = setInterval(() => {
      cpuSeconds = cpuSecondsOf(child.pid) ?? cpuSeconds;
      queuedSeconds = queuedSecondsOf(child.pid) ?? queuedSeconds;
    }, pollMs);
    let stderr = '';
    child.stderr.on('data', (piece) => {
      stderr = (stderr + piece).slice(-2_000);
    });
    child.once('error', reject);
    child.once('close', (status) => {
      clearInterval(timer);
      if (process.env.CRATEBASE_DEBUG) console.error(stderr);
      const seconds = round((performance.now() - began) / 1_000);
      if (status === 0) resolve({ seconds, cpuSeconds, queuedSeconds });
      else reject(new Error(`${more[0]} ended with ${status}: ${stderr}`));
    });
  });
}

/** Processor time in s that a process and its threads have used; null if it is unknown. */
export function cpuSecondsOf(pid: number | undefined): number | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    return round((Number(fields[11]) + Number(fields[12])) * tickSeconds);
  } catch {
    return null;
  }
}

/** Time in s that the main thread of a process waited for a processor; null if it is unknown. */
function queuedSecondsOf(pid: number | undefined): number | null {
  try {
    return round(Number(readFileSync(`/proc/${pid}/schedstat`, 'utf8').split(' ')[1]) / 1e9);
  } catch {
    return null;
  }
}
