/** Whether two listings speak of one house (docs/spec/imports.md#evidence: a venue under two names, with room names; another house next door). */

import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { compareExternalIds } from '../external-ids.ts';
import {
  compareLongNames,
  decideByRule,
  type Evidence,
  type MatchResult,
  scoreEvidence,
  type VenueFacts,
} from '../model.ts';
import { compareLocations } from './compare-locations.ts';
import { compareVenueNames } from './compare-venue-names.ts';

const prior = -1.6;

/**
 * Whether two houses are one. Pure and symmetric.
 * @returns 'same', 'different', or 'doubtful' where what is known does not decide
 */
export function compareVenues(a: VenueFacts, b: VenueFacts): MatchResult {
  const long = compareLongNames(a, b, compareVenues);
  if (long) return long;
  if (a.record != null && a.record === b.record)
    return decideByRule('one record', 'same', 0.99, [
      { evidence: 'record', weight: 9, text: 'one house on record' },
    ]);
  const ids = compareExternalIds(a, b);
  if (ids?.weight)
    return decideByRule('external id', ids.weight > 0 ? 'same' : 'different', ids.weight > 0 ? 0.99 : 0.02, [
      ids,
    ]);
  if (isUnknownPlace(a) || isUnknownPlace(b))
    return decideByRule('no place', 'different', 0, [
      { evidence: 'name', weight: -9, text: 'a name that is no place' },
    ]);
  const names = compareVenueNames(a, b);
  const reasons = [names, ...compareLocations(a, b)];
  const website = compareWebsites(a.website, b.website);
  if (website) reasons.push(website);
  const judged = scoreEvidence(reasons, prior);
  const ownIds =
    a.source != null &&
    a.source === b.source &&
    a.externalId != null &&
    b.externalId != null &&
    a.externalId !== b.externalId;
  if (!ownIds) return judged;
  reasons.push({ evidence: 'source', weight: -4, text: `two ids at ${a.source}` });
  // Rooms of a house that a source lists apart are two; a name twice may be a slip of the source.
  return judged.score > 0.97 && names.weight >= 3.4
    ? decideByRule('two ids at one source', 'doubtful', 0.5, reasons)
    : decideByRule('two ids at one source', 'different', 0.05, reasons);
}

/** "Secret location", said without an address: "Hidden" in Mary Street is a house. */
const isUnknownPlace = ({ name, address, latitude }: VenueFacts): boolean =>
  isPlaceholderVenue(name) && !address && latitude == null;

const sharedHosts =
  /(?:^|\.)(?:facebook|instagram|twitter|x|linktr|ra|residentadvisor|google|youtube|soundcloud|wikipedia|songkick|dice|bandsintown|ticketmaster|eventbrite|myspace|tiktok)\.\w+$/;

/** One website of their own. */
export function compareWebsites(a: string | null | undefined, b: string | null | undefined): Evidence | null {
  const [one, two] = [websiteHost(a), websiteHost(b)];
  if (one === null || one !== two) return null;
  return { evidence: 'website', weight: 1.8, text: `one website, ${one}` };
}

function websiteHost(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.toLowerCase().replace(/^www\./, '');
  return sharedHosts.test(host) ? null : host;
}
