/** The README and the generated reference agree with the program: tables, commands, options, and examples that run. */
import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { buildProgram } from '../../src/cli/program.ts';
import { errorTypes } from '../../src/contract/errors.ts';
import { type OperationDefinition, operations } from '../../src/contract/operations.ts';
import { parameterOf } from '../../src/contract/parameters.ts';
import { plans } from '../../src/contract/plans.ts';
import { blocksOf, makeBin, runShell } from '../support/guide-code.ts';
import { withTables } from '../support/guide-tables.ts';
import { run, startServer, temporaryFolder } from '../support/program.ts';

const root = fileURLToPath(new URL('../../', import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');
const reference = read('docs/reference/endpoints.md');
const commandLine = read('docs/guides/command-line.md');

test('the README has at most 200 lines', () => {
  assert.ok(readme.split('\n').length <= 200);
});

test('the reference is up to date, and the README leads to it', () => {
  assert.equal(reference, withTables(reference), 'docs/reference/endpoints.md is out of date: npm run docs');
  for (const path of ['docs/reference/endpoints.md', 'docs/guides/command-line.md', 'docs/README.md'])
    assert.ok(readme.includes(`](${path})`), path);
});

test('every endpoint with its order and filters', () => {
  for (const row of Object.values(operations) as OperationDefinition[]) {
    const filters = [...(row.filters ?? []).map(parameterOf), ...(row.shape === 'search' ? ['q'] : [])].map(
      (name) => `\`${name}\``,
    );
    const line = `| \`${row.path}\` | ${row.summary} | ${row.order ?? ''} | ${filters.join(' ')} |`;
    assert.ok(reference.includes(line), `docs/reference/endpoints.md lacks: ${line}`);
  }
  const count = Object.keys(operations).length;
  assert.ok(readme.includes(`${count} read endpoints`));
});

test('every error type and plan', () => {
  for (const [type, { status, when }] of Object.entries(errorTypes)) {
    assert.ok(reference.includes(`| \`${type}\` | ${status} | ${when} |`), type);
  }
  for (const [name, { window, quota }] of Object.entries(plans)) {
    const line = `| ${name} | ${window.toLocaleString('en')} | ${quota.toLocaleString('en')} |`;
    for (const text of [readme, reference]) assert.ok(text.includes(line), line);
  }
});

test('every command and every option of serve', () => {
  const help = run(['--help']).stdout;
  const commands = [...help.matchAll(/^ {2}([a-z]+(?:-[a-z]+)*)\b/gm)].map((match) => match[1] as string);
  assert.ok(commands.length >= 15, help);
  for (const command of commands.filter((name) => name !== 'help'))
    assert.ok(commandLine.includes(`\n### cratebase ${command}\n`), command);
  const options = run(['serve', '--help']).stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm);
  for (const [, option] of options) {
    if (!['--help', '--version', '--json'].includes(option as string))
      assert.match(commandLine, new RegExp(`^\\| \`${option}\\b|^- \`${option}\\b`, 'm'), option);
  }
});

test('the examples of the README run, and the response of the API is the one shown', async () => {
  const folder = temporaryFolder();
  const place = join(folder.path, 'readme');
  mkdirSync(place);
  const server = await startServer({ dataFile: join(folder.path, 'served.db') });
  try {
    const blocks = blocksOf(readme);
    const shell = blocks.filter(
      ({ language, info, text }) => language === 'sh' && info === '' && !text.startsWith('npm '),
    );
    assert.ok(shell.length >= 5);
    const { ran, printed } = runShell(
      { folder: place, bin: makeBin(folder.path), url: server.url, key: server.key },
      shell,
    );
    assert.equal(ran.status, 0, `${ran.stdout}\n${ran.stderr}`);
    const shown = blocks.find(({ language }) => language === 'json');
    const request = shell.findIndex(({ text }) => text.startsWith('curl '));
    assert.ok(shown !== undefined && request >= 0);
    const local = shown.text.replaceAll('http://127.0.0.1:4880', server.url);
    assert.deepEqual(JSON.parse(printed[request] as string), JSON.parse(local));
  } finally {
    await server.stop();
    folder.remove();
  }
});

/** The words of each `cratebase …` command in a Markdown text, up to the end of the command. */
function commandsIn(markdown: string): string[][] {
  const code = [
    ...markdown.matchAll(/^ *```(?:sh|console|ini|text)[^\n]*\n([\s\S]*?)^ *```$/gm),
    ...markdown.replace(/^ *```[\s\S]*?^ *```$/gm, '').matchAll(/`([^`\n]+)`/g),
  ].map(([, text]) => text as string);
  return code
    .flatMap((text) => text.replaceAll('\\\n', ' ').split('\n'))
    .filter((line) => !line.startsWith('Description='))
    .map((line) => line.replace('-u cratebase ', '').replace(/\$\([^)]*\)/g, '…'))
    .flatMap((line) => [...line.matchAll(/(?:^|[\s(])cratebase (?=[a-z]|--)([^#|<>;&)]+)/g)])
    .map(([, words]) => (words as string).trim().split(/\s+/));
}

test('documented commands and options exist', () => {
  const files = ['README.md', 'CONTRIBUTING.md', 'SECURITY.md']
    .concat(
      ['docs', 'examples'].flatMap((folder) =>
        readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' }).map(
          (path) => `${folder}/${path}`,
        ),
      ),
    )
    .filter((path) => path.endsWith('.md') && !path.includes('node_modules'));
  const program = buildProgram();
  let count = 0;
  for (const file of files) {
    for (const words of commandsIn(read(file))) {
      const shown = `${file}: cratebase ${words.join(' ')}`;
      const line: Command[] = [program];
      const known = (flag: string) =>
        flag === '--help' ||
        line.flatMap(({ options }) => options).some(({ long, short }) => long === flag || short === flag);
      for (const [index, word] of words.entries()) {
        const [flag = ''] = word.split('=');
        const deepest = line.at(-1) as Command;
        if (/^--?[a-z]/i.test(word)) assert.ok(known(flag), `${shown}: ${flag}`);
        else if (deepest.commands.length > 0 && !/^--?[a-z]/i.test(words[index - 1] ?? '')) {
          const next = deepest.commands.find((command) => command.name() === word);
          if (/^[a-z][a-z-]*$/.test(word)) assert.ok(next, shown);
          if (next) line.push(next);
        }
      }
      count += 1;
    }
  }
  assert.ok(count > 100, String(count));
});
