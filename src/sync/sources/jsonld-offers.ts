/** The tickets of an event of schema.org: one for each seller and address, with the range of its prices. */
import type { RecordOf } from './adapter.ts';
import { plainText } from './html.ts';
import { type Graph, isNode, type Node } from './jsonld-graph.ts';
import { readCurrency, readPrice } from './jsonld-values.ts';
import { pageAddress, sameSite, siteOf } from './links.ts';

export type Ticket = NonNullable<RecordOf<'event'>['tickets']>[number];

const availabilities: Readonly<Record<string, NonNullable<Ticket['availability']>>> = {
  instock: 'available',
  instoreonly: 'available',
  onlineonly: 'available',
  preorder: 'available',
  presale: 'available',
  limitedavailability: 'limited',
  soldout: 'sold_out',
  outofstock: 'sold_out',
  discontinued: 'not_on_sale',
};
/** Of several offers the best one is what a buyer finds. */
const order = ['available', 'limited', 'sold_out', 'not_on_sale'] as const;

/** @param eventUrl where an offer leads that has no address of its own */
export function ticketsOf(graph: Graph, event: Node, eventUrl: string | null): Ticket[] {
  const tickets = new Map<string, Ticket>();
  for (const value of offersOf(graph, event)) {
    const ticket = isNode(value) ? readOffer(graph, event, value, eventUrl) : readLink(value, graph.base);
    if (ticket === null) continue;
    const key = `${ticket.seller}\0${ticket.url}`;
    const other = tickets.get(key);
    tickets.set(key, other === undefined ? ticket : merged(other, ticket));
  }
  return [...tickets.values()].slice(0, 100);
}

/** The offers, those within an AggregateOffer beside it. */
function offersOf(graph: Graph, event: Node): unknown[] {
  return graph.values(event, 'offers').flatMap((offer) => {
    if (!isNode(offer)) return [offer];
    const inner = graph.parts(offer, 'offers');
    return inner.length > 0 && graph.address(offer, 'url') === null ? inner : [offer];
  });
}

function readLink(value: unknown, base: string | null): Ticket | null {
  const url = typeof value === 'string' ? pageAddress(value, base) : null;
  return url === null ? null : { seller: siteOf(url), url };
}

function readOffer(graph: Graph, event: Node, offer: Node, eventUrl: string | null): Ticket | null {
  const url = graph.address(offer, 'url') ?? eventUrl;
  if (url === null) return null;
  const prices = [offer, ...graph.parts(offer, 'priceSpecification')].flatMap((node) =>
    ['lowPrice', 'price', 'minPrice', 'highPrice', 'maxPrice'].flatMap((name) =>
      graph
        .values(node, name)
        .map(readPrice)
        .filter((price) => price !== null),
    ),
  );
  const currency = readCurrency(
    graph.text(offer, 'priceCurrency') ??
      graph.parts(offer, 'priceSpecification').map((node) => graph.text(node, 'priceCurrency'))[0] ??
      graph.text(offer, 'price'),
  );
  const state = graph.text(offer, 'availability')?.split(/[/:#]/).at(-1)?.toLowerCase();
  const availability = state === undefined ? undefined : availabilities[state];
  return {
    seller: sellerOf(graph, event, offer, url),
    url,
    // A price without its currency cannot be compared with anything.
    ...(prices.length > 0 && currency !== null
      ? { price_min: Math.min(...prices), price_max: Math.max(...prices), currency }
      : {}),
    ...(availability === undefined ? {} : { availability }),
  };
}

/** Who sells: by name, or the organizer on its own site, or the site. */
function sellerOf(graph: Graph, event: Node, offer: Node, url: string): string {
  const [seller] = graph.values(offer, 'seller', 'offeredBy');
  const name = isNode(seller) ? graph.text(seller, 'name') : typeof seller === 'string' ? seller : null;
  if (name !== null && !/^https?:/i.test(name)) return plainText(name).slice(0, 200);
  for (const organizer of graph.parts(event, 'organizer')) {
    const home = graph.address(organizer, 'url', 'sameAs');
    const known = graph.text(organizer, 'name');
    if (home !== null && known !== null && sameSite(home, url)) return plainText(known).slice(0, 200);
  }
  return siteOf(url);
}

function merged(one: Ticket, other: Ticket): Ticket {
  const best = order.find((state) => one.availability === state || other.availability === state);
  const comparable = one.currency === other.currency;
  const prices = [
    one.price_min,
    one.price_max,
    ...(comparable ? [other.price_min, other.price_max] : []),
  ].filter((price) => typeof price === 'number');
  return {
    ...(one.currency === undefined ? other : one),
    ...(prices.length > 0 && comparable
      ? { price_min: Math.min(...prices), price_max: Math.max(...prices) }
      : {}),
    ...(best === undefined ? {} : { availability: best }),
  };
}
