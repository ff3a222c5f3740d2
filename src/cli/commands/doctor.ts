/**
 * `doctor`: checks settings, service, data file, disk and clock, and suggests fixes. If a service runs on the data file,
 * its settings are checked, not those that a service started from here would have.
 */
import { hostname } from 'node:os';
import type { Command } from 'commander';
import type { ClusterAddressParts, ClusterFacts, RunningService } from '../../app.ts';
import { reportSettings, type SettingReport, unknownVariables } from '../../config.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { checkCluster, checkNodeFolder } from '../check-cluster.ts';
import { checkClock, checkDisk, type DataFileReport, examineFile } from '../check-data-file.ts';
import {
  type AddFinding,
  advertisedBaseUrl,
  checkProxy,
  checkReachability,
  type Finding,
} from '../check-service.ts';
import { addExamples, flagsOf, printResult, settingOption } from '../command.ts';
import { formatFields, formatTable } from '../output/terminal.ts';
import { addClusterOptions, addObjectsOption, clusterOf, objectsOf } from '../with-access.ts';

type Versions = { cratebase: string; node: string; sqlite: string; platform: string };
type DoctorReport = {
  ok: boolean;
  versions: Versions;
  /** The service whose settings are shown; null if none runs on the file on this machine. */
  service: Omit<RunningService, 'settings'> | null;
  settings: SettingReport[];
  data: DataFileReport | null;
  /** The state of the cluster; null: there is none, or PostgreSQL cannot be used. */
  cluster: ClusterFacts | null;
  findings: Finding[];
};

/** Adds `doctor` to the program. Its exit status is 1 if a check failed; warnings do not change it. */
export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description(
      'Check configuration, data file, disk, clock and reachability, and suggest fixes. Checks the service that runs on the data file, otherwise the current settings.',
    )
    .option('--key <key>', 'explain why this key is refused');
  addClusterOptions(command);
  addObjectsOption(command);
  for (const name of ['host', 'port', 'baseUrl', 'registration'] as const) {
    command.addOption(settingOption(name));
  }
  addExamples(command, [
    ['cratebase doctor --data /srv/cratebase.db', 'check the service and its data file'],
    ['cratebase doctor --base-url https://music.example.org', 'check that the address reaches the service'],
    ['cratebase doctor --key cb_live_…', 'explain why the key is refused'],
  ]);
  command.action(async () => {
    const report = await runChecks(flagsOf(command), await clusterOf(command), objectsOf(command));
    printResult(command, report, () => formatReport(report));
    if (!report.ok) process.exitCode = 1;
  });
}

async function runChecks(
  flags: Record<string, unknown>,
  address: ClusterAddressParts | null,
  objects: string | null,
): Promise<DoctorReport> {
  const findings: Finding[] = [];
  const add: AddFinding = (check, status, message, advice = null) =>
    findings.push({ check, status, message, advice });
  const own = reportSettings(flags, process.env);
  const path = settingValue(own, 'data') as string | null;
  const key = flags.key as string | undefined;
  const file = path === null || address !== null ? null : await examineFile(path, key, add);
  const cluster = address === null ? null : await checkCluster(address, objects, add);
  if (address !== null && path !== null)
    await checkNodeFolder(path, { address, head: cluster?.catalogue.head ?? null, key }, add);
  const [served, ...others] = file?.services ?? [];
  // The settings of a node are known to it alone.
  const settings = served ? effectiveSettings(served, own) : own;
  const service = served ?? localNode(cluster);
  checkSettings(own, settings, add);
  const data = file?.report ?? null;
  checkRegistration(settings, data, add);
  if (path !== null) checkDisk(path, data, add);
  checkClock(data, add);
  const isAsked = flags.host !== undefined || flags.port !== undefined;
  await checkReachability(
    {
      host: settingValue(settings, 'host') as string | null,
      port: settingValue(settings, 'port') as number | null,
      baseUrl:
        (settingValue(settings, 'base-url') as string | null) ??
        (served || !service ? null : await readBaseUrl(service.url)),
    },
    isAsked ? null : (service ?? null),
    { hasFile: data !== null, isAsked },
    add,
  );
  for (const { pid, url } of others)
    add('service', 'ok', `process ${pid} answers from this file too, at ${url}`);
  if (service && file && file.forwardedAt >= Date.parse(service.started_at)) checkProxy(settings, add);
  return {
    ok: findings.every(({ status }) => status !== 'failed'),
    versions: await readVersions(),
    service: service ? withoutSettings(service) : null,
    settings: settings.map((setting) =>
      setting.from === 'default' && file?.identity.has(setting.name)
        ? { ...setting, value: file.identity.get(setting.name), from: 'file' }
        : setting,
    ),
    data,
    cluster,
    findings,
  };
}

/** The node of a cluster that runs on this machine; undefined: none. */
function localNode(cluster: ClusterFacts | null): RunningService | undefined {
  const node = cluster?.nodes.find(({ live, machine }) => live && machine === hostname());
  if (node === undefined) return undefined;
  const { pid, url, started_at, version } = node;
  return { pid, url, started_at, version, settings: [] };
}

/** Asks a node for its base address; null: it does not answer, which `checkReachability` says. */
async function readBaseUrl(url: string): Promise<string | null> {
  try {
    return await advertisedBaseUrl(url);
  } catch (failure) {
    if (failure instanceof Failure) return null;
    throw failure;
  }
}

const withoutSettings = ({ settings: _, ...service }: RunningService): Omit<RunningService, 'settings'> =>
  service;

/** Returns the value of a setting; null if it is not set or invalid. */
const settingValue = (settings: readonly SettingReport[], name: string): unknown =>
  settings.find((setting) => setting.name === name)?.value ?? null;

/** Returns the settings of the service. Options of this command win, and `data` is the file that is checked. */
function effectiveSettings(service: RunningService, own: SettingReport[]): SettingReport[] {
  const isGiven = ({ name, from }: SettingReport) => name === 'data' || from.startsWith('--');
  return own.map((here) =>
    isGiven(here) ? here : (service.settings.find(({ name }) => name === here.name) ?? here),
  );
}

function checkSettings(own: SettingReport[], effective: SettingReport[], add: AddFinding): void {
  const wrong = own.filter(({ problem }) => problem !== null);
  for (const { problem } of wrong) add('configuration', 'failed', problem as string, 'Correct the setting.');
  const unknown = unknownVariables(process.env);
  for (const name of unknown) {
    add(
      'configuration',
      'warning',
      `${name} is not a setting.`,
      '`cratebase serve --help` lists all settings.',
    );
  }
  if (wrong.length + unknown.length === 0) add('configuration', 'ok', 'all settings are valid');
  for (const { name, value, from } of own.filter(
    ({ from, problem }) => from !== 'default' && problem === null,
  )) {
    const current = settingValue(effective, name);
    // Port 0 becomes any free port.
    if (value === 0 || JSON.stringify(current) === JSON.stringify(value)) continue;
    const message = `${from} is ${formatValue(value)} here, but the service runs with ${formatValue(current) ?? 'none'}.`;
    add('configuration', 'warning', message, 'To use the new value, restart the service with it.');
  }
  if (
    ['0.0.0.0', '::'].includes(String(settingValue(effective, 'host'))) &&
    settingValue(effective, 'base-url') === null
  ) {
    add(
      'configuration',
      'warning',
      'The service listens on all network interfaces, but --base-url is not set.',
      'Set --base-url to the public address of the service.',
    );
  }
}

function checkRegistration(settings: SettingReport[], data: DataFileReport | null, add: AddFinding): void {
  if (settingValue(settings, 'registration') !== 'closed' || data === null || data.facts.accounts > 0) return;
  const advice = 'Create one with `cratebase accounts create`, or open the registration.';
  add('access', 'warning', 'Registration is closed and there is no account.', advice);
}

async function readVersions(): Promise<Versions> {
  const { programVersion, sqliteVersion } = await import('../../app.ts');
  return {
    cratebase: programVersion(),
    node: process.versions.node,
    sqlite: sqliteVersion(),
    platform: `${process.platform}-${process.arch}`,
  };
}

/** The effect of a setting without a value. */
const effectWhenUnset: Record<string, string> = {
  'base-url': 'http://HOST:PORT of this machine',
  'account-url': 'as base-url',
  'page-limit': '100 ms (0 with --dev)',
  'backup-dir': 'none: no scheduled backups',
  'metrics-token': 'none: no /metrics',
  now: 'the real time',
  plan: 'free (with --dev)',
  quota: 'that of the plan',
  window: 'that of the plan',
};

const statusLabels = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' };
const formatValue = (value: unknown): string | null =>
  value === null ? null : typeof value === 'string' ? value : JSON.stringify(value);

function titleOf({ service, cluster }: DoctorReport): string {
  if (cluster !== null) {
    const node = service
      ? `Process ${service.pid} is a node of the cluster on this machine, with settings of its own`
      : 'No node of the cluster runs on this machine';
    return `${node}. Settings of a node started from here`;
  }
  return service
    ? `Settings of the service that runs on this file (process ${service.pid}, since ${service.started_at.slice(0, 16)}Z)`
    : 'No service runs on this file on this machine. Settings of a service started from here';
}

function formatReport(report: DoctorReport): string {
  const { versions, settings, data, findings } = report;
  const parts = [
    formatFields(Object.entries(versions)),
    `${titleOf(report)}:\n${formatTable(
      ['SETTING', 'VALUE', 'FROM'],
      settings.map(({ name, value, from }) => [
        name,
        formatValue(value) ?? effectWhenUnset[name] ?? null,
        from,
      ]),
    )}`,
  ];
  if (data) {
    const { facts } = data;
    parts.push(
      formatFields([
        ['data file', data.path],
        ['revision', facts.revision],
        ['access', `${plural(facts.accounts, 'account')}, ${plural(facts.keys, 'key')}`],
        ...Object.entries(data.counts).map(
          ([name, count]) => [name.replaceAll('_', ' '), Number(count)] as const,
        ),
      ]),
    );
  }
  const lines = findings.map(({ check, status, message, advice }) =>
    [
      `${statusLabels[status].padEnd(8)} ${check}: ${message}`,
      ...(advice ? [`         ${advice}`] : []),
    ].join('\n'),
  );
  return [...parts, lines.join('\n')].join('\n\n');
}
