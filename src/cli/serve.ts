/** `serve`: the data file made and filled where it is missing, then the service, in one process or several. */
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { App, FileKeeper } from '../app.ts';
import { addressOf, localUrl, readServeConfig, strangeVariables } from '../config.ts';
import { stderrLog } from '../log.ts';
import { type SettingName, type Settings, settings } from '../settings.ts';
import { addExamples, flagsOf, nextCommand, settingOption, wantsJson } from './command.ts';
import type { Announce } from './serve-messages.ts';
import { endAt, logUnexpected, stopSignal, surviveClosedPipes } from './serve-process.ts';
import { keepSynced } from './serve-sync.ts';
import { noteServing } from './serving.ts';
import { print } from './terminal.ts';

export function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('Start the service. Creates a missing data file with the starter catalogue.');
  const own = (Object.keys(settings) as SettingName[]).filter((name) => name !== 'data');
  for (const name of own) serve.addOption(settingOption(name));
  addExamples(serve, [
    ['cratebase serve --dev', 'development: prints a key and a request to try'],
    ['cratebase serve --data music.db --no-samples', 'starter catalogue without sample events'],
    ['cratebase serve --data music.db --empty', 'without the starter catalogue'],
    ['cratebase serve --workers 4 --base-url https://music.example.org', ''],
    [
      'cratebase serve --dev --quota 20 --window 5 --fail 503:0.1',
      'limits and failures for testing a client',
    ],
  ]);
  serve.action(() => runServe(serve));
}

type Dev = { account: string; key: string; plan: string };

async function runServe(command: Command): Promise<void> {
  const flags = flagsOf(command);
  const config = readServeConfig(flags, process.env);
  surviveClosedPipes();
  logUnexpected();
  for (const name of strangeVariables(process.env)) {
    stderrLog('warn', `${name} is not a setting`, { advice: '`cratebase serve --help` lists all settings' });
  }
  const [{ clockOf, openApp, programVersion, readable }, { checkFree }] = await Promise.all([
    import('../app.ts'),
    import('../doors.ts'),
  ]);
  // Before a file is made that nobody will serve.
  await checkFree(config.host, config.port);
  const isNew = !existsSync(config.data) || statSync(config.data).size === 0;
  const app = openApp({ data: config.data, create: true, clock: clockOf(config) });
  let dev: Dev | null = null;
  let hint: Hint | null = null;
  try {
    if (!config.empty) await fill(app, isNew, config);
    if (config.dev) dev = await app.ensureDev(config);
    else hint = await hintOf(app, command);
  } catch (failure) {
    app.close();
    throw readable(failure, config.data);
  }
  const announce: Announce = (open, port) => {
    const others = open.services();
    const forget = noteServing(open, config, flags, port, stderrLog);
    const { data, workers } = config;
    const [url, pid] = [addressOf(config.host, port), process.pid];
    if (wantsJson(command)) print(JSON.stringify({ url, pid, ...dev }));
    else announceText(config, port, dev);
    stderrLog('info', 'started', { url, data, workers, pid, version: programVersion() });
    for (const { pid, url } of others) warnOf(pid, url);
    if (hint) stderrLog('warn', hint.message, { advice: hint.advice });
    return forget;
  };
  if (config.workers === 1) await serveHere(app, config, announce);
  else {
    app.close();
    const { supervise } = await import('./serve-cluster.ts');
    await supervise(config, stderrLog, announce);
  }
}

const warnOf = (pid: number, url: string): void =>
  stderrLog('warn', 'another service uses this data file', {
    pid,
    url,
    advice: 'stop one of them, unless you need both; --workers adds processes to one service',
  });

type Hint = { message: string; advice: string };

/** What whoever starts the service should know before others use it. */
async function hintOf(app: App, command: Command): Promise<Hint | null> {
  if (await app.hasDevAccount()) {
    return {
      message: 'the account dev@localhost was created by `serve --dev`, and its key is valid',
      advice: nextCommand(command, 'accounts delete dev@localhost'),
    };
  }
  if (app.facts().keys > 0) return null;
  const first = nextCommand(command, 'accounts create you@example.com');
  const second = nextCommand(command, 'keys create you@example.com --name first');
  return { message: 'there is no API key yet', advice: `${first}, then ${second}` };
}

async function fill(app: App, isNew: boolean, { noSamples }: Settings): Promise<void> {
  if (isNew) await app.wantStarter({ samples: !noSamples });
  if (!app.lacksStarter) return;
  const began = performance.now();
  stderrLog('info', 'filling the data file with the starter catalogue', { data: app.path });
  await app.fillStarter();
  stderrLog('info', 'filled', { seconds: Math.round(performance.now() - began) / 1000 });
}

async function serveHere(app: App, config: Settings, announce: Announce): Promise<void> {
  const stopped = stopSignal();
  const { startServer } = await import('../doors.ts');
  let keeper: FileKeeper | undefined;
  try {
    await app.leaveCheckpoints();
    const running = await startServer(app, { config, log: stderrLog });
    keeper = app.keepFile(stderrLog);
    const forget = announce(app, running.port);
    const schedule = config.noSync ? null : keepSynced(app, config, stderrLog);
    stderrLog('info', 'stopping', { signal: await stopped });
    await Promise.all([schedule?.stop(), running.stop()]);
    forget();
  } finally {
    await keeper?.stop();
    app.close();
  }
  stderrLog('info', 'stopped');
  endAt(app);
}

/** One block on standard output. Its last line says that it answers; where to go is for who reads it on a terminal. */
function announceText({ host, site }: Settings, port: number, dev: Dev | null): void {
  const local = localUrl(host, port);
  const lines: [name: string, value: string][] = [];
  if (dev) {
    lines.push(['account', `${dev.account} (${dev.plan})`], ['key', dev.key]);
    lines.push(['try', `curl -H 'Authorization: Bearer ${dev.key}' '${local}/api/v1/events?limit=3'`]);
  }
  if (process.stdout.isTTY) {
    if (site === 'on') lines.push(['pages', `${local}/`]);
    lines.push(['docs', `${local}/docs`]);
    if (!dev) lines.push(['keys', `${local}/account/developer`]);
  }
  const shown = lines.map(([name, value]) => `${name.padEnd(9)}${value}\n`);
  print(`${shown.join('')}listening on ${addressOf(host, port)}`);
}
