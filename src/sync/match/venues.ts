/** Whether two listings speak of one house (docs/spec/imports.md#evidence: a venue under two names, with room names; another house next door). */
import { compareHouseNames } from './house-names.ts';
import { compareIds } from './ids.ts';
import { type Judgement, judgeLong, type Reason, ruled, type VenueFacts, weigh } from './listing.ts';
import { compareWhere } from './location.ts';
import { isNoPlace } from './no-place.ts';

const prior = -1.6;

/**
 * Whether two houses are one. Pure and symmetric.
 * @returns 'same', 'different', or 'doubtful' where what is known does not decide
 */
export function judgeVenues(a: VenueFacts, b: VenueFacts): Judgement {
  const long = judgeLong(a, b, judgeVenues);
  if (long) return long;
  if (a.record != null && a.record === b.record)
    return ruled('one record', 'same', 0.99, [
      { evidence: 'record', weight: 9, text: 'one house on record' },
    ]);
  const ids = compareIds(a, b);
  if (ids?.weight)
    return ruled('external id', ids.weight > 0 ? 'same' : 'different', ids.weight > 0 ? 0.99 : 0.02, [ids]);
  if (isNowhere(a) || isNowhere(b))
    return ruled('no place', 'different', 0, [
      { evidence: 'name', weight: -9, text: 'a name that is no place' },
    ]);
  const names = compareHouseNames(a, b);
  const reasons = [names, ...compareWhere(a, b)];
  const website = compareSites(a.website, b.website);
  if (website) reasons.push(website);
  const judged = weigh(reasons, prior);
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
    ? ruled('two ids at one source', 'doubtful', 0.5, reasons)
    : ruled('two ids at one source', 'different', 0.05, reasons);
}

/** "Secret location", said without an address: "Hidden" in Mary Street is a house. */
const isNowhere = ({ name, address, latitude }: VenueFacts): boolean =>
  isNoPlace(name) && !address && latitude == null;

const social =
  /(?:^|\.)(?:facebook|instagram|twitter|x|linktr|ra|residentadvisor|google|youtube|soundcloud|wikipedia|songkick|dice|bandsintown|ticketmaster|eventbrite|myspace|tiktok)\.\w+$/;

/** One website of their own. */
export function compareSites(a: string | null | undefined, b: string | null | undefined): Reason | null {
  const [one, two] = [siteOf(a), siteOf(b)];
  if (one === null || one !== two) return null;
  return { evidence: 'website', weight: 1.8, text: `one website, ${one}` };
}

function siteOf(url: string | null | undefined): string | null {
  if (!url || !URL.canParse(url)) return null;
  const host = new URL(url).hostname.toLowerCase().replace(/^www\./, '');
  return social.test(host) ? null : host;
}
