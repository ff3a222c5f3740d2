/** `doctor`: what is set, what runs, what lies where; and what to do about what is wrong. */
import { closeSync, existsSync, openSync, readSync, statfsSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Command } from 'commander';
import type { FileFacts } from '../app.ts';
import { reportSettings, type SettingReport, strangeVariables } from '../config.ts';
import { Failure } from '../failure.ts';
import { addExamples, flagsOf, settingOption, show, withApp } from './command.ts';
import { type Add, checkKey, checkReach, type Finding } from './doctor-service.ts';
import { bytes, fields, plural, table } from './terminal.ts';

type Versions = { cratebase: string; node: string; sqlite: string; platform: string };
type DataReport = {
  path: string;
  bytes: number;
  log_bytes: number;
  facts: FileFacts;
  counts: Record<string, unknown>;
};

/** No clock that is right says less than this. */
const earliest = Date.UTC(2026, 10, 1);
const latest = Date.UTC(2100, 0, 1);
const scarce = 1e9;
const none = 1e8;
const skewMs = 10_000;

export function addDoctor(program: Command): void {
  const command = program
    .command('doctor')
    .description('Look at configuration, versions, data file, disk, clock and reachability, and advise.')
    .option('--key <key>', 'say what is wrong with this key');
  for (const name of ['host', 'port', 'baseUrl', 'registration'] as const) {
    command.addOption(settingOption(name));
  }
  addExamples(command, [
    ['cratebase doctor --base-url https://music.example.org', ''],
    ['cratebase doctor --key cb_live_…', 'why is it refused?'],
  ]);
  command.action(() => examine(command));
}

async function examine(command: Command): Promise<void> {
  const flags = flagsOf(command);
  const settings = reportSettings(flags, process.env);
  const findings: Finding[] = [];
  const add = (check: string, status: Finding['status'], message: string, advice: string | null = null) =>
    findings.push({ check, status, message, advice });
  checkSettings(settings, add);
  const versions = await readVersions();
  const path = String(settings.find(({ name }) => name === 'data')?.value ?? '');
  const data = await readData(command, path, add);
  if (path !== '') checkDisk(path, data, add);
  checkClock(data, add);
  await checkReach(flags, add);
  const ok = findings.every(({ status }) => status !== 'failed');
  show(command, { ok, versions, settings, data, findings }, () =>
    describe(versions, settings, data, findings),
  );
  if (!ok) process.exitCode = 1;
}

function checkSettings(settings: SettingReport[], add: Add): void {
  const wrong = settings.filter(({ problem }) => problem !== null);
  for (const { problem } of wrong) add('configuration', 'failed', problem as string, 'Correct it.');
  const strange = strangeVariables(process.env);
  for (const name of strange) {
    add('configuration', 'warning', `${name} is not a setting.`, 'See `cratebase serve --help` for all.');
  }
  if (wrong.length + strange.length === 0) add('configuration', 'ok', 'every setting can be read');
  const setTo = (name: string) => settings.find((setting) => setting.name === name)?.value;
  if (['0.0.0.0', '::'].includes(String(setTo('host'))) && setTo('base-url') === null) {
    add(
      'configuration',
      'warning',
      'The service listens to everybody, but does not know its address.',
      'Set --base-url, so that addresses in answers lead to it.',
    );
  }
}

async function readVersions(): Promise<Versions> {
  const { programVersion, sqliteVersion } = await import('../app.ts');
  return {
    cratebase: programVersion(),
    node: process.versions.node,
    sqlite: sqliteVersion(),
    platform: `${process.platform}-${process.arch}`,
  };
}

async function readData(command: Command, path: string, add: Add): Promise<DataReport | null> {
  if (path === '') return null;
  if (!existsSync(path)) {
    add('data file', 'warning', `There is none at ${resolve(path)}.`, '`cratebase serve` makes it.');
    return null;
  }
  const { key } = command.opts<{ key?: string }>();
  const closed =
    flagsOf(command).registration === 'closed' || process.env.CRATEBASE_REGISTRATION === 'closed';
  const older = olderSchema(path);
  try {
    const [report, sources] = await withApp(command, { data: path, readOnly: true }, async (app) => {
      if (key !== undefined) await checkKey(app, key, add);
      const { last_synced_at: _, ...counts } = app.stats();
      const found: DataReport = {
        path: resolve(path),
        bytes: sizeOf(path),
        log_bytes: sizeOf(`${path}-wal`),
        facts: app.facts(),
        counts,
      };
      return [found, app.sourceStates()] as const;
    });
    add('data file', 'ok', `${bytes(report.bytes)}, schema ${report.facts.schema}`);
    if (older !== null && older < report.facts.schema) {
      const message = `It had schema ${older} and was brought to ${report.facts.schema} just now.`;
      add('data file', 'warning', message, `The file as it was is ${path}.v${older}.bak.`);
    }
    if (Number(report.counts.upcoming_events) === 0) {
      const advice =
        sources.length > 0
          ? '`cratebase sync` reads the sources now.'
          : 'Add a source: cratebase sources add --help';
      add('catalogue', 'warning', 'It has no events to come.', advice);
    }
    if (closed && report.facts.accounts === 0) {
      const advice = 'Make one with `cratebase accounts create`, or open the registration.';
      add('access', 'warning', 'Registration is closed and there is no account: nobody can get in.', advice);
    }
    if (report.facts.starter === 'wanted') {
      add(
        'data file',
        'warning',
        'The starter catalogue is not in it yet.',
        '`cratebase serve` completes it.',
      );
    }
    if (report.log_bytes > Math.max(report.bytes, 256e6)) {
      const log = bytes(report.log_bytes);
      add('data file', 'warning', `Its log has grown to ${log}.`, 'End whatever reads it for hours.');
    }
    for (const { name, failures, last_success_at } of sources) {
      const last = last_success_at === null ? 'never read' : `last read ${last_success_at.slice(0, 16)}Z`;
      const advice = `\`cratebase sources list\` says why, \`cratebase sync ${name}\` tries again.`;
      if (failures > 0)
        add('sources', 'warning', `${name} failed ${plural(failures, 'time')}; ${last}.`, advice);
    }
    if (report.facts.keys === 0) {
      const advice = 'Make an account with `cratebase accounts create`, a key with `cratebase keys create`.';
      add('access', 'warning', 'There is no key: nobody can ask anything.', advice);
    }
    return report;
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure;
    const advice = failure instanceof Failure ? null : '`cratebase verify` tells more.';
    add('data file', 'failed', failure.message, advice);
    return null;
  }
}

/** The schema of a file before it is opened, and so brought up to date; null where that cannot be read. */
function olderSchema(path: string): number | null {
  const head = Buffer.alloc(100);
  try {
    const file = openSync(path, 'r');
    try {
      // `user_version` stands at byte 60 of SQLite's header.
      return readSync(file, head, 0, 100, 0) === 100 ? head.readInt32BE(60) : null;
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

const sizeOf = (path: string): number => (existsSync(path) ? statSync(path).size : 0);

function checkDisk(path: string, data: DataReport | null, add: Add): void {
  try {
    const { bavail, bsize } = statfsSync(dirname(resolve(path)));
    const free = bavail * bsize;
    const advice = 'Make room, or move the data file with --data.';
    if (free < none) add('disk', 'failed', `Only ${bytes(free)} are free.`, advice);
    else if (free < Math.max(scarce, data?.bytes ?? 0)) {
      add('disk', 'warning', `${bytes(free)} are free: too little for a backup beside it.`, advice);
    } else add('disk', 'ok', `${bytes(free)} free`);
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    add(
      'disk',
      'failed',
      `${dirname(resolve(path))} cannot be looked at (${code}).`,
      'Name another with --data.',
    );
  }
}

function checkClock(data: DataReport | null, add: Add): void {
  const now = Date.now();
  const said = new Date(now).toISOString();
  const synced = data?.facts.last_synced_ts ?? 0;
  if (now < earliest || now > latest) add('clock', 'failed', `It says ${said}.`, 'Set it right.');
  else if (synced > now + skewMs) {
    add('clock', 'warning', `It says ${said}, before the last import.`, 'Set it right, if it is wrong.');
  } else add('clock', 'ok', said);
}

function describe(
  versions: Versions,
  settings: SettingReport[],
  data: DataReport | null,
  findings: Finding[],
): string {
  const marks = { ok: 'ok', warning: 'WARNING', failed: 'FAILED' };
  const shown = (value: unknown) => (Array.isArray(value) ? JSON.stringify(value) : (value as string | null));
  const parts = [
    fields(Object.entries(versions)),
    table(
      ['SETTING', 'VALUE', 'FROM'],
      settings.map(({ name, value, from }) => [name, shown(value), from]),
    ),
  ];
  if (data) {
    const { facts } = data;
    parts.push(
      fields([
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
    [`${marks[status].padEnd(8)} ${check}: ${message}`, ...(advice ? [`         ${advice}`] : [])].join('\n'),
  );
  return [...parts, lines.join('\n')].join('\n\n');
}
