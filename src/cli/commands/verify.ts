/** `verify`: checks the data file. */
import type { Command } from 'commander';
import type { FileCheck } from '../../app.ts';
import { addExamples, printResult, wantsJson, withApp } from '../command.ts';
import { note, print } from '../output/terminal.ts';

/** Adds `verify` to the program. Its exit status is 1 if a check failed. */
export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description(
      'Check the data file, or a backup with --data: integrity, schema, foreign keys, search index, names, rendered events, and row checksums.',
    );
  addExamples(command, [['cratebase verify && cratebase backup safe.db', '']]);
  command.action(async () => {
    const checks: FileCheck[] = [];
    await withApp(command, { readOnly: true }, (app) => {
      for (const check of app.file.check()) {
        checks.push(check);
        if (!wantsJson(command)) print(formatCheck(check));
      }
    });
    const ok = checks.every((check) => check.ok);
    printResult(command, { ok, checks }, () => '');
    for (const advice of new Set(checks.map((check) => check.advice))) if (advice) note(advice);
    if (!ok) process.exitCode = 1;
  });
}

const formatCheck = ({ name, ok, problems }: FileCheck): string =>
  [`${ok ? 'ok    ' : 'FAILED'}  ${name}`, ...problems.map((problem) => `        ${problem}`)].join('\n');
