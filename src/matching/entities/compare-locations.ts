/** Compares the locations of two venues: city, country, coordinates, address. */

import { memoize } from '../../memoize.ts';
import { hasNonLatin } from '../../text/scripts.ts';
import {
  abbreviate,
  cityTokens,
  cityWithoutRegion,
  containsSequence,
  countSharedWords,
  tokenize,
} from '../../text/tokens.ts';
import { type Evidence, evidenceOf, type VenueFacts } from '../model.ts';
import { venueWeights } from '../weights.ts';
import { cityNames, compareCities } from './compare-cities.ts';

const venueEvidence = evidenceOf(venueWeights);

/** The evidence of city, country, address and coordinates. */
export function compareLocations(a: VenueFacts, b: VenueFacts): Evidence[] {
  const reasons: Evidence[] = [];
  const away = distanceMeters(a, b);
  const cities = compareCities(a, b);
  const street = compareStreets(a, b, away !== null && away <= 150);
  const isOneSpot = (away !== null && away < 1_000) || street?.code === 'address.same';
  if (a.country && b.country && a.country.toUpperCase() !== b.country.toUpperCase())
    reasons.push(venueEvidence('country.different', a.country, b.country));
  // Suburbs and translations: coordinates and addresses know better than names of cities.
  else if (cities && cities !== 'city.same' && (isAddressedIn(a, b) || isAddressedIn(b, a)))
    reasons.push(venueEvidence('city.by-address', a.city, b.city));
  else if (cities && !(cities !== 'city.same' && (isOneSpot || isNamedByCity(a, b))))
    reasons.push(venueEvidence(cities, a.city, b.city));
  if (away !== null) reasons.push(distanceEvidence(away, areCoordinatesImprecise(a, b)));
  if (street) reasons.push(street);
  else if (
    a.postalCode &&
    b.postalCode &&
    normalizePostalCode(a.postalCode) === normalizePostalCode(b.postalCode)
  )
    reasons.push(venueEvidence('address.postal-code'));
  return reasons;
}

/** "29 Fitzroy St, St Kilda" in Melbourne, and St Kilda: the address of one names the city of the other. */
const isAddressedIn = ({ address }: VenueFacts, { city }: VenueFacts): boolean => {
  if (!address || !city || !/[,;]/.test(address)) return false;
  const parts = address
    .slice(0, maxAddressLength)
    .split(/[,;\n]/)
    .slice(1);
  return parts.some((part) =>
    containsSequence(abbreviate(tokenize(part)), cityTokens(cityWithoutRegion(city))),
  );
};

const normalizePostalCode = (code: string): string => code.replace(/\W/g, '').toLowerCase();

/** "Savaya" in Bali, "Savaya Bali" in a village there: the name of one has the city of the other. */
const isNamedByCity = (a: VenueFacts, b: VenueFacts): boolean =>
  cityNames(a).some((city) => containsSequence(abbreviate(tokenize(b.name)), city)) ||
  cityNames(b).some((city) => containsSequence(abbreviate(tokenize(a.name)), city));

const earthRadiusM = 6_371_000;

/** The distance of two venues in metres; null where one has no coordinates. */
export function distanceMeters(a: VenueFacts, b: VenueFacts): number | null {
  if (a.latitude == null || a.longitude == null || b.latitude == null || b.longitude == null) return null;
  // 0, 0 is no place but a missing one.
  if ((a.latitude === 0 && a.longitude === 0) || (b.latitude === 0 && b.longitude === 0)) return null;
  const rad = (degrees: number) => (degrees * Math.PI) / 180;
  const [lat, long] = [rad(b.latitude - a.latitude), rad(b.longitude - a.longitude)];
  const h =
    Math.sin(lat / 2) ** 2 + Math.cos(rad(a.latitude)) * Math.cos(rad(b.latitude)) * Math.sin(long / 2) ** 2;
  return Math.round(2 * earthRadiusM * Math.asin(Math.min(1, Math.sqrt(h))));
}

/** Whether the coordinates of either venue have few decimals: they stand for a town, not for a venue. */
const areCoordinatesImprecise = (a: VenueFacts, b: VenueFacts): boolean =>
  [a.latitude, a.longitude, b.latitude, b.longitude].some((value) => decimals(value as number) < 3);
const decimals = (value: number): number => (String(value).split('.')[1] ?? '').length;

const distanceSteps = [
  [80, 'within-80-m'],
  [250, 'within-250-m'],
  [700, 'within-700-m'],
  [2_000, 'within-2-km'],
  [30_000, 'within-30-km'],
] as const;

function distanceEvidence(meters: number, imprecise: boolean): Evidence {
  const [, step] = distanceSteps.find(([max]) => meters <= max) ?? [];
  if (step === undefined) return venueEvidence('distance.over-30-km', meters);
  return venueEvidence(imprecise ? `distance.imprecise-${step}` : `distance.${step}`, meters);
}

/**
 * Street and number, in whichever order they are written, and whatever stands before them (the name of a building, a
 * quarter); null where the two cannot be compared.
 */
function compareStreets(a: VenueFacts, b: VenueFacts, isClose: boolean): Evidence | null {
  if (!a.address || !b.address) return null;
  if (hasNonLatin(a.address) !== hasNonLatin(b.address)) return compareNumbers(a.address, b.address);
  const towns = new Set([...cityNames(a), ...cityNames(b)].flat());
  const [ones, others] = [streetsIn(a.address, towns), streetsIn(b.address, towns)];
  if (ones.length === 0 || others.length === 0) return null;
  const met = ones.flatMap((one) =>
    others.filter((other) => isSameStreet(one, other)).map((other) => ({ one, other })),
  );
  // A venue at a corner has two addresses.
  if (met.length === 0) return venueEvidence(isClose ? 'address.other-street-near' : 'address.other-street');
  const numbered = met.filter(({ one, other }) => one.number !== '' && other.number !== '');
  if (numbered.some(({ one, other }) => one.number === other.number)) return venueEvidence('address.same');
  return venueEvidence(numbered.length > 0 ? 'address.other-number' : 'address.same-street');
}

/** "東京都港区赤坂9-7-4", "9-7-4 Akasaka": names of streets in two scripts cannot be compared, numbers can. */
function compareNumbers(a: string, b: string): Evidence | null {
  const [one, two] = [a, b].map(
    (address) => /\d+(?:[-–]\d+)+/.exec(address.slice(0, maxAddressLength).normalize('NFKC'))?.[0],
  );
  return one !== undefined && one === two ? venueEvidence('address.same') : null;
}

const streetWords =
  /^(?:street|st|str|strasse|road|rd|avenue|ave|av|avda|avenida|avinguda|lane|ln|boulevard|blvd|bd|bulevar|platz|square|sq|rue|rua|r|via|viale|calle|carrer|plaza|placa|place|pl|plac|piazza|passeig|paseo|drive|dr|way|weg|allee|aleje|al|ul|ulica|quai|the|de|del|la|le|der|am|an|straat|laan|gade|vej|gatan|n|s|e|w|north|south|east|west)$/;

type Street = { name: readonly string[]; number: string };

/** Longer ones are no addresses. */
const maxAddressLength = 300;
/** Maximum number of parts of an address that are compared: the rest is about the city. */
const maxAddressParts = 4;

/** What may be the street in an address. */
const streetsIn = (address: string, towns: ReadonlySet<string>): Street[] =>
  addressStreets(address.slice(0, maxAddressLength)).filter(({ name }) =>
    name.some((word) => !towns.has(word)),
  );

/** An address is compared with those of all candidates. */
const addressStreets = memoize(5_000, (address: string): readonly Street[] =>
  address
    .split(/[;\n]|,(?!\s*\d{1,4}\w?\s*(?:,|\(|[-–]\s|$))/)
    .slice(0, maxAddressParts)
    .filter((part) => !postalCodePattern.test(part))
    .map(streetOf),
);
/** "69007 Lyon", "SW2 1RJ", "NY 11378". */
const postalCodePattern =
  /^\s*(?:[A-Z]{1,2}-?)?\d{4,6}(?!\w)(?!\s+\w+\s+(?:st|street|ave|rd|road|blvd)\b)|\b[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}\b|\b[A-Z]{2,3} \d{4,5}\b/i;

function streetOf(part: string): Street {
  const words = tokenize(part.replace(/(\p{L}{3,})str(?:\.|aße|asse)(?=\W|$)/giu, '$1 strasse'));
  const number = words.find((word) => /^\d/.test(word) && !/^\d+f$/.test(word)) ?? '';
  const name = words.filter((word) => !/^\d/.test(word) && word.length > 1 && !streetWords.test(word));
  return { name, number: /^\d+/.exec(number)?.[0] ?? '' };
}

/** "Store Street" and "Store St", "2-11 Sarugaku-cho" and "2-11 Sarugakucho". */
function isSameStreet(a: Street, b: Street): boolean {
  const shared = countSharedWords(a.name, b.name);
  if (shared > 0 && (shared === Math.min(a.name.length, b.name.length) || shared >= 2)) return true;
  const [one, two] = [a.name.join(''), b.name.join('')];
  const [short, long] = one.length <= two.length ? [one, two] : [two, one];
  return short.length >= 6 && long.startsWith(short);
}

/** The text of the blocking key of an address, word and number; null where it has none. */
export function addressBlockingText(address: string | null | undefined): string | null {
  const street = address ? streetsIn(address, new Set()).find(({ number }) => number !== '') : undefined;
  const [word] = (street?.name ?? []).toSorted((x, y) => y.length - x.length || (x < y ? -1 : 1));
  return street && word ? `${word.slice(0, 6)} ${street.number}` : null;
}
