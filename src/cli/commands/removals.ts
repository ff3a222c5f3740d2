/** `hide`, `unhide`, `delete`, `undelete` and `removed`: take records out of the catalogue and back. */
import type { Command } from 'commander';
import type { App, RemovalReport, RemovedSummary } from '../../app.ts';
import type { FeedKind } from '../../contract/feed.ts';
import { Failure } from '../../failure.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, withApp } from '../command.ts';
import { formatMinute } from '../output/import-report.ts';
import { noteWaiting, recordHelp, recordLabel } from '../output/matching.ts';
import { confirm, formatTable, isInteractive } from '../output/terminal.ts';
import { kinds, parseKind } from '../record-kinds.ts';

type RemovalOptions = { reason?: string; yes?: true };
type Removals = Awaited<ReturnType<App['removals']>>;
type ChangeName = Parameters<Removals['check']>[0];

/** Removed records that one call of `removed` lists. */
const defaultLimit = 100;

/** Adds `hide` to the program. */
export function addHide(program: Command): void {
  const command = program
    .command('hide')
    .argument('<records...>', recordHelp)
    .option('--reason <text>', 'why; shown in `removed` and in the audit log')
    .description(
      'Hide records: they leave lists, search, pages, agents, exports and counts until `unhide`. Later imports do not bring them back.',
    );
  addExamples(command, [
    ['cratebase hide event/brain-break-2026-05-01', ''],
    ['cratebase hide artist/wrong-name --reason "not an artist"', ''],
  ]);
  command.action((records: string[]) => {
    const { reason = null } = command.opts<RemovalOptions>();
    return runChanges(command, records, 'hide', reason);
  });
}

/** Adds `unhide` to the program. */
export function addUnhide(program: Command): void {
  const command = program
    .command('unhide')
    .argument('<records...>', recordHelp)
    .description('Bring hidden records back, with their slugs and what their sources state now.');
  addExamples(command, [['cratebase unhide event/brain-break-2026-05-01', '']]);
  command.action((records: string[]) => runChanges(command, records, 'unhide'));
}

/** Adds `delete` to the program. */
export function addDelete(program: Command): void {
  const command = program
    .command('delete')
    .argument('<records...>', recordHelp)
    .option('--reason <text>', 'why; shown in `removed` and in the audit log')
    .option('--yes', 'do not ask')
    .description(
      'Delete records. Later imports do not bring them back; `undelete` does. The editions of a festival and the episodes of a podcast go with it.',
    );
  addExamples(command, [
    ['cratebase delete event/brain-break-2026-05-01', ''],
    ['cratebase delete festival/test-festival --yes --reason "a test"', ''],
  ]);
  command.action(async (records: string[]) => {
    const { reason = null, yes } = command.opts<RemovalOptions>();
    await assertConfirmed(
      yes === true,
      `Delete ${records.length === 1 ? records[0] : plural(records.length, 'record')}?`,
    );
    return runChanges(command, records, 'delete', reason);
  });
}

/** Adds `undelete` to the program. */
export function addUndelete(program: Command): void {
  const command = program
    .command('undelete')
    .argument('<records...>', recordHelp)
    .description('Bring deleted or hidden records back, with their slugs and what their sources state now.');
  addExamples(command, [['cratebase undelete festival/test-festival', '']]);
  command.action((records: string[]) => runChanges(command, records, 'restore'));
}

/** Adds `removed` to the program, which lists hidden and deleted records. */
export function addRemoved(program: Command): void {
  const command = program
    .command('removed')
    .description('List hidden and deleted records, the latest first, with who removed them and why.')
    .option('--kind <kind>', `only this kind: ${kinds.join(', ')}`)
    .option('--limit <number>', `how many (default: ${defaultLimit})`);
  addExamples(command, [['cratebase removed --kind event --json', '']]);
  command.action(async () => {
    const { kind, limit = String(defaultLimit) } = command.opts<{ kind?: string; limit?: string }>();
    if (!/^[1-9]\d{0,5}$/.test(limit)) throw new Failure('--limit must be a whole number from 1.', 2);
    const query = {
      kind: kind === undefined ? undefined : (parseKind(kind) as FeedKind),
      limit: Number(limit),
    };
    const rows = await withApp(command, { readOnly: true }, async (app) =>
      (await app.removals(terminalActor())).list(query),
    );
    printResult(command, { data: rows }, () => formatRemoved(rows));
  });
}

/** Asks on a terminal; elsewhere `--yes` is needed. */
export async function assertConfirmed(isConfirmed: boolean, question: string): Promise<void> {
  if (isConfirmed) return;
  if (!isInteractive()) throw new Failure(`${question} Add --yes to confirm.`, 2);
  if (!(await confirm(question))) throw new Failure('Nothing was changed.');
}

/** Applies a change to each record, if it can be applied to all of them. */
async function runChanges(
  command: Command,
  records: string[],
  change: ChangeName,
  reason: string | null = null,
): Promise<void> {
  const reports: RemovalReport[] = [];
  await withApp(command, {}, async (app) => {
    const removals = await app.removals(terminalActor(), noteWaiting);
    checkAll(removals, records, change);
    for (const record of records) reports.push(await removals[change](record, { reason }));
  });
  const value = reports.length === 1 ? reports[0] : { data: reports };
  printResult(command, value, () => reports.map((report) => describeRemoval(command, report)).join('\n'));
}

/** Throws the failure of the first record that cannot be changed. */
function checkAll(removals: Removals, records: readonly string[], change: ChangeName): void {
  try {
    for (const record of records) removals.check(change, record);
  } catch (failure) {
    if (records.length === 1 || !(failure instanceof Failure)) throw failure;
    throw new Failure(`${failure.message} Nothing was changed.`, failure.exitStatus);
  }
}

function describeRemoval(command: Command, { record, state, changed, parts }: RemovalReport): string {
  const label = recordLabel(record);
  if (!changed) return `unchanged: ${label} is ${state}`;
  const kind = record.kind === 'festival' ? 'edition' : 'episode';
  const together = parts === 0 ? '' : `, with ${plural(parts, kind)}`;
  const what = state === 'shown' ? 'back in the catalogue' : state;
  const undo = state === 'hidden' ? 'unhide' : state === 'deleted' ? 'undelete' : null;
  return `${what}: ${label}${together}${undo === null ? '' : `\n  to undo, run: ${followUpCommand(command, `${undo} ${record.kind}/${record.slug}`)}`}`;
}

/** Begins `removed_by` where no person decided: no source lists the record, or the rules of its source exclude it. */
const removedByRule = /^source:/;

function formatRemoved(rows: readonly RemovedSummary[]): string {
  if (rows.length === 0) return 'No record is hidden or deleted.';
  return formatTable(
    ['WHEN', 'STATE', 'RECORD', 'NAME', 'BY', 'REASON', 'ID'],
    rows.map((row) => [
      formatMinute(row.removed_at),
      removedByRule.test(row.removed_by) ? 'withdrawn' : row.state,
      `${row.kind}/${row.slug}`,
      row.parts === 0 ? row.name : `${row.name} (and ${row.parts} that belong to it)`,
      row.removed_by.replace(removedByRule, 'no longer listed by '),
      row.reason,
      row.id,
    ]),
  );
}
