/** `serve`: creates and fills a missing data file, then runs the service in one process or several. */
import { existsSync, statSync } from 'node:fs';
import type { Command } from 'commander';
import type { App, ClusterAddressParts, FileMonitor } from '../../app.ts';
import { localUrl, readServeConfig, serverUrl, unknownVariables } from '../../config.ts';
import { stderrLog } from '../../log.ts';
import { type SettingName, type Settings, settings } from '../../settings.ts';
import { addExamples, flagsOf, followUpCommand, settingOption, wantsJson } from '../command.ts';
import { print, printJson } from '../output/terminal.ts';
import { startBackups } from '../serve/backup-scheduler.ts';
import { checkExportFolder, startExports } from '../serve/export-scheduler.ts';
import type { Announce } from '../serve/messages.ts';
import { checkRoom, removeUnfinished, tooSmall } from '../serve/new-file.ts';
import {
  exitIfFileLost,
  ignorePipeErrors,
  logUncaughtErrors,
  stopParts,
  waitForStopSignal,
} from '../serve/process.ts';
import { startScheduler } from '../serve/scheduler.ts';
import { registerService } from '../serve/service-registry.ts';

/** Adds `serve` to the program, with an option for each setting. */
export function addServe(program: Command): void {
  const serve = program
    .command('serve')
    .description('Start the service. Creates a missing data file with the starter catalogue.');
  const own = (Object.keys(settings) as SettingName[]).filter((name) => name !== 'data');
  for (const name of own) serve.addOption(settingOption(name));
  addExamples(serve, [
    ['cratebase serve --dev', 'development: prints a key and a request to try'],
    ['cratebase serve --data music.db --samples', 'starter catalogue with invented sample events'],
    ['cratebase serve --data music.db --empty', 'without the starter catalogue'],
    ['cratebase serve --workers 4 --base-url https://music.example.org', ''],
    [
      'cratebase serve --dev --quota 20 --window 5 --fail 503:0.1',
      'limits and failures for testing a client',
    ],
  ]);
  serve.action(() => runServe(serve));
}

type DevAccount = { account: string; key: string; plan: string };

async function runServe(command: Command): Promise<void> {
  const flags = flagsOf(command);
  const config = readServeConfig(flags, process.env);
  ignorePipeErrors();
  logUncaughtErrors();
  for (const name of unknownVariables(process.env)) {
    stderrLog('warn', `${name} is not a setting`, { advice: '`cratebase serve --help` lists all settings' });
  }
  const [modules, { checkPortAvailable }] = await Promise.all([
    import('../../app.ts'),
    import('../../server.ts'),
  ]);
  const { clockFor, isDiskFull, openApp, programVersion, describeReadError, readIdentityConfig } = modules;
  readIdentityConfig(config);
  const cluster = modules.readCluster(config);
  // All before a data file is created.
  checkExportFolder(config);
  await checkPortAvailable(config.host, config.port);
  if (cluster !== null) return serveInCluster(command, config, cluster);
  const wasThere = existsSync(config.data);
  const isNew = !wasThere || statSync(config.data).size === 0;
  if (isNew) checkRoom(config);
  const app = openApp({ data: config.data, create: true, clock: clockFor(config), cluster });
  let facts: StartFacts;
  try {
    if (!config.empty) await fillStarter(app, isNew, config);
    facts = await collectFacts(app, command, config, programVersion());
  } catch (failure) {
    closeQuietly(app);
    if (isNew && isDiskFull(failure, config.data)) {
      removeUnfinished(config.data, wasThere);
      throw tooSmall(config.data, 'is full', config.empty);
    }
    throw describeReadError(failure, config.data);
  }
  const announce: Announce = (open, port) => {
    const others = open.services.running();
    const unregister = registerService(open, config, flags, port, stderrLog);
    announceStart(command, config, facts, open, port);
    for (const other of others) warnAboutOtherService(other.pid, other.url);
    return unregister;
  };
  if (config.workers === 1) await serveInProcess(app, config, announce);
  else {
    app.close();
    const { superviseWorkers } = await import('../serve/worker-pool.ts');
    await superviseWorkers(config, stderrLog, announce);
  }
}

/** Serves as a node of a cluster. */
async function serveInCluster(
  command: Command,
  config: Settings,
  members: ClusterAddressParts,
): Promise<void> {
  const [{ serveNode }, { programVersion }] = await Promise.all([
    import('../serve/node/serve-node.ts'),
    import('../../app.ts'),
  ]);
  // While PostgreSQL is away, a node starts without facts about accounts.
  let facts: StartFacts = { dev: null, hint: null, operatorToken: null, version: programVersion() };
  await serveNode({
    config,
    members,
    log: stderrLog,
    onOpen: async (app) => {
      facts = await collectFacts(app, command, config, programVersion());
    },
    announce: (app, port) => announceStart(command, config, facts, app, port),
  });
}

/** What is said when the service answers. */
type StartFacts = {
  dev: DevAccount | null;
  hint: StartupHint | null;
  operatorToken: string | null;
  version: string;
};

async function collectFacts(
  app: App,
  command: Command,
  config: Settings,
  version: string,
): Promise<StartFacts> {
  const dev = config.dev ? await app.devAccount.ensure(config) : null;
  const hint = dev === null ? await startupHint(app, command) : null;
  const { operatorLinks } = await app.access();
  const operatorToken = (await operatorLinks.createFirst(app.cluster !== null))?.token ?? null;
  return { dev, hint, operatorToken, version };
}

/** Says that the service answers. */
function announceStart(
  command: Command,
  config: Settings,
  { dev, hint, operatorToken, version }: StartFacts,
  app: App,
  port: number,
): void {
  const { data, workers } = config;
  const [url, pid] = [serverUrl(config.host, port), process.pid];
  const operator = operatorToken === null ? null : operatorUrl(config, port, operatorToken);
  if (wantsJson(command)) printJson({ url, pid, ...dev, operator_link: operator });
  else printAnnouncement(config, port, { dev, operator, hasEvents: app.hasEvents() });
  stderrLog('info', 'started', { url, data, workers, pid, version });
  if (hint) stderrLog('warn', hint.message, { advice: hint.advice });
}

/** Closes the file. On a full disk this fails as well, but the error of filling is the one to report. */
function closeQuietly(app: App): void {
  try {
    app.close();
  } catch {
    // The process ends anyway.
  }
}

const warnAboutOtherService = (pid: number, url: string): void =>
  stderrLog('warn', 'another service uses this data file', {
    pid,
    url,
    advice:
      'both show the same catalogue, and whichever is free reads a due source; stop one of them, unless you need both; --workers adds processes to one service',
  });

type StartupHint = { message: string; advice: string };

/** Returns a warning about the dev account or missing keys; null if there is neither. */
async function startupHint(app: App, command: Command): Promise<StartupHint | null> {
  if (await app.devAccount.exists()) {
    return {
      message: 'the account dev@localhost was created by `serve --dev`, and its key is valid',
      advice: followUpCommand(command, 'accounts delete dev@localhost'),
    };
  }
  if ((await (await app.access()).counts()).keys > 0) return null;
  const first = followUpCommand(command, 'accounts create you@example.com');
  const second = followUpCommand(command, 'keys create you@example.com --name first');
  return { message: 'there is no API key yet', advice: `${first}, then ${second}` };
}

async function fillStarter(app: App, isNew: boolean, { dev, samples, noSamples }: Settings): Promise<void> {
  if (isNew) await app.starter.request({ samples: (samples || dev) && !noSamples });
  else if (samples && !app.starter.isPending && app.starter.countSampleEvents() === 0) {
    stderrLog('warn', 'the data file exists, so --samples adds no sample events to it', {
      data: app.path,
      advice: 'start with a new file: cratebase serve --samples --data samples.db',
    });
  }
  if (!app.starter.isPending) return;
  const began = performance.now();
  stderrLog('info', 'filling the data file with the starter catalogue', { data: app.path });
  await app.starter.import();
  stderrLog('info', 'filled', { seconds: Math.round(performance.now() - began) / 1000 });
}

async function serveInProcess(app: App, config: Settings, announce: Announce): Promise<void> {
  const stopSignal = waitForStopSignal();
  const [{ startServer }, { createActionProcesses }] = await Promise.all([
    import('../../server.ts'),
    import('../serve/action-process.ts'),
  ]);
  const actions = createActionProcesses({ config, log: stderrLog });
  let monitor: FileMonitor | undefined;
  try {
    await app.disableAutoCheckpoint();
    const server = await startServer(app, { config, log: stderrLog, runAction: actions.run });
    monitor = app.file.maintain(stderrLog);
    const unregister = announce(app, server.port);
    const schedule = config.noSync ? null : startScheduler(app, config, stderrLog);
    const backups = startBackups(app, config, stderrLog);
    const exports = startExports(app, config, server.port, stderrLog);
    stderrLog('info', 'stopping', { signal: await stopSignal });
    await stopParts({
      sources: schedule?.stop(),
      backups: backups?.stop(),
      exports: exports?.stop(),
      server: server.close(),
      actions: actions.stop(),
    });
    unregister();
  } finally {
    await stopParts({ monitor: monitor?.stop() });
    app.close();
  }
  stderrLog('info', 'stopped');
  exitIfFileLost(app, monitor);
}

/** Returns the link with which the first operator begins (docs/guides/administering.md). */
function operatorUrl({ accountUrl, baseUrl, host }: Settings, port: number, token: string): string {
  return `${accountUrl ?? baseUrl ?? localUrl(host, port)}/admin/start?token=${token}`;
}

/** Prints account, key and addresses. The last line says that the service answers; pages are named on a terminal only. */
function printAnnouncement(
  { host, site }: Settings,
  port: number,
  { dev, operator, hasEvents }: { dev: DevAccount | null; operator: string | null; hasEvents: boolean },
): void {
  const local = localUrl(host, port);
  const lines: [name: string, value: string][] = [];
  if (dev) {
    lines.push(['account', `${dev.account} (${dev.plan})`], ['key', dev.key]);
    lines.push(['try', `curl -H 'Authorization: Bearer ${dev.key}' '${local}/api/v1/events?limit=3'`]);
  }
  if (!dev && !hasEvents)
    lines.push(['events', `none yet; add those of your city: ${local}/admin/sources/add`]);
  if (process.stdout.isTTY) {
    if (site === 'on') lines.push(['pages', `${local}/`]);
    lines.push(['docs', `${local}/docs`]);
    if (!dev) lines.push(['keys', `${local}/account/developer`]);
  }
  if (operator !== null) lines.push(['admin', operator]);
  const texts = lines.map(([name, value]) => `${name.padEnd(9)}${value}\n`);
  print(`${texts.join('')}listening on ${serverUrl(host, port)}`);
}
