/** Reads API keys of sources from the environment, never from the data file or the command line. */
import { readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import type { SourceType } from './adapter.ts';

/** Environment variable of each type's key. With the suffix `_FILE` it names a file that contains the key. */
const apiKeyVariables: Readonly<Partial<Record<SourceType, string>>> = {
  eventbrite: 'CRATEBASE_EVENTBRITE_TOKEN',
  seatgeek: 'CRATEBASE_SEATGEEK_KEY',
  ticketmaster: 'CRATEBASE_TICKETMASTER_KEY',
  tickettailor: 'CRATEBASE_TICKETTAILOR_KEY',
};

/**
 * Returns the settings that the environment adds to a source: `apikey`, where its type needs one.
 * @throws Failure (wrong usage) where the key file cannot be read
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
