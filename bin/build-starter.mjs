/** Creates the starter catalogue when a program is built, so that no first start has to import it. */
import { spawnSync } from 'node:child_process';

/**
 * Writes the starter catalogue to `path`.
 * @param {string} root the folder of the repository
 * @param {string} path a file that does not exist
 * @throws Error with the last line of the import if that fails
 */
export function makeStarter(root, path) {
  const code = `import { makeStarterFile } from './src/ingest/starter.ts'; await makeStarterFile(${JSON.stringify(path)});`;
  const made = spawnSync(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    cwd: root,
    encoding: 'utf8',
  });
  if (made.status !== 0)
    throw new Error(`the starter catalogue cannot be read in: ${made.stderr.trim().split('\n').at(-1)}`);
}
