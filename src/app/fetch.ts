import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { programVersion } from './program.ts';

/** The service's own URL, and the private addresses that it may fetch from. */
export type FetchConfig = { baseUrl: string | null; fetchAllow: readonly string[] };

/**
 * Loads the guarded fetcher (`fetch/guarded-fetch.ts`).
 * @param spoolFolder the folder for large bodies; defaults to the system's temporary folder
 */
export async function loadFetch(
  { baseUrl, fetchAllow }: FetchConfig,
  spoolFolder?: string,
): Promise<GuardedFetch> {
  const { createGuardedFetch: openFetch } = await import('../fetch/guarded-fetch.ts');
  const whose = baseUrl === null ? '' : ` (+${baseUrl})`;
  const userAgent = `cratebase/${programVersion()}${whose}`;
  return openFetch({ allow: fetchAllow, userAgent, ...(spoolFolder === undefined ? {} : { spoolFolder }) });
}
