/** `history`: what happened to a record, newest first. */
import type { Command } from 'commander';
import type { HistoryEntry } from '../../app.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { parseLimit } from '../numbers.ts';
import { describeDetails } from '../output/edits.ts';
import { recordHelp } from '../output/matching.ts';
import { formatTable } from '../output/terminal.ts';

/** Adds `history` to the program. */
export function addHistory(program: Command): void {
  const command = program
    .command('history')
    .argument('<record>', recordHelp)
    .option('--limit <number>', 'maximum number of entries', '50')
    .description(
      'Show what happened to a record, newest first: edits, merges and other decisions with the person and the values before and after, and changes by imports.',
    );
  addExamples(command, [
    ['cratebase history artist/ben-klock', ''],
    ['cratebase history artist/ben-klock --json', 'with all values'],
  ]);
  command.action(async (record: string) => {
    const limit = parseLimit(command.opts<{ limit: string }>().limit);
    const { entries, removed } = await withApp(command, { readOnly: true }, async (app) => {
      const edits = await app.edits(terminalActor());
      return { entries: edits.history(record, limit), removed: edits.removalOf(record) };
    });
    printResult(command, { data: entries, removed }, () =>
      [...(removed === null ? [] : [`Not in the catalogue: ${removed}`]), formatHistory(entries)].join('\n'),
    );
  });
}

function formatHistory(entries: readonly HistoryEntry[]): string {
  if (entries.length === 0) return 'No entries.';
  const rows = entries.map(
    ({ id, at, revision, actor, action, fields, before, after, reason, details, undone_by }) => [
      id,
      at ?? `revision ${revision ?? '?'}`,
      actor ?? 'automatic',
      action,
      [
        describeDetails({
          ...details,
          ...(Object.keys(after).length > 0 ? { before, after } : {}),
          ...(reason === null ? {} : { reason }),
        }),
        id === null ? fields.join(', ') : '',
        undone_by === null ? '' : `undone by ${undone_by}`,
      ]
        .filter((part) => part !== '')
        .join('; '),
    ],
  );
  return formatTable(['ID', 'WHEN', 'WHO', 'ACTION', 'WHAT'], rows);
}
