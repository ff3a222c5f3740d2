/** Signals, streams and uncaught errors of the processes of `serve`. */
import { format } from 'node:util';
import type { App } from '../../app.ts';
import { describeFailure, type Log, stderrLog, throttleRepeats } from '../../log.ts';

const consoleLevels = { debug: 'info', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** Resolves with the first SIGINT or SIGTERM. Further ones have no effect: stopping has its own timeout. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
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
 */
export function exitIfFileLost(app: App): void {
  const { fault } = app.file.state;
  if (fault === null) return;
  // After the log was deleted, a log beside the file has the commits of another process.
  if (fault !== 'separated') app.file.moveLogAside();
  process.exit();
}
