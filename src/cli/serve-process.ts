/** How a process lives that answers requests or keeps those that do. */
import { stderrLog } from '../log.ts';

/** Resolves when the process is asked to end. Asking again changes nothing: the end has a limit of its own. */
export function stopSignal(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => resolve());
  });
}

/** Who reads the log may go away; the service stays. */
export function surviveClosedPipes(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.removeAllListeners('error');
    stream.on('error', () => {});
  }
}

/** What nobody caught is logged, and the service goes on. */
export function logUnexpected(): void {
  const tell = (failure: unknown) => {
    const { message, stack } = failure instanceof Error ? failure : new Error(String(failure));
    stderrLog('error', 'unexpected', { error: message, stack });
  };
  process.on('uncaughtException', tell);
  process.on('unhandledRejection', tell);
}
