/**
 * A catalogue of any size as a feed (docs/spec/feed-format.md), the same at every run. Nothing is kept in memory but the genres and
 * cities of the starter catalogue: what a line refers to is worked out again from its number.
 */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { artistName, eventName, festivalName, labelName, venueName } from './names.ts';
import { type Random, randomOf } from './random.ts';

/** To be raised whenever other lines come out: files made by another version are made again. */
export const generatorVersion = 1;

export type Size = {
  events: number;
  /** The calendar day (ms, UTC midnight) from which events lie ten years back and 120 days ahead. */
  today: number;
};
type City = { name: string; country: string; timezone: string };
type Line = Record<string, unknown>;

const dayMs = 86_400_000;
const daysPast = 3_650;
const daysAhead = 120;
const editionYears = 9;
/** Distance in days between the dates of the first and the second source. */
const otherDays = 40;
const chunkBytes = 1 << 16;
const sentences = [
  'Doors open an hour before the first set.',
  'A long night on two floors with a sound system made for this room.',
  'Residents and guests, all night long.',
  'No photos on the floor, please.',
  'The label celebrates its birthday with friends from near and far.',
  'Live hardware first, records until the morning.',
];
const sellers = ['tickets.example', 'doors.example', 'nightlist.example'];

/** How many of each kind there are in a catalogue of so many events. */
export const countsOf = (events: number) => ({
  venues: Math.max(5, Math.round(events / 100)),
  artists: Math.max(20, Math.round(events / 10)),
  labels: Math.max(3, Math.round(events / 200)),
  festivals: Math.max(2, Math.round(events / 1_000)),
});

const seedFile = (name: string): string =>
  readFileSync(new URL(`../seed/${name}.ndjson`, import.meta.url), 'utf8');
const seedLines = (name: string): string[] => seedFile(name).split('\n').filter(Boolean);

/** Changes when anything changes that the lines are made of. */
export function generatorDigest(): string {
  const digest = createHash('sha256').update(String(generatorVersion));
  for (const name of ['genres', 'cities']) digest.update(seedFile(name));
  return digest.digest('hex').slice(0, 16);
}

/** The lines of the feed, without their ends: what is referred to comes before what refers to it. */
export function* generateLines(size: Size): Generator<string> {
  const catalogue = new Catalogue(size);
  const { venues, artists, labels, festivals } = countsOf(size.events);
  yield* seedLines('genres');
  yield* seedLines('cities');
  for (let index = 0; index < venues; index++) yield JSON.stringify(catalogue.venue(index));
  for (let index = 0; index < artists; index++) yield JSON.stringify(catalogue.artist(index));
  for (let index = 0; index < labels; index++) yield JSON.stringify(catalogue.label(index));
  for (let index = 0; index < festivals; index++) {
    yield JSON.stringify(catalogue.festival(index));
    for (let age = 0; age < editionYears; age++) yield JSON.stringify(catalogue.edition(index, age));
  }
  for (let index = 0; index < size.events; index++) yield JSON.stringify(catalogue.event(index));
}

/**
 * The events of a second source: every other one is a show of `generateLines`, the rest are at other dates. It has
 * identifiers, pages and texts of its own, so that each show is matched by its name, time, place and line-up.
 * @param count how many events; each from anywhere in the first source
 */
export function* generateSecondLines({ events, today }: Size, count = events): Generator<string> {
  const [same, other] = [
    new Catalogue({ events, today }),
    new Catalogue({ events, today: today + otherDays * dayMs }),
  ];
  for (let at = 0; at < count; at++) {
    const index = Math.floor((at * events) / count);
    yield JSON.stringify(toSecondSource((at % 2 === 0 ? same : other).event(index), at));
  }
}

/** An event as another source lists it. */
function toSecondSource({ festival: _, status: __, ...line }: Line, index: number): Line {
  const named = ({ external_id: _, ...reference }: Line) => reference;
  const { venue, lineup, tickets } = line as { venue: Line | null; lineup: Line[]; tickets: Line[] };
  return {
    ...line,
    external_id: `other-${index}`,
    url: `https://other.example/shows/${index}`,
    description: null,
    image_url: null,
    venue: venue === null ? null : named(venue),
    lineup: lineup.map(named),
    tickets: tickets.map((ticket) => ({ ...ticket, url: `https://other.example/tickets/${index}` })),
  };
}

/** The feed as an import reads it. */
export const generateFeed = (size: Size): AsyncGenerator<Uint8Array> => bytesOf(generateLines(size));

/** The feed of a second source that lists half of the same shows. */
export const generateSecondFeed = (size: Size, count?: number): AsyncGenerator<Uint8Array> =>
  bytesOf(generateSecondLines(size, count));

async function* bytesOf(lines: Iterable<string>): AsyncGenerator<Uint8Array> {
  let pieces: string[] = [];
  let length = 0;
  for (const line of lines) {
    pieces.push(line, '\n');
    length += line.length;
    if (length < chunkBytes) continue;
    yield Buffer.from(pieces.join(''));
    pieces = [];
    length = 0;
  }
  if (pieces.length > 0) yield Buffer.from(pieces.join(''));
}

class Catalogue {
  readonly #today: number;
  readonly #counts: ReturnType<typeof countsOf>;
  readonly #cities: City[];
  readonly #genres: string[];

  constructor({ events, today }: Size) {
    this.#today = today;
    this.#counts = countsOf(events);
    this.#cities = seedLines('cities').map((line) => JSON.parse(line) as City);
    this.#genres = seedLines('genres').map((line) => (JSON.parse(line) as { name: string }).name);
  }

  venue(index: number): Line {
    const random = randomOf('venue', index);
    const city = this.#cityOf(index);
    return {
      kind: 'venue',
      external_id: `v${index}`,
      name: venueName(index),
      city: city.name,
      country: city.country,
      timezone: city.timezone,
      address: `${venueName(index + 1)} Street ${random.whole(1, 200)}`,
      capacity: random.whole(5, 300) * 10,
      website: `https://venue-${index}.example/`,
    };
  }

  artist(index: number): Line {
    const random = randomOf('artist', index);
    const name = artistName(index);
    return {
      kind: 'artist',
      external_id: `a${index}`,
      name,
      country: random.chance(0.8) ? random.pick(this.#cities).country : null,
      aliases: random.chance(0.12) ? [artistName(index + 50_000_000)] : [],
      biography: random.chance(0.3) ? this.#text(random, 2, 6) : null,
      image_url: random.chance(0.5) ? `https://images.example/artists/${index}.jpg` : null,
      genres: this.#someGenres(random, 0, 3),
      external_ids: { musicbrainz: random.chance(0.5) ? `mb-${index}` : null, discogs: `${1_000 + index}` },
    };
  }

  label(index: number): Line {
    const random = randomOf('label', index);
    const roster = new Set(Array.from({ length: random.whole(3, 40) }, () => this.#someArtist(random)));
    return {
      kind: 'label',
      external_id: `l${index}`,
      name: labelName(index),
      country: random.pick(this.#cities).country,
      founded_year: random.whole(1985, 2024),
      artists: [...roster].map(showArtist),
    };
  }

  festival(index: number): Line {
    const random = randomOf('festival', index);
    const city = random.pick(this.#cities);
    return {
      kind: 'festival',
      external_id: `f${index}`,
      name: festivalName(index),
      city: city.name,
      country: city.country,
      website: `https://festival-${index}.example/`,
      genres: this.#someGenres(random, 1, 4),
    };
  }

  /** One year's edition of a festival, the next one first. */
  edition(festival: number, age: number): Line {
    const random = randomOf(`edition ${age}`, festival);
    const year = new Date(this.#today).getUTCFullYear() + 1 - age;
    const begins = Date.UTC(year, randomOf('festival month', festival).whole(4, 8), random.whole(1, 25));
    const acts = new Set(Array.from({ length: random.whole(15, 80) }, () => this.#someArtist(random)));
    return {
      kind: 'edition',
      external_id: `f${festival}-${year}`,
      festival: { external_id: `f${festival}`, name: festivalName(festival) },
      edition: String(year),
      start_at: dateOf(begins),
      end_at: dateOf(begins + 2 * dayMs),
      lineup: [...acts].map((artist, at) => ({
        ...showArtist(artist),
        billing: at < 5 ? 'headline' : 'support',
        stage: `Stage ${(at % 5) + 1}`,
      })),
      tickets: [{ seller: 'tickets.example', url: `https://tickets.example/f${festival}/${year}` }],
    };
  }

  event(index: number): Line {
    const random = randomOf('event', index);
    const venue = random.chance(0.96) ? random.favourite(this.#counts.venues) : null;
    const city = venue === null ? random.pick(this.#cities) : this.#cityOf(venue);
    const day = this.#today + random.whole(-daysPast, daysAhead) * dayMs;
    const acts = new Set(Array.from({ length: random.whole(1, 8) }, () => this.#someArtist(random)));
    const names = [...acts].map(artistName);
    return {
      kind: 'event',
      external_id: `e${index}`,
      name: eventName(random, names, venue === null ? null : venueName(venue)),
      ...times(random, day),
      timezone: city.timezone,
      status: random.chance(0.02) ? 'cancelled' : random.chance(0.5) ? 'scheduled' : null,
      venue:
        venue === null
          ? null
          : { external_id: `v${venue}`, name: venueName(venue), city: city.name, country: city.country },
      city: city.name,
      country: city.country,
      description: random.chance(0.4) ? this.#text(random, 2, 8) : null,
      image_url: random.chance(0.6) ? `https://images.example/events/${index}.jpg` : null,
      minimum_age: random.chance(0.3) ? 18 : null,
      url: `https://listing.example/events/${index}`,
      genres: this.#someGenres(random, 0, 3),
      lineup: [...acts].map((artist, at) => ({
        ...showArtist(artist),
        billing: at === 0 ? 'headline' : 'support',
      })),
      tickets: this.#tickets(random, index),
      ...(random.chance(0.02) && { festival: this.#someEdition(random) }),
    };
  }

  /** A venue's city follows from its number; large ones have many. */
  #cityOf(venue: number): City {
    return this.#cities[randomOf('venue city', venue).favourite(this.#cities.length)] as City;
  }

  #someArtist(random: Random): number {
    return random.favourite(this.#counts.artists);
  }

  #someGenres(random: Random, least: number, most: number): string[] {
    const some = Array.from({ length: random.whole(least, most) }, () => random.pick(this.#genres));
    return [...new Set(some)];
  }

  #someEdition(random: Random): Line {
    const festival = random.favourite(this.#counts.festivals);
    const year = new Date(this.#today).getUTCFullYear() + 1 - random.whole(0, editionYears - 1);
    return {
      festival: { external_id: `f${festival}`, name: festivalName(festival) },
      edition: String(year),
    };
  }

  #tickets(random: Random, index: number): Line[] {
    return sellers.slice(0, random.whole(0, 3)).map((seller) => ({
      seller,
      url: `https://${seller}/events/${index}`,
      price_min: random.whole(8, 30),
      price_max: random.whole(30, 90),
      currency: 'EUR',
      availability: random.pick(['available', 'limited', 'sold_out']),
    }));
  }

  #text(random: Random, least: number, most: number): string {
    return Array.from({ length: random.whole(least, most) }, () => random.pick(sentences)).join(' ');
  }
}

const showArtist = (index: number): Line => ({ external_id: `a${index}`, name: artistName(index) });
const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/** Local clock times, most in the evening; some nights have a date alone, and few say when they end. */
function times(random: Random, day: number): Line {
  if (random.chance(0.03)) return { start_at: dateOf(day) };
  const hour = random.pick([18, 19, 20, 20, 21, 22, 22, 23, 23, 23]);
  const start_at = `${dateOf(day)}T${hour}:${random.pick(['00', '00', '30'])}`;
  return random.chance(0.3)
    ? { start_at, end_at: `${dateOf(day + dayMs)}T0${random.whole(3, 9)}:00` }
    : { start_at };
}
