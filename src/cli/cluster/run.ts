/** Runs commands on the published catalogue of a cluster, when `--cluster` or CRATEBASE_CLUSTER names one. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { statSync } from 'node:fs';
import type { Command } from 'commander';
import { Failure } from '../../failure.ts';
import { catalogueRole, selfCommand } from '../child-process.ts';
import {
  abortOnSignals,
  dataPath,
  flagsOf,
  readCopy,
  settingOption,
  useCopy,
  wantsJson,
} from '../command.ts';
import { note } from '../output/terminal.ts';
import { isUndoOfAccounts } from '../undo-of-accounts.ts';
import { clusterOf, objectsOf } from '../with-access.ts';
import { clusterModeOf } from './modes.ts';

const wrongUsage = 2;

/** The command ran in another process. `exitStatus` is that of the command. */
export class AlreadyRun extends Failure {
  constructor(exitStatus: number) {
    super('The command ran in another process.', exitStatus);
  }
}

/** Adds `--cluster` and its companions to the commands that read or change the catalogue, and runs these on it. */
export function addClusterCatalogue(program: Command): void {
  for (const command of leavesOf(program)) {
    const mode = clusterModeOf(pathOf(command));
    if (mode !== 'change' && mode !== 'read') continue;
    if (!command.options.some(({ long }) => long === '--cluster'))
      command.addOption(settingOption('cluster')).addOption(settingOption('clusterCa'));
    command.addOption(settingOption('objects'));
  }
  program.hook('preAction', (_, command) => prepare(program, command));
}

/** All commands with an action. */
export const leavesOf = (command: Command): Command[] => [
  ...(command.commands.length === 0 || command.name() === 'review' ? [command] : []),
  ...command.commands.flatMap(leavesOf),
];

/** The words of a command after the program's name. */
export const pathOf = (command: Command): string =>
  command.parent?.parent ? `${pathOf(command.parent)} ${command.name()}` : command.name();

async function prepare(program: Command, command: Command): Promise<void> {
  const mode = clusterModeOf(pathOf(command));
  const [role, ...place] = (process.env.CRATEBASE_ROLE ?? '').split(':');
  const isPart = role === catalogueRole;
  if (mode === undefined || (mode === 'own' && !(isPart && command.name() === 'action'))) return;
  if (checksFile(command)) return;
  const address = await clusterOf(command);
  if (address === null) return;
  if (typeof mode === 'object')
    throw new Failure(`\`${pathOf(command)}\` does not work with a cluster. ${mode.refused}`, wrongUsage);
  const { adoptClusterSecret, fetchForReading } = await import('../../app.ts');
  if (isPart) {
    // A service names the file with --data.
    if (place.length > 0) useCopy(program, place.join(':'));
    return adoptClusterSecret(address);
  }
  if (command.name() === 'review' && process.stdin.isTTY && process.stdout.isTTY && !wantsJson(command))
    throw new Failure(
      'Each decision is a publication: decide with `review decide`, or in the console. `review --json` lists the pairs.',
      wrongUsage,
    );
  const isNamed = flagsOf(command).data !== undefined || Boolean(process.env.CRATEBASE_DATA);
  const options = { address, objects: objectsOf(command), folder: isNamed ? dataPath(command) : null };
  if (pathOf(command) === 'undo' && (await isUndoOfAccounts(command))) return;
  if (mode === 'change') throw new AlreadyRun(await runChange(options));
  readCopy(program, await fetchForReading(options));
}

/** Whether the command is `verify` of a file, such as a backup of the cluster: the file needs no cluster. */
function checksFile(command: Command): boolean {
  const { data, cluster } = flagsOf(command);
  if (pathOf(command) !== 'verify' || typeof data !== 'string' || cluster !== undefined) return false;
  return statSync(data, { throwIfNoEntry: false })?.isFile() === true;
}

type ChangeOptions = Parameters<typeof import('../../app.ts')['changeForCommand']>[0];

/** Runs this command line again in a process of its own, on a copy of the catalogue. Returns its exit status. */
async function runChange(options: ChangeOptions): Promise<number> {
  const { changeForCommand } = await import('../../app.ts');
  const interrupted = abortOnSignals();
  const onWait = () => note('another node or command changes the catalogue: waiting until it is done');
  const onUnfinished = (number: number) =>
    note(`publication ${number} of an interrupted command or node becomes active first`);
  const onStored = (number: number) =>
    note(`stored as publication ${number}, which becomes active when the nodes have it`);
  const listeners = { onWait, onUnfinished, onStored };
  const { result, published } = await changeForCommand({ ...options, ...listeners }, (path, signal) => {
    interrupted.throwIfAborted();
    return runProcess(path, AbortSignal.any([signal, interrupted]));
  });
  process.stdout.write(result.output);
  if (published !== null) note(`published as number ${published}`);
  return result.status;
}

type ProcessResult = { status: number; output: Buffer };

/**
 * What the command prints is kept until it is published. A command that was wrong, or ended by a signal, publishes
 * nothing.
 */
async function runProcess(path: string, signal: AbortSignal): Promise<ProcessResult> {
  const { command, args } = selfCommand();
  const child = spawn(command, [...args, ...process.argv.slice(2)], {
    env: { ...process.env, CRATEBASE_ROLE: `${catalogueRole}:${path}` },
    stdio: ['inherit', 'pipe', 'inherit'],
  });
  const end = () => child.kill('SIGTERM');
  signal.addEventListener('abort', end);
  const parts: Buffer[] = [];
  child.stdout.on('data', (part: Buffer) => parts.push(part));
  try {
    const [status, killedBy] = (await once(child, 'close')) as [number | null, string | null];
    if (signal.aborted) throw signal.reason;
    if (status === null) throw new Failure(`The command ended early (${killedBy}). Nothing was published.`);
    if (status > 1) throw new AlreadyRun(status);
    return { status, output: Buffer.concat(parts) };
  } finally {
    signal.removeEventListener('abort', end);
  }
}
