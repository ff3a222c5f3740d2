/** Lines of a feed with random values, for random changes of a catalogue. */

export type Random = () => number;

/** A small generator of numbers from 0 to 1 (mulberry32). */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Returns one of the entries. */
export const pickFrom = <T>(random: Random, from: readonly T[]): T =>
  from[Math.floor(random() * from.length)] as T;

export const names = ['Ada', 'Bo', 'Cleo', 'Dov', 'Eli', 'Fay', 'Gus', 'Hal', 'Ivy', 'Jon', 'Kim', 'Lux'];
export const places = ['Haus', 'Keller', 'Turm', 'Hof'];
export const cities = [
  ['Berlin', 'DE'],
  ['Leipzig', 'DE'],
  ['Wien', 'AT'],
] as const;

/** Lines of a feed: some of each kind, with values that vary. */
export function randomLines(random: Random): object[] {
  const pick = <T>(from: readonly T[]): T => pickFrom(random, from);
  const some = (share: number) => random() < share;
  const version = Math.floor(random() * 3);
  const lines: object[] = [
    { kind: 'genre', external_id: 'g1', name: some(0.2) ? 'Deep House' : 'House', parent: 'Electronic' },
    { kind: 'genre', external_id: 'g2', name: 'Techno', description: `v${version}` },
  ];
  for (const [name, country] of cities)
    lines.push({
      kind: 'city',
      external_id: name,
      name,
      country,
      timezone: 'Europe/Berlin',
      population: version,
    });
  for (const name of places) {
    const [city, country] = pick(cities);
    if (some(0.8))
      lines.push({
        kind: 'venue',
        external_id: name,
        name: some(0.2) ? `${name} neu` : name,
        city,
        country,
        latitude: 50 + version,
        longitude: 10,
      });
  }
  for (const name of names)
    if (some(0.7)) {
      const line = { kind: 'artist', external_id: name, name: some(0.15) ? `${name} X` : name };
      lines.push({
        ...line,
        genres: some(0.5) ? [pick(['House', 'Techno'])] : [],
        biography: `v${version}`,
      });
    }
  const acts = (most: number) => names.filter(() => random() < most / names.length).map((name) => ({ name }));
  for (const name of ['Nord', 'Sued']) {
    const line = { kind: 'label', external_id: name, name: some(0.2) ? `${name} Rec` : name };
    lines.push({ ...line, artists: acts(3), ...(some(0.5) ? { parent: { name: 'Dach' } } : {}) });
  }
  const [city, country] = cities[0];
  const festival = 'Lost';
  lines.push({ kind: 'festival', external_id: 'f', name: festival, city, country, genres: ['House'] });
  for (const edition of ['2026', '2027'])
    lines.push({
      kind: 'edition',
      external_id: `f${edition}`,
      festival: { external_id: 'f', name: festival },
      edition,
      start_at: `${edition}-08-0${1 + version}`,
      venue: { name: pick(places), city: 'Berlin', country: 'DE' },
      lineup: acts(3),
    });
  lines.push({ kind: 'podcast', external_id: 'p', name: some(0.2) ? 'Pod Cast' : 'Pod' });
  for (let number = 1; number <= 3; number++)
    lines.push({
      kind: 'episode',
      external_id: `e${number}`,
      podcast: { external_id: 'p', name: 'Pod' },
      name: `Folge ${number}`,
      artists: acts(1),
      tracklist: [{ artist_name: pick(names), title: `T${version}`, label_name: pick(['Nord', 'Sued']) }],
    });
  for (let number = 1; number <= 8; number++) {
    if (some(0.2)) continue;
    const venue = { name: pick(places), city: pick(cities)[0], country: 'DE' };
    lines.push({
      kind: 'event',
      external_id: `n${number}`,
      name: some(0.2) ? `Nacht ${number} Spezial` : `Nacht ${number}`,
      start_at: `2026-12-${String(number + 10)}T23:00`,
      venue,
      lineup: acts(4),
      ...(some(0.3) ? { genres: ['Techno'] } : {}),
      ...(some(0.3)
        ? { tickets: [{ seller: 'Tor', url: 'https://t.example/1', price_min: 10 + version }] }
        : {}),
      ...(some(0.2) ? { festival: { festival: { name: 'Lost' }, edition: '2026' } } : {}),
    });
  }
  return lines;
}
