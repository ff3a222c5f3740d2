/** `merge`: makes two records one, permanently. */
import type { Command } from 'commander';
import type { MergeReport } from '../../app.ts';
import { plural } from '../../plural.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, followUpCommand, printResult, shellQuote, withApp } from '../command.ts';
import { noteWaiting, recordHelp, recordLabel } from '../output/matching.ts';
import { formatFields } from '../output/terminal.ts';
import { countOfKind } from '../record-kinds.ts';

/** Adds `merge` to the program. */
export function addMerge(program: Command): void {
  const command = program
    .command('merge')
    .argument('<a>', `the record that stays: ${recordHelp}`)
    .argument('<b>', 'the record that is merged into it; its slug leads to the merged record')
    .option('--force', 'replace an earlier decision')
    .description('Merge two records permanently. Later imports do not separate them.');
  addExamples(command, [
    ['cratebase merge artist/dj-koze artist/koze', ''],
    ['cratebase merge evt_00001a evt_00002b --json', ''],
  ]);
  command.action(async (a: string, b: string) => {
    const force = command.opts<{ force?: true }>().force === true;
    const report = await withApp(command, {}, async (app) =>
      (await app.corrections(noteWaiting, terminalActor())).merge(a, b, { force }),
    );
    printResult(command, report, () => formatMerge(command, report));
  });
}

function formatMerge(command: Command, report: MergeReport): string {
  const { record, merged, undo, revision, audit_id: entry } = report;
  // The entry of the audit log takes the decision back as well, which `split` would replace by the opposite one.
  const back = entry === null ? `split ${undo.map(shellQuote).join(' ')}` : `undo ${entry}`;
  return formatFields([
    ['merged into', recordLabel(record)],
    ['slug', `${record.kind}/${record.slug} is unchanged`],
    ['merged', `${recordLabel(merged)}; its slug and its id lead to the record above`],
    ['warning', differencesText(report)],
    ['moved', movedText(report)],
    ['name', nameReason(report)],
    ['revision', revision],
    ['undo', followUpCommand(command, back)],
  ]);
}

/** Returns a warning about different days or places. The merge is not refused, because a source may be wrong. */
function differencesText({ contradicts }: MergeReport): string {
  const differences = contradicts.map(({ what, kept, merged }) => `${what} ${kept} and ${merged}`);
  return differences.length > 0
    ? `the records differ: ${differences.join('; ')}. If the merge was a mistake, undo it`
    : '';
}

function movedText({ moved: { statements, records } }: MergeReport): string {
  const counts = Object.entries(records).map(([kind, count]) => countOfKind(count, kind));
  const all = [...(statements > 0 ? [plural(statements, 'source record')] : []), ...counts];
  return all.length > 0 ? all.join(', ') : 'none';
}

function nameReason({ record, name_from: from }: MergeReport): string {
  const name = JSON.stringify(record.name);
  if (from === null) return `${name}: unchanged, because it has no source record`;
  const origin = `${name}, from ${from.source}`;
  return `${origin}${nameReasons[from.because]}`;
}

const nameReasons = {
  only: '',
  trust: ', the source with the highest trust',
  title:
    ': the better title of the sources with the highest trust (to change it, set --trust or edit the name)',
  newest: ': the first of the sources with the highest trust (to change it, set --trust)',
} as const;
