/** Finds which records a previewed address would match, by importing it into a copy of the data file. */
import { statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type App, type FetchConfig, makeScratchFolder, openApp } from '../app.ts';
import type { MatchedRecord } from '../contract/source-summaries.ts';

type Reading = Parameters<Awaited<ReturnType<App['sources']>>['importPreview']>[0];
/** A record of the catalogue that the preview matches, and why. */
export type PreviewMatches = { matches: MatchedRecord[]; match_count: number };

/** Larger files are not copied while a page waits; the terminal does it. */
const maxCopiedBytes = 512 * 1024 * 1024;
/** Matches that the page shows. */
const maxShown = 20;

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
    const matches = await matchIn(copy, reading, fetch);
    const sorted = matches.toSorted((a, b) => Number(b.kind === 'event') - Number(a.kind === 'event'));
    return {
      matches: sorted.slice(0, maxShown).map(({ kind, slug, name, why }) => ({ kind, slug, name, why })),
      match_count: matches.length,
    };
  } finally {
    scratch.remove();
  }
}

async function matchIn(copy: string, reading: Reading, fetch: FetchConfig): Promise<MatchedRecord[]> {
  const app = openApp({ data: copy, create: false });
  try {
    const registry = await app.sources(fetch);
    const collected = await app.dryRunMatches();
    await registry.importPreview(reading, {}, { onMatched: collected.add, onWait: () => {} });
    return collected.named(reading.preview.source);
  } finally {
    app.close();
  }
}
