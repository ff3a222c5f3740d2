/** What the public pages read beside the reader of the API, over the same connection and so from the same state. */
import type Database from 'better-sqlite3';
import { SiteEvents } from './site-events.ts';
import { SiteFigures } from './site-figures.ts';
import { SiteMap } from './site-map.ts';
import { SiteRelations } from './site-relations.ts';

export type SiteReader = {
  readonly events: SiteEvents;
  readonly relations: SiteRelations;
  readonly figures: SiteFigures;
  readonly map: SiteMap;
};

/** Prepares all that the public pages read. */
export const openSiteReader = (sqlite: Database.Database): SiteReader => ({
  events: new SiteEvents(sqlite),
  relations: new SiteRelations(sqlite),
  figures: new SiteFigures(sqlite),
  map: new SiteMap(sqlite),
});
