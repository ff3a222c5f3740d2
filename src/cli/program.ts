/** All commands as one tree, which --help, the manual page and the reference are read from. */
import { Command } from 'commander';
import { readAsset } from '../assets.ts';
import { Failure } from '../failure.ts';
import { addAccounts } from './accounts.ts';
import { addBackup } from './backup.ts';
import { settingOption } from './command.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { addDuplicates } from './duplicates.ts';
import { addExplain } from './explain.ts';
import { addExport } from './export.ts';
import { addHealthcheck } from './healthcheck.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addLicenses } from './licenses.ts';
import { addMan } from './man.ts';
import { addMcp } from './mcp.ts';
import { addMerge } from './merge.ts';
import { addNeverMerge } from './never-merge.ts';
import { addOpenapi } from './openapi.ts';
import { addRestore } from './restore.ts';
import { addSearch } from './search.ts';
import { addServe } from './serve.ts';
import { addShow } from './show.ts';
import { addSources } from './sources.ts';
import { addSplit } from './split.ts';
import { addStats } from './stats.ts';
import { addSync } from './sync.ts';
import { addValues } from './values.ts';
import { addVerify } from './verify.ts';

const commands = [
  addServe,
  addAccounts,
  addKeys,
  addImport,
  addSources,
  addSync,
  addDuplicates,
  addExplain,
  addMerge,
  addSplit,
  addNeverMerge,
  addSearch,
  addShow,
  addStats,
  addExport,
  addBackup,
  addRestore,
  addVerify,
  addMcp,
  addDoctor,
  addOpenapi,
  addCompletion,
  addHealthcheck,
  addMan,
  addLicenses,
  addValues,
];

/** The whole tree of commands. */
export function buildProgram(): Command {
  const program = new Command('cratebase');
  const { version } = JSON.parse(readAsset('package.json')) as { version: string };
  program
    .description('A self-hosted catalogue of electronic music.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .addOption(settingOption('data'))
    .option('--json', 'print exactly one JSON document on standard output')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ writeErr: (text) => process.stderr.write(text), outputError: () => {} })
    .addHelpText(
      'after',
      '\nTo start, run `cratebase serve --dev`. It creates ./cratebase.db and prints a request to try.',
    );
  for (const add of commands) add(program);
  override(program);
  return program;
}

/** Commander's own complaints become one line that names the help of the command they are about. */
function override(command: Command): void {
  const path = pathOf(command);
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const complaint = error.message
      .replace(/^error: /, '')
      .replaceAll('\n', ' ')
      .replace(/ \(Did you mean (.*)\?\)/, '; did you mean $1?');
    const end = complaint.endsWith('?') ? ' ' : '; ';
    throw new Failure(`${complaint}${end}see \`${path} --help\``, 2);
  });
  for (const child of command.commands) override(child);
}

function pathOf(command: Command): string {
  return command.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();
}
