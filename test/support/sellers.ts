/**
 * Three sellers of one programme, as a server plays them: each with its own format, its own names, its own way to tell the
 * time, and a window of its own that moves on day by day.
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A show as it truly is; times are local. */
export type TrueShow = {
  id: string;
  title: string;
  acts: string[];
  venue: string;
  city: string;
  country: string;
  zone: string;
  /** yyyy-mm-ddThh:mm */
  start: string;
};

const places = {
  berlin: { city: 'Berlin', country: 'DE', zone: 'Europe/Berlin' },
  london: { city: 'London', country: 'GB', zone: 'Europe/London' },
  detroit: { city: 'Detroit', country: 'US', zone: 'America/Detroit' },
};
const houses = [
  { venue: 'Tresor', room: 'Tresor (Globus)', address: 'Köpenicker Straße 70', ...places.berlin },
  { venue: 'Fabric', room: 'fabric London', address: '77a Charterhouse Street', ...places.london },
  { venue: 'Marble Bar', room: 'The Marble Bar', address: '1501 Holden Street', ...places.detroit },
];
const players = [
  ['Ben Klock', 'Marcel Dettmann'],
  ['Helena Hauff', 'DJ Stingray 313', 'Umwelt'],
  ['Jeff Mills'],
  ['Objekt', 'Call Super'],
  ['DVS1', 'Rødhåd', 'Etapp Kyle'],
  ['Craig Richards', 'Nicolas Lutz'],
  ['Theo Parrish'],
  ['Âme', 'Dixon'],
  ['Steffi', 'Virginia', 'Prosumer'],
  ['Robert Hood', 'Floorplan'],
];
const series = ['Klubnacht', 'Room 1 Sessions', 'Something Different', 'New Faces'];

const dayMs = 86_400_000;
export const firstDay = Date.UTC(2027, 2, 1);
const dateOf = (day: number): string => new Date(firstDay + day * dayMs).toISOString().slice(0, 10);

/** Three weeks of it, two shows a day in all; on some nights there are an early and a late one in the same house. */
export const programme: TrueShow[] = Array.from({ length: 42 }, (_, number) => {
  const day = Math.floor(number / 2);
  const house = houses[number % houses.length] as (typeof houses)[number];
  const acts = players[(number * 7) % players.length] as string[];
  const early = number % 6 === 5;
  return {
    id: `s${number}`,
    title: `${series[number % series.length]}: ${acts.join(', ')}`,
    acts,
    ...house,
    start: `${dateOf(day)}T${early ? '19:00' : number % 2 === 0 ? '23:00' : '22:00'}`,
  };
});
// Two shows in one house on one night.
for (const number of [4, 10, 16]) {
  const late = programme[number] as TrueShow;
  programme.push({
    ...late,
    id: `${late.id}-early`,
    title: 'Live at eight: Kelly Moran',
    acts: ['Kelly Moran'],
    start: late.start.replace(/T.*/, 'T19:30'),
  });
}

/** What a seller says of a show on a day; absent where it does not list it. */
export type Changes = Map<string, { status?: 'cancelled' | 'postponed'; start?: string; gone?: boolean }>;

/** On which day of the week of syncs what becomes known. */
export const changesOn = (day: number): Changes =>
  new Map([
    ...(day >= 2 ? ([['s20', { status: 'cancelled' as const }]] as const) : []),
    ...(day >= 4 ? ([['s22', { start: `${dateOf(11)}T20:00` }]] as const) : []),
  ]);

const isListed = (show: TrueShow, from: number, to: number): boolean =>
  show.start.slice(0, 10) >= dateOf(from) && show.start.slice(0, 10) <= dateOf(to);

const asListed = (show: TrueShow, changes: Changes): TrueShow & { status: string | null } => {
  const change = changes.get(show.id);
  return { ...show, start: change?.start ?? show.start, status: change?.status ?? null };
};

/** The first: the feed format, zones named, the whole line-up, two weeks ahead. */
function feedOf(day: number): string {
  return programme
    .filter((show) => isListed(show, day, day + 14))
    .map((show) => asListed(show, changesOn(day)))
    .map((show) =>
      JSON.stringify({
        kind: 'event',
        external_id: show.id,
        name: show.title,
        start_at: show.start,
        timezone: show.zone,
        ...(show.status === null ? {} : { status: show.status }),
        venue: { name: show.venue, city: show.city, country: show.country },
        lineup: show.acts.map((name) => ({ name })),
        tickets: [
          { seller: 'First', url: `https://first.example/e/${show.id}`, price_min: 20, currency: 'EUR' },
        ],
      }),
    )
    .join('\n');
}

const icalTime = (local: string): string => `${local.replaceAll(/[-:]/g, '')}00`;

/** The second: calendars, local clock times in a zone, the headliner alone, rooms and capitals in the names; three weeks. */
function icalOf(day: number): string {
  const events = programme
    .filter((show) => isListed(show, day - 1, day + 21))
    .map((show) => asListed(show, changesOn(day)))
    .map((show) =>
      [
        'BEGIN:VEVENT',
        `UID:${show.id}@second.example`,
        `SUMMARY:${(show.acts[0] as string).toUpperCase()} @ ${show.venue}`,
        `DTSTART;TZID=${show.zone}:${icalTime(show.start)}`,
        `LOCATION:${show.venue}\\, ${show.city}`,
        ...(show.status === 'cancelled' ? ['STATUS:CANCELLED'] : []),
        'END:VEVENT',
      ].join('\r\n'),
    );
  return `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//second//EN\r\n${events.join('\r\n')}\r\nEND:VCALENDAR\r\n`;
}

/** The offset of a zone at a local time, as "+01:00". */
function offsetOf(local: string, zone: string): string {
  const at = new Date(`${local}:00Z`);
  const text = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' })
    .formatToParts(at)
    .find(({ type }) => type === 'timeZoneName')?.value;
  return text === 'GMT' ? '+00:00' : (text as string).slice(3);
}

/** The third: pages with JSON-LD, instants with an offset, half the line-up and a typo now and then; ten days. */
function pageOf(day: number): string {
  const listed = programme
    .filter((show) => isListed(show, day, day + 10))
    .map((show) => asListed(show, changesOn(day)));
  const items = listed.map((show) => ({
    '@context': 'https://schema.org',
    '@type': 'MusicEvent',
    '@id': `https://third.example/${show.id}`,
    url: `https://third.example/${show.id}`,
    name: `${show.acts.slice(0, 2).join(' + ')} live in ${show.city}`,
    startDate: `${show.start}:00${offsetOf(show.start, show.zone)}`,
    eventStatus:
      show.status === 'cancelled' ? 'https://schema.org/EventCancelled' : 'https://schema.org/EventScheduled',
    location: {
      '@type': 'MusicVenue',
      name: show.venue === 'Fabric' ? 'fabric' : show.venue,
      address: { '@type': 'PostalAddress', addressLocality: show.city, addressCountry: show.country },
    },
    performer: show.acts
      .slice(0, 2)
      .map((name) => ({ '@type': 'MusicGroup', name: name.replace('Dettmann', 'Detmann') })),
    offers: {
      '@type': 'Offer',
      url: `https://third.example/${show.id}/buy`,
      price: '18',
      priceCurrency: 'EUR',
    },
  }));
  return `<!doctype html><title>What is on</title><script type="application/ld+json">${JSON.stringify(items)}</script>`;
}

export type Sellers = { address: string; day: number; close(): void };

/** Starts all three; `day` says what they list. */
export async function startSellers(): Promise<Sellers> {
  const sellers = { address: '', day: 0, close: () => {} };
  const bodies: Record<string, () => [type: string, body: string]> = {
    '/feed.ndjson': () => ['application/x-ndjson', feedOf(sellers.day)],
    '/calendar.ics': () => ['text/calendar', icalOf(sellers.day)],
    '/whats-on': () => ['text/html; charset=utf-8', pageOf(sellers.day)],
  };
  const server = createServer((request, response) => {
    const answer = bodies[request.url ?? '']?.();
    if (answer === undefined) response.writeHead(404).end();
    else response.writeHead(200, { 'content-type': answer[0] }).end(answer[1]);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  sellers.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  sellers.close = () => {
    server.closeAllConnections();
    server.close();
  };
  return sellers;
}
