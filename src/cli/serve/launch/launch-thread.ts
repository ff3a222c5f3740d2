/** The thread of a service that starts processes; see `launch.ts`. */
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import type { LaunchReport, LaunchRequest } from './messages.ts';

const children = new Map<number, ChildProcessWithoutNullStreams>();
const report = (message: LaunchReport): void => parentPort?.postMessage(message);

parentPort?.on('message', (request: LaunchRequest) => {
  if (request.type === 'start') return start(request);
  const child = children.get(request.id);
  if (request.type === 'input') child?.stdin.write(request.text);
  else if (request.type === 'end') child?.stdin.end();
  else child?.kill(request.signal);
});

function start({ id, command, args, env, priority }: LaunchRequest & { type: 'start' }): void {
  const child = spawn(command, args, { env, stdio: 'pipe' });
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
