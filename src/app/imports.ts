/** Opens the importer: files, scheduled sources, and the preview of a dry run. */
import { dirname } from 'node:path';
import type { Clock } from '../clock.ts';
import type { ImportFilesOptions, ImportFilesReport } from '../ingest/import/import-files.ts';
import type { MatchPreview } from '../ingest/match-preview.ts';
import type { SourceRegistry } from '../ingest/schedule/source-registry.ts';
import type { RecordKey } from '../sources/common/input-items.ts';
import type { Connections } from './connections.ts';
import { type FetchConfig, loadFetch } from './program.ts';

export type DryRunMatches = {
  add: (subject: RecordKey) => void;
  named: (source: string) => MatchPreview[];
};

/** Loads the fetcher. Response bodies are stored next to the data file: that disk is writable and not in memory. */
const loadFetchFor = ({ path }: Connections, from: FetchConfig) => loadFetch(from, dirname(path));

/** Imports feeds or files of other formats (`ingest/import/import-files.ts`). Waits for other writers. */
export async function importFiles(
  connections: Connections,
  clock: Clock,
  options: Omit<ImportFilesOptions, 'now' | 'fetch'>,
  from: FetchConfig,
): Promise<ImportFilesReport> {
  const [{ importFiles: importAll }, fetch] = await Promise.all([
    import('../ingest/import/import-files.ts'),
    loadFetchFor(connections, from),
  ]);
  return importAll(connections.catalogue, { ...options, fetch, now: clock.now() });
}

/** Opens the registry of scheduled sources (`ingest/schedule/source-registry.ts`). */
export async function openSources(
  connections: Connections,
  clock: Clock,
  from: FetchConfig,
): Promise<SourceRegistry> {
  const [
    { SourceRegistry: Feeds },
    fetch,
    { findBlockedHost: blockedHost },
    { credentialsFromEnv: keysFrom },
  ] = await Promise.all([
    import('../ingest/schedule/source-registry.ts'),
    loadFetchFor(connections, from),
    import('../fetch/blocked-host.ts'),
    import('../sources/credentials.ts'),
  ]);
  return new Feeds(connections.catalogue, clock, {
    fetch,
    secretSettings: (type) => keysFrom(type, process.env),
    blockedHostOf: (address) => blockedHost(address, from.fetchAllow),
  });
}

/** Collects the existing records that a dry run matches, and describes them after the run (`ingest/match-preview.ts`). */
export async function collectMatches({ catalogue }: Connections, clock: Clock): Promise<DryRunMatches> {
  const { MatchCollector: Matches } = await import('../ingest/match-preview.ts');
  const matches = new Matches();
  const named = (source: string) => matches.describeAll(catalogue, source, clock.now());
  return { add: (subject) => matches.add(subject), named };
}
