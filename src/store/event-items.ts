/** Events as bodies show them, rendered when they are written: they are read far more often than they change. */
import type { Ref, Shown } from '../contract/records.ts';
import { pageUrl, publicId } from './show.ts';

/** All that is shown of an event, but its tickets. */
export type EventFacts = {
  id: number;
  slug: string;
  name: string;
  start_at: string;
  end_at: string | null;
  timezone: string | null;
  status: string | null;
  venue: Shown<'EventItem'>['venue'];
  lineup: Ref[];
  /** yyyymmdd, local. */
  start_date: number;
  city: Shown<'Event'>['city'];
  festival_edition: Shown<'Event'>['festival_edition'];
  genres: Ref[];
  description: string | null;
  image_url: string | null;
  minimum_age: number | null;
  sources: Shown<'Event'>['sources'];
};

/**
 * An event as JSON text, with the placeholder of `show.ts` for the base address: its list item, and the members that its
 * detail adds to that (but `updated_at`), without braces.
 */
export function renderEvent(facts: EventFacts): { item: string; rest: string } {
  const item: Shown<'EventItem'> = {
    id: publicId('event', facts.id),
    slug: facts.slug,
    name: facts.name,
    start_at: facts.start_at,
    end_at: facts.end_at,
    timezone: facts.timezone,
    status: facts.status as Shown<'EventItem'>['status'],
    venue: facts.venue,
    url: pageUrl('event', facts.slug),
    lineup: facts.lineup,
  };
  const rest: Omit<Shown<'Event'>, keyof Shown<'EventItem'> | 'updated_at'> = {
    date: String(facts.start_date)
      .padStart(8, '0')
      .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    city: facts.city,
    festival_edition: facts.festival_edition,
    genres: facts.genres,
    description: facts.description,
    image_url: facts.image_url,
    minimum_age: facts.minimum_age,
    sources: facts.sources,
  };
  return { item: JSON.stringify(item), rest: JSON.stringify(rest).slice(1, -1) };
}

/** The members by which two renderings differ, each a JSON object. */
export function differingMembers(before: string, after: string): string[] {
  const [old, now] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
  return Object.keys(now as object).filter(
    (name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]),
  );
}
