/** `export`: writes the catalogue in the feed format. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { addExamples, settingOption, wantsJson, withApp } from '../command.ts';
import { note, Progress } from '../output/terminal.ts';
import { kinds, parseKind } from '../record-kinds.ts';
import { type ExportFileOptions, exportToFiles } from './export-files.ts';

/** Adds `export` to the program: to standard output in the feed format, or with `--out` and `--dir` to files. */
export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description(
      'Write the catalogue to standard output in the feed format, one line per record; or to files (--out, --dir).',
    )
    .option('--kind <kind>', `only this kind: ${kinds.join(', ')}`)
    .option('--since <revision>', 'only changes after this revision of the catalogue');
  command
    .option('--format <format...>', 'with --out or --dir: ndjson, feed, csv, parquet (default: all of them)')
    .option('--out <folder>', 'write files to this new folder')
    .option(
      '--dir <folder>',
      'write files to a new folder in this one, named by the time, and remove the oldest exports',
    )
    .option('--keep <number>', 'with --dir: how many exports stay (default: 2)')
    .option('--every <span>', 'with --dir: make no export if the newest one is younger, such as 24h')
    .addOption(settingOption('baseUrl'));
  addExamples(command, [
    ['cratebase export | gzip > catalogue.ndjson.gz', ''],
    ['cratebase --data copy.db import catalogue.ndjson.gz --source export', 'import the copy'],
    ['cratebase export --since 1200 | cratebase --data copy.db import - --source export', 'update the copy'],
    ['cratebase export --format csv --out tables', 'a table per kind'],
  ]);
  command.action(() => {
    const options = command.opts<ExportFileOptions>();
    if (options.out === undefined && options.dir === undefined) return runExport(command);
    const { kind, since } = command.opts<{ kind?: string; since?: string }>();
    if (kind !== undefined || since !== undefined)
      throw new Failure('--kind and --since work only without --out and --dir.', 2);
    return exportToFiles(command, options);
  });
}

async function runExport(command: Command): Promise<void> {
  const { format, keep, every } = command.opts<ExportFileOptions>();
  if (format !== undefined || keep !== undefined || every !== undefined)
    throw new Failure('Name the folder of the files: --out, or --dir.', 2);
  const { kind, since = '0' } = command.opts<{ kind?: string; since?: string }>();
  const only = kind === undefined ? undefined : parseKind(kind);
  if (!/^\d{1,15}$/.test(since)) {
    throw new Failure(`--since must be a revision (a whole number), not ${JSON.stringify(since)}.`, 2);
  }
  const json = wantsJson(command);
  await withApp(command, { readOnly: true }, async (app) => {
    const progress = new Progress('records');
    let count = 0;
    const { lines: batches, releaseLog } = app.openExport({ kind: only, since: Number(since) });
    // The first batch may throw: then nothing was written.
    let batch = batches.next();
    if (json) await writeWithBackpressure('{"data":[');
    for (; !batch.done; batch = batches.next()) {
      const lines = batch.value;
      await writeWithBackpressure(
        json ? `${count > 0 ? ',' : ''}${lines.join(',')}` : `${lines.join('\n')}\n`,
        releaseLog,
      );
      count += lines.length;
      progress.update({ done: 0, total: null, count });
    }
    progress.end();
    // The revision of the state that was written, without later changes.
    const revision = batch.value;
    if (json) await writeWithBackpressure(`],"revision":${revision}}\n`);
    note(`exported ${plural(count, 'line')}; the next --since is ${revision}`);
  });
}

/** Interval of `releaseLog` while the reader of the output pauses. */
const drainPollMs = 250;

/** Waits for a slow reader, so that neither memory nor the write-ahead log grows. */
async function writeWithBackpressure(
  text: string,
  releaseLog: () => Promise<void> = async () => {},
): Promise<void> {
  let isDrained = process.stdout.write(text);
  await releaseLog();
  if (isDrained || !process.stdout.writableNeedDrain) return;
  const drained = once(process.stdout, 'drain').then(() => true);
  while (!isDrained) {
    const timer = new AbortController();
    const paused = pause(drainPollMs, false, { signal: timer.signal }).catch(() => false);
    isDrained = await Promise.race([drained, paused]);
    timer.abort();
    if (!isDrained) await releaseLog();
  }
}
