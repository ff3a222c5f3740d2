/** Compares the venues of two listings. Many listings have one venue, so results are cached. */
import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { tokenize } from '../../text/tokens.ts';
import { distinctiveTokens } from '../entities/compare-venue-names.ts';
import { compareVenues } from '../entities/compare-venues.ts';
import type { EventFacts, MatchResult, VenueFacts } from '../model.ts';

/** "Lido (Keller)" and "Lido": the name of one has all the words of the other's, and more. */
function hasMoreTokens(long: VenueFacts, short: VenueFacts): boolean {
  const [all, some] = [distinctiveTokens(long), distinctiveTokens(short)];
  return all.length > some.length && some.every((word) => all.includes(word));
}

const groundsPattern =
  /^(?:site|festival\w*|grounds?|terrain|terrein|gelande|area|recinto|ferial|lieu|venue|event|field|du|de|del|des|le|la|the|of|am|auf|dem)$/;

/** "Site du Festival de Dour": a name that fits any grounds of the festival. */
const isFestivalGrounds = (venue: NonNullable<EventFacts['venue']>): boolean => {
  const town = new Set([venue.city ?? '', ...(venue.cityAliases ?? [])].flatMap(tokenize));
  const words = tokenize(venue.name).filter((word) => !town.has(word));
  return (
    words.some((word) => word.startsWith('festival')) && words.every((word) => groundsPattern.test(word))
  );
};

/** "Cologne, Cologne": the name of the city alone names no venue. */
const isCityNameOnly = ({ venue, city }: EventFacts): boolean => {
  const town = new Set([venue?.city ?? city ?? '', ...(venue?.cityAliases ?? [])].flatMap(tokenize));
  return tokenize(venue?.name ?? '').every((word) => town.has(word));
};

/** The venue of a listing, with city and country from the listing where it has none. Equal venues are one object. */
export const venueWithCity = memoizeByObject(
  (listing: EventFacts): NonNullable<EventFacts['venue']> | null => {
    const { venue } = listing;
    if (!venue || isPlaceholderVenue(venue.name) || isFestivalGrounds(venue) || isCityNameOnly(listing))
      return null;
    return shareVenue({
      ...venue,
      city: venue.city ?? listing.city,
      country: venue.country ?? listing.country,
    });
  },
);

/** Maximum number of venues in `sharedVenues`, and maximum length of their texts. */
const maxSharedVenues = 5_000;
const maxSharedLength = 2_000;
const sharedVenues = new Map<string, NonNullable<EventFacts['venue']>>();

/** The first object with the content of this one: many listings have one venue, whose comparisons are cached. */
function shareVenue<Venue extends NonNullable<EventFacts['venue']>>(
  venue: Venue,
): NonNullable<EventFacts['venue']> {
  const text = JSON.stringify(venue);
  const shared = sharedVenues.get(text);
  if (shared !== undefined || text.length > maxSharedLength) return shared ?? venue;
  if (sharedVenues.size >= maxSharedVenues) sharedVenues.clear();
  sharedVenues.set(text, venue);
  return venue;
}

type VenuePair = MatchResult & { isRoom: boolean };
const venuePairs = memoizeByObject((_: VenueFacts) => new WeakMap<VenueFacts, VenuePair>());

/** Compares two venues; `isRoom` if the name of one has further words. Cached for both objects. */
export function compareVenuePair(a: VenueFacts, b: VenueFacts): VenuePair {
  return getOrCreate(venuePairs(a), b, () => {
    const result = compareVenues({ ...a, source: null }, { ...b, source: null });
    return { ...result, isRoom: hasMoreTokens(a, b) || hasMoreTokens(b, a) };
  });
}
