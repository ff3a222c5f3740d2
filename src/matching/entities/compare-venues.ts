/** Compares two source records of venues (docs/spec/imports.md#evidence: a venue under two names, with room names; another venue next door). */

import { isPlaceholderVenue } from '../../text/placeholder-venue.ts';
import { compareExternalIds } from '../external-ids.ts';
import {
  compareLongNames,
  decideByRule,
  evidenceOf,
  type MatchResult,
  scoreEvidence,
  type VenueFacts,
} from '../model.ts';
import { type EvidenceCode, venueWeights } from '../weights.ts';
import { compareLocations } from './compare-locations.ts';
import { compareVenueNames } from './compare-venue-names.ts';
import { compareRemovedVenues } from './removed-names.ts';
import { decideByExternalId } from './shared-evidence.ts';

const prior = -1.6;
const venueEvidence = evidenceOf(venueWeights);

/**
 * Compares two venues. Pure and symmetric.
 * @returns 'same', 'different', or 'doubtful' where the evidence does not decide
 */
export function compareVenues(a: VenueFacts, b: VenueFacts): MatchResult {
  const long = compareLongNames(a, b, compareVenues);
  if (long) return long;
  if (a.record != null && a.record === b.record)
    return decideByRule('one-record', 'same', 0.99, [venueEvidence('record.same')]);
  const ids = compareExternalIds(a, b);
  if (ids) return decideByExternalId(ids);
  const removed = compareRemovedVenues(a, b, compareVenues);
  if (removed) return removed;
  if (isUnknownPlace(a) || isUnknownPlace(b))
    return decideByRule('no-place', 'different', 0, [venueEvidence('name.no-place')]);
  const names = compareVenueNames(a, b);
  const reasons = [names, ...compareLocations(a, b)];
  const website = sharedWebsite(a.website, b.website);
  if (website !== null) reasons.push(venueEvidence('website.same', website));
  const judged = scoreEvidence(reasons, prior);
  const ownIds =
    a.source != null &&
    a.source === b.source &&
    a.externalId != null &&
    b.externalId != null &&
    a.externalId !== b.externalId;
  if (!ownIds) return judged;
  reasons.push(venueEvidence('source.two-ids', a.source));
  // Rooms that a source lists separately are two venues; one name twice may be an error of the source.
  return judged.score > 0.97 && sameNames.has(names.code)
    ? decideByRule('two-ids', 'doubtful', 0.5, reasons)
    : decideByRule('two-ids', 'different', 0.05, reasons);
}

/** Names that are the same, general words aside. */
const sameNames: ReadonlySet<EvidenceCode> = new Set<EvidenceCode>([
  'name.same',
  'name.same-rare',
  'name.same-core',
  'name.same-core-rare',
]);

/** "Secret location" without an address; "Hidden" in Mary Street is a venue. */
const isUnknownPlace = ({ name, address, latitude }: VenueFacts): boolean =>
  isPlaceholderVenue(name) && !address && latitude == null;

const sharedHosts =
  /(?:^|\.)(?:facebook|instagram|twitter|x|linktr|ra|residentadvisor|google|youtube|soundcloud|wikipedia|songkick|dice|bandsintown|ticketmaster|eventbrite|myspace|tiktok)\.\w+$/;

/** The host of the website that both have of their own; null where they have none in common. */
export function sharedWebsite(a: string | null | undefined, b: string | null | undefined): string | null {
  const host = websiteHost(a);
  return host === websiteHost(b) ? host : null;
}

function websiteHost(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.toLowerCase().replace(/^www\./, '');
  return sharedHosts.test(host) ? null : host;
}
