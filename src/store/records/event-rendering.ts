/** Renders events when they are written, because they are read far more often than they change. */
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { pageUrl, publicId } from './serialize.ts';

/** Everything that responses show of an event. */
export type EventRenderInput = {
  id: number;
  slug: string;
  name: string;
  start_at: string;
  end_at: string | null;
  timezone: string | null;
  status: string | null;
  venue: ApiRecord<'EventItem'>['venue'];
  lineup: ApiRecord<'EventItem'>['lineup'];
  /** yyyymmdd, local. */
  start_date: number;
  city: ApiRecord<'Event'>['city'];
  festival_edition: ApiRecord<'EventItem'>['festival_edition'];
  genres: RecordRef[];
  description: string | null;
  image_url: string | null;
  minimum_age: number | null;
  prices: PriceRange;
  sources: ApiRecord<'Event'>['sources'];
};

/** The stored JSON of an event: its list item, and the members that its detail adds, without braces. */
export type EventRendering = { item: string; detail: string };
type StoredItem = Omit<ApiRecord<'EventItem'>, 'updated_at'>;
type StoredDetail = Omit<ApiRecord<'Event'>, keyof ApiRecord<'EventItem'>>;

/**
 * Renders an event as JSON text, with the placeholder of `serialize.ts` for the base URL. `updated_at` is added when
 * the event is read: it changes more often than the rest. The last member of an item is never a list
 * (`isFormerItem`).
 */
export function renderEvent(input: EventRenderInput): EventRendering {
  const item: StoredItem = {
    id: publicId('event', input.id),
    slug: input.slug,
    name: input.name,
    start_at: input.start_at,
    end_at: input.end_at,
    timezone: input.timezone,
    status: input.status as StoredItem['status'],
    venue: input.venue,
    url: pageUrl('event', input.slug),
    lineup: input.lineup,
    date: dateText(input.start_date),
    genres: input.genres,
    image_url: input.image_url,
    minimum_age: input.minimum_age,
    ...input.prices,
    festival_edition: input.festival_edition,
  };
  const detail: StoredDetail = {
    city: input.city,
    description: input.description,
    sources: input.sources,
  };
  return toTexts(item, detail);
}

/** yyyymmdd as yyyy-mm-dd. */
function dateText(date: number): string {
  const text = String(date).padStart(8, '0');
  return `${text.slice(0, 4)}-${text.slice(4, 6)}-${text.slice(6)}`;
}

const toTexts = (item: StoredItem, detail: StoredDetail): EventRendering => ({
  item: JSON.stringify(item),
  detail: JSON.stringify(detail).slice(1, -1),
});

// ------------------------------------------------------------------------------------------------- prices

/** What the list item says of an event's tickets. */
export type PriceRange = Pick<StoredItem, 'price_min' | 'price_max' | 'currency'>;
/** The columns of a ticket link that prices are computed from. */
export type PricedTicket = PriceRange & { availability: string | null };

const noPrices: PriceRange = { price_min: null, price_max: null, currency: null };

/**
 * Returns the lowest and the highest price of ticket links in the currency that most of them use. Sold-out links count
 * only if all are sold out.
 */
export function priceRangeOf(tickets: readonly PricedTicket[]): PriceRange {
  const priced = tickets.filter(({ price_min, price_max }) => price_min !== null || price_max !== null);
  if (priced.length === 0) return noPrices;
  const onSale = priced.filter(({ availability }) => availability !== 'sold_out');
  const countedTickets = onSale.length > 0 ? onSale : priced;
  const uses = new Map<string | null, number>();
  for (const { currency } of countedTickets) uses.set(currency, (uses.get(currency) ?? 0) + 1);
  const [[currency]] = [...uses].sort(
    ([a, usesOfA], [b, usesOfB]) =>
      // A price without a currency says less than one with it.
      Number(a === null) - Number(b === null) || usesOfB - usesOfA || (String(a) < String(b) ? -1 : 1),
  ) as [[string | null, number]];
  const prices = countedTickets
    .filter((ticket) => ticket.currency === currency)
    .flatMap(({ price_min, price_max }) => [price_min, price_max])
    .filter((price) => price !== null);
  return { price_min: Math.min(...prices), price_max: Math.max(...prices), currency };
}

// ------------------------------------------------------------------------------------------------- schema 8

/**
 * Whether an item was rendered before schema 9, when `lineup` was its last member: `…"lineup":[…]}`. Its event waits to
 * be rendered again.
 */
export const isFormerItem = (item: string): boolean => item.charCodeAt(item.length - 2) === 0x5d;

type FormerDetail = StoredDetail &
  Pick<StoredItem, 'date' | 'festival_edition' | 'genres' | 'image_url' | 'minimum_age'>;

/** Where a venue is; null without a venue record or position. */
export type VenuePosition = { latitude: number | null; longitude: number | null };

/**
 * Completes a rendering from before schema 9 to what `renderEvent` gives. `detail` is empty if none is stored.
 * @param position of its venue
 */
export function upgradeRendering(
  { item, detail }: EventRendering,
  tickets: readonly PricedTicket[],
  position: VenuePosition,
): EventRendering {
  const former = JSON.parse(item) as Omit<StoredItem, 'lineup'> & { lineup: RecordRef[] };
  const more = JSON.parse(`{${detail}}`) as Partial<FormerDetail>;
  return toTexts(
    {
      ...former,
      venue: { ...former.venue, latitude: position.latitude, longitude: position.longitude },
      lineup: former.lineup.map((artist, index) => ({ ...artist, set: index + 1 })),
      date: more.date ?? former.start_at.slice(0, 10),
      genres: more.genres ?? [],
      image_url: more.image_url ?? null,
      minimum_age: more.minimum_age ?? null,
      ...priceRangeOf(tickets),
      festival_edition: more.festival_edition ?? null,
    },
    { city: more.city ?? null, description: more.description ?? null, sources: more.sources ?? [] },
  );
}

/** The names of the members that differ between two JSON objects. */
export function differingMembers(before: string, after: string): string[] {
  const [old, now] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
  return Object.keys(now as object).filter(
    (name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]),
  );
}
