/** `duplicates`: lists pairs of records that may be the same and stay separate. */
import type { Command } from 'commander';
import type { Duplicate, OmittedCandidates } from '../../app.ts';
import { plural } from '../../plural.ts';
import { addExamples, printResult, withApp } from '../command.ts';
import { maxListed } from '../output/import-report.ts';
import { formatTable, stripUnsafeCharacters } from '../output/terminal.ts';
import { parseKind } from '../record-kinds.ts';

/** Adds `duplicates` to the program. */
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
    const only = kind === undefined ? null : parseKind(kind);
    const { pairs, leftOut } = await withApp(command, { readOnly: true }, async (app) => {
      const corrections = await app.corrections();
      return { pairs: corrections.duplicates(only), leftOut: corrections.omittedCandidates(only) };
    });
    printResult(command, { data: pairs, left_out: leftOut }, () =>
      [formatDuplicates(pairs), ...formatLeftOut(leftOut)].join('\n'),
    );
  });
}

/** Returns the pairs as a table. */
export function formatDuplicates(pairs: Duplicate[]): string {
  if (pairs.length === 0) return 'No possible duplicates.';
  const rows = pairs.map(({ kind, score, rule, a, b }) => [
    score,
    kind,
    stripUnsafeCharacters(`${a.record.name} (${a.source || 'by name'})`),
    stripUnsafeCharacters(`${b.record.name} (${b.source || 'by name'})`),
    rule,
    // The last column is never cut, and has its own line on a narrow terminal: it is copied to `merge`.
    `${a.record.id} ${b.record.id}`,
  ]);
  return formatTable(['SCORE', 'KIND', 'A', 'B', 'RULE', 'ID'], rows);
}

/** Returns lines about records with candidates that were not compared. */
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
    `For ${plural(leftOut.length, 'record')}, some candidates were not compared, because too many records have similar names:`,
    ...lines,
    ...(rest > 0 ? [`  and ${plural(rest, 'more record')}: \`--json\` lists them as "left_out"`] : []),
  ];
}
