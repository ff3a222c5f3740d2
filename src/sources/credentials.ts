/** Keys that a source needs and nobody should read: from the environment, never from the data file or a command line. */
import { readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import type { SourceType } from './adapter.ts';

/** The variable with each type's key; with `_FILE` after it, it names a file that has the key in it. */
const apiKeyVariables: Readonly<Partial<Record<SourceType, string>>> = {
  ticketmaster: 'CRATEBASE_TICKETMASTER_KEY',
};

/**
 * The settings that the environment adds to a source's own: `apikey`, where its type has one.
 * @throws Failure (wrong usage) where the named file cannot be read
 */
export function credentialsFromEnv(
  type: SourceType,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const variable = apiKeyVariables[type];
  if (variable === undefined) return {};
  const file = env[`${variable}_FILE`];
  const key = env[variable]?.trim() || (file ? readKeyFile(file, `${variable}_FILE`) : '');
  return key === '' ? {} : { apikey: key };
}

function readKeyFile(file: string, from: string): string {
  try {
    return readFileSync(file, 'utf8').trim();
  } catch (failure) {
    const { code } = failure as NodeJS.ErrnoException;
    throw new Failure(`${from} names ${file}, which cannot be read (${code}).`, 2);
  }
}
