/** The examples of the reference: responses from the starter catalogue at a fixed time. */
import { join } from 'node:path';
import { openApp } from '../../src/app.ts';
import { frozenClock } from '../../src/clock.ts';
import { readServeConfig } from '../../src/config.ts';
import type { RecordedExample } from '../../src/contract/openapi.ts';
import { apiPrefix, type OperationId, operationIds } from '../../src/contract/operations.ts';
import { startServer } from '../../src/server.ts';
import { temporaryFolder } from './program.ts';

/** The time of the examples, in the form of `serve --now`. */
export const recordedAt = '2026-11-20T12:00:00Z';

/** The example request of each operation. Lists have two entries. */
const requests: Record<OperationId, string> = {
  listEvents: '/events?country=DE&genre=techno&from=2026-12-01&limit=2',
  getEvent: '/events/sample-techno-late-shift-ben-klock-2027-01-17',
  listEventLineup: '/events/sample-techno-late-shift-ben-klock-2027-01-17/lineup',
  listEventTickets: '/events/sample-techno-late-shift-ben-klock-2027-01-17/tickets',
  listArtists: '/artists?country=IS&limit=2',
  getArtist: '/artists/ben-klock',
  listArtistEvents: '/artists/ben-klock/events?limit=2',
  listArtistGenres: '/artists/ben-klock/genres',
  listVenues: '/venues?country=GE&limit=2',
  getVenue: '/venues/berghain',
  listVenueEvents: '/venues/kremlin/events?limit=2',
  listFestivals: '/festivals?country=NL&limit=2',
  getFestival: '/festivals/sonar',
  listFestivalEditions: '/festivals/sonar/editions?limit=2',
  getFestivalEdition: '/festivals/sonar/editions/2018',
  listEditionLineup: '/festivals/sonar/editions/2018/lineup',
  listEditionTickets: '/festivals/sonar/editions/2018/tickets',
  listLabels: '/labels?country=DE&limit=2',
  getLabel: '/labels/ostgut-ton',
  listLabelArtists: '/labels/ostgut-ton/artists?limit=2',
  listLabelEvents: '/labels/ostgut-ton/events?limit=2',
  listGenres: '/genres?limit=2',
  getGenre: '/genres/techno',
  listCities: '/cities?country=DE&limit=2',
  getCity: '/cities/berlin',
  listCityEvents: '/cities/berlin/events?from=2026-12-01&to=2026-12-31&limit=2',
  listPodcasts: '/podcasts?limit=2',
  getPodcast: '/podcasts/fact-mix',
  listPodcastEpisodes: '/podcasts/fact-mix/episodes?limit=2',
  getEpisode: '/episodes/fact-mix-559-konx-om-pax',
  listTracks: '/episodes/fact-mix-559-konx-om-pax/tracklist?limit=2',
  getStats: '/stats',
  search: '/search?q=ben+klo',
};

/** Replacement for cursors, which are opaque and differ between files. */
const cursor = 'u7pyVfPJp4oYVFyDQQUsulsyLDE3OTUyMDg0MDAwMDAsMzk2NV0';
const isSet = (key: string, value: unknown) => key === 'next_cursor' && value !== null;

/** Runs all requests. The base address and cursors, which differ between runs, are replaced. */
export async function recordExamples(): Promise<Record<OperationId, RecordedExample>> {
  const folder = temporaryFolder();
  const data = join(folder.path, 'examples.db');
  const flags = { data, port: '0', dev: true, now: recordedAt, noSync: true, baseUrl: 'http://base.invalid' };
  const config = readServeConfig(flags, {});
  const app = openApp({ data, create: true, clock: frozenClock(config.now as number) });
  await app.starter.request();
  await app.starter.import();
  const { key } = await app.devAccount.ensure({ plan: 'pro', window: null, quota: null });
  const server = await startServer(app, { config, log: () => {} });
  try {
    const entries = operationIds.map(async (id) => {
      const path = requests[id];
      const answer = await fetch(`http://127.0.0.1:${server.port}${apiPrefix}${path}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      if (answer.status !== 200) throw new Error(`${path} answers ${answer.status}: ${await answer.text()}`);
      const text = (await answer.text()).replaceAll('http://base.invalid', '{base_url}');
      const body: unknown = JSON.parse(text, (key, value) => (isSet(key, value) ? cursor : value));
      return [id, { path, body }];
    });
    return Object.fromEntries(await Promise.all(entries)) as Record<OperationId, RecordedExample>;
  } finally {
    await server.close();
    app.close();
    folder.remove();
  }
}
