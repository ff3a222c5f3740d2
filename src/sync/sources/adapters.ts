/** The adapters by the type of source. Each is loaded where it is first needed: most commands read no source. */
import type { Adapter, SourceType } from './adapter.ts';

/** An adapter that is loaded when it is first read. */
const later = (load: () => Promise<Adapter>): Adapter => ({
  async *read(context) {
    return yield* (await load()).read(context);
  },
});

export const adapters: Readonly<Record<SourceType, Adapter>> = {
  feed: later(async () => (await import('./feed.ts')).feed),
  jsonld: later(async () => (await import('./jsonld.ts')).jsonld),
  ticketmaster: later(async () => (await import('./ticketmaster.ts')).ticketmaster),
  ical: later(async () => (await import('./ical.ts')).ical),
  podcast: later(async () => (await import('./podcast.ts')).podcast),
  musicbrainz: later(async () => (await import('./musicbrainz.ts')).musicbrainz),
  discogs: later(async () => (await import('./discogs.ts')).discogs),
};
