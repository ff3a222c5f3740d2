/** `sync`: reads sources into the catalogue now. `serve` does this when they are due. */
import type { Command } from 'commander';
import type { App, FetchConfig, SyncOptions, SyncReport } from '../../app.ts';
import { plural } from '../../plural.ts';
import { abortOnSignals, addExamples, dataPath, printResult, settingOption, withApp } from '../command.ts';
import { runOnCopy } from '../dry-run-copy.ts';
import { describeClosedVenues } from '../output/closed-venues.ts';
import {
  changesSince,
  type DryRunPreview,
  describeCounts,
  describePreview,
  describeSkipped,
  formatMinute,
  noteSkipped,
} from '../output/import-report.ts';
import { noteWaiting } from '../output/matching.ts';
import { RejectionLog, rejectionPath } from '../output/rejection-log.ts';
import { note, Progress } from '../output/terminal.ts';
import { giveWayToService, lowerOwnPriority } from '../process-priority.ts';
import { resolveFetchConfig } from '../running-service.ts';

type SyncCommandOptions = { due?: boolean; dryRun?: boolean; force?: boolean; fresh?: boolean };

/** Adds `sync` to the program. Its exit status is 1 if a source failed or had rejected records. */
export function addSync(program: Command): void {
  const command = program
    .command('sync')
    .argument('[name...]', 'names of sources; without a name, all sources that are not paused')
    .description('Read sources into the catalogue now. `serve` does this automatically, once a day.')
    .option('--due', 'only sources that are due')
    .option('--dry-run', 'show what would change and why; change nothing')
    .option('--force', 'accept far fewer records than usual, and withdrawing more than half of them')
    .option('--fresh', 'also read unchanged pages');
  for (const name of ['baseUrl', 'fetchAllow'] as const) command.addOption(settingOption(name));
  addExamples(command, [
    ['cratebase sync', ''],
    ['cratebase sync club --dry-run', ''],
    ['cratebase sync --due --json', 'from cron, beside `serve --no-sync`'],
  ]);
  command.action((names: string[]) => runSync(command, names));
}

type SyncResult = Omit<SyncReport, 'revision'> & { revision: number | null } & Partial<DryRunPreview>;

async function runSync(command: Command, names: string[]): Promise<void> {
  const options = command.opts<SyncCommandOptions>();
  if (options.due) lowerOwnPriority();
  const data = dataPath(command);
  // From the file itself: no service is registered in the copy of a dry run.
  const from = await withApp(command, { data, readOnly: true, anySchema: true }, (app) =>
    resolveFetchConfig(command, app),
  );
  const run = (path: string) =>
    withApp(command, { data: path }, (app) => syncAll(app, from, data, names, options));
  const reports = await (options.dryRun ? runOnCopy(command, data, run) : run(data));
  printResult(command, { data: reports }, () => formatResults(reports, options));
  if (!reports.every(isComplete)) process.exitCode = 1;
}

/** Returns whether all records of the source were accepted (docs/spec/imports.md#promises, promise 5). */
const isComplete = ({ outcome, rejected_count }: SyncResult): boolean =>
  (outcome === 'done' || outcome === 'unchanged') && rejected_count === 0;

async function syncAll(
  app: App,
  from: FetchConfig,
  dataFile: string,
  names: string[],
  options: SyncCommandOptions,
): Promise<SyncResult[]> {
  giveWayToService(app);
  const registry = await app.sources(from);
  await registry.recordDeadRuns();
  const sources = names.length > 0 ? [...new Set(names)] : options.due ? registry.due() : registry.active();
  // All names are checked before the first source is read.
  for (const name of sources) registry.assertExists(name);
  for (const name of names.length > 0 ? sources : [])
    if (registry.summary(name).paused_at !== null)
      note(`${name} is paused: it is read now, and not by the schedule until \`sources resume\``);
  const reports: SyncResult[] = [];
  // An exception of a socket or a timer has no caller: it ends the current source only.
  const onUncaught = (failure: unknown) => {
    if (registry.interrupt(failure)) return;
    note(`cratebase: ${failure instanceof Error ? failure.stack : String(failure)}`);
    process.exit(1);
  };
  process.on('uncaughtException', onUncaught);
  const signal = abortOnSignals();
  try {
    if (options.due) await registry.finishInterrupted(signal);
    for (const name of sources)
      reports.push(await syncAndPreview(name, app, registry, dataFile, options, signal));
  } finally {
    process.off('uncaughtException', onUncaught);
  }
  return reports;
}

type SourceRegistry = Awaited<ReturnType<App['sources']>>;

/** Reads one source; a dry run adds the changes and matches to the report. */
async function syncAndPreview(
  name: string,
  app: App,
  registry: SourceRegistry,
  dataFile: string,
  options: SyncCommandOptions,
  signal: AbortSignal,
): Promise<SyncResult> {
  const before = app.revision();
  const matches = options.dryRun ? await app.dryRunMatches() : null;
  const report = await syncOne(name, registry, dataFile, options, matches?.add, signal);
  noteSkipped(report, `${name}: `);
  if (matches === null) return report;
  const preview = { changes: changesSince(app, before), matches: matches.named(name) };
  return { ...report, revision: null, next_run_at: null, ...preview };
}

async function syncOne(
  name: string,
  registry: SourceRegistry,
  dataFile: string,
  { force = false, fresh = false, dryRun = false, due = false }: SyncCommandOptions,
  onMatched: SyncOptions['onMatched'],
  signal: AbortSignal,
): Promise<SyncReport> {
  const progress = new Progress('records');
  // A scheduled run writes no file: `sources list` has its rejected records.
  const rejections = new RejectionLog(due ? null : rejectionPath(dataFile, name), `${name}: `);
  try {
    return await registry.sync(name, {
      force,
      signal,
      fresh: fresh || dryRun,
      // `--due` is the schedule, run by `serve` or by cron.
      byHand: !due,
      onWait: noteWaiting,
      onProgress: ({ records }) => progress.update({ done: 0, total: null, count: records }),
      onMatched,
      onDefect: (failure) => {
        progress.end();
        if (process.env.CRATEBASE_DEBUG && failure instanceof Error) note(String(failure.stack));
      },
      onRejected: ({ line, where, reason }) => {
        progress.end();
        rejections.add(`${where ?? `record ${line}`}: ${reason}`);
      },
    });
  } finally {
    progress.end();
    rejections.end();
  }
}

function formatResults(reports: SyncResult[], { due }: SyncCommandOptions): string {
  if (reports.length === 0) {
    return due ? 'No source is due.' : 'No sources. To add one, see `cratebase sources add --help`.';
  }
  // An empty line before each table but the first.
  return reports
    .map((report, at) => `${at > 0 && hasTable(report) ? '\n' : ''}${formatResult(report)}`)
    .join('\n');
}

const hasTable = ({ kinds }: SyncResult): boolean => Object.keys(kinds).length > 0;

function formatResult(report: SyncResult): string {
  const counts = describeCounts(report.kinds);
  const rejectedText =
    report.rejected_count === 0 ? '' : `, ${plural(report.rejected_count, 'record')} rejected`;
  const next = report.next_run_at === null ? '' : `, next ${formatMinute(report.next_run_at)} UTC`;
  const skipped = describeSkipped(report);
  const outcomeText =
    report.revision === null
      ? ', dry run: nothing was changed'
      : `, revision ${report.revision} after ${report.seconds} s`;
  const isEmpty =
    report.outcome === 'done' && report.records === 0 && counts === '' && report.rejected_count === 0;
  const nothing = isEmpty ? ', no records' : '';
  const end = `${report.source}: ${report.outcome}${nothing}${outcomeText}${rejectedText}${skipped}${next}`;
  const error = report.error === null ? [] : [`${report.source}: ${report.error}`];
  const closedVenues = describeClosedVenues(report.closed_venues, `${report.source}: `);
  const { changes, matches } = report;
  const preview = changes && matches ? describePreview({ changes, matches }) : '';
  return [counts, preview, end, ...error, ...closedVenues].filter((part) => part !== '').join('\n');
}
