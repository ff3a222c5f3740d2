/** Reads API keys of sources from the environment, never from the data file or the command line. */
import { readFileSync } from 'node:fs';
import { Failure } from '../failure.ts';
import type { SourceType } from './adapter.ts';

/**
 * Environment variable of each type's key, and the host of its service, the only one that an editor may send it to. With
 * the suffix `_FILE` the variable names a file that contains the key.
 */
const apiKeys: Readonly<Partial<Record<SourceType, { variable: string; host: string }>>> = {
  ticketmaster: { variable: 'CRATEBASE_TICKETMASTER_KEY', host: 'app.ticketmaster.com' },
};

/** The host that gets the operator's key for this type of source; null for a type without a key. */
export const keyHostOf = (type: string): string | null =>
  Object.hasOwn(apiKeys, type) ? (apiKeys[type as SourceType]?.host ?? null) : null;

/** Whether the key of a type may be sent to an address: over https, to the host of its service. */
export function isKeyHost(type: string, url: string): boolean {
  const host = keyHostOf(type);
  if (host === null || !URL.canParse(url)) return false;
  const { protocol, hostname, port } = new URL(url);
  return protocol === 'https:' && hostname === host && port === '';
}

/**
 * Returns the settings that the environment adds to a source: `apikey`, where its type needs one.
 * @throws Failure (wrong usage) where the key file cannot be read
 */
export function credentialsFromEnv(
  type: SourceType,
  env: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const variable = apiKeys[type]?.variable;
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
