/** Parses the location of a schema.org event (Place, PostalAddress, text), and detects online-only events. */

import { parseCountry } from '../../text/countries.ts';
import { fold } from '../../text/fold.ts';
import type { AddressHints } from '../address/country.ts';
import { countryOfState } from '../address/gazetteer.ts';
import { derivedId, emptyPlace, type ParsedPlace, parseCoordinates, parsePlace } from '../address/place.ts';
import { countryOfCode, splitCityAndCode } from '../address/postal-codes.ts';
import { stripMarkup } from '../common/html.ts';
import { InvalidEventError } from '../common/values.ts';
import { isSameSite, toProfileLink } from '../common/web-links.ts';
import { isJsonLdNode, type JsonLdGraph, type JsonLdNode } from './graph.ts';

export type EventVenue = ParsedPlace & { id: string | null; website: string | null; imageUrl: string | null };

/** Maximum nesting of places: room, venue, park, city, country need far less. */
const maxContainmentDepth = 20;

/**
 * Parses the venue of an event.
 * @returns null if the event has no venue or is online only
 * @throws BadEvent if a place contains itself, or is nested in more than 20 others
 */
export function parseVenue(
  graph: JsonLdGraph,
  event: JsonLdNode,
  owner: JsonLdNode | null,
  pageUrl: string | null,
  hints: AddressHints,
): EventVenue | null {
  const locations = graph.values(event, 'location');
  // The event is listed on a venue's node, so it takes place at that venue.
  const venueNodes =
    owner && graph.values(owner, 'address').length > 0 && !graph.types(owner).includes('Person')
      ? [owner]
      : [];
  const eventUrl = graph.url(event, 'url');
  for (const value of locations.length > 0 ? locations : venueNodes) {
    if (isJsonLdNode(value) && graph.types(value).includes('VirtualLocation')) continue;
    const place = isJsonLdNode(value)
      ? parsePlaceNode(graph, value, hints)
      : typeof value === 'string'
        ? parsePlace(stripMarkup(value), hints)
        : null;
    if (place === null || (place.name === null && place.city === null)) continue;
    // Some sites repeat the event's title if the venue is not known.
    const title = graph.text(event, 'name');
    const isTitle = (text: string | null): boolean =>
      text !== null && title !== null && fold(text) === fold(stripMarkup(title));
    const named = isTitle(place.name) && (place.address === null || isTitle(place.address));
    const venue = named ? { ...place, name: null, address: null } : place;
    if (venue.name === null && venue.city === null) continue;
    return {
      ...venue,
      ...venueIdentity(graph, isJsonLdNode(value) ? value : null, venue, pageUrl, eventUrl),
    };
  }
  return null;
}

/**
 * Parses a place node.
 * @param within the places that led to this one, to detect cycles
 */
function parsePlaceNode(
  graph: JsonLdGraph,
  node: JsonLdNode,
  hints: AddressHints,
  within: readonly JsonLdNode[] = [],
): ParsedPlace | null {
  if (within.includes(node)) throw new InvalidEventError('takes place in a place that contains itself');
  if (within.length >= maxContainmentDepth)
    throw new InvalidEventError(`takes place in more than ${maxContainmentDepth} places within each other`);
  const written = stripMarkup(graph.text(node, 'name') ?? '');
  const [address] = graph.values(node, 'address');
  const place = isJsonLdNode(address)
    ? parsePostalAddress(graph, address, hints)
    : typeof address === 'string'
      ? parseAddressLine(stripMarkup(address), hints)
      : graph.types(node).includes('PostalAddress')
        ? parsePostalAddress(graph, node, hints)
        : emptyPlace;
  const outer = graph.nodesAt(node, 'containedInPlace', 'containedIn')[0];
  const around =
    place.city === null && outer
      ? (parsePlaceNode(graph, outer, hints, [...within, node]) ?? emptyPlace)
      : emptyPlace;
  const [geo] = graph.nodesAt(node, 'geo');
  const at = geo ?? node;
  const point = parseCoordinates(graph.text(at, 'latitude'), graph.text(at, 'longitude'));
  const parsed = written === '' ? null : parsePlace(written, hints);
  // "TBA" is not a venue, but its city is valid. A text of several lines is a name and a street.
  const isWhole = (place.city !== null || around.city !== null) && !written.includes('\n');
  const venue = parsed && isWhole ? written.replace(/\s+/g, ' ') : (parsed?.name ?? null);
  const filled = {
    address: place.address ?? around.address ?? (isWhole ? null : (parsed?.address ?? null)),
    postalCode: place.postalCode ?? around.postalCode ?? (isWhole ? null : (parsed?.postalCode ?? null)),
    city: place.city ?? around.city ?? parsed?.city ?? null,
    country: place.country ?? around.country ?? parsed?.country ?? null,
  };
  // "Missoula, MT" repeats the city.
  const isCity =
    parsed?.name === null && parsed.city !== null && fold(parsed.city) === fold(filled.city ?? '');
  const isName = venue !== filled.city && !isCity && !isOwnStreet(venue, filled.address);
  return { ...emptyPlace, ...filled, name: isName ? venue : null, ...(point ?? {}) };
}

/** Whether the name repeats the street address, as sites do for venues without a name. */
const isOwnStreet = (name: string | null, address: string | null): boolean =>
  name !== null && address !== null && /\d/.test(name) && fold(name).startsWith(fold(address));

/** Parses a full address on one line, which contains no venue name. */
function parseAddressLine(text: string, hints: AddressHints): ParsedPlace {
  const place = parsePlace(`-, ${text}`, hints) ?? emptyPlace;
  const alone = place.name !== null && place.name !== '-';
  return { ...place, name: null, address: place.address ?? (alone ? text : null) };
}

function parsePostalAddress(graph: JsonLdGraph, node: JsonLdNode, hints: AddressHints): ParsedPlace {
  const text = (name: string): string | null => {
    const value = graph.text(node, name);
    return value === null ? null : stripMarkup(value).replace(/\s+/g, ' ') || null;
  };
  const country = parseAddressCountry(graph, node);
  const region = text('addressRegion');
  const locality = text('addressLocality');
  const written = locality?.includes(',') ? parsePlace(`-, ${locality}`, hints) : null;
  // "10115 Berlin"
  const split = locality === null ? null : splitCityAndCode(locality);
  const city = written?.city ?? split?.city ?? locality;
  const street = text('streetAddress');
  const whole = street?.includes(',') ? parsePlace(`-, ${street}`, hints) : null;
  // "323 New Cross Road, London, SE14 6AS", with the city repeated in its own field.
  const inStreet = whole?.city && (city === null || fold(whole.city) === fold(city)) ? whole : null;
  const postalCode =
    text('postalCode') ?? written?.postalCode ?? split?.postalCode ?? inStreet?.postalCode ?? null;
  return {
    ...emptyPlace,
    address: inStreet?.address ?? street,
    postalCode,
    city: city ?? inStreet?.city ?? null,
    country:
      country ??
      written?.country ??
      countryFromRegion(split?.city ?? locality, region, hints) ??
      inStreet?.country ??
      (postalCode === null ? null : countryOfCode(postalCode)),
  };
}

/** Returns the country of a region code. The code means a state unless the city shows that it is a country code. */
function countryFromRegion(city: string | null, region: string | null, hints: AddressHints): string | null {
  if (region === null) return null;
  const parsed = city === null ? null : parsePlace(`-, ${city}, ${region}`, hints);
  return parsed?.country ?? countryOfState.get(region) ?? null;
}

function parseAddressCountry(graph: JsonLdGraph, node: JsonLdNode): string | null {
  const [value] = graph.values(node, 'addressCountry');
  const text = isJsonLdNode(value) ? (graph.text(value, 'name', 'identifier') ?? '') : String(value ?? '');
  return parseCountry(text) ?? parseCountry(text.split(/[/,(]/)[0] ?? '');
}

/** Returns the venue's id at the source: its URL on the source's own site, otherwise a digest of name and place. */
function venueIdentity(
  graph: JsonLdGraph,
  node: JsonLdNode | null,
  place: ParsedPlace,
  pageUrl: string | null,
  eventUrl: string | null,
): Pick<EventVenue, 'id' | 'website' | 'imageUrl'> {
  const own = place.name === null ? null : derivedId(place);
  if (node === null) return { id: own, website: null, imageUrl: null };
  const addresses = [graph.url(node, 'url'), graph.url(node, 'sameAs')].filter((url) => url !== null);
  // In a saved file the event's own URL shows the site.
  const home = pageUrl ?? eventUrl;
  const isOwn = (url: string) => home !== null && isSameSite(url, home);
  const page = addresses.find((url) => isOwn(url) && url !== home && new URL(url).pathname !== '/');
  return {
    id: place.name === null ? null : (page ?? own),
    website: addresses.find((url) => !isOwn(url) && toProfileLink(url).type === 'website') ?? null,
    imageUrl: graph.url(node, 'image', 'photo'),
  };
}
