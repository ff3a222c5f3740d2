/** `verify`: whether the data file is sound. */
import type { Command } from 'commander';
import type { Check } from '../app.ts';
import { addExamples, show, wantsJson, withApp } from './command.ts';
import { note, print } from './terminal.ts';

export function addVerify(program: Command): void {
  const command = program
    .command('verify')
    .description(
      'Check the data file, or a backup with --data: integrity, foreign keys, search index, names, rendered events, and row checksums.',
    );
  addExamples(command, [['cratebase verify && cratebase backup safe.db', '']]);
  command.action(async () => {
    const checks: Check[] = [];
    await withApp(command, { readOnly: true }, (app) => {
      for (const check of app.check()) {
        checks.push(check);
        if (!wantsJson(command)) print(describe(check));
      }
    });
    const ok = checks.every((check) => check.ok);
    show(command, { ok, checks }, () => '');
    for (const advice of new Set(checks.map((check) => check.advice))) if (advice) note(advice);
    if (!ok) process.exitCode = 1;
  });
}

const describe = ({ name, ok, problems }: Check): string =>
  [`${ok ? 'ok    ' : 'FAILED'}  ${name}`, ...problems.map((problem) => `        ${problem}`)].join('\n');
