/** `edit`: sets fields of a record above every source, shows them, and resets them. */
import type { Command } from 'commander';
import type { EditableRecord, EditReport } from '../../app.ts';
import { Failure } from '../../failure.ts';
import { terminalActor } from '../actor.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import {
  describeCreated,
  describeFields,
  describeTimezone,
  formatValue,
  undoCommand,
} from '../output/edits.ts';
import { noteWaiting, recordHelp, recordLabel } from '../output/matching.ts';
import { formatFields, formatTable } from '../output/terminal.ts';

/** Adds `edit` to the program. */
export function addEdit(program: Command): void {
  const command = program
    .command('edit')
    .argument('<record>', recordHelp)
    .argument('[change...]', 'FIELD=VALUE sets, FIELD= means none, LIST+=ENTRY adds, LIST-=ENTRY takes away')
    .option('--reset [field...]', 'remove the edits of these fields, or of all: the sources decide again')
    .option('--reason <text>', 'why, for the history of the record')
    .description(
      'Set fields of a record. Your values replace those of all sources, also in later imports. Without a change, list the fields with their values and sources.',
    );
  addExamples(command, [
    ['cratebase edit artist/ben-klock', 'the fields and who states them'],
    ['cratebase edit artist/ben-klock country=DE', ''],
    ["cratebase edit artist/ben-klock alias-='Ben Clock' link+=https://klockworks.example", ''],
    ['cratebase edit artist/ben-klock --reset country', ''],
  ]);
  command.action(async (record: string, texts: string[]) => {
    const { reset, reason } = command.opts<{ reset?: true | string[]; reason?: string }>();
    if (reset !== undefined && texts.length > 0)
      throw new Failure('Use either changes or --reset, not both in one command.', 2);
    if (reset === undefined && texts.length === 0) {
      const fields = await withApp(command, { readOnly: true }, async (app) =>
        (await app.edits(terminalActor())).fields(record),
      );
      printResult(command, fields, () => formatRecord(fields));
      return;
    }
    const { parseChange } = await import('../../app.ts');
    const changes = texts.map(parseChange);
    const report = await withApp(command, {}, async (app) => {
      const edits = await app.edits(terminalActor(), noteWaiting);
      return reset === undefined
        ? edits.set(record, changes, { reason })
        : edits.reset(record, reset === true ? [] : reset, { reason });
    });
    printResult(command, report, () => formatReport(command, report, reset !== undefined));
  });
}

const derivedLabels = {
  lineup: 'derived from the line-up',
  description: 'derived from the description',
  title: 'derived from the title',
};

/** Where a value of no single source comes from; null if there is none. */
const unownedLabel = (value: unknown): string | null =>
  value === null || (Array.isArray(value) && value.length === 0) ? null : 'the sources';

function formatRecord({ fields, ...record }: EditableRecord): string {
  const rows = fields.map(({ name, value, source_value, owner, derived_from, edit }) => [
    name,
    formatValue(value),
    edit === null
      ? (owner?.source ?? (derived_from === null ? unownedLabel(value) : derivedLabels[derived_from]))
      : `edited by ${edit.by}; ${owner?.source ?? 'the sources'}: ${formatValue(source_value)}`,
  ]);
  return `${recordLabel(record)}\n\n${formatTable(['FIELD', 'VALUE', 'FROM'], rows)}`;
}

function formatReport(
  command: Command,
  { record, fields, created, lacks_timezone, revision, audit_id }: EditReport,
  isReset: boolean,
): string {
  if (audit_id === null)
    return `${recordLabel(record)} has these values by an edit already. Nothing changed.`;
  return formatFields([
    [isReset ? 'reset' : 'edited', recordLabel(record)],
    ...(isReset ? resetFields(fields) : describeFields(fields)),
    ...describeCreated(created),
    ...describeTimezone(lacks_timezone),
    ['revision', revision],
    ['undo', undoCommand(command, audit_id)],
  ]);
}

const resetFields = (fields: EditReport['fields']): [string, string][] =>
  fields.map(({ field, after }) => [field, `${formatValue(after)} (the sources decide)`]);
