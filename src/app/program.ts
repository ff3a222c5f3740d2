/** Functions of the program that need no open data file: version, OpenAPI document, restoring a backup, place names. */
import { dirname } from 'node:path';
import { readAsset } from '../assets.ts';
import { type Clock, frozenClock, systemClock } from '../clock.ts';
import { defaultIdentity } from '../contract/identity.ts';
import { type OpenApiDocument, openApiDocument } from '../contract/openapi.ts';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { readIdentityConfig } from '../identity/identity.ts';
import type { SuggestedPlace } from '../places/suggest-places.ts';
import type { Settings } from '../settings.ts';
import { type RestoreResult, restoreFile } from '../store/file/restore.ts';
import { createScratchDirectory, type ScratchDirectory } from '../store/file/scratch-directory.ts';

/** Base URL of links in command output, unless one is configured. */
const defaultBaseUrl = 'http://127.0.0.1:4880';

/** Returns the program's version. */
export const programVersion = (): string =>
  (JSON.parse(readAsset('package.json')) as { version: string }).version;

/** Returns the server's clock: real time, or the fixed instant of `--now`. */
export const clockFor = (config: Settings): Clock =>
  config.now === null ? systemClock : frozenClock(config.now);

/** What the OpenAPI document says of the operator. */
const apiIdentityKeys = ['name', 'contact', 'license', 'terms', 'attribution'] as const;
type ApiIdentityKey = (typeof apiIdentityKeys)[number];

/** Returns the OpenAPI document of a service. */
export const describeApi = (config: Pick<Settings, 'baseUrl' | ApiIdentityKey>): OpenApiDocument => {
  const values = Object.fromEntries(apiIdentityKeys.map((key) => [key, config[key]]));
  return openApiDocument({
    ...defaultIdentity(),
    ...readIdentityConfig(values),
    baseUrl: config.baseUrl ?? defaultBaseUrl,
    version: programVersion(),
  });
};

/** Loads the parser of source configurations on demand. */
export const loadSourceConfig = () => import('../ingest/schedule/source-config.ts');

/** Replaces the data file with a backup (`store/file/restore.ts`). */
export const restore = (backup: string, data: string): RestoreResult => restoreFile(backup, data);

/** Creates a scratch folder next to the data file. */
export const makeScratchFolder = (data: string): ScratchDirectory =>
  createScratchDirectory(dirname(data), 'copy');

/**
 * Suggests places of the world whose names start with a text, the largest first, at most 50. Needs no data file.
 * @param prefix "mün", "paris, texas"
 */
export async function suggestPlaces(prefix: string, limit: number): Promise<SuggestedPlace[]> {
  const [{ loadPlaceIndex }, { suggestPlaces: suggest }] = await Promise.all([
    import('../places/places.ts'),
    import('../places/suggest-places.ts'),
  ]);
  return suggest(await loadPlaceIndex(), prefix, limit);
}

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
