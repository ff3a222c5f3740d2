/** Where an event of schema.org takes place (Place, PostalAddress, a text), and what is online only. */
import { fold } from '../../store/fold.ts';
import type { Hints } from './address-end.ts';
import { countryOf } from './countries.ts';
import { plainText } from './html.ts';
import { type Graph, isNode, type Node } from './jsonld-graph.ts';
import { BadEvent } from './jsonld-values.ts';
import { linkOf, sameSite } from './links.ts';
import { derivedId, nowhere, type Place, readPlace, readPoint } from './place.ts';
import { countryOfCode, splitCode } from './postal-codes.ts';
import { countryOfState } from './towns.ts';

export type Venue = Place & { id: string | null; website: string | null; imageUrl: string | null };

/** A room in a house in a park in a city in a country: nobody needs more places within each other. */
const deepest = 20;

/**
 * The venue; null where there is none, or the event is on the net alone.
 * @throws BadEvent where its place lies within itself, or in more than 20 others
 */
export function venueOf(
  graph: Graph,
  event: Node,
  owner: Node | null,
  pageUrl: string | null,
  hints: Hints,
): Venue | null {
  const told = graph.values(event, 'location');
  // A house lists its events: they take place in it.
  const house =
    owner && graph.values(owner, 'address').length > 0 && !graph.types(owner).includes('Person')
      ? [owner]
      : [];
  const eventUrl = graph.address(event, 'url');
  for (const value of told.length > 0 ? told : house) {
    if (isNode(value) && graph.types(value).includes('VirtualLocation')) continue;
    const place = isNode(value)
      ? readNode(graph, value, hints)
      : typeof value === 'string'
        ? readPlace(plainText(value), hints)
        : null;
    if (place === null || (place.name === null && place.city === null)) continue;
    // Where nobody knows the venue, some write the title of the event again.
    const title = graph.text(event, 'name');
    const isTitle = (text: string | null): boolean =>
      text !== null && title !== null && fold(text) === fold(plainText(title));
    const named = isTitle(place.name) && (place.address === null || isTitle(place.address));
    const venue = named ? { ...place, name: null, address: null } : place;
    if (venue.name === null && venue.city === null) continue;
    return { ...venue, ...extras(graph, isNode(value) ? value : null, venue, pageUrl, eventUrl) };
  }
  return null;
}

/** @param within the places that led here: what contains itself has no end */
function readNode(graph: Graph, node: Node, hints: Hints, within: readonly Node[] = []): Place | null {
  if (within.includes(node)) throw new BadEvent('takes place in a place that contains itself');
  if (within.length >= deepest)
    throw new BadEvent(`takes place in more than ${deepest} places within each other`);
  const written = plainText(graph.text(node, 'name') ?? '');
  const [address] = graph.values(node, 'address');
  const place = isNode(address)
    ? readAddress(graph, address, hints)
    : typeof address === 'string'
      ? readWritten(plainText(address), hints)
      : graph.types(node).includes('PostalAddress')
        ? readAddress(graph, node, hints)
        : nowhere;
  const outer = graph.parts(node, 'containedInPlace', 'containedIn')[0];
  const around =
    place.city === null && outer ? (readNode(graph, outer, hints, [...within, node]) ?? nowhere) : nowhere;
  const [geo] = graph.parts(node, 'geo');
  const at = geo ?? node;
  const point = readPoint(graph.text(at, 'latitude'), graph.text(at, 'longitude'));
  const known = written === '' ? null : readPlace(written, hints);
  // "TBA" is no venue, but its city is one; what has several lines is a name and a street.
  const isWhole = (place.city !== null || around.city !== null) && !written.includes('\n');
  const venue = known && isWhole ? written.replace(/\s+/g, ' ') : (known?.name ?? null);
  const filled = {
    address: place.address ?? around.address ?? (isWhole ? null : (known?.address ?? null)),
    postalCode: place.postalCode ?? around.postalCode ?? (isWhole ? null : (known?.postalCode ?? null)),
    city: place.city ?? around.city ?? known?.city ?? null,
    country: place.country ?? around.country ?? known?.country ?? null,
  };
  // "Missoula, MT" is the city once more.
  const isCity = known?.name === null && known.city !== null && fold(known.city) === fold(filled.city ?? '');
  const isName = venue !== filled.city && !isCity && !isOwnStreet(venue, filled.address);
  return { ...nowhere, ...filled, name: isName ? venue : null, ...(point ?? {}) };
}

/** Where a house has no name, its street is written again. */
const isOwnStreet = (name: string | null, address: string | null): boolean =>
  name !== null && address !== null && /\d/.test(name) && fold(name).startsWith(fold(address));

/** A whole address in one line: it has no name of a venue in it. */
function readWritten(text: string, hints: Hints): Place {
  const place = readPlace(`-, ${text}`, hints) ?? nowhere;
  const alone = place.name !== null && place.name !== '-';
  return { ...place, name: null, address: place.address ?? (alone ? text : null) };
}

function readAddress(graph: Graph, node: Node, hints: Hints): Place {
  const text = (name: string): string | null => {
    const found = graph.text(node, name);
    return found === null ? null : plainText(found).replace(/\s+/g, ' ') || null;
  };
  const country = countryIn(graph, node);
  const region = text('addressRegion');
  const locality = text('addressLocality');
  const written = locality?.includes(',') ? readPlace(`-, ${locality}`, hints) : null;
  // "10115 Berlin"
  const split = locality === null ? null : splitCode(locality);
  const city = written?.city ?? split?.city ?? locality;
  const street = text('streetAddress');
  const whole = street?.includes(',') ? readPlace(`-, ${street}`, hints) : null;
  // "323 New Cross Road, London, SE14 6AS", with the city beside it once more.
  const inStreet = whole?.city && (city === null || fold(whole.city) === fold(city)) ? whole : null;
  const postalCode =
    text('postalCode') ?? written?.postalCode ?? split?.postalCode ?? inStreet?.postalCode ?? null;
  return {
    ...nowhere,
    address: inStreet?.address ?? street,
    postalCode,
    city: city ?? inStreet?.city ?? null,
    country:
      country ??
      written?.country ??
      countryBeside(split?.city ?? locality, region, hints) ??
      inStreet?.country ??
      (postalCode === null ? null : countryOfCode(postalCode)),
  };
}

/** The country of a region's letters, which stand for a state where the city does not tell that they are a country's. */
function countryBeside(city: string | null, region: string | null, hints: Hints): string | null {
  if (region === null) return null;
  const told = city === null ? null : readPlace(`-, ${city}, ${region}`, hints);
  return told?.country ?? countryOfState.get(region) ?? null;
}

function countryIn(graph: Graph, node: Node): string | null {
  const [value] = graph.values(node, 'addressCountry');
  const text = isNode(value) ? (graph.text(value, 'name', 'identifier') ?? '') : String(value ?? '');
  return countryOf(text) ?? countryOf(text.split(/[/,(]/)[0] ?? '');
}

/** The id of the place at its source: an address of the source itself, else a digest of name and place. */
function extras(
  graph: Graph,
  node: Node | null,
  place: Place,
  pageUrl: string | null,
  eventUrl: string | null,
): Pick<Venue, 'id' | 'website' | 'imageUrl'> {
  const own = place.name === null ? null : derivedId(place);
  if (node === null) return { id: own, website: null, imageUrl: null };
  const addresses = [graph.address(node, 'url'), graph.address(node, 'sameAs')].filter((url) => url !== null);
  // In a file the event's own address tells whose page it was.
  const home = pageUrl ?? eventUrl;
  const isOwn = (url: string) => home !== null && sameSite(url, home);
  const page = addresses.find((url) => isOwn(url) && url !== home && new URL(url).pathname !== '/');
  return {
    id: place.name === null ? null : (page ?? own),
    website: addresses.find((url) => !isOwn(url) && linkOf(url).type === 'website') ?? null,
    imageUrl: graph.address(node, 'image', 'photo'),
  };
}
