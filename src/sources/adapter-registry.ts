/** Lists the adapters by type of source. Each is loaded on first use, because most commands read no source. */
import type { Adapter, SourceType } from './adapter.ts';

/** Wraps an adapter that is loaded when it is first read. */
const lazyAdapter = (load: () => Promise<Adapter>): Adapter => ({
  async *read(context) {
    return yield* (await load()).read(context);
  },
});

export const adapters: Readonly<Record<SourceType, Adapter>> = {
  feed: lazyAdapter(async () => (await import('./feed.ts')).feed),
  jsonld: lazyAdapter(async () => (await import('./jsonld/adapter.ts')).jsonld),
  ticketmaster: lazyAdapter(async () => (await import('./ticketmaster/adapter.ts')).ticketmaster),
  ical: lazyAdapter(async () => (await import('./ical/adapter.ts')).ical),
  podcast: lazyAdapter(async () => (await import('./podcast/adapter.ts')).podcast),
  musicbrainz: lazyAdapter(async () => (await import('./musicbrainz/adapter.ts')).musicbrainz),
  discogs: lazyAdapter(async () => (await import('./discogs/adapter.ts')).discogs),
  wordpress: lazyAdapter(async () => (await import('./wordpress/adapter.ts')).wordpress),
  squarespace: lazyAdapter(async () => (await import('./squarespace/adapter.ts')).squarespace),
  gancio: lazyAdapter(async () => (await import('./gancio/adapter.ts')).gancio),
  mobilizon: lazyAdapter(async () => (await import('./mobilizon/adapter.ts')).mobilizon),
  eventbrite: lazyAdapter(async () => (await import('./eventbrite/adapter.ts')).eventbrite),
  tickettailor: lazyAdapter(async () => (await import('./tickettailor/adapter.ts')).tickettailor),
  seatgeek: lazyAdapter(async () => (await import('./seatgeek/adapter.ts')).seatgeek),
  csv: lazyAdapter(async () => (await import('./csv/adapter.ts')).csv),
  openstreetmap: lazyAdapter(async () => (await import('./openstreetmap/adapter.ts')).openstreetmap),
  wikidata: lazyAdapter(async () => (await import('./wikidata/adapter.ts')).wikidata),
};
