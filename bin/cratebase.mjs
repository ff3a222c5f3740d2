#!/usr/bin/env node
/**
 * Runs the program from source: `npm start`, `npx cratebase`. It needs Node 24, which `npm ci` installs in
 * node_modules; an older Node starts that one instead. Cluster workers and threads also start with this file
 * (process.argv[1]), and so load TypeScript.
 */
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const modules = new URL('../node_modules/', import.meta.url);
const node = fileURLToPath(new URL(`node/bin/node${process.platform === 'win32' ? '.exe' : ''}`, modules));

/** How often a program that npm started looks whether npm still runs, in ms. */
const npmCheckMs = 500;

if (!existsSync(new URL('tsx/', modules)) || !existsSync(node)) {
  console.error(`cratebase: run \`npm ci\` in ${fileURLToPath(new URL('../', import.meta.url))} first`);
  process.exitCode = 1;
} else if (Number.parseInt(process.versions.node, 10) < 24) {
  endWithNpm();
  startAnew();
} else {
  endWithNpm();
  // tsx would look for it in the working directory.
  process.env.TSX_TSCONFIG_PATH ??= fileURLToPath(new URL('../tsconfig.json', import.meta.url));
  await import('tsx');
  await import('../src/cli/main.ts');
}

/** npm runs a program in a shell, which ends by a signal and does not pass it on: the program ends then, too. */
function endWithNpm() {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, npmCheckMs);
  timer.unref();
}

function startAnew() {
  const child = spawn(node, [...process.execArgv, ...process.argv.slice(1)], { stdio: 'inherit' });
  // The terminal sends its signals to the child as well.
  const passed = ['SIGTERM', 'SIGHUP', 'SIGUSR2'];
  for (const signal of passed) process.on(signal, () => child.kill(signal));
  process.on('SIGINT', () => process.stdin.isTTY || child.kill('SIGINT'));
  child.on('error', (error) => {
    console.error(`cratebase: cannot start ${node}: ${error.message}`);
    process.exitCode = 1;
  });
  child.on('exit', (status, signal) => process.exit(status ?? 128 + constants.signals[signal]));
}
