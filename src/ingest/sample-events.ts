/**
 * Generates sample events: invented events with real artists and venues. Each has a name that begins with "Sample" and
 * a source of its own, so that it is not mistaken for an announcement. The same first day always gives the same events.
 */
import { dayMs } from '../clock.ts';

/** The venues and artists that sample events are made of. */
export type SampleInputs = {
  venues: { external_id: string; name: string; city: string; country: string; hasEnded: boolean }[];
  artists: { external_id: string; name: string; genres: string[]; hasEnded: boolean }[];
};

type SeedLine = {
  kind: string;
  external_id: string;
  name: string;
  city?: string;
  country?: string;
  timezone?: string;
  genres?: string[];
  closed_at?: string;
  ended_at?: string;
};

/** The README imports recorded events of this venue and counts them, so it gets no sample events. */
const excludedVenue = 'berghain';

/** Reads the venues and artists that can be used from the seed files. */
export function readSampleInputs(texts: string[]): SampleInputs {
  const lines = texts.flatMap((text) =>
    text
      .split('\n')
      .filter(Boolean)
      .map((line) => JSON.parse(line) as SeedLine),
  );
  return {
    venues: lines
      .filter(
        (line) =>
          line.kind === 'venue' &&
          line.external_id !== excludedVenue &&
          line.city !== undefined &&
          line.country !== undefined,
      )
      .map(({ external_id, name, city = '', country = '', closed_at }) => ({
        external_id,
        name,
        city,
        country,
        hasEnded: closed_at !== undefined,
      })),
    artists: lines
      .filter((line) => line.kind === 'artist' && (line.genres?.length ?? 0) > 0)
      .map(({ external_id, name, genres = [], ended_at }) => ({
        external_id,
        name,
        genres,
        hasEnded: ended_at !== undefined,
      })),
  };
}

/** Days that the sample events cover. */
export const sampleDays = 120;
const eventsPerDay = 5;
const titles = [
  'Night',
  'Club Night',
  'Session',
  'All Night',
  'Late Shift',
  'Open Air',
  'Matinee',
  'Showcase',
];

/** Returns a pseudo-random generator that repeats for the same seed (mulberry32). */
function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** The first entry from `index` on that has not closed or ended, so that no event bills the dead. */
function firstCurrent<T extends { hasEnded: boolean }>(all: readonly T[], index: number): T {
  const isCurrent = ({ hasEnded }: T): boolean => !hasEnded;
  return (all.slice(index).find(isCurrent) ?? all.find(isCurrent)) as T;
}

/**
 * Generates the sample events as feed records.
 * @param first the first day, yyyy-mm-dd
 */
export function generateSampleEvents(parts: SampleInputs, first: string): object[] {
  const day0 = Date.parse(`${first}T00:00:00Z`);
  const events: object[] = [];
  for (let day = 0; day < sampleDays; day++) {
    const date = new Date(day0 + day * dayMs).toISOString().slice(0, 10);
    const next = new Date(day0 + (day + 1) * dayMs).toISOString().slice(0, 10);
    const draw = seededRandom(Date.parse(`${date}T00:00:00Z`) / dayMs);
    const pick = <T extends { hasEnded: boolean }>(all: readonly T[]): T =>
      firstCurrent(all, Math.floor(draw() * all.length));
    for (let night = 0; night < eventsPerDay; night++) {
      const venue = pick(parts.venues);
      const headliner = pick(parts.artists);
      const [genre = ''] = headliner.genres;
      // Supporting artists share the genre, so that lists by genre look realistic.
      const sameGenre = parts.artists.filter(({ genres }) => genres.includes(genre));
      const lineup = [
        ...new Set([headliner, ...Array.from({ length: 1 + Math.floor(draw() * 4) }, () => pick(sameGenre))]),
      ];
      const daytime = draw() < 0.1;
      const nights = titles.filter((name) => name !== 'Matinee');
      const title = daytime ? 'Matinee' : nights[Math.floor(draw() * nights.length)];
      const [start, end] = daytime
        ? [`${date}T14:00`, `${date}T22:00`]
        : [`${date}T${22 + Math.floor(draw() * 2)}:00`, `${next}T06:00`];
      const draws = draw();
      events.push({
        kind: 'event',
        external_id: `${date}-${night}`,
        name: `Sample ${genre} ${title}: ${headliner.name}`,
        start_at: start,
        end_at: draws < 0.7 ? end : null,
        status: draws < 0.03 ? 'cancelled' : draws < 0.06 ? 'postponed' : 'scheduled',
        venue: { external_id: venue.external_id, name: venue.name, city: venue.city, country: venue.country },
        description: 'An invented event of the starter catalogue. It does not take place.',
        minimum_age: 18,
        genres: [...new Set(lineup.flatMap(({ genres }) => genres.slice(0, 1)))],
        lineup: lineup.map(({ name }, index) => ({ name, billing: index === 0 ? 'headline' : 'support' })),
        tickets: [],
      });
    }
  }
  return events;
}
