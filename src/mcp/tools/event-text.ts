/** Events in answers: the fields for programs, and the lines of text that say the same. */
import type { ApiRecord } from '../../contract/records.ts';
import type { ToolEvent, ToolEventRef, ToolTicket } from '../../contract/tools.ts';
import type { EventExtra } from '../../store/answers/event-extras.ts';
import { withBaseUrl } from '../../store/records/serialize.ts';
import { lineSegment } from '../sanitize-text.ts';
import type { ToolContext } from '../tool.ts';
import { joinSome, locationOf } from './format.ts';

type EventItem = ApiRecord<'EventItem'>;

/** Returns the start or end of an event or edition: a date without a clock time if the time zone is unknown. */
export const trustedTime = <T extends string | null>(text: T, timezone: string | null): T =>
  (text === null || timezone !== null ? text : text.slice(0, 10)) as T;

/** Returns an event of a list with local date, place, details and tickets. */
export function toToolEvent(json: string, { baseUrl, catalogue: { reader } }: ToolContext): ToolEvent {
  const item = JSON.parse(withBaseUrl(json, baseUrl)) as EventItem;
  return describeEvent(item, reader.eventExtras.of(item));
}

/** Joins a list item and its extra members in the order of the output schema. */
function describeEvent(item: EventItem, extra: EventExtra): ToolEvent {
  const { venue, timezone } = item;
  return {
    ...item,
    start_at: trustedTime(item.start_at, timezone),
    end_at: trustedTime(item.end_at, timezone),
    date: item.start_at.slice(0, 10),
    location: locationOf([venue.name, venue.city, venue.country]),
    address: extra.address,
    genres: extra.genres,
    festival_edition: extra.festival_edition,
    image_url: extra.image_url,
    minimum_age: extra.minimum_age,
    tickets: extra.tickets,
  };
}

/** Returns the short form of an event: date, place and page. `json` is a list item of the store. */
export function toEventRef(json: string, { baseUrl }: ToolContext): ToolEventRef {
  const { slug, name, start_at, venue, url } = JSON.parse(withBaseUrl(json, baseUrl)) as EventItem;
  return {
    slug,
    name,
    date: start_at.slice(0, 10),
    location: locationOf([venue.name, venue.city, venue.country]),
    url,
  };
}

const weekdays = ['Sun', 'Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat'];
/** Returns a date with its weekday: "Sat 2026-12-05". */
export const datedDay = (date: string): string =>
  `${weekdays[new Date(`${date}T00:00:00Z`).getUTCDay()]} ${date}`;
const maxActs = 5;
/** Up to this number of events are described with line-up and address. */
const maxWhole = 3;

/** Formats an event in short on one line. */
export const eventRefLine = ({ date, name, location, url }: ToolEventRef): string =>
  [datedDay(date), name, location ?? 'place not known', url].map(lineSegment).join(' | ');

/**
 * Formats events as lines: date, time, name, place, line-up and page; below it what else is known.
 * @param askedArtists slugs of the artists asked for, who are always named
 */
export function eventLines(events: readonly ToolEvent[], askedArtists: ReadonlySet<string>): string[] {
  const isWhole = events.length <= maxWhole;
  return events.flatMap((event) => {
    const more = detailsOf(event, isWhole);
    return [eventLine(event, askedArtists), ...(more.length > 0 ? [`  ${more.join('. ')}.`] : [])];
  });
}

function eventLine(event: ToolEvent, askedArtists: ReadonlySet<string>): string {
  const clock = event.timezone === null ? 'time not known' : event.start_at.slice(11, 16);
  const off = event.status !== null && event.status !== 'scheduled' ? ` [${event.status.toUpperCase()}]` : '';
  const playing = joinSome(actsInOrder(event, askedArtists), maxActs);
  const parts = [
    `${datedDay(event.date)}, ${clock}`,
    `${event.name}${off}`,
    event.location ?? 'place not known',
    ...(playing === '' ? [] : [`with ${playing}`]),
    event.url,
  ];
  return `- ${parts.map(lineSegment).join(' | ')}`;
}

/** Returns the line-up; an artist who was asked for comes first instead of being left out. */
function actsInOrder({ lineup }: ToolEvent, askedArtists: ReadonlySet<string>): string[] {
  const late = lineup.filter(({ slug }, at) => at >= maxActs && askedArtists.has(slug));
  return [...late, ...lineup.filter((act) => !late.includes(act))].map(({ name }) => name);
}

/** Returns what the first line of an event does not say. */
function detailsOf(event: ToolEvent, isWhole: boolean): string[] {
  const { lineup, genres, minimum_age, festival_edition: edition, address, tickets, image_url } = event;
  const part = (label: string, text: string | null | undefined) =>
    text ? [`${label}${lineSegment(text)}`] : [];
  return [
    ...part('Until ', endText(event)),
    ...(isWhole && lineup.length > maxActs
      ? part('Line-up: ', lineup.map(({ name }) => name).join(', '))
      : []),
    ...part('Genres: ', genres.map(({ name }) => name).join(', ')),
    ...(minimum_age === null ? [] : [`Minimum age ${minimum_age}`]),
    ...(isWhole ? part('Address: ', address) : []),
    ...part('Festival: ', edition && `${edition.festival.name} ${edition.edition}`),
    ...part('Tickets: ', ticketText(tickets)),
    ...(isWhole ? part('Image: ', image_url) : []),
  ];
}

/** Returns the end: the clock time within a day of the start, otherwise with its date. */
function endText({ start_at, end_at, timezone, date }: ToolEvent): string | null {
  if (end_at === null) return null;
  const day = end_at.slice(0, 10);
  if (timezone === null) return day === date ? null : datedDay(day);
  const isSoon = Date.parse(end_at) - Date.parse(start_at) < 86_400_000;
  return isSoon ? end_at.slice(11, 16) : `${datedDay(day)}, ${end_at.slice(11, 16)}`;
}

const maxSellers = 3;

/** Formats ticket links: "Eventim 18–25 EUR, limited, https://…". */
export function ticketText(tickets: readonly ToolTicket[]): string | null {
  if (tickets.length === 0) return null;
  const texts = tickets
    .slice(0, maxSellers)
    .map((one) =>
      [one.seller, priceText(one)].filter(Boolean).join(' ').concat(availabilityText(one), `, ${one.url}`),
    );
  const rest = tickets.length - texts.length;
  return `${texts.join('; ')}${rest > 0 ? `; and ${rest} more` : ''}`;
}

const availabilityText = ({ availability }: ToolTicket): string =>
  availability === null ? '' : `, ${availability.replaceAll('_', ' ')}`;

function priceText({ price_min, price_max, currency }: ToolTicket): string {
  const [low, high] = [price_min ?? price_max, price_max ?? price_min];
  if (low === null || high === null) return '';
  if (high === 0) return 'free';
  const range = low === high ? (price_max === null ? `from ${low}` : `${low}`) : `${low}–${high}`;
  return currency === null ? range : `${range} ${currency}`;
}
