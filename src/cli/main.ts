/** The command line: which commands there are, and how they end (0 done, 1 failed or partly failed, 2 wrong usage). */
import { Command, CommanderError } from 'commander';
import { readAsset } from '../assets.ts';
import { Failure } from '../failure.ts';
import { addAccounts } from './accounts.ts';
import { addBackup } from './backup.ts';
import { settingOption } from './command.ts';
import { addCompletion } from './completion.ts';
import { addDoctor } from './doctor.ts';
import { addExport } from './export.ts';
import { addHealthcheck } from './healthcheck.ts';
import { addImport } from './import.ts';
import { addKeys } from './keys.ts';
import { addMcp } from './mcp.ts';
import { addOpenapi } from './openapi.ts';
import { addRestore } from './restore.ts';
import { addSearch } from './search.ts';
import { addServe } from './serve.ts';
import { addShow } from './show.ts';
import { addSources } from './sources.ts';
import { addStats } from './stats.ts';
import { addSync } from './sync.ts';
import { addVerify } from './verify.ts';

const commands = [
  addServe,
  addAccounts,
  addKeys,
  addImport,
  addSources,
  addSync,
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
];

/** The whole tree of commands. */
function buildProgram(): Command {
  const program = new Command('cratebase');
  const { version } = JSON.parse(readAsset('package.json')) as { version: string };
  program
    .description('The catalogue of electronic music that anyone can run.')
    .version(version, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'show what a command does')
    .addOption(settingOption('data'))
    .option('--json', 'print exactly one JSON document on standard output')
    .configureHelp({ showGlobalOptions: true, sortSubcommands: false })
    .configureOutput({ writeErr: (text) => process.stderr.write(text), outputError: () => {} })
    .addHelpText(
      'after',
      '\nStart with `cratebase serve --dev`: it makes ./cratebase.db and prints a request to try.',
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

/** `| head` closes its end early: that is no failure. What cannot be written otherwise (a full disk) is one. */
function endQuietly(stream: NodeJS.WriteStream): void {
  stream.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(process.exitCode ?? 0);
    const why = error.code === 'ENOSPC' ? 'the disk is full' : error.message;
    if (stream !== process.stderr) process.stderr.write(`cratebase: The output cannot be written: ${why}.\n`);
    process.exit(1);
  });
}

function report(failure: unknown): void {
  if (failure instanceof CommanderError) {
    // Help and version are wished for; help in place of a missing command is not.
    process.exitCode = failure.exitCode === 0 ? 0 : 2;
    return;
  }
  const expected = failure instanceof Failure;
  process.exitCode = failure instanceof Failure ? failure.exitStatus : 1;
  const message = failure instanceof Error ? failure.message : String(failure);
  const line = message.replace(/\s*\n\s*/g, ' ');
  const debug = process.env.CRATEBASE_DEBUG;
  const hint = expected || debug ? '' : ' (unexpected; set CRATEBASE_DEBUG=1 to see where)';
  process.stderr.write(`cratebase: ${line}${hint}\n`);
  if (debug && failure instanceof Error) process.stderr.write(`${failure.stack}\n`);
}

async function main(): Promise<void> {
  endQuietly(process.stdout);
  endQuietly(process.stderr);
  try {
    if (process.env.CRATEBASE_ROLE === 'worker' && process.send) {
      const { runWorker } = await import('./serve-worker.ts');
      await runWorker();
    } else {
      await buildProgram().parseAsync(process.argv);
    }
  } catch (failure) {
    report(failure);
  }
}

void main();
