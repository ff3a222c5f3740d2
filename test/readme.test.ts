/** The README says what the program does: its tables are checked against the contract and the command line. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { errorTypes } from '../src/contract/errors.ts';
import { type OperationRow, operations } from '../src/contract/operations.ts';
import { plans } from '../src/contract/plans.ts';
import { run } from './support/program.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

test('every endpoint with its order and filters', () => {
  for (const row of Object.values(operations) as OperationRow[]) {
    const filters = [...(row.filters ?? []), ...(row.shape === 'search' ? ['q'] : [])].map(
      (name) => `\`${name}\``,
    );
    const line = `| \`${row.path}\` | ${row.summary} | ${row.order ?? ''} | ${filters.join(' ')} |`;
    assert.ok(readme.includes(line), `README lacks: ${line}`);
  }
});

test('every error type and plan', () => {
  for (const [type, { status, when }] of Object.entries(errorTypes)) {
    assert.ok(readme.includes(`| \`${type}\` | ${status} | ${when} |`), type);
  }
  for (const [name, { window, quota }] of Object.entries(plans)) {
    const line = `| ${name} | ${window.toLocaleString('en')} | ${quota.toLocaleString('en')} |`;
    assert.ok(readme.includes(line), line);
  }
});

test('every command and every option of serve', async () => {
  const help = (await run(['--help'])).stdout;
  const commands = [...help.matchAll(/^ {2}([a-z]+)\b/gm)].map((match) => match[1] as string);
  assert.ok(commands.length >= 15, help);
  for (const command of commands.filter((name) => name !== 'help'))
    assert.match(readme, new RegExp(`\`${command}\\b|, \`${command}`), command);
  const options = (await run(['serve', '--help'])).stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm);
  for (const [, option] of options) {
    if (!['--help', '--version', '--json'].includes(option as string))
      assert.ok(readme.includes(option as string), option);
  }
});
