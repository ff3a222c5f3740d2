/** `import`: a feed into the catalogue. */
import type { Command } from 'commander';
import type { App, ImportFilesReport } from '../app.ts';
import { Failure } from '../failure.ts';
import {
  abortOnSignals,
  addExamples,
  dataPath,
  fetchSettings,
  settingOption,
  show,
  withApp,
} from './command.ts';
import { FeedInput, onceEach } from './feed-input.ts';
import { changesIn, describeCounts, describePreview, noteSkipped, type Preview } from './import-report.ts';
import { aboutNothing, headOf, hintOf, type Looks, looksLike } from './looks-like.ts';
import { onCopy } from './on-copy.ts';
import { Rejections } from './rejections.ts';
import { harmless, note, Progress, plural } from './terminal.ts';

type Options = {
  source: string;
  type: string;
  trust?: string;
  clock?: string;
  complete?: true;
  force?: true;
  dryRun?: true;
  option?: string[];
};

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
    .option(
      '--type <type>',
      'format of the files: feed, jsonld, ticketmaster, ical, podcast, musicbrainz or discogs',
      'feed',
    )
    .option('--trust <number>', '0 to 100; if sources disagree, the highest trust wins')
    .option('--clock <clock>', 'instant or local; local: times with Z are local clock times')
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
  const options = command.opts<Options>();
  const settings = await readOptions(options);
  const input = new FeedInput(settings.type === 'feed' ? files : []);
  const given = { input, files: onceEach(files) };
  if (files.includes('-') && process.stdin.isTTY) note('reading standard input; press Ctrl-D to end it');
  const run = (data: string) =>
    withApp(command, { data, create: true }, (app) =>
      options.dryRun === true
        ? tryOut(command, app, settings, given)
        : importInto(command, app, settings, given),
    );
  const data = dataPath(command);
  const report = await (options.dryRun ? onCopy(command, data, run) : run(data));
  noteSkipped(report);
  if (process.env.CRATEBASE_DEBUG) note(`write lock: ${JSON.stringify(report.lock)}`);
  show(command, shape(report, input), () => describe(report));
  if (report.refused !== null) note(`cratebase: ${report.refused}`);
  const looks = Object.keys(report.kinds).length === 0 ? looksOf(given) : null;
  const isNothing = Object.keys(report.kinds).length === 0 && !isMeant(settings, report, looks);
  if (isNothing) note(harmless(`cratebase: ${aboutNothing(nameOf(files), settings.type, looks)}`));
  if (report.rejectedCount > 0 || report.refused !== null || isNothing) process.exitCode = 1;
}

/**
 * Whether nothing can be what was meant: an empty feed is what `export --since` writes where nothing changed, and with
 * `--complete` a source lists nothing any more.
 */
const isMeant = ({ complete, type }: Settings, { rejectedCount }: Report, looks: Looks | null): boolean =>
  rejectedCount === 0 && (complete || (type === 'feed' && looks?.isEmpty === true));

function nameOf(files: readonly string[]): string {
  const [first] = files;
  if (files.length > 1) return `these ${files.length} files`;
  return first === '-' || first === undefined ? 'standard input' : first;
}

/** What the first file is by its beginning. */
function looksOf({ input, files }: Given): Looks | null {
  const [first = '-'] = files;
  return looksLike(first === '-' ? input.head : headOf(first));
}

type Settings = {
  source: string;
  type: string;
  trust: number | undefined;
  clock: 'instant' | 'local' | undefined;
  complete: boolean;
  force: boolean;
  options: Record<string, string>;
};

/** What was given, read; throws a `Failure` (wrong usage). */
async function readOptions(options: Options): Promise<Settings> {
  const { loadPlans } = await import('../app.ts');
  const { readClock, readOptions: readPairs, readSourceName, readSourceType, readTrust } = await loadPlans();
  const { complete, force, option } = options;
  if (force && !complete) throw new Failure('--force works only together with --complete.', 2);
  const type = readSourceType(options.type);
  return {
    source: readSourceName(options.source, '--source'),
    type,
    trust: readTrust(options.trust) ?? undefined,
    clock: readClock(options.clock) ?? undefined,
    complete: complete === true,
    force: force === true,
    options: readPairs(type, option),
  };
}

type Given = { input: FeedInput; files: string[] };
type Report = ImportFilesReport & Partial<Preview>;

/** Imports into a copy, and adds to the report what became of which record. */
async function tryOut(command: Command, app: App, settings: Settings, given: Given): Promise<Report> {
  const before = app.revision();
  const matches = await app.matches();
  const report = await importInto(command, app, settings, given, matches.add);
  return { ...report, changes: changesIn(app, before), matches: matches.named(report.source) };
}

async function importInto(
  command: Command,
  app: App,
  settings: Settings,
  { input, files }: Given,
  onMatched?: Parameters<App['importFiles']>[0]['onMatched'],
): Promise<Report> {
  const progress = new Progress('lines');
  const rejections = new Rejections(settings.source);
  try {
    return await app.importFiles(
      {
        ...settings,
        signal: abortOnSignals(),
        input: input.bytes(),
        files,
        onMatched,
        onWait: (what) => note(`waiting for ${harmless(what)} to finish …`),
        onProgress: ({ lines }) => progress.update({ done: input.read, total: input.total, count: lines }),
        onRejected: ({ line, where, reason }) => {
          progress.end();
          rejections.add(`${where ?? placeOf(line, input, files)}: ${reason}`);
        },
      },
      fetchSettings(command),
    );
  } catch (failure) {
    if (!(failure instanceof Failure)) throw failure;
    const hint = hintOf(settings.type, looksOf({ input, files }));
    throw new Failure(`${failure.message}${hint}`, failure.exitStatus);
  } finally {
    progress.end();
    rejections.end();
  }
}

function placeOf(number: number, input: FeedInput, files: string[]): string {
  const { file, line } = input.place(number);
  return `${files.length === 1 && file === '-' ? 'standard input' : file}:${line}`;
}

/** The report as docs/spec/command-line.md shows it; of several files, each rejected line says of which it is. */
function shape(report: Report, input: FeedInput): unknown {
  const { source, kinds, skipped, seconds, changes, matches } = report;
  const revision = changes === undefined ? report.revision : null;
  const rejected = report.rejected.map(({ line, where, reason }) => {
    if (where !== undefined) return { line, where, reason };
    const place = input.place(line);
    return input.isSeveral ? { file: place.file, line: place.line, reason } : { line: place.line, reason };
  });
  // Only where there is something to be said: most imports skip and refuse nothing.
  const passed = {
    ...(skipped.length === 0 ? {} : { skipped }),
    ...(report.refused === null ? {} : { refused: report.refused }),
  };
  return { source, revision, kinds, rejected, ...passed, seconds, ...(changes && { changes, matches }) };
}

function describe(report: Report): string {
  const { changes, matches } = report;
  const rejected =
    report.rejectedCount === 0 ? '' : `, ${plural(report.rejectedCount, 'line')} rejected (see above)`;
  const skipped = report.skipped_count === 0 ? '' : `, ${report.skipped_count.toLocaleString('en')} skipped`;
  const counts = describeCounts(report.kinds);
  if (changes !== undefined && matches !== undefined) {
    const end = `dry run: nothing was written${rejected}${skipped}`;
    return [counts, describePreview({ changes, matches }), end].filter((part) => part !== '').join('\n');
  }
  const end = `revision ${report.revision} after ${report.seconds} s${rejected}${skipped}`;
  return counts === '' ? `no records; ${end}` : `${counts}\n${end}`;
}
