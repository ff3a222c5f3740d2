/** The events that a previewed address would bring, read from the copy of the data file that has them. */
import type { App } from '../app.ts';
import type { PreviewedEvents, ShorterLineup } from '../contract/source-summaries.ts';
import { Failure } from '../failure.ts';

type Change = { kind: string; what: string; slug: string | null; fields: readonly string[] };
type Match = { kind: string; slug: string };
type EventRecord = {
  name: string;
  start_at: string;
  end_at: string | null;
  timezone: string | null;
  venue: { name: string } | null;
  city: { name: string } | null;
  lineup: { name: string }[];
};

/** Events of the copy that are read to find the next ones: as many as a preview reads. */
const maxRead = 500;
const isChanged = ({ kind, what }: Change): boolean => kind === 'event' && /^(?:created|updated)$/.test(what);
const isEvent = ({ kind }: Match): boolean => kind === 'event';

/** Returns the next events of the copy that come from the address. */
export function previewedEvents(
  copy: App,
  changes: readonly Change[],
  matches: readonly Match[],
  maxShown: number,
): PreviewedEvents {
  const matchedSlugs = new Set(matches.filter(isEvent).map(({ slug }) => slug));
  const slugs = new Set([...matchedSlugs, ...changes.filter(isChanged).flatMap(({ slug }) => slug ?? [])]);
  let withoutCity = 0;
  let withoutZone = 0;
  const events = [...slugs].slice(0, maxRead).map((slug) => {
    const { name, start_at, end_at, timezone, venue, city, lineup } = readEvent(copy, slug);
    if (city === null) withoutCity++;
    if (timezone === null && !start_at.endsWith('T00:00:00Z')) withoutZone++;
    return {
      slug,
      name,
      start_at: timezone === null ? start_at.slice(0, 10) : start_at,
      end_at,
      ...{ venue: venue?.name ?? null, city: city?.name ?? null },
      artists: lineup.map((entry) => entry.name),
      is_known: matchedSlugs.has(slug),
    };
  });
  const byStart = events.toSorted((a, b) => Date.parse(a.start_at) - Date.parse(b.start_at));
  const now = copy.clock.now();
  const coming = byStart.filter(({ start_at, end_at }) => endOf(start_at, end_at) > now);
  const areOver = coming.length === 0 && byStart.length > 0;
  const records = (areOver ? byStart.toReversed() : coming).slice(0, maxShown);
  return {
    ...{ records: records.map(({ end_at: _, ...event }) => event), areOver },
    ...{ without_city: withoutCity, without_zone: withoutZone },
  };
}

/** When an event is over, in ms since 1970: a date alone lasts all day, and a night without an end until the next noon. */
function endOf(start: string, end: string | null): number {
  if (end !== null) return Date.parse(end);
  return Date.parse(start) + (start.length === 10 ? 24 : 12) * 3_600_000;
}

/**
 * Finds the events that the catalogue has with more artists than the copy: a line-up that a source states replaces the one
 * that was read from a description or title (docs/decisions/36-descriptions.md).
 */
export function shorterLineups(present: App, copy: App, changes: readonly Change[]): ShorterLineup[] {
  return changes.flatMap((change) => {
    if (!isChanged(change) || change.slug === null || !change.fields.includes('lineup')) return [];
    const before = readEventIfAny(present, change.slug);
    if (before === null) return [];
    const after = new Set(readEvent(copy, change.slug).lineup.map(({ name }) => name));
    const missing = [...new Set(before.lineup.map(({ name }) => name))].filter((name) => !after.has(name));
    if (missing.length === 0) return [];
    return [{ slug: change.slug, name: before.name, date: before.start_at.slice(0, 10), missing }];
  });
}

// Records are typed by the schemas that responses are tested against.
const readEvent = (app: App, slug: string): EventRecord =>
  app.record('event', slug, '', '') as unknown as EventRecord;

/** The event of a slug; null if the catalogue has none. */
function readEventIfAny(app: App, slug: string): EventRecord | null {
  try {
    return readEvent(app, slug);
  } catch (failure) {
    if (failure instanceof Failure) return null;
    throw failure;
  }
}
