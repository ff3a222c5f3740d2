/** The changelog of the API and of the agent endpoint, as `/changelog` and `/changelog.json` show it. */
import { describePlanChange, type PlanChange } from './plans.ts';

export type ChangelogEntry = { date: string; breaking: boolean; text: string };

/**
 * Observable changes of releases, newest first (docs/spec/service.md#versioning). Removals and lower quotas are
 * listed before they take effect.
 */
export const changelog: readonly ChangelogEntry[] = [
  {
    date: '2026-11-23',
    breaking: false,
    text: 'Without events in the window, the text of search_events names the nearest day that has some. Events whose sources state no line-up have the artists that a description lists behind a label.',
  },
  {
    date: '2026-11-23',
    breaking: false,
    text: 'Events in lists carry date, genres, image, minimum age, prices, festival edition and the time of the last change; artists their genres and number of upcoming events. Line-up entries have the number of their set: artists with the same number play together. The OpenAPI document allows new members and values in responses.',
  },
  {
    date: '2026-11-22',
    breaking: false,
    text: 'Artists, venues, festivals and labels are looked up in one request: slug=a,b,c and external_id=musicbrainz:…,discogs:… take up to 100 values. A list with more entries names its next page in a Link header. Bodies are compressed for clients that accept it. ETags stay as they are while nothing changes.',
  },
  {
    date: '2026-11-22',
    breaking: false,
    text: 'Responses have the header X-Quota-Notice when 80 or 100 percent of the month are used. Operators can change the limits of plans; this page announces a reduction at least 14 days ahead.',
  },
  {
    date: '2026-11-22',
    breaking: false,
    text: 'API keys can expire, can be limited to the REST API or to agents, and can be replaced with an overlap. A key of the wrong scope gets 403 with the new error type forbidden.',
  },
  {
    date: '2026-11-22',
    breaking: false,
    text: 'Limits: an MCP batch holds at most 10 messages, all keys of an account share a window of four times that of one key, and public pages are limited per network.',
  },
  {
    date: '2026-11-20',
    breaking: false,
    text: 'First release of cratebase: version 1 of the REST contract, all 33 read endpoints.',
  },
];

/** The changelog of a service: the entries of the program, and the changes of limits that its operator announced. */
export function serviceChangelog(announced: readonly PlanChange[]): readonly ChangelogEntry[] {
  const own = announced.map((change) => ({
    date: new Date(change.createdTs).toISOString().slice(0, 10),
    breaking: false,
    text: `Limits: ${describePlanChange(change)} ${change.note}`,
  }));
  return [...own, ...changelog].sort((one, other) =>
    one.date < other.date ? 1 : one.date > other.date ? -1 : 0,
  );
}
