/** `sources runs` and `sources rejected`. */
import { existsSync } from 'node:fs';
import type { Command } from 'commander';
import { Failure } from '../../../failure.ts';
import { addExamples, dataPath, printResult } from '../../command.ts';
import { rejectionPath } from '../../output/rejection-log.ts';
import { formatRuns } from '../../output/source-details.ts';
import { stripUnsafeCharacters } from '../../output/terminal.ts';
import { withSources } from './registry.ts';

/** Adds the commands to `sources`. */
export function addHistory(sources: Command): void {
  addRuns(sources);
  addRejected(sources);
}

/** Returns the failure for a source that was imported by hand: its import listed the rejected records. */
function toImportFailure(command: Command, name: string, failure: unknown): unknown {
  if (!(failure instanceof Failure) || failure.details.code !== 'not_scheduled') return failure;
  const path = rejectionPath(dataPath(command), name);
  const place = existsSync(path)
    ? `The records that its last import rejected are in ${path}.`
    : 'The import itself lists rejected records. To list them again, run the import with --dry-run.';
  return new Failure(`${name} is not scheduled. ${place}`, failure.exitStatus, failure.details);
}

function addRuns(sources: Command): void {
  const runs = sources
    .command('runs')
    .argument('<name>')
    .description('List the last runs of a source, newest first (at most 100).');
  addExamples(runs, [['cratebase sources runs club', '']]);
  runs.action(async (name: string) => {
    const data = await withSources(runs, { readOnly: true }, (registry) => registry.runs(name));
    printResult(runs, { data }, () => (data.length === 0 ? `${name} was not read yet` : formatRuns(data)));
  });
}

function addRejected(sources: Command): void {
  const rejected = sources
    .command('rejected')
    .argument('<name>')
    .description('List the records that the last run of a source rejected, and why (at most 100).');
  addExamples(rejected, [['cratebase sources rejected club', '']]);
  rejected.action(async (name: string) => {
    const report = await withSources(rejected, { readOnly: true }, (registry) =>
      registry.rejected(name),
    ).catch((failure: unknown) => {
      throw toImportFailure(rejected, name, failure);
    });
    printResult(rejected, { data: report.rejected, count: report.rejected_count }, () => {
      if (report.rejected_count === 0) return `${name}: no record was rejected`;
      const lines = report.rejected.map(
        ({ where, line, reason }) => `${where ?? `record ${line}`}: ${reason}`,
      );
      const more = report.rejected_count - report.rejected.length;
      return stripUnsafeCharacters([...lines, ...(more > 0 ? [`… and ${more} more`] : [])].join('\n'));
    });
  });
}
