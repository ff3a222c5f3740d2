/** Readers for the public pages, over the connection of the API reader and so with the same state. */
import type Database from 'better-sqlite3';
import { inSteps } from '../../divided-work.ts';
import { SiteEvents } from './events.ts';
import { SitePictures } from './pictures.ts';
import { SiteRelations } from './relations.ts';
import { SiteSelection } from './selection.ts';
import { SitemapReader } from './sitemap.ts';
import { SiteStatistics } from './statistics.ts';

export type SiteReader = {
  readonly events: SiteEvents;
  readonly pictures: SitePictures;
  readonly relations: SiteRelations;
  readonly figures: SiteStatistics;
  readonly selection: SiteSelection;
  readonly map: SitemapReader;
};

/** Creates the readers of the public pages. */
export const openSiteReader = (sqlite: Database.Database): SiteReader => ({
  events: inSteps(new SiteEvents(sqlite), ['past', 'ofEdition']),
  pictures: new SitePictures(sqlite),
  relations: inSteps(new SiteRelations(sqlite), ['related', 'editionsOf']),
  figures: new SiteStatistics(sqlite),
  selection: inSteps(new SiteSelection(sqlite), ['byDay', 'ids', 'genres', 'upcoming']),
  map: new SitemapReader(sqlite),
});
