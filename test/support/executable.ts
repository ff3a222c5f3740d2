/** The built executable for tests, and whether it is up to date. */
import { existsSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));

/** An executable that is tested as it is, however old. */
const named = process.env.CRATEBASE_TEST_PROGRAM;

/** Where `npm run build` puts the executable of this machine, or the one that CRATEBASE_TEST_PROGRAM names. */
export const executable = named
  ? resolve(named)
  : join(root, 'dist', process.platform === 'win32' ? 'cratebase.exe' : 'cratebase');

/**
 * Says why tests of the executable are skipped. A build takes seconds, so it is left to `npm run build`; an executable
 * older than the source proves nothing about the source.
 * @returns the reason, or false if the executable exists and is up to date
 */
export function reasonToSkip(): string | false {
  if (named) return existsSync(executable) ? false : `${executable} is missing`;
  const built = statSync(executable, { throwIfNoEntry: false });
  if (!built) return 'dist/cratebase is missing: npm run build';
  const sources = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' });
  const newer = sources.find((name) => {
    const entry = statSync(join(root, 'src', name));
    return entry.isFile() && entry.mtimeMs > built.mtimeMs;
  });
  return newer === undefined ? false : `dist/cratebase is older than src/${newer}: npm run build`;
}
