/** Finds which records a previewed address would match, by importing it into a copy of the data file. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type App, type FetchConfig, makeScratchFolder, openApp } from '../app.ts';
import type { MatchedRecord, PreviewedEvents, ShorterLineup } from '../contract/source-summaries.ts';
import { previewedEvents, shorterLineups } from './preview-events.ts';

type Reading = Parameters<Awaited<ReturnType<App['sources']>>['importPreview']>[0];
export type PreviewMatches = {
  matches: MatchedRecord[];
  match_count: number;
  /** The next events as the catalogue would show them. */
  next: PreviewedEvents;
  shorter_lineups: ShorterLineup[];
};

/** Larger files are not copied while a page waits; the terminal does it. */
const maxCopiedBytes = 512 * 1024 * 1024;
/** Matches that the page shows. */
const maxShown = 20;
/** Events that the page shows. */
const maxEvents = 10;

/** Returns the first matches, events first; null if the data file is too large to be copied for a preview. */
export async function previewMatches(
  app: App,
  reading: Reading,
  fetch: FetchConfig,
): Promise<PreviewMatches | null> {
  if (statSync(app.path).size > maxCopiedBytes) return null;
  const scratch = makeScratchFolder(app.path);
  try {
    const copy = join(scratch.path, basename(app.path));
    await app.file.copyTo(copy);
    const { matches, ...events } = await matchIn(app, copy, reading, fetch);
    const eventsFirst = matches.toSorted((a, b) => Number(b.kind === 'event') - Number(a.kind === 'event'));
    return {
      matches: eventsFirst.slice(0, maxShown).map(({ kind, slug, name, why }) => ({ kind, slug, name, why })),
      match_count: matches.length,
      ...events,
    };
  } finally {
    scratch.remove();
  }
}

async function matchIn(
  present: App,
  copy: string,
  reading: Reading,
  fetch: FetchConfig,
): Promise<Omit<PreviewMatches, 'match_count'>> {
  const app = openApp({ data: copy, create: false, clock: present.clock });
  try {
    const registry = await app.sources(fetch);
    const collected = await app.dryRunMatches();
    const before = app.revision();
    await registry.importPreview(reading, {}, { onMatched: collected.add, onWait: () => {} });
    const matches = collected.named(reading.preview.source);
    const changes = [...app.changesSince(before)];
    return {
      matches,
      next: previewedEvents(app, changes, matches, maxEvents),
      shorter_lineups: shorterLineups(present, app, changes),
    };
  } finally {
    app.close();
  }
}
