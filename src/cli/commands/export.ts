/** `export`: the catalogue in the feed format. */
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { addExamples, wantsJson, withApp } from '../command.ts';
import { note, Progress, plural } from '../output/terminal.ts';
import { kinds } from '../record-kinds.ts';

export function addExport(program: Command): void {
  const command = program
    .command('export')
    .description('Write the catalogue to standard output in the feed format, one line per record.')
    .option('--kind <kind>', `only this kind: ${kinds.join(', ')}`)
    .option('--since <revision>', 'only changes after this revision of the catalogue');
  addExamples(command, [
    ['cratebase export | gzip > catalogue.ndjson.gz', ''],
    ['cratebase --data copy.db import catalogue.ndjson.gz --source export', 'import the copy'],
    ['cratebase export --since 1200 | cratebase --data copy.db import - --source export', 'update the copy'],
  ]);
  command.action(() => runExport(command));
}

async function runExport(command: Command): Promise<void> {
  const given = command.opts<{ kind?: string; since?: string }>();
  const kind = kinds.find((name) => name === given.kind?.toLowerCase());
  if (given.kind !== undefined && !kind) {
    throw new Failure(`Unknown kind ${JSON.stringify(given.kind)}. Use one of ${kinds.join(', ')}.`, 2);
  }
  const { since = '0' } = given;
  if (!/^\d{1,15}$/.test(since)) {
    throw new Failure(`--since must be a revision (a whole number), not ${JSON.stringify(since)}.`, 2);
  }
  const json = wantsJson(command);
  await withApp(command, { readOnly: true }, async (app) => {
    const progress = new Progress('records');
    let count = 0;
    const { lines: batches, releaseLog: relieve } = app.openExport({ kind, since: Number(since) });
    // Where it is refused, nothing is written.
    let batch = batches.next();
    if (json) await writeWithBackpressure('{"data":[');
    for (; !batch.done; batch = batches.next()) {
      const lines = batch.value;
      await writeWithBackpressure(
        json ? `${count > 0 ? ',' : ''}${lines.join(',')}` : `${lines.join('\n')}\n`,
        relieve,
      );
      count += lines.length;
      progress.update({ done: 0, total: null, count });
    }
    progress.end();
    // Of the very state that was written, whatever happened since.
    const revision = batch.value;
    if (json) await writeWithBackpressure(`],"revision":${revision}}\n`);
    note(`exported ${plural(count, 'line')}; the next --since is ${revision}`);
  });
}

/** So often it is looked whether somebody is held up by a reader that stands still. */
const drainPollMs = 250;

/** Waits where the reader is slower than the catalogue, so that nothing piles up, neither here nor in the data file. */
async function writeWithBackpressure(
  text: string,
  relieve: () => Promise<void> = async () => {},
): Promise<void> {
  let isDrained = process.stdout.write(text);
  await relieve();
  if (isDrained || !process.stdout.writableNeedDrain) return;
  const drained = once(process.stdout, 'drain').then(() => true);
  while (!isDrained) {
    const timer = new AbortController();
    const paused = pause(drainPollMs, false, { signal: timer.signal }).catch(() => false);
    isDrained = await Promise.race([drained, paused]);
    timer.abort();
    if (!isDrained) await relieve();
  }
}
