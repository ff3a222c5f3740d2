/** How four kinds of sellers write down one night: a venue's own programme, a guide to clubs, a gig calendar, a social network, a shop. */
import type { EventLine, LabelledListing } from './matching-listings.ts';
import type { Random } from './random.ts';

/** A night as it was. */
export type Night = {
  id: string;
  title: string;
  /** Days since 1970, of the evening. */
  day: number;
  /** Minutes since the midnight before that evening; 1,440 and more after midnight. */
  begin: number;
  /** Who plays where, and on how many nights of the programme: what the others know them by. */
  acts: { name: string; stage: string | null; draws: number }[];
  /** Another venue than that of the programme. */
  house: string | null;
};

type Written = Pick<LabelledListing, 'event' | 'venue'>;
export type Seller = {
  name: string;
  /** It writes local times with a Z, and is configured so. */
  clock?: 'local';
  /** The probability that it lists a night. */
  share(night: Night): number;
  write(night: Night, draw: Random): Written | null;
};

const minuteMs = 60_000;
const dayMs = 86_400_000;

const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
/** A local clock, without a zone: "2016-05-14T23:59". */
const clockOf = (day: number, minute: number): string =>
  new Date(day * dayMs + minute * minuteMs).toISOString().slice(0, 16);

/** Midnight is one minute to, or the next date's first; the rest begins as said, or when doors open. */
function clock(night: Night, draw: Random): string {
  if (night.begin === 1_440) return clockOf(night.day, draw.chance(0.8) ? 1_439 : 1_440);
  return clockOf(night.day, night.begin - (draw.chance(0.25) ? draw.pick([30, 60]) : 0));
}

/** Berlin's clock: the last Sundays of March and October, early in the morning. */
function offset(local: string): number {
  const turn = (month: number) => {
    const last = new Date(Date.UTC(Number(local.slice(0, 4)), month, 31, 2));
    return new Date(last.getTime() - last.getUTCDay() * dayMs).toISOString().slice(0, 16);
  };
  return local >= turn(2) && local < turn(9) ? 2 : 1;
}
const instant = (local: string): string =>
  new Date(Date.parse(`${local}Z`) - offset(local) * 3_600_000).toISOString().replace('.000Z', 'Z');

// -------------------------------------------------------------------------------------------------------------- words

/** "KLUBNACHT" in the spelling of other sellers. */
const headline = (title: string): string =>
  title.toLowerCase().replace(/(?<![\p{L}'’])\p{L}/gu, (letter) => letter.toUpperCase());

const plainLetters = (name: string): string =>
  name.normalize('NFD').replace(/\p{M}/gu, '').replaceAll('ß', 'ss');

function slip(name: string, draw: Random): string {
  if (name.length < 7) return name;
  const at = draw.whole(2, name.length - 2);
  return name.slice(0, at) + name.slice(at + 1);
}

/** Varies the spelling of the name of an act. */
function respelt(name: string, draw: Random): string {
  const roll = draw.next();
  if (roll < 0.06) return name.toUpperCase();
  if (roll < 0.12) return plainLetters(name);
  if (roll < 0.15) return name.startsWith('DJ ') ? name.slice(3) : name;
  if (roll < 0.2) return `${name} (live)`;
  if (roll < 0.24) return `${name} (${draw.pick(['Ostgut Ton', 'Ninja Tune', 'Perlon', 'UK', 'US'])})`;
  if (roll < 0.26) return slip(name, draw);
  if (roll < 0.28) return name.replace(' & ', ' and ');
  return name;
}

/** Some of a night's acts, as they stand there: those that draw most, as each seller sees it. */
function some(night: Night, most: number, draw: Random): string[] {
  const ranked = night.acts
    .map((act) => ({ act, rank: act.draws * (0.6 + draw.next()) }))
    .toSorted((a, b) => b.rank - a.rank)
    .slice(0, most)
    .map(({ act }) => act);
  return night.acts.filter((act) => ranked.includes(act)).map(({ name }) => respelt(name, draw));
}

/** Two in a row as one: "A b2b B". */
function paired(names: string[], draw: Random): string[] {
  if (names.length < 3 || !draw.chance(0.12)) return names;
  const at = draw.whole(0, names.length - 2);
  return [...names.slice(0, at), `${names[at]} b2b ${names[at + 1]}`, ...names.slice(at + 2)];
}

const lineup = (names: readonly string[]) =>
  names.length > 0 ? { lineup: names.map((name) => ({ name })) } : {};

// -------------------------------------------------------------------------------------------------------------- places

const room = 'Kantine am Berghain';
/** The room that a night is in alone; null where it is the venue. */
function roomOf({ acts }: Night): string | null {
  const [first] = acts;
  if (!first?.stage || acts.some(({ stage }) => stage !== first.stage)) return null;
  return first.stage;
}

type Place = { id: string; name: string; at: readonly [number, number] };
const inHouse = (name: string, id: string): Place => ({ id, name, at: [52.5111, 13.4432] });
const elsewhere = (name: string): Place => ({
  id: name.toLowerCase().replace(/\W+/g, '-'),
  name,
  at: [52.49 + (name.length % 7) / 200, 13.41 + (name.length % 5) / 100],
});

/** A place as a record of its seller, with its city. */
const placed = ({ id, name, at }: Place, more: object = {}) => ({
  venue: { external_id: id, name, city: 'Berlin', country: 'DE' },
  house: {
    kind: 'venue',
    external_id: id,
    name,
    city: 'Berlin',
    country: 'DE',
    latitude: at[0],
    longitude: at[1],
    timezone: 'Europe/Berlin',
    ...more,
  },
});

const event = (id: string, name: string, start: string, more: Partial<EventLine>): EventLine =>
  ({ kind: 'event', external_id: id, name, start_at: start, ...more }) as EventLine;

// -------------------------------------------------------------------------------------------------------------- sellers

/** The venue: dates alone, titles in capitals, whole line-ups by floor. */
const house: Seller = {
  name: 'house',
  share: (night) => (night.house === null ? 0.9 : 0),
  write: (night) => {
    const { venue, house: record } = placed({ id: 'house', name: 'Berghain', at: [52.5111, 13.4432] });
    const acts = night.acts.map(({ name, stage }) => ({ name, ...(stage ? { stage } : {}) }));
    const url = `https://www.house.example/en/event/${night.id}/`;
    return {
      event: event(night.id, night.title, dateOf(night.day), {
        url,
        venue,
        ...(acts.length > 0 ? { lineup: acts } : {}),
      }),
      venue: record,
    };
  },
};

function guideTitle(night: Night, names: readonly string[], draw: Random): string {
  const title = draw.chance(0.7) ? headline(night.title) : night.title;
  const roll = names.length === 0 ? 1 : draw.next();
  const few = names.slice(0, draw.whole(1, 4)).join(', ');
  if (roll < 0.15) return `${title} with ${few}`;
  if (roll < 0.3) return `${title}: ${few}`;
  if (roll < 0.4) return few;
  if (roll < 0.45) return `${title} w/ ${few} & more`;
  return title;
}

/** A guide to clubs: clocks with a zone, line-ups as far as they are known, venues with their rooms. */
const guide: Seller = {
  name: 'guide',
  share: ({ acts }) => (acts.length > 0 ? 0.85 : 0.5),
  write: (night, draw) => {
    const names = paired(some(night, draw.chance(0.85) ? 40 : draw.whole(2, 4), draw), draw);
    const only = roomOf(night);
    const place =
      night.house !== null
        ? elsewhere(night.house)
        : only === room
          ? inHouse(room, 'kantine')
          : only === 'Säule'
            ? inHouse('Berghain | Säule', 'saeule')
            : inHouse('Berghain | Panorama Bar', 'berghain');
    const { venue, house: record } = placed(
      place,
      night.house === null ? { address: 'Am Wriezener Bahnhof', postal_code: '10243' } : {},
    );
    const listed = draw.chance(0.06) ? [...names, 'TBA'] : names;
    const more = {
      timezone: 'Europe/Berlin',
      venue,
      url: `https://guide.example/events/9${night.id}`,
      ...lineup(listed),
    };
    return {
      event: event(`g${night.id}`, guideTitle(night, names, draw), clock(night, draw), more),
      venue: record,
    };
  },
};

/** A calendar of gigs: who plays, as the title; the venue without its rooms; a date, or a clock with its offset. */
const gigs: Seller = {
  name: 'gigs',
  share: ({ acts }) => (acts.length > 0 ? 0.55 : 0),
  write: (night, draw) => {
    const names = some(night, draw.whole(1, 4), draw);
    const local = clock(night, draw);
    const start = draw.chance(0.5) ? dateOf(night.day) : `${local}:00+0${offset(local)}:00`;
    const place =
      night.house !== null
        ? elsewhere(night.house)
        : roomOf(night) === room
          ? inHouse('Berghain Kantine', 'k7')
          : inHouse(
              draw.chance(0.8) ? 'Berghain' : 'Berghain / Panorama Bar',
              draw.chance(0.8) ? 'b7' : 'b8',
            );
    const { venue, house: record } = placed(place);
    const name =
      names.join(draw.pick([', ', ' and ', ' / '])) + (draw.chance(0.2) ? ` at ${place.name}` : '');
    const more = { venue, url: `https://gigs.example/concerts/4${night.id}`, ...lineup(names) };
    return { event: event(`s${night.id}`, name, start, more), venue: record };
  },
};

/** A social network: names of places as typed, often no city, local clocks with a Z, line-ups in the title or nowhere. */
const social: Seller = {
  name: 'social',
  clock: 'local',
  share: () => 0.5,
  write: (night, draw) => {
    const names = some(night, draw.whole(1, 6), draw);
    const title = draw.chance(0.6) ? headline(night.title) : night.title;
    const roll = names.length === 0 ? 1 : draw.next();
    const name =
      roll < 0.2
        ? `${title} ▪ ${names.join(' ▪ ')}`
        : roll < 0.3
          ? names.join(' // ')
          : draw.chance(0.1)
            ? `✦ ${title} ✦`
            : title;
    const typed =
      night.house ??
      draw.pick(
        roomOf(night) === room
          ? [room, 'Kantine Berghain', 'Berghain Kantine']
          : [
              'Berghain',
              'Berghain',
              'Berghain, Berlin',
              'Berghain / Panorama Bar',
              'Berghain, Berlin, Germany',
            ],
      );
    const where = draw.chance(0.6) ? { city: 'Berlin', country: 'DE' } : {};
    const more = { venue: { name: typed, ...where }, ...(draw.chance(0.5) ? lineup(names) : {}) };
    return { event: event(`f${night.id}`, name, `${clock(night, draw)}:00Z`, more) };
  },
};

/** A shop: instants, prices, the town behind the title, the first names alone. */
const shop: Seller = {
  name: 'shop',
  share: () => 0.35,
  write: (night, draw) => {
    const names = some(night, draw.whole(1, 2), draw);
    const title = draw.chance(0.5) ? headline(night.title) : night.title;
    const name =
      draw.chance(0.3) && names.length > 0
        ? names.join(' + ')
        : draw.chance(0.3)
          ? `${title} - Berlin`
          : title;
    const place =
      night.house !== null
        ? elsewhere(night.house)
        : roomOf(night) === room
          ? inHouse(room, 'v2')
          : inHouse('Berghain Berlin', 'v1');
    const { venue, house: record } = placed(place);
    const price = draw.whole(12, 24);
    const url = `https://shop.example/e/77${night.id}`;
    const tickets = [{ seller: 'shop', url, price_min: price, price_max: price, currency: 'EUR' }];
    const more = {
      timezone: 'Europe/Berlin',
      venue,
      url,
      tickets,
      ...(draw.chance(0.7) ? lineup(names) : {}),
    };
    return { event: event(`t${night.id}`, name, instant(clock(night, draw)), more), venue: record };
  },
};

export const sellers: readonly Seller[] = [house, guide, gigs, social, shop];
