/**
 * Figures over the whole catalogue. Each takes longer than a page may, so it is kept: until the catalogue is another
 * one, and then still for a thousand times as long as it took.
 */
import { performance } from 'node:perf_hooks';
import type { Shown } from '../contract/records.ts';
import type { Reader } from '../store/reader.ts';
import type { SiteReader } from '../store/site.ts';
import type { CityFigure } from '../store/site-figures.ts';
import type { GenreNode } from '../store/site-relations.ts';

type Kept<T> = { value: T; state: string; until: number };

/** How much longer than its making a figure is kept, at least. */
const patience = 1_000;

function kept<T>(make: (now: number) => T, stateOf: (now: number) => string): (now: number) => T {
  let known: Kept<T> | undefined;
  return (now) => {
    const state = stateOf(now);
    if (known && (known.state === state || performance.now() < known.until)) return known.value;
    const began = performance.now();
    const value = make(now);
    const took = performance.now() - began;
    known = { value, state, until: performance.now() + took * patience };
    return value;
  };
}

/** A month of the plot, as 'yyyy-mm', and how many events start in it (UTC). */
export type Month = { month: string; events: number };

export type Figures = {
  stats(now: number): Shown<'Stats'>;
  months(now: number): Month[];
  /** The cities with the most events in the next 30 days. */
  cities(now: number): CityFigure[];
  newestEpisodes(now: number): Shown<'EpisodeItem'>[];
  genres(now: number): GenreNode[];
};

const dayMs = 86_400_000;
/** Cities are counted over so many days. */
export const cityDays = 30;
const monthsBefore = 24;
const monthsAfter = 11;

/** Figures of one file, each made when it is first asked for. */
export function openFigures(reader: Reader, site: SiteReader): Figures {
  const byRevision = () => String(reader.state().revision);
  const byClock = (now: number) => {
    const { revision, lastSyncedTs } = reader.state();
    return `${revision} ${lastSyncedTs} ${reader.epoch(now, revision)}`;
  };
  const byDay = (now: number) => `${byRevision()} ${Math.floor(now / dayMs)}`;
  return {
    stats: kept((now) => reader.stats(now), byClock),
    months: kept((now) => countMonths(site, now), byDay),
    cities: kept((now) => site.figures.cities(now, now + cityDays * dayMs, 40, 12), byDay),
    newestEpisodes: kept(() => site.relations.newestEpisodes(6), byRevision),
    genres: kept(() => site.relations.genres(), byRevision),
  };
}

function countMonths(site: SiteReader, now: number): Month[] {
  const today = new Date(now);
  const start = (offset: number) => Date.UTC(today.getUTCFullYear(), today.getUTCMonth() + offset, 1);
  return Array.from({ length: monthsBefore + monthsAfter + 1 }, (_, index) => {
    const offset = index - monthsBefore;
    return {
      month: new Date(start(offset)).toISOString().slice(0, 7),
      events: site.figures.between(start(offset), start(offset + 1)),
    };
  });
}
