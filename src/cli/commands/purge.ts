/** `sources remove --purge` and `samples remove`: delete a source with all its records. */
import type { Command } from 'commander';
import type { App, PurgeReport } from '../../app.ts';
import type { PurgeSummary } from '../../contract/source-summaries.ts';
import { terminalActor } from '../actor.ts';
import { abortOnSignals, addExamples, printResult, withApp } from '../command.ts';
import { noteWaiting } from '../output/matching.ts';
import { note, Progress } from '../output/terminal.ts';
import { countOfKind } from '../record-kinds.ts';
import { assertConfirmed } from './removals.ts';

type Removals = Awaited<ReturnType<App['removals']>>;

type Purge = {
  /** What is deleted, for the question. */
  what: string;
  preview: (removals: Removals) => PurgeSummary & { source_records: number };
  run: (removals: Removals, options: { onProgress: (records: number) => void }) => Promise<PurgeReport>;
};

/** Deletes a source with its records, after showing what would go. */
export const purgeSource = (command: Command, name: string, isConfirmed: boolean): Promise<void> =>
  runPurge(command, isConfirmed, {
    what: `${name} and these records`,
    preview: (removals) => removals.previewPurge(name),
    run: (removals, options) => removals.purgeSource(name, options),
  });

/** Adds `samples remove` to the program. */
export function addSamples(program: Command): void {
  const samples = program
    .command('samples')
    .description('Manage the sample events of the starter catalogue.');
  const remove = samples
    .command('remove')
    .option('--yes', 'do not ask')
    .description(
      'Delete the sample events, and the records that only they mention. This cannot be reversed.',
    );
  addExamples(remove, [
    ['cratebase samples remove', ''],
    ['cratebase samples remove --yes', 'in a script'],
  ]);
  remove.action(() =>
    runPurge(remove, remove.opts<{ yes?: true }>().yes === true, {
      what: 'the sample events and these records',
      preview: (removals) => removals.previewSamples(),
      run: (removals, options) => removals.removeSamples(options),
    }),
  );
}

/** Shows what would be deleted, asks, deletes it, and prints the report. */
async function runPurge(
  command: Command,
  isConfirmed: boolean,
  { what, preview, run }: Purge,
): Promise<void> {
  const report = await withApp(command, {}, async (app) => {
    const removals = await app.removals(terminalActor(), noteWaiting, abortOnSignals());
    const summary = preview(removals);
    note(describePreview(summary));
    await assertConfirmed(isConfirmed, `Delete ${what} for good?`);
    const progress = new Progress('records');
    const total = summary.source_records;
    try {
      return await run(removals, {
        onProgress: (count) => progress.update({ done: count, total, count }),
      });
    } finally {
      progress.end();
    }
  });
  printResult(command, report, () => describeReport(report));
}

/** Why records that the source names stay. */
const stayReason = 'stay, because other sources or records have them';

function describePreview({ source, removed, kept }: PurgeSummary): string {
  const stay = countsText(kept);
  const rest = stay === '' ? '' : `\n${stay} ${stayReason}.`;
  return `Deleting ${source} deletes ${countsText(removed) || 'no record'}.${rest}\nThis cannot be reversed.`;
}

function describeReport({ source, removed, kept, revision }: PurgeReport): string {
  const stay = countsText(kept);
  const rest = stay === '' ? '' : `; ${stay} ${stayReason}`;
  return `removed ${source}: ${countsText(removed) || 'no record'} deleted${rest}; revision ${revision}`;
}

const countsText = (counts: PurgeSummary['removed']): string =>
  Object.entries(counts)
    .map(([kind, count]) => countOfKind(count, kind))
    .join(', ');
