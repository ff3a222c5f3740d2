/** How a process lives that answers requests or keeps those that do. */
import { format } from 'node:util';
import type { App } from '../../app.ts';
import { describeFailure, type Log, stderrLog, throttleRepeats } from '../../log.ts';

const consoleLevels = { debug: 'info', log: 'info', info: 'info', warn: 'warn', error: 'error' } as const;

/** Resolves when the process is asked to end, and how. Asking again changes nothing: the end has a limit of its own. */
export function waitForStopSignal(): Promise<NodeJS.Signals> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve(signal));
  });
}

/** Who reads the log may go away; the service stays. */
export function ignorePipeErrors(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => {});
  }
}

/** What nobody caught is logged, and the service goes on. So is what Node and packages would print in words of their own. */
export function logUncaughtErrors(): void {
  const log = throttleRepeats(stderrLog);
  const tell = (failure: unknown) => log('error', 'unexpected', describeFailure(failure));
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
  process.removeAllListeners('warning');
  process.on('warning', ({ name, message }) => stderrLog('warn', message, { name }));
  for (const [method, level] of Object.entries(consoleLevels) as [
    keyof typeof consoleLevels,
    Parameters<Log>[0],
  ][])
    console[method] = (...words: unknown[]) => stderrLog(level, format(...words));
}

/**
 * Puts away the log of a data file that was overwritten, replaced or deleted, and ends the process at once: left to end
 * by itself, it would close its connections. The last one closed writes its log into the file, and deletes the log that
 * lies beside it, even where that belongs to another process.
 */
export function exitIfFileLost(app: App): void {
  const { fault: trouble } = app.fileState;
  if (trouble === null) return;
  // A log that lies beside the file since its own was deleted has what another process committed.
  if (trouble !== 'separated') app.moveWalAside();
  process.exit();
}
