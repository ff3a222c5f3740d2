/** Renders events when they are written, because they are read far more often than they change. */
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { pageUrl, publicId } from './serialize.ts';

/** Everything that responses show of an event except its tickets. */
export type EventRenderInput = {
  id: number;
  slug: string;
  name: string;
  start_at: string;
  end_at: string | null;
  timezone: string | null;
  status: string | null;
  venue: ApiRecord<'EventItem'>['venue'];
  lineup: RecordRef[];
  /** yyyymmdd, local. */
  start_date: number;
  city: ApiRecord<'Event'>['city'];
  festival_edition: ApiRecord<'Event'>['festival_edition'];
  genres: RecordRef[];
  description: string | null;
  image_url: string | null;
  minimum_age: number | null;
  sources: ApiRecord<'Event'>['sources'];
};

/**
 * Renders an event as JSON text, with the placeholder of `serialize.ts` for the base URL: its list item, and the
 * members that its detail adds (except `updated_at`), without braces.
 */
export function renderEvent(input: EventRenderInput): { item: string; detail: string } {
  const item: ApiRecord<'EventItem'> = {
    id: publicId('event', input.id),
    slug: input.slug,
    name: input.name,
    start_at: input.start_at,
    end_at: input.end_at,
    timezone: input.timezone,
    status: input.status as ApiRecord<'EventItem'>['status'],
    venue: input.venue,
    url: pageUrl('event', input.slug),
    lineup: input.lineup,
  };
  const detail: Omit<ApiRecord<'Event'>, keyof ApiRecord<'EventItem'> | 'updated_at'> = {
    date: String(input.start_date)
      .padStart(8, '0')
      .replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3'),
    city: input.city,
    festival_edition: input.festival_edition,
    genres: input.genres,
    description: input.description,
    image_url: input.image_url,
    minimum_age: input.minimum_age,
    sources: input.sources,
  };
  return { item: JSON.stringify(item), detail: JSON.stringify(detail).slice(1, -1) };
}

/** The names of the members that differ between two JSON objects. */
export function differingMembers(before: string, after: string): string[] {
  const [old, now] = [JSON.parse(before), JSON.parse(after)] as Record<string, unknown>[];
  return Object.keys(now as object).filter(
    (name) => JSON.stringify(old?.[name]) !== JSON.stringify(now?.[name]),
  );
}
