/**
 * Figures about the whole catalogue. They take longer than a page may, so they are cached until the catalogue changes, and
 * for at least a thousand times the time of the calculation.
 */

import { performance } from 'node:perf_hooks';
import { dayMs } from '../clock.ts';
import type { ApiRecord } from '../contract/records.ts';
import type { CatalogueReader } from '../store/reader.ts';
import type { GenreNode } from '../store/site/relations.ts';
import type { SiteReader } from '../store/site/site-reader.ts';
import type { CityEventCount } from '../store/site/statistics.ts';

type CachedFigure<T> = { value: T; state: string; until: number };

/** Minimum lifetime of a figure, as a multiple of the time of its calculation. */
const costFactor = 1_000;

function cached<T>(make: (now: number) => T, stateOf: (now: number) => string): (now: number) => T {
  let entry: CachedFigure<T> | undefined;
  return (now) => {
    const state = stateOf(now);
    if (entry && (entry.state === state || performance.now() < entry.until)) return entry.value;
    const began = performance.now();
    const value = make(now);
    const took = performance.now() - began;
    entry = { value, state, until: performance.now() + took * costFactor };
    return value;
  };
}

/** A month ('yyyy-mm') and the number of events that start in it (UTC). */
export type MonthCount = { month: string; events: number };

export type Figures = {
  stats(now: number): ApiRecord<'Stats'>;
  months(now: number): MonthCount[];
  /** The cities with the most events in the next 30 days. */
  cities(now: number): CityEventCount[];
  newestEpisodes(now: number): ApiRecord<'EpisodeItem'>[];
  genres(now: number): GenreNode[];
};

/** Days over which events of cities are counted. */
export const cityDays = 30;
const monthsBefore = 24;
const monthsAfter = 11;

/** Opens the figures of a data file; each is calculated at its first use. */
export function openFigures(reader: CatalogueReader, site: SiteReader): Figures {
  const byRevision = () => String(reader.state().revision);
  const byClock = (now: number) => {
    const { revision, lastSyncedTs } = reader.state();
    return `${revision} ${lastSyncedTs} ${reader.epoch(now, revision)}`;
  };
  const byDay = (now: number) => `${byRevision()} ${Math.floor(now / dayMs)}`;
  return {
    stats: cached((now) => reader.stats(now), byClock),
    months: cached((now) => countMonths(site, now), byDay),
    cities: cached((now) => site.figures.busiestCities(now, now + cityDays * dayMs, 40, 12), byDay),
    newestEpisodes: cached(() => site.relations.newestEpisodes(6), byRevision),
    genres: cached(() => site.relations.genres(), byRevision),
  };
}

function countMonths(site: SiteReader, now: number): MonthCount[] {
  const today = new Date(now);
  const start = (offset: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset, 1);
  return Array.from({ length: monthsBefore + monthsAfter + 1 }, (_, index) => {
    const offset = index - monthsBefore;
    return {
      month: new Date(start(offset)).toISOString().slice(0, 7),
      events: site.figures.countEvents(start(offset), start(offset + 1)),
    };
  });
}
