/** The thread of a service that starts processes; see `launch.ts`. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { LaunchReport, LaunchRequest } from './launch.ts';

const children = new Map<number, ChildProcessWithoutNullStreams>();
const report = (message: LaunchReport): void => parentPort?.postMessage(message);

parentPort?.on('message', (request: LaunchRequest) => {
  if (request.type === 'start') return start(request);
  const child = children.get(request.id);
  if (request.type === 'input') child?.stdin.write(request.text);
  else if (request.type === 'end') child?.stdin.end();
  else child?.kill(request.signal);
});

/** Starts a process. An error must not end the thread, and with it the other processes. */
function start(request: LaunchRequest & { type: 'start' }): void {
  const { id, command, args, env } = request;
  const fail = ({ message }: Error) => {
    report({ type: 'failed', id, message });
    report({ type: 'closed', id, status: null, signal: null });
  };
  try {
    const child: ChildProcess = spawn(command, args, { env, stdio: 'pipe' });
    // With too many open files there is a process object without streams, which only reports its error.
    if (hasStreams(child)) watch(child, request);
    else child.on('error', fail);
  } catch (failure) {
    fail(failure as Error);
  }
}

const hasStreams = (child: ChildProcess): child is ChildProcessWithoutNullStreams =>
  Boolean(child.stdin && child.stdout && child.stderr);

function watch(
  child: ChildProcessWithoutNullStreams,
  { id, priority }: LaunchRequest & { type: 'start' },
): void {
  children.set(id, child);
  if (child.pid !== undefined) {
    report({ type: 'started', id, pid: child.pid });
    if (priority !== undefined) lowerPriority(child.pid, priority);
  }
  for (const stream of ['stdout', 'stderr'] as const)
    child[stream].on('data', (bytes: Buffer) => report({ type: 'output', id, stream, bytes }));
  // A process that dies closes its input; `close` reports it.
  child.stdin.on('error', () => {});
  child.on('error', ({ message }) => report({ type: 'failed', id, message }));
  child.on('close', (status, signal) => {
    children.delete(id);
    report({ type: 'closed', id, status, signal });
  });
}

function lowerPriority(pid: number, priority: number): void {
  try {
    setPriority(pid, priority);
  } catch {
    // The process has ended already, or the system does not allow it.
  }
}
