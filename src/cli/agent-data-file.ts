/** The data file of `mcp`: where it is, and its creation at the first start. */
import { existsSync, mkdirSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { Command } from 'commander';
import { Failure } from '../failure.ts';
import { dataPath, flagsOf, withApp } from './command.ts';
import { note } from './output/terminal.ts';

/**
 * Returns the data file of an agent. Clients start the program in any folder, so a file that is not named is that of
 * the folder, or else one in the data folder of the user.
 */
export function agentDataPath(command: Command, env = process.env): string {
  const path = dataPath(command);
  const isNamed = flagsOf(command).data !== undefined || Boolean(env.CRATEBASE_DATA);
  return isNamed || existsSync(path) ? path : join(userDataFolder(env), 'cratebase', 'cratebase.db');
}

function userDataFolder(env: NodeJS.ProcessEnv): string {
  if (process.platform === 'win32') return env.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local');
  if (process.platform === 'darwin') return join(homedir(), 'Library', 'Application Support');
  // An empty or relative path counts as absent (XDG Base Directory Specification).
  const dataHome = env.XDG_DATA_HOME;
  return dataHome?.startsWith('/') ? dataHome : join(homedir(), '.local', 'share');
}

/**
 * Creates a missing data file with the starter catalogue.
 * @throws Failure if its folder cannot be created
 */
export async function createIfMissing(command: Command, data: string): Promise<void> {
  if (existsSync(data) && statSync(data).size > 0) return;
  note(`Creating ${data} with the starter catalogue …`);
  makeFolder(dirname(resolve(data)));
  await withApp(command, { create: true, data }, async (app) => {
    await app.starter.request({ samples: false });
    await app.starter.import();
  });
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Failure(`The folder ${folder} cannot be created (${code}). Choose another file with --data.`);
  }
}
