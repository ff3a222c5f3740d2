/** `serve` as a process, with an optional shell command before it, and raw connections to it. */
import type { ChildProcess } from 'node:child_process';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { after } from 'node:test';
import { environment, program } from './cli-run.ts';

const running = new Set<ChildProcess>();
after(() => {
  for (const child of running) child.kill('SIGKILL');
});

export type Served = {
  child: ChildProcess;
  url: string;
  port: number;
  key: string;
  /** The link of the first operator; null: none was printed. */
  operatorLink: string | null;
  /** The log lines so far, parsed as JSON. */
  log: () => Record<string, unknown>[];
  /** Stops it unless it has ended; returns its exit status. */
  stop: (signal?: NodeJS.Signals) => Promise<number | null>;
};

export type ServeOptions = {
  cwd: string;
  env?: Record<string, string>;
  /** A shell line that runs before it, in the same process. */
  shell?: string;
};

/** Starts `serve` with the options in `line` and waits until it answers. */
export async function serve(line: string, { cwd, env, shell }: ServeOptions): Promise<Served> {
  const args = [program, 'serve', '--port', '0', ...line.split(' ').filter(Boolean)];
  const options = { cwd, env: environment(env), stdio: 'pipe' } as const;
  const child =
    shell === undefined
      ? spawn(process.execPath, args, options)
      : spawn('/bin/sh', ['-c', `${shell}; exec "$0" "$@"`, process.execPath, ...args], options);
  running.add(child);
  child.once('exit', () => running.delete(child));
  let [stdout, stderr] = ['', ''];
  child.stderr.on('data', (text) => {
    stderr += text;
  });
  for await (const text of child.stdout) {
    stdout += text;
    if (/listening on http\S+\n/.test(stdout)) break;
  }
  child.stdout.resume();
  const [, url] = /listening on (\S+)/.exec(stdout) ?? [];
  if (url === undefined) throw new Error(`serve did not answer: ${stderr}`);
  const [key = ''] = /cb_live_\w+/.exec(stdout) ?? [];
  const [, operatorLink = null] = /^admin +(\S+)$/m.exec(stdout) ?? [];
  return {
    child,
    url,
    port: Number(new URL(url).port),
    key,
    operatorLink,
    log: () =>
      stderr
        .split('\n')
        .filter((text) => text.startsWith('{'))
        .map((text) => JSON.parse(text) as Record<string, unknown>),
    async stop(signal = 'SIGTERM') {
      // The hook of this file kills what runs, before the hooks of the tests: "exit" comes only once.
      if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
      const exit = once(child, 'exit');
      child.kill(signal);
      const [status] = await exit;
      return status as number | null;
    },
  };
}

/** Opens a connection; resolves when it is established. */
export async function open(port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  socket.on('error', () => {});
  await once(socket, 'connect');
  return socket;
}
