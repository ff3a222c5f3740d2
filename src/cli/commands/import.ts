/** `import`: imports files into the catalogue. */
import type { Command } from 'commander';
import type { App, ImportFilesReport } from '../../app.ts';
import { sourceTypeList } from '../../contract/source-formats.ts';
import { Failure, Interrupted } from '../../failure.ts';
import { plural } from '../../plural.ts';
import {
  abortOnSignals,
  addExamples,
  dataPath,
  printResult,
  readFetchConfig,
  settingOption,
  withApp,
} from '../command.ts';
import {
  type DetectedFormat,
  detectFormat,
  formatHint,
  nothingImportedMessage,
  readHead,
} from '../detect-format.ts';
import { runOnCopy } from '../dry-run-copy.ts';
import { FeedInput, uniqueFiles } from '../feed-input.ts';
import { describeClosedVenues } from '../output/closed-venues.ts';
import {
  changesSince,
  type DryRunPreview,
  describeCounts,
  describePreview,
  describeSkipped,
  noteSkipped,
} from '../output/import-report.ts';
import { noteWaiting } from '../output/matching.ts';
import { RejectionLog, rejectionPath } from '../output/rejection-log.ts';
import { note, Progress } from '../output/terminal.ts';
import { giveWayToService } from '../process-priority.ts';

type ImportCommandOptions = {
  source: string;
  type: string;
  trust?: string;
  clock?: string;
  complete?: true;
  force?: true;
  dryRun?: true;
  option?: string[];
};

/**
 * Adds `import` to the program. Its exit status is 1 if a record was rejected or no record was read; the rest is
 * imported.
 */
export function addImport(program: Command): void {
  const command = program
    .command('import')
    .argument(
      '<file...>',
      'feeds (.ndjson, .ndjson.gz), files of another type, or folders; - is standard input',
    )
    .description(
      'Import files into the catalogue. Rejected lines are reported with their number; the rest is imported.',
    )
    .requiredOption('--source <name>', 'name of the source; the same name updates the same records')
    .option('--type <type>', `format of the files: ${sourceTypeList}`, 'feed')
    .option('--trust <number>', '0 to 100; if sources disagree, the highest trust wins')
    .option('--clock <clock>', 'local for a source that writes local times with Z; else instant')
    .option('--complete', 'the files list all records of the source: withdraw records that are missing')
    .option('--force', 'allow --complete to withdraw more than half of the records')
    .option('--option <name=value...>', 'options of the type, such as country=DE')
    .option('--dry-run', 'show what would change; change nothing')
    .addOption(settingOption('fetchAllow'));
  addExamples(command, [
    ['cratebase import berghain.ndjson --source berghain', ''],
    ['cratebase import *.ndjson.gz --source promoter --trust 60 --complete', ''],
    ['cratebase import club.ics --source club --type ical', ''],
    ['cratebase import mbdump --source musicbrainz --type musicbrainz', 'a folder with all dumps'],
    ['curl -s https://example.org/feed | cratebase import - --source example --json', ''],
  ]);
  command.action((files: string[]) => runImport(command, files));
}

async function runImport(command: Command, files: string[]): Promise<void> {
  const options = command.opts<ImportCommandOptions>();
  const settings = await parseOptions(options);
  const input = new FeedInput(settings.type === 'feed' ? files : []);
  const source = { input, files: uniqueFiles(files) };
  if (files.includes('-') && process.stdin.isTTY) note('reading standard input; press Ctrl-D to end it');
  const run = (data: string) =>
    withApp(command, { data, create: true }, (app) =>
      options.dryRun === true
        ? importDryRun(command, app, settings, source)
        : importInto(command, app, settings, source),
    );
  const data = dataPath(command);
  const report = await (options.dryRun ? runOnCopy(command, data, run) : run(data));
  noteSkipped(report);
  for (const line of describeClosedVenues(report.closed_venues)) note(line);
  if (process.env.CRATEBASE_DEBUG) note(`write lock: ${JSON.stringify(report.lock)}`);
  const looks = isWithoutRecords(report) ? detectInputFormat(source) : null;
  const isNothing = isWithoutRecords(report) && !isEmptyAsExpected(settings, report, looks);
  // Every line of a file of another format is rejected: the message below says why.
  const isOther = isNothing && isNoFeed(settings, looks);
  printResult(command, toJson(report, input), () => (isOther ? '' : formatReport(report, settings)));
  // The reason may be that of a rejected record, which was printed.
  if (report.refused !== null && !report.rejected.some(({ reason }) => reason === report.refused))
    note(`cratebase: ${report.refused}`);
  if (isNothing)
    note(
      `cratebase: ${nothingImportedMessage(inputName(files), settings.type, looks, report.rejectedCount > 0)}`,
    );
  if (report.rejectedCount > 0 || report.refused !== null || isNothing) process.exitCode = 1;
}

const isWithoutRecords = ({ kinds }: ImportCommandReport): boolean => Object.keys(kinds).length === 0;

/** Whether the input of an import of type `feed` has the format of another type. */
const isNoFeed = ({ type }: ImportSettings, looks: DetectedFormat | null): boolean =>
  type === 'feed' && looks !== null && looks.type !== null && looks.type !== type;

/**
 * Returns whether an import without records is no mistake: `export --since` without changes writes an empty feed, and
 * with --complete a source may list no records any more.
 */
const isEmptyAsExpected = (
  { complete, type }: ImportSettings,
  { rejectedCount, records }: ImportCommandReport,
  looks: DetectedFormat | null,
): boolean =>
  // Rules may skip every record.
  rejectedCount === 0 && (records > 0 || complete || (type === 'feed' && looks?.isEmpty === true));

function inputName(files: readonly string[]): string {
  const [first] = files;
  if (files.length > 1) return `these ${files.length} files`;
  return first === '-' || first === undefined ? 'standard input' : first;
}

/** Guesses the format of the first file. */
function detectInputFormat({ input, files }: ImportInput): DetectedFormat | null {
  const [first = '-'] = files;
  return detectFormat(first === '-' ? input.head : readHead(first));
}

type ImportSettings = {
  source: string;
  type: string;
  trust: number | undefined;
  clock: 'instant' | 'local' | undefined;
  complete: boolean;
  force: boolean;
  options: Record<string, string>;
};

/** Parses the options; throws a `Failure` (wrong usage). */
async function parseOptions(options: ImportCommandOptions): Promise<ImportSettings> {
  const config = await loadSourceConfig();
  const { complete, force, option } = options;
  if (force && !complete) throw new Failure('--force works only together with --complete.', 2);
  const type = config.parseSourceType(options.type);
  return {
    source: config.parseSourceName(options.source, '--source'),
    type,
    trust: config.parseTrust(options.trust) ?? undefined,
    clock: config.parseClock(options.clock) ?? undefined,
    complete: complete === true,
    force: force === true,
    options: config.parseSourceOptions(type, option),
  };
}

async function loadSourceConfig() {
  const app = await import('../../app.ts');
  return app.loadSourceConfig();
}

type ImportInput = { input: FeedInput; files: string[] };
type ImportCommandReport = ImportFilesReport & Partial<DryRunPreview>;

/** Imports into a copy, and adds the changes and matches to the report. */
async function importDryRun(
  command: Command,
  app: App,
  settings: ImportSettings,
  source: ImportInput,
): Promise<ImportCommandReport> {
  const before = app.revision();
  const matches = await app.dryRunMatches();
  const report = await importInto(command, app, settings, source, matches.add);
  return { ...report, changes: changesSince(app, before), matches: matches.named(report.source) };
}

async function importInto(
  command: Command,
  app: App,
  settings: ImportSettings,
  { input, files }: ImportInput,
  onMatched?: Parameters<App['importFiles']>[0]['onMatched'],
): Promise<ImportCommandReport> {
  const { editorsIsTaken, editorsSourceName, starterIsTaken, starterName } = await loadSourceConfig();
  if (settings.source === editorsSourceName) throw new Failure(editorsIsTaken, 2);
  if (settings.source === starterName && app.file.facts().starter !== null)
    throw new Failure(starterIsTaken, 2);
  giveWayToService(app);
  const progress = new Progress('lines');
  const rejections = new RejectionLog(rejectionPath(dataPath(command), settings.source));
  let isFirst = true;
  try {
    const report = await app.importFiles(
      {
        ...settings,
        signal: abortOnSignals(),
        input: input.bytes(),
        files,
        onMatched,
        onWait: noteWaiting,
        onProgress: ({ lines }) =>
          progress.update({ done: input.bytesRead, total: input.totalBytes, count: lines }),
        onRejected: ({ line, where, reason }) => {
          progress.end();
          if (isFirst && isNoFeed(settings, detectInputFormat({ input, files }))) rejections.hold();
          isFirst = false;
          rejections.add(`${where ?? lineLocation(line, input, files)}: ${reason}`);
        },
      },
      readFetchConfig(command),
    );
    if (isWithoutRecords(report)) rejections.discard();
    return report;
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const hint = formatHint(settings.type, detectInputFormat({ input, files }));
    // The message of the failure has the hint. Another file may have had records.
    if (files.length === 1) rejections.discard();
    if (failure instanceof Interrupted) throw failure;
    throw new Failure(`${failure.message}${hint}`, failure.exitStatus);
  } finally {
    progress.end();
    rejections.end();
  }
}

function lineLocation(number: number, input: FeedInput, files: string[]): string {
  const { file, line } = input.locate(number);
  return `${files.length === 1 && file === '-' ? 'standard input' : file}:${line}`;
}

/** Returns the report for --json (docs/spec/command-line.md). With several files, a rejected line names its file. */
function toJson(report: ImportCommandReport, input: FeedInput): unknown {
  const { source, kinds, skipped, notes, rules, seconds, changes, matches } = report;
  const revision = changes === undefined ? report.revision : null;
  const rejected = report.rejected.map(({ line, where, reason }) => {
    if (where !== undefined) return { line, where, reason };
    const location = input.locate(line);
    return { ...(input.hasSeveralFiles ? location : { line: location.line }), reason };
  });
  // Left out if empty: most imports skip and refuse nothing.
  const optional = {
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(notes.length === 0 ? {} : { notes }),
    ...(Object.keys(rules).length === 0 ? {} : { rules }),
    ...(report.refused === null ? {} : { refused: report.refused }),
    ...(report.closed_venues.events === 0 ? {} : { closed_venues: report.closed_venues }),
  };
  return { source, revision, kinds, rejected, ...optional, seconds, ...(changes && { changes, matches }) };
}

function formatReport(report: ImportCommandReport, { type }: ImportSettings): string {
  const { changes, matches } = report;
  const unit = type === 'feed' ? 'line' : 'record';
  const rejectedText =
    report.rejectedCount === 0 ? '' : `, ${plural(report.rejectedCount, unit)} rejected (see above)`;
  const skipped = describeSkipped(report);
  const counts = describeCounts(report.kinds);
  if (changes !== undefined && matches !== undefined) {
    const end = `dry run: nothing was changed${rejectedText}${skipped}`;
    return [counts, describePreview({ changes, matches }), end].filter((part) => part !== '').join('\n');
  }
  const end = `revision ${report.revision} after ${report.seconds} s${rejectedText}${skipped}`;
  if (counts !== '') return `${counts}\n${end}`;
  return report.records === 0 ? `no records; ${end}` : end;
}
