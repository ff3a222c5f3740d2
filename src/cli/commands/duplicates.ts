/** `duplicates`: pairs that may be one and were kept apart. */
import type { Command } from 'commander';
import type { Duplicate, OmittedCandidates } from '../../app.ts';
import type { Kind } from '../../contract/fields.ts';
import { Failure } from '../../failure.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { formatTable, stripUnsafeCharacters } from '../output/terminal.ts';
import { kinds } from '../record-kinds.ts';

export function addDuplicates(program: Command): void {
  const command = program
    .command('duplicates')
    .option('--kind <kind>', 'only records of this kind')
    .description('List possible duplicates, most likely first. Decide them with `merge` or `never-merge`.');
  addExamples(command, [
    ['cratebase duplicates', ''],
    ['cratebase duplicates --kind event --json', ''],
  ]);
  command.action(async () => {
    const { kind } = command.opts<{ kind?: string }>();
    const wanted = kind === undefined ? null : readKind(kind);
    const { found, leftOut } = await withApp(command, { readOnly: true }, async (app) => {
      const corrections = await app.corrections();
      return { found: corrections.duplicates(wanted), leftOut: corrections.omittedCandidates(wanted) };
    });
    printResult(command, { data: found, left_out: leftOut }, () =>
      [formatDuplicates(found), ...formatLeftOut(leftOut)].join('\n'),
    );
  });
}

function readKind(text: string): Kind {
  const kind = kinds.find((name) => name === text.toLowerCase());
  if (!kind) throw new Failure(`Unknown kind ${JSON.stringify(text)}. Use one of ${kinds.join(', ')}.`, 2);
  return kind;
}

/** The pairs as a table for people. */
export function formatDuplicates(found: Duplicate[]): string {
  if (found.length === 0) return 'No possible duplicates.';
  const rows = found.map(({ kind, score, rule, a, b }) => [
    score,
    kind,
    stripUnsafeCharacters(`${a.record.name} (${a.source || 'by name'})`),
    stripUnsafeCharacters(`${b.record.name} (${b.source || 'by name'})`),
    rule,
    // Last, whole, and in a line of its own where the terminal is narrow: `merge` takes the two.
    `${a.record.id} ${b.record.id}`,
  ]);
  return formatTable(['SCORE', 'KIND', 'A', 'B', 'RULE', 'ID'], rows);
}

/** So many records are named of those beside which some were left out. */
const maxListed = 5;

/** Lines for people about records that were neither compared nor listed. */
export function formatLeftOut(leftOut: OmittedCandidates[]): string[] {
  if (leftOut.length === 0) return [];
  const lines = leftOut
    .slice(0, maxListed)
    .map(
      ({ kind, count, source, record }) =>
        `  ${kind}/${record.slug} ${stripUnsafeCharacters(`${record.name} (${source || 'by name'})`)}: ${count} more`,
    );
  const rest = leftOut.length - maxListed;
  return [
    '',
    `For ${leftOut.length} records, some candidates were not compared, because too many records have similar names:`,
    ...lines,
    ...(rest > 0 ? [`  and ${rest} more records: \`--json\` lists them as "left_out"`] : []),
  ];
}
