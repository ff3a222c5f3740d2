/** `import`: a feed into the catalogue. */
import { existsSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { Command } from 'commander';
import type { App, ImportReport } from '../app.ts';
import { Failure } from '../failure.ts';
import { addExamples, dataPath, show, withApp } from './command.ts';
import { FeedInput } from './feed-input.ts';
import { harmless, note, Progress, plural, table } from './terminal.ts';

/** The types of source that this version reads. */
const types = ['feed'];
const clocks = ['instant', 'local'] as const;
const mostTrust = 100;

type Options = {
  source: string;
  type: string;
  trust?: string;
  clock?: string;
  complete?: true;
  force?: true;
  dryRun?: true;
};

export function addImport(program: Command): void {
  const command = program
    .command('import')
    .argument('<file...>', 'feeds (.ndjson, .ndjson.gz); - is standard input')
    .description('Read feeds into the catalogue. What cannot be read is reported by line, the rest goes in.')
    .requiredOption('--source <name>', 'whose feed it is; the same name lands on the same records again')
    .option('--type <type>', 'what the files are', 'feed')
    .option('--trust <number>', `0 to ${mostTrust}: whose word counts where sources disagree`)
    .option('--clock <clock>', 'instant, or local: its times with Z are local clock times')
    .option('--complete', 'the feed is all the source lists: withdraw what it lists no longer')
    .option('--force', 'withdraw even more than half')
    .option('--dry-run', 'tell what would change, and change nothing');
  addExamples(command, [
    ['cratebase import berghain.ndjson --source berghain', ''],
    ['cratebase import *.ndjson.gz --source promoter --trust 60 --complete', ''],
    ['curl -s https://example.org/feed | cratebase import - --source example --json', ''],
  ]);
  command.action((files: string[]) => runImport(command, files));
}

async function runImport(command: Command, files: string[]): Promise<void> {
  const options = command.opts<Options>();
  const settings = readOptions(options);
  const input = new FeedInput(files);
  if (files.includes('-') && process.stdin.isTTY) note('reading standard input; end it with Ctrl-D');
  const run = (data: string) =>
    withApp(command, { data, create: true }, (app) => importInto(app, settings, input, files));
  const data = dataPath(command);
  const report = await (options.dryRun ? onCopy(command, data, run) : run(data));
  show(command, shape(report, files, input), () => describe(report, options.dryRun === true));
  if (report.refused !== null) note(`cratebase: ${report.refused}`);
  if (report.rejectedCount > 0 || report.refused !== null) process.exitCode = 1;
}

type Settings = {
  source: string;
  type: string;
  trust: number | undefined;
  clock: 'instant' | 'local' | undefined;
  complete: boolean;
  force: boolean;
};

/** What was given, read; throws a `Failure` (wrong usage). */
function readOptions({ source, type, trust, clock, complete, force }: Options): Settings {
  if (!/^[^\p{Cc}]{1,100}$/u.test(source) || source.trim() === '') {
    throw new Failure('--source is a name of at most 100 characters on one line.', 2);
  }
  if (!types.includes(type)) {
    const known = types.join(', ');
    throw new Failure(`--type is ${known}; this version reads no ${JSON.stringify(type)}.`, 2);
  }
  const weight = trust === undefined ? undefined : Number(trust);
  if (weight !== undefined && (!/^\d+$/.test(trust as string) || weight > mostTrust)) {
    throw new Failure(`--trust is a whole number from 0 to ${mostTrust}, not ${JSON.stringify(trust)}.`, 2);
  }
  const read = clocks.find((name) => name === clock);
  if (clock !== undefined && read === undefined) {
    throw new Failure(`--clock is ${clocks.join(' or ')}, not ${JSON.stringify(clock)}.`, 2);
  }
  if (force && !complete) throw new Failure('--force works only together with --complete.', 2);
  return {
    source: source.trim(),
    type,
    trust: weight,
    clock: read,
    complete: complete === true,
    force: force === true,
  };
}

async function importInto(
  app: App,
  settings: Settings,
  input: FeedInput,
  files: string[],
): Promise<ImportReport> {
  const progress = new Progress('lines');
  try {
    return await app.importFeed({
      ...settings,
      input: input.bytes(),
      onProgress: ({ lines }) => progress.update({ done: input.read, total: input.total, count: lines }),
      onRejected: ({ line, reason }) => {
        progress.end();
        const place = input.place(line);
        const file = files.length === 1 && place.file === '-' ? 'standard input' : place.file;
        note(harmless(`${file}:${place.line}: ${reason}`));
      },
    });
  } finally {
    progress.end();
  }
}

/** Runs on a copy of the data file (a new one where there is none), which is gone afterwards. */
async function onCopy<T>(command: Command, data: string, run: (copy: string) => Promise<T>): Promise<T> {
  if (!existsSync(dirname(data)))
    throw new Failure(`The folder ${dirname(data)} does not exist. Make it first.`);
  const { scratchBeside } = await import('../app.ts');
  const scratch = scratchBeside(data);
  try {
    const copy = join(scratch.path, basename(data));
    if (existsSync(data)) await withApp(command, { data }, (app) => app.copyTo(copy));
    return await run(copy);
  } finally {
    scratch.remove();
  }
}

/** The report as cli.md shows it; of several files, each rejected line says of which it is. */
function shape(report: ImportReport, files: string[], input: FeedInput): unknown {
  const { source, revision, kinds, seconds } = report;
  const rejected = report.rejected.map(({ line, reason }) => {
    const place = input.place(line);
    return files.length > 1 ? { file: place.file, line: place.line, reason } : { line: place.line, reason };
  });
  return { source, revision, kinds, rejected, seconds };
}

function describe(report: ImportReport, dry: boolean): string {
  const rows = Object.entries(report.kinds).map(([kind, counts]) => [
    kind,
    counts.created,
    counts.updated,
    counts.unchanged,
    counts.matched,
    counts.withdrawn,
  ]);
  const titles = ['', 'CREATED', 'UPDATED', 'UNCHANGED', 'MATCHED', 'WITHDRAWN'];
  const rejected =
    report.rejectedCount === 0 ? '' : `, ${plural(report.rejectedCount, 'line')} rejected (see above)`;
  const end = `${dry ? 'would be ' : ''}revision ${report.revision} after ${report.seconds} s${rejected}`;
  return rows.length === 0 ? `nothing to import; ${end}` : `${table(titles, rows)}\n${end}`;
}
