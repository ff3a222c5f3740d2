/** Signals, streams and uncaught errors of the processes of `serve`. */
import { format } from 'node:util';
import type { App, FileMonitor } from '../../app.ts';
import { describeFailure, type Log, stderrLog, throttleRepeats } from '../../log.ts';

const consoleLevels = { debug: 'info', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** A service that has not ended this long after the signal is killed, in ms. systemd waits for 90 s. */
const maxStopMs = 60_000;
/** The names of the parts of this process that are stopping. */
const stoppingParts = new Set<string>();

/**
 * Resolves with the first SIGINT or SIGTERM. Further ones have no effect: each part stops in a time of its own, and
 * the process ends after a minute even if a part does not.
 */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (signal: NodeJS.Signals) => {
      if (isStopping) return;
      isStopping = true;
      setTimeout(endLate, maxStopMs).unref();
      resolve(signal);
    };
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, stop);
  });
}

/** Resolves when all parts have stopped. The log names the parts of a process that is ended before. */
export async function stopParts(parts: Record<string, Promise<unknown> | undefined>): Promise<void> {
  const stop = async (name: string, part: Promise<unknown> | undefined) => {
    stoppingParts.add(name);
    await part;
    stoppingParts.delete(name);
  };
  await Promise.all(Object.entries(parts).map(([name, part]) => stop(name, part)));
}

function endLate(): void {
  stderrLog('error', 'the service did not stop within a minute and is ended', {
    waits_for: [...stoppingParts].join(', '),
    advice: 'what was committed stays; please report this with the lines before it',
  });
  process.kill(process.pid, 'SIGKILL');
}

/** Keeps the service running when the reader of its log closes the pipe. */
export function ignorePipeErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => {});
  }
}

/** Logs uncaught errors, and goes on. Also logs warnings of Node.js and console output of packages. */
export function logUncaughtErrors(): void {
  const log = throttleRepeats(stderrLog);
  const logFailure = (failure: unknown) => log('error', 'unexpected', describeFailure(failure));
  process.on('uncaughtException', logFailure);
  process.on('unhandledRejection', logFailure);
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => stderrLog('warn', message, { name }));
  for (const [method, level] of Object.entries(consoleLevels) as [
    keyof typeof consoleLevels,
    Parameters<Log>[0],
  ][])
    console[method] = (...words: unknown[]) => stderrLog(level, format(...words));
}

/**
 * Moves the log of a data file aside that was overwritten, replaced or deleted, and exits at once. A normal exit would
 * close the connections: closing the last one writes its log into the file, and deletes the log beside it even if that
 * belongs to another process.
 * @param monitor what has logged the fault, unless the file got it afterwards
 */
export function exitIfFileLost(app: App, monitor: FileMonitor | undefined): void {
  const { fault } = app.file.state;
  if (fault === null) return;
  // The file may have been looked at once more when it was closed.
  if (fault !== monitor?.state.fault) monitor?.logFault(fault);
  // After the log was deleted, a log beside the file has the commits of another process.
  if (fault !== 'separated') app.file.moveLogAside();
  process.exit();
}
