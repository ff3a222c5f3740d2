/** `forget`: erases what is known of an artist. */
import { type Command, Option } from 'commander';
import type { ForgetReport } from '../../app.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, withApp } from '../command.ts';
import { noteWaiting, recordHelp } from '../output/matching.ts';
import { note } from '../output/terminal.ts';
import { assertConfirmed } from './removals.ts';

type ForgetOptions = { name?: 'keep' | 'remove'; sweep?: true; yes?: true };

/** Adds `forget` to the program. */
export function addForget(program: Command): void {
  const command = program
    .command('forget')
    .argument('[artist]', recordHelp)
    .addOption(
      new Option(
        '--name <choice>',
        'keep: the stage name and its events stay; remove: line-ups omit the artist',
      ).choices(['keep', 'remove']),
    )
    .option('--sweep', 'only overwrite the unused parts of the data file; the service must be stopped')
    .option('--yes', 'do not ask')
    .description(
      'Erase what is known of an artist: real name, biography, picture, links, ids and aliases, also in what sources stated. Later imports do not bring it back. This cannot be reversed.',
    );
  addExamples(command, [
    ['cratebase forget artist/ben-klock --name keep', ''],
    ['cratebase forget artist/ben-klock --name remove --yes', ''],
    ['cratebase forget --sweep', 'after the service was stopped'],
  ]);
  command.action(async (artist: string | undefined) => {
    const { name, sweep, yes } = command.opts<ForgetOptions>();
    if (sweep === true && (artist !== undefined || name !== undefined))
      throw new Failure('Use either --sweep or an artist with --name, not both in one command.', 2);
    if (sweep === true) return await sweepFile(command);
    if (artist === undefined || name === undefined)
      throw new Failure('Name an artist, and say --name keep or --name remove.', 2);
    await assertConfirmed(yes === true, `Erase what is known of ${artist} for good?`);
    const report = await withApp(command, {}, async (app) =>
      (await app.removals(terminalActor(), noteWaiting)).forget(artist, { name }),
    );
    printResult(command, report, () => describeForgotten(report));
    note('Earlier backups still contain the data: delete them, or do not restore them.');
    if (!report.is_file_rewritten) note(sweepAdvice(command));
  });
}

async function sweepFile(command: Command): Promise<void> {
  const isRewritten = await withApp(command, {}, async (app) =>
    (await app.removals(terminalActor())).sweep(),
  );
  if (!isRewritten) throw new Failure(sweepAdvice(command));
  printResult(
    command,
    { is_file_rewritten: true },
    () => 'The unused parts of the data file are overwritten.',
  );
}

const sweepAdvice = (command: Command): string =>
  `A service uses the data file. Its unused parts may hold earlier versions: stop the service and run \`${followUpCommand(command, 'forget --sweep')}\`. New backups do not contain them.`;

function describeForgotten({ id, slug, changed_records, revision }: ForgetReport): string {
  const what = slug === null ? `${id}, with the name` : `artist/${slug}, which keeps its name`;
  const others = changed_records === 0 ? '' : `; ${plural(changed_records, 'record')} named the artist`;
  return `forgotten: ${what}${others}; revision ${revision}`;
}
