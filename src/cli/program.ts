/** The tree of commands. --help, the manual page and the guides are generated from it. */
import { Command } from 'commander';
import { readAsset } from '../assets.ts';
import { Failure } from '../failure.ts';
import { addClusterCatalogue } from './cluster/run.ts';
import { settingOption } from './command.ts';
import { addAccounts } from './commands/accounts.ts';
import { addAction } from './commands/action.ts';
import { addAdd } from './commands/add.ts';
import { addAudit } from './commands/audit.ts';
import { addBackup } from './commands/backup.ts';
import { addCluster } from './commands/cluster.ts';
import { addCompletion } from './commands/completion.ts';
import { addDoctor } from './commands/doctor.ts';
import { addDuplicates } from './commands/duplicates.ts';
import { addEdit } from './commands/edit.ts';
import { addExplain } from './commands/explain.ts';
import { addExport } from './commands/export.ts';
import { addForget } from './commands/forget.ts';
import { addHealthcheck } from './commands/healthcheck.ts';
import { addHistory } from './commands/history.ts';
import { addImport } from './commands/import.ts';
import { addInstall } from './commands/install.ts';
import { addKeys } from './commands/keys.ts';
import { addLicenses } from './commands/licenses.ts';
import { addMan } from './commands/man.ts';
import { addMcp } from './commands/mcp.ts';
import { addMerge } from './commands/merge.ts';
import { addNeverMerge } from './commands/never-merge.ts';
import { addOpenapi } from './commands/openapi.ts';
import { addPlaces } from './commands/places.ts';
import { addPlans } from './commands/plans.ts';
import { addSamples } from './commands/purge.ts';
import { addDelete, addHide, addRemoved, addUndelete, addUnhide } from './commands/removals.ts';
import { addRestore } from './commands/restore.ts';
import { addReview } from './commands/review.ts';
import { addSearch } from './commands/search.ts';
import { addServe } from './commands/serve.ts';
import { addSettings } from './commands/settings.ts';
import { addShow } from './commands/show.ts';
import { addSources } from './commands/sources.ts';
import { addSplit } from './commands/split.ts';
import { addStats } from './commands/stats.ts';
import { addSync } from './commands/sync.ts';
import { addUndo } from './commands/undo.ts';
import { addValues } from './commands/values.ts';
import { addVerify } from './commands/verify.ts';

const commands = [
  addServe,
  addAccounts,
  addKeys,
  addPlans,
  addCluster,
  addImport,
  addSettings,
  addSources,
  addSync,
  addReview,
  addDuplicates,
  addExplain,
  addMerge,
  addSplit,
  addNeverMerge,
  addHide,
  addUnhide,
  addDelete,
  addUndelete,
  addRemoved,
  addForget,
  addSamples,
  addEdit,
  addAdd,
  addHistory,
  addUndo,
  addAudit,
  addSearch,
  addPlaces,
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
  addInstall,
  addMan,
  addLicenses,
  addValues,
  addAction,
];

/**
 * Builds the tree of all commands. `parseAsync` of the result throws a `Failure` for wrong usage, and a
 * `CommanderError` after help.
 */
export function buildProgram(): Command {
  const program = new Command('cratebase');
  const { version } = JSON.parse(readAsset('package.json')) as { version: string };
  program
    .description('A self-hosted catalogue of electronic music.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show help for a command')
    .helpCommand('help [command]', 'Show help for a command.')
    .addOption(settingOption('data'))
    .option('--json', 'print exactly one JSON document on standard output')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ writeErr: (text) => process.stderr.write(text), outputError: () => {} })
    .addHelpText(
      'after',
      '\nTo start, run `cratebase serve --dev`. It creates ./cratebase.db and prints a request to try.',
    );
  for (const add of commands) add(program);
  addClusterCatalogue(program);
  program.addHelpText('beforeAll', ({ command, error }) => {
    if (error) refuseUnknownHelp(command);
    return '';
  });
  overrideErrors(program);
  return program;
}

/** Turns commander's messages into one line that names the help of the command. */
function overrideErrors(command: Command): void {
  const path = commandPath(command);
  command.exitOverride((error) => {
    if (error.exitCode === 0 || error.code === 'commander.help') throw error;
    const message = suggestOption(command, error.message)
      .replace(/^error: /, '')
      .replaceAll('\n', ' ')
      .replace(/ \(Did you mean (.*)\?\)/, '; did you mean $1?');
    const end = message.endsWith('?') ? ' ' : '; ';
    throw new Failure(`${message}${end}see \`${path} --help\``, 2);
  });
  for (const child of command.commands) overrideErrors(child);
}

/** Refuses `help NAME` for an unknown command as that command itself is refused, instead of printing the whole help. */
function refuseUnknownHelp(command: Command): void {
  const [help, name] = command.args;
  if (help === 'help' && name !== undefined) command.parse([name], { from: 'user' });
}

/** Suggests the option of the same name for an unknown command, instead of a command of a similar name. */
function suggestOption(command: Command, message: string): string {
  const [unknown, name] = /unknown command '([a-z-]{1,40})'/.exec(message) ?? [];
  const option = command.options.find(({ long }) => long === `--${name}`);
  if (unknown === undefined || option === undefined) return message;
  return `${unknown} (Did you mean ${option.long}?)`;
}

function commandPath(command: Command): string {
  return command.parent ? `${commandPath(command.parent)} ${command.name()}` : command.name();
}
