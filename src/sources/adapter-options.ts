/** What each type of source may be told (`--option name=value`); its adapter says what each of them means. */
import type { SourceType } from './adapter.ts';

export const adapterOptions: Readonly<Record<SourceType, readonly string[]>> = {
  feed: [],
  jsonld: ['pages', 'match', 'pause', 'timezone', 'venue', 'city', 'country'],
  ticketmaster: ['apikey', 'country', 'locale', 'horizon', 'segment'],
  ical: ['timezone', 'venue', 'city', 'country', 'horizon'],
  podcast: [],
  musicbrainz: ['genres'],
  discogs: [],
};
