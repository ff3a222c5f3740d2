/**
 * Entry point: runs a command and sets the exit status (0 done, 1 failed or partly failed, 2 wrong usage, 130 or 143 after
 * a signal).
 */
import { writeFileSync } from 'node:fs';
import { CommanderError } from 'commander';
import { Failure, Interrupted } from '../failure.ts';
import { catalogueRole } from './child-process.ts';
import { AlreadyRun } from './cluster/run.ts';
import { keepFirstTick } from './first-tick.ts';
import { stripUnsafeCharacters } from './output/terminal.ts';
import { buildProgram } from './program.ts';

keepFirstTick();

/**
 * Names the main thread "cratebase", so that `pgrep -x cratebase` finds it. Setting `process.title` would remove the
 * arguments from the output of `ps`.
 */
function nameProcess(): void {
  try {
    if (process.platform === 'linux') writeFileSync('/proc/self/comm', 'cratebase');
  } catch {
    // There is no /proc: the name stays.
  }
}

/** Ends the process on a write error. A closed pipe (`| head`) is not a failure, a full disk is. */
function exitOnBrokenPipe(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
    if (stream !== process.stderr) process.stderr.write(`cratebase: Cannot write the output: ${why}.\n`);
    process.exit(1);
  });
}

function messageOf(failure: unknown): string {
  // A command on the catalogue of a cluster runs in a child process, on a copy that is not published if it is interrupted.
  const isPart = process.env.CRATEBASE_ROLE?.split(':', 1)[0] === catalogueRole;
  if (isPart && failure instanceof Interrupted) return failure.unpublished;
  return failure instanceof Error ? failure.message : String(failure);
}

function reportError(failure: unknown): void {
  if (failure instanceof CommanderError) {
    // --help and --version have 0; help because of a missing command has 1, which is wrong usage.
    process.exitCode = failure.exitCode === 0 ? 0 : 2;
    return;
  }
  if (failure instanceof AlreadyRun) {
    process.exitCode = failure.exitStatus;
    return;
  }
  const isExpected = failure instanceof Failure;
  process.exitCode = failure instanceof Failure ? failure.exitStatus : 1;
  const message = messageOf(failure);
  // An argument in the message may move the cursor or colour the terminal.
  const line = stripUnsafeCharacters(message.replace(/\s*\n\s*/g, ' '));
  const debug = process.env.CRATEBASE_DEBUG;
  const hint = isExpected || debug ? '' : ' (unexpected; set CRATEBASE_DEBUG=1 to see where)';
  process.stderr.write(`cratebase: ${line}${hint}\n`);
  if (debug && failure instanceof Error)
    process.stderr.write(`${stripUnsafeCharacters(failure.stack ?? failure.message)}\n`);
  // A pending read of standard input or a source would keep the process alive.
  if (failure instanceof Interrupted) process.stderr.write('', () => process.exit(failure.exitStatus));
}

async function main(): Promise<void> {
  nameProcess();
  exitOnBrokenPipe(process.stdout);
  exitOnBrokenPipe(process.stderr);
  try {
    if (process.env.CRATEBASE_ROLE === 'worker' && process.send) {
      const { runWorker } = await import('./serve/worker.ts');
      await runWorker();
    } else {
      await buildProgram().parseAsync(process.argv);
    }
  } catch (failure) {
    reportError(failure);
  }
}

void main();
