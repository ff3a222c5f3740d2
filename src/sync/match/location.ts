/** Where two houses lie, compared: city, country, coordinates, address. */
import { cityNames, compareCities } from './cities.ts';
import { hasForeign } from './letters.ts';
import type { Reason, VenueFacts } from './listing.ts';
import { containsRun, inShort, sharedWords, wordsOf } from './words.ts';

/** What city, country, address and coordinates say. */
export function compareWhere(a: VenueFacts, b: VenueFacts): Reason[] {
  const reasons: Reason[] = [];
  const away = distanceBetween(a, b);
  const cities = compareCities(a, b);
  const street = compareStreets(a.address, b.address);
  const isOneSpot = (away !== null && away < 1_000) || (street?.weight ?? 0) >= 2;
  if (a.country && b.country && a.country.toUpperCase() !== b.country.toUpperCase())
    reasons.push({ evidence: 'country', weight: -6, text: `${a.country} and ${b.country}` });
  // Suburbs and translations: coordinates and addresses know better than names of cities.
  else if (cities && !(cities.weight < 0 && (isOneSpot || isNamedByCity(a, b)))) reasons.push(cities);
  if (away !== null) reasons.push(distanceReason(away, roughness(a, b)));
  if (street) reasons.push(street);
  else if (a.postalCode && b.postalCode && squeezed(a.postalCode) === squeezed(b.postalCode))
    reasons.push({ evidence: 'address', weight: 0.8, text: 'one postal code' });
  return reasons;
}
const squeezed = (code: string): string => code.replace(/\W/g, '').toLowerCase();

/** "Savaya" in Bali, "Savaya Bali" in a village there: the name of one has the city of the other. */
const isNamedByCity = (a: VenueFacts, b: VenueFacts): boolean =>
  cityNames(a).some((city) => containsRun(inShort(wordsOf(b.name)), city)) ||
  cityNames(b).some((city) => containsRun(inShort(wordsOf(a.name)), city));

const radius = 6_371_000;

/** Metres between two houses; null where one has no coordinates. */
export function distanceBetween(a: VenueFacts, b: VenueFacts): number | null {
  if (a.latitude == null || a.longitude == null || b.latitude == null || b.longitude == null) return null;
  // 0, 0 is no place but a missing one.
  if ((a.latitude === 0 && a.longitude === 0) || (b.latitude === 0 && b.longitude === 0)) return null;
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const [lat, long] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)];
  const h =
    Math.sin(lat / 2) ** 2 + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(long / 2) ** 2;
  return Math.round(2 * radius * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** Coordinates with few decimals stand for a town, not for a house. */
const roughness = (a: VenueFacts, b: VenueFacts): number =>
  [a.latitude, a.longitude, b.latitude, b.longitude].some((value) => decimals(value as number) < 3) ? 0.4 : 1;
const decimals = (value: number): number => (String(value).split('.')[1] ?? '').length;

function distanceReason(metres: number, rough: number): Reason {
  const text = metres < 1_000 ? `${metres} m apart` : `${Math.round(metres / 100) / 10} km apart`;
  const weight = metres <= 80 ? 2 : metres <= 250 ? 1 : metres <= 700 ? -0.2 : metres <= 2_000 ? -1.5 : -4;
  return { evidence: 'distance', weight: metres > 30_000 ? -6 : weight * rough, text };
}

/** Street and number, in whichever order they are written; null where the two cannot be compared. */
function compareStreets(a: string | null | undefined, b: string | null | undefined): Reason | null {
  if (!a || !b) return null;
  if (hasForeign(a) !== hasForeign(b)) return compareNumbers(a, b);
  const [one, two] = [streetOf(a), streetOf(b)];
  if (one.name.length === 0 || two.name.length === 0) return null;
  const shared = sharedWords(one.name, two.name);
  const sameStreet = shared === Math.min(one.name.length, two.name.length) || shared >= 2;
  if (!sameStreet) return { evidence: 'address', weight: -1.8, text: 'different streets' };
  if (one.number === '' || two.number === '') return { evidence: 'address', weight: 0.6, text: 'one street' };
  return one.number === two.number
    ? { evidence: 'address', weight: 2, text: 'one address' }
    : { evidence: 'address', weight: -1.8, text: 'one street, different numbers' };
}

/** "東京都港区赤坂9-7-4", "9-7-4 Akasaka": names of streets in two scripts nobody compares, numbers may agree. */
function compareNumbers(a: string, b: string): Reason | null {
  const [one, two] = [a, b].map((address) => /\d+(?:[-–]\d+)+/.exec(address.normalize('NFKC'))?.[0]);
  return one !== undefined && one === two ? { evidence: 'address', weight: 2, text: 'one address' } : null;
}

const streetKinds =
  /^(?:street|st|str|strasse|road|rd|avenue|ave|av|lane|ln|boulevard|blvd|platz|square|sq|rue|via|calle|carrer|plaza|place|pl|drive|dr|way|weg|allee|the|de|la|le|der|am|an|straat)$/;

/** The part of an address that names the street: the first, or one with a number behind the name of a house or quarter. */
function streetPart(address: string): string {
  const [first = '', ...others] = address.split(/[;\n]|,(?!\s*\d+\w?\s*(?:,|$))/);
  if (/\d/.test(first)) return first;
  return others.find((part) => /(?<!\d)\d{1,3}(?!\d)/.test(part) && !postal.test(part)) ?? first;
}
const postal = /^\s*(?:[A-Z]{1,2}-?)?\d{4,6}\b|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b/;

function streetOf(address: string): { name: string[]; number: string } {
  const words = wordsOf(
    streetPart(address).replace(/(\p{L}{3,})str(?:\.|aße|asse)(?=\W|$)/giu, '$1 strasse'),
  );
  const number = words.find((word) => /^\d/.test(word)) ?? '';
  return { name: words.filter((word) => !/^\d/.test(word) && !streetKinds.test(word)), number };
}
