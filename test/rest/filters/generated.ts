/** A generated catalogue for tests of filters: everything that a filter reads, drawn with a fixed seed. */
export type Position = { latitude: number; longitude: number };
export type GeneratedVenue = {
  id: string;
  name: string;
  city: string;
  country: string;
  position: Position | null;
};
export type GeneratedEvent = {
  id: string;
  name: string;
  start: string;
  venue: GeneratedVenue | null;
  city: string;
  country: string;
  artists: string[];
  genres: string[];
  status: string | null;
  hasTickets: boolean;
};

/** Returns a function of pseudo-random numbers from 0 to 1 (mulberry32). */
export function randomNumbers(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Cities with their position; around the antimeridian and near a pole too. */
export const cities: Record<string, Position & { country: string }> = {
  Berlin: { latitude: 52.52, longitude: 13.405, country: 'DE' },
  Leipzig: { latitude: 51.34, longitude: 12.37, country: 'DE' },
  Amsterdam: { latitude: 52.37, longitude: 4.9, country: 'NL' },
  Suva: { latitude: -18.14, longitude: 178.44, country: 'FJ' },
  Apia: { latitude: -13.83, longitude: -171.76, country: 'WS' },
  Longyearbyen: { latitude: 78.22, longitude: 15.64, country: 'NO' },
};
const genres = ['Techno', 'House', 'Ambient'];
const statuses = [null, 'scheduled', 'scheduled', 'cancelled', 'postponed'];

/** Draws venues and events. One venue in four has no position, one event in six no venue. */
export function generate(seed: number, sizes: { venues: number; events: number }) {
  const random = randomNumbers(seed);
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
  const names = Object.keys(cities);
  const shifted = (around: number, reach: number) => around + (random() * 2 - 1) * reach;
  const wrapped = (longitude: number) =>
    longitude > 180 ? longitude - 360 : longitude < -180 ? longitude + 360 : longitude;
  const venues = Array.from({ length: sizes.venues }, (_, index): GeneratedVenue => {
    const city = pick(names);
    const { latitude, longitude, country } = cities[city] as Position & { country: string };
    const reach = pick([0.05, 0.5, 4]);
    const position = {
      latitude: shifted(latitude, reach),
      longitude: wrapped(shifted(longitude, reach * 2)),
    };
    const name = `Hall ${String(Math.floor(random() * 1e6)).padStart(6, '0')} ${index}`;
    return { id: `v-${index}`, name, city, country, position: random() < 0.25 ? null : position };
  });
  const events = Array.from({ length: sizes.events }, (_, index): GeneratedEvent => {
    const venue = random() < 1 / 6 ? null : pick(venues);
    const city = venue?.city ?? pick(names);
    const day = new Date(Date.UTC(2026, 0, 1 + Math.floor(random() * 700))).toISOString().slice(0, 10);
    return {
      id: `e-${index}`,
      name: `Night ${index}`,
      start: `${day}T2${Math.floor(random() * 4)}:00:00Z`,
      venue,
      city,
      country: (cities[city] as { country: string }).country,
      artists: [...new Set([pick(['Ana', 'Bo', 'Cy', 'Di']), pick(['Ana', 'Bo', 'Cy', 'Di'])])],
      genres: random() < 0.8 ? [pick(genres)] : [],
      status: pick(statuses),
      hasTickets: random() < 0.3,
    };
  });
  return { venues, events };
}

/** Returns the lines of the feed. */
export function feedLines({ venues, events }: ReturnType<typeof generate>): object[] {
  const cityLines = Object.entries(cities).map(([name, city]) => ({
    kind: 'city',
    external_id: `c-${name}`,
    name,
    ...city,
    timezone: 'UTC',
  }));
  const venueLines = venues.map(({ id, name, city, country, position }) => ({
    kind: 'venue',
    external_id: id,
    name,
    city,
    country,
    ...position,
  }));
  return [...cityLines, ...venueLines, ...events.map(eventLine)];
}

/** Returns the feed line of an event. */
export const eventLine = (event: GeneratedEvent): object => ({
  kind: 'event',
  external_id: event.id,
  name: event.name,
  start_at: event.start,
  timezone: 'UTC',
  ...(event.venue === null
    ? { city: event.city, country: event.country }
    : {
        venue: {
          external_id: event.venue.id,
          name: event.venue.name,
          city: event.venue.city,
          country: event.venue.country,
        },
      }),
  lineup: event.artists.map((name) => ({ name, external_id: `a-${name}` })),
  genres: event.genres,
  status: event.status,
  tickets: event.hasTickets ? [{ seller: 'Shop', url: `https://shop.test/${event.id}` }] : [],
});

/** The distance of two positions in km by the spherical law of cosines, unlike the program's haversine. */
export function distance(a: Position, b: Position): number {
  const [p, q, d] = [a.latitude, b.latitude, b.longitude - a.longitude].map((x) => (x * Math.PI) / 180) as [
    number,
    number,
    number,
  ];
  const cosine = Math.sin(p) * Math.sin(q) + Math.cos(p) * Math.cos(q) * Math.cos(d);
  return 6_371.0088 * Math.acos(Math.min(1, Math.max(-1, cosine)));
}

/** Where an event is: at its venue, or in its city if the venue has no position. */
export const placeOf = ({ venue, city }: GeneratedEvent): Position =>
  venue?.position ?? (cities[city] as Position);
