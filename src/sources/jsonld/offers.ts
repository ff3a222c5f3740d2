/** Parses the tickets of a schema.org event: one per seller and URL, with its price range. */
import type { RecordOf } from '../adapter.ts';
import { stripMarkup } from '../common/html.ts';
import { parseCurrency, parsePrice, stated } from '../common/values.ts';
import { isSameSite, normalizeUrl, siteHost } from '../common/web-links.ts';
import { isJsonLdNode, type JsonLdGraph, type JsonLdNode } from './graph.ts';

export type Ticket = NonNullable<RecordOf<'event'>['tickets']>[number];

const availabilityByName: ReadonlyMap<string, NonNullable<Ticket['availability']>> = new Map([
  ['instock', 'available'],
  ['instoreonly', 'available'],
  ['onlineonly', 'available'],
  ['preorder', 'available'],
  ['presale', 'available'],
  ['limitedavailability', 'limited'],
  ['soldout', 'sold_out'],
  ['outofstock', 'sold_out'],
  ['discontinued', 'not_on_sale'],
]);
/** Best availability first: of several offers, the best one counts. */
const availabilityOrder = ['available', 'limited', 'sold_out', 'not_on_sale'] as const;

/**
 * Parses the offers of an event.
 * @param eventUrl the ticket URL of offers that have none
 */
export function parseTickets(graph: JsonLdGraph, event: JsonLdNode, eventUrl: string | null): Ticket[] {
  const tickets = new Map<string, Ticket>();
  for (const value of listOffers(graph, event)) {
    const ticket = isJsonLdNode(value)
      ? parseOffer(graph, event, value, eventUrl)
      : parseOfferLink(value, graph.base);
    if (ticket === null) continue;
    const key = `${ticket.seller}\0${ticket.url}`;
    const other = tickets.get(key);
    tickets.set(key, other === undefined ? ticket : mergeTickets(other, ticket));
  }
  return [...tickets.values()].slice(0, 100);
}

/** Returns the offers, including those nested in an AggregateOffer. */
function listOffers(graph: JsonLdGraph, event: JsonLdNode): unknown[] {
  return graph.values(event, 'offers').flatMap((offer) => {
    if (!isJsonLdNode(offer)) return [offer];
    const inner = graph.nodesAt(offer, 'offers');
    return inner.length > 0 && graph.url(offer, 'url') === null ? inner : [offer];
  });
}

function parseOfferLink(value: unknown, base: string | null): Ticket | null {
  const url = typeof value === 'string' ? normalizeUrl(value, base) : null;
  return url === null ? null : { seller: siteHost(url), url };
}

function parseOffer(
  graph: JsonLdGraph,
  event: JsonLdNode,
  offer: JsonLdNode,
  eventUrl: string | null,
): Ticket | null {
  const url = graph.url(offer, 'url') ?? eventUrl;
  if (url === null) return null;
  const prices = [offer, ...graph.nodesAt(offer, 'priceSpecification')].flatMap((node) =>
    ['lowPrice', 'price', 'minPrice', 'highPrice', 'maxPrice'].flatMap((name) =>
      graph
        .values(node, name)
        .map(parsePrice)
        .filter((price) => price !== null),
    ),
  );
  const currency = parseCurrency(
    graph.text(offer, 'priceCurrency') ??
      graph.nodesAt(offer, 'priceSpecification').map((node) => graph.text(node, 'priceCurrency'))[0] ??
      graph.text(offer, 'price'),
  );
  const state = graph.text(offer, 'availability')?.split(/[/:#]/).at(-1)?.toLowerCase();
  const availability = state === undefined ? undefined : availabilityByName.get(state);
  return {
    seller: findSeller(graph, event, offer, url),
    url,
    // A price without a currency cannot be compared.
    ...(prices.length > 0 && currency !== null
      ? { price_min: Math.min(...prices), price_max: Math.max(...prices), currency }
      : {}),
    ...stated({ availability }),
  };
}

/** Returns the seller: its name, or the organizer on its own site, or the host name. */
function findSeller(graph: JsonLdGraph, event: JsonLdNode, offer: JsonLdNode, url: string): string {
  const [seller] = graph.values(offer, 'seller', 'offeredBy');
  const name = isJsonLdNode(seller) ? graph.text(seller, 'name') : typeof seller === 'string' ? seller : null;
  if (name !== null && !/^https?:/i.test(name)) return stripMarkup(name).slice(0, 200);
  for (const organizer of graph.nodesAt(event, 'organizer')) {
    const home = graph.url(organizer, 'url', 'sameAs');
    const organizerName = graph.text(organizer, 'name');
    if (home !== null && organizerName !== null && isSameSite(home, url))
      return stripMarkup(organizerName).slice(0, 200);
  }
  return siteHost(url);
}

function mergeTickets(one: Ticket, other: Ticket): Ticket {
  const best = availabilityOrder.find((state) => one.availability === state || other.availability === state);
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
    ...stated({ availability: best }),
  };
}
