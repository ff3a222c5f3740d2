/** `stats`: prints the number of records of each kind. */
import type { Command } from 'commander';
import { addExamples, printResult, withApp } from '../command.ts';
import { formatTable } from '../output/terminal.ts';

/** Adds `stats` to the program. */
export function addStats(program: Command): void {
  const command = program.command('stats').description('Show the number of records of each kind.');
  addExamples(command, [['cratebase stats --json', '']]);
  command.action(async () => {
    const stats = await withApp(command, { readOnly: true }, (app) => app.stats());
    const { last_synced_at, ...counts } = stats;
    printResult(command, stats, () =>
      [
        formatTable(
          ['', 'COUNT'],
          Object.entries(counts).map(([name, count]) => [name.replaceAll('_', ' '), count]),
        ),
        `last synced ${last_synced_at ?? 'never'}`,
      ].join('\n'),
    );
  });
}
