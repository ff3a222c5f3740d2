/** `serve`: the data file made and filled where it is missing, then the service, in one process or several. */
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { App } from '../app.ts';
import {
  addressOf,
  localUrl,
  readServeConfig,
  type SettingName,
  type Settings,
  settings,
} from '../config.ts';
import { stderrLog } from '../log.ts';
import { addExamples, flagsOf, settingOption, wantsJson } from './command.ts';
import { logUnexpected, stopSignal, surviveClosedPipes } from './serve-process.ts';
import { keepSynced } from './serve-sync.ts';
import { note, print } from './terminal.ts';

export function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('Answer requests. Makes the data file, with the starter catalogue, where it is missing.');
  const own = (Object.keys(settings) as SettingName[]).filter((name) => name !== 'data');
  for (const name of own) serve.addOption(settingOption(name));
  addExamples(serve, [
    ['cratebase serve --dev', 'try it: prints a key and a request that works'],
    ['cratebase serve --data music.db --empty', 'without the starter catalogue'],
    ['cratebase serve --workers 4 --base-url https://music.example.org', ''],
    ['cratebase serve --dev --quota 20 --window 5 --fail 503:0.1', 'to test a client with'],
  ]);
  serve.action(() => runServe(serve));
}

type Dev = { account: string; key: string; plan: string };

async function runServe(command: Command): Promise<void> {
  const config = readServeConfig(flagsOf(command), process.env);
  surviveClosedPipes();
  logUnexpected();
  const { clockOf, openApp } = await import('../app.ts');
  const isNew = !existsSync(config.data) || statSync(config.data).size === 0;
  const app = openApp({ data: config.data, create: true, clock: clockOf(config) });
  let dev: Dev | null;
  let hint: string | null;
  try {
    if (!config.empty) await fill(app, isNew);
    dev = config.dev ? await app.ensureDev(config) : null;
    hint = dev === null ? hintOf(app.facts().keys, await app.hasDevAccount()) : null;
  } catch (failure) {
    app.close();
    throw failure;
  }
  const announce = (port: number) => {
    if (wantsJson(command)) announceJson(config, port, dev);
    else announceText(config, port, dev);
    if (hint) note(hint);
  };
  if (config.workers === 1) await serveHere(app, config, announce);
  else {
    app.close();
    const { supervise } = await import('./serve-cluster.ts');
    await supervise(config, stderrLog, announce);
  }
}

/** What whoever starts the service should know before others use it. */
function hintOf(keys: number, hasDev: boolean): string | null {
  if (hasDev) return devAccount;
  return keys === 0 ? firstKey : null;
}

const devAccount =
  'The account dev@localhost is from `serve --dev`, and its key works here too. Remove it with: cratebase accounts delete dev@localhost';
const firstKey =
  'No key yet. Make one: cratebase accounts create you@example.com, then cratebase keys create you@example.com --name first';

async function fill(app: App, isNew: boolean): Promise<void> {
  if (isNew) await app.wantStarter();
  if (!app.lacksStarter) return;
  note(`filling ${app.path} with the starter catalogue …`);
  await app.fillStarter();
}

async function serveHere(app: App, config: Settings, announce: (port: number) => void): Promise<void> {
  const stopped = stopSignal();
  const { startServer } = await import('../app.ts');
  try {
    const running = await startServer(app, { config, log: stderrLog });
    announce(running.port);
    const schedule = config.noSync ? null : keepSynced(app, config, stderrLog);
    await stopped;
    await Promise.all([schedule?.stop(), running.stop()]);
  } finally {
    app.close();
  }
}

function announceJson({ host }: Settings, port: number, dev: Dev | null): void {
  const url = addressOf(host, port);
  print(JSON.stringify({ url, pid: process.pid, ...dev }));
}

function announceText({ host }: Settings, port: number, dev: Dev | null): void {
  if (dev) {
    const local = localUrl(host, port);
    note(`account  ${dev.account} (${dev.plan})`);
    note(`key      ${dev.key}`);
    note(`try      curl -H 'Authorization: Bearer ${dev.key}' '${local}/api/v1/events?limit=3'`);
  }
  print(`listening on ${addressOf(host, port)}`);
}
