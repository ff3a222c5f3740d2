/** `sources remove --purge` and `samples remove`: delete a source with all its records. */
import type { Command } from 'commander';
import type { PurgeReport } from '../../app.ts';
import type { PurgeSummary } from '../../contract/source-summaries.ts';
import { terminalActor } from '../actor.ts';
import { abortOnSignals, addExamples, printResult, withApp } from '../command.ts';
import { noteWaiting } from '../output/matching.ts';
import { note, Progress } from '../output/terminal.ts';
import { countOfKind } from '../record-kinds.ts';
import { assertConfirmed } from './removals.ts';

/** Deletes a source with its records, after showing what would go. */
export async function purgeSource(command: Command, name: string, isConfirmed: boolean): Promise<void> {
  const report = await withApp(command, {}, async (app) => {
    const removals = await app.removals(terminalActor(), noteWaiting, abortOnSignals());
    const preview = removals.previewPurge(name);
    note(describePreview(preview));
    await assertConfirmed(isConfirmed, `Delete ${name} and these records for good?`);
    const progress = new Progress('records');
    const total = preview.source_records;
    try {
      return await removals.purgeSource(name, {
        onProgress: (count) => progress.update({ done: count, total, count }),
      });
    } finally {
      progress.end();
    }
  });
  printResult(command, report, () => describeReport(report));
}

/** Adds `samples remove` to the program. */
export function addSamples(program: Command): void {
  const samples = program
    .command('samples')
    .description('Manage the sample events of the starter catalogue.');
  const remove = samples
    .command('remove')
    .description(
      'Delete the sample events, and the records that only they mention. This cannot be reversed.',
    );
  addExamples(remove, [['cratebase samples remove', '']]);
  remove.action(async () => {
    const report = await withApp(remove, {}, async (app) =>
      (await app.removals(terminalActor(), noteWaiting, abortOnSignals())).removeSamples(),
    );
    printResult(remove, report, () => describeReport(report));
  });
}

function describePreview({ source, removed, kept }: PurgeSummary): string {
  const stay = countsText(kept);
  const rest = stay === '' ? '' : `\n${stay} stay, because other sources or records have them.`;
  return `Deleting ${source} deletes ${countsText(removed) || 'no record'}.${rest}\nThis cannot be reversed.`;
}

function describeReport({ source, removed, kept, revision }: PurgeReport): string {
  const stay = countsText(kept);
  const rest = stay === '' ? '' : `; ${stay} stay without what it stated`;
  return `removed ${source}: ${countsText(removed) || 'no record'} deleted${rest}; revision ${revision}`;
}

const countsText = (counts: PurgeSummary['removed']): string =>
  Object.entries(counts)
    .map(([kind, count]) => countOfKind(count, kind))
    .join(', ');
