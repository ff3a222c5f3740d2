/** Runs the real command as a process, bundled into one file (`bundled-program.ts`). */
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import { bundleEnvironment, bundleProgram } from './bundled-program.ts';

/** The main file of the bundled command. */
export const program = bundleProgram();

export type Ended = { status: number | null; stdout: string; stderr: string };
export type RunOptions = { cwd?: string; input?: string | Buffer; env?: Record<string, string> };

/** Returns an environment with the variables of the test only. */
export const environment = (env: Record<string, string> = {}): Record<string, string> => ({
  ...bundleEnvironment,
  PATH: process.env.PATH ?? '',
  HOME: tmpdir(),
  ...env,
});

/** Starts the command. The caller must end it. */
export const start = (args: readonly string[], { cwd, env }: RunOptions = {}) =>
  spawn(process.execPath, [program, ...args], { cwd, env: environment(env), stdio: 'pipe' });

/** Runs the command to its end. */
export function run(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  return new Promise((resolve, reject) => {
    const child = start(args, options);
    const ended: Ended = { status: null, stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', (text) => {
      ended.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', (text) => {
      ended.stderr += text;
    });
    // A command may end before it has read its input.
    child.stdin.on('error', () => {});
    child.stdin.end(options.input ?? '');
    child.on('error', reject);
    child.on('close', (status) => resolve({ ...ended, status }));
  });
}

/** Creates a folder that is deleted after the tests of the file. */
export function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'cratebase-cli-'));
  after(() => rmSync(path, { recursive: true, force: true }));
  return path;
}
