/** Reads which sources list events at venues that closed before. */
import type { ClosedVenue } from '../../contract/source-summaries.ts';
import { publicId } from '../records/serialize.ts';
import { SqliteStore } from '../statement.ts';

/** A closed venue, and the events after its end that one source lists there. */
export type ClosedVenueRow = ClosedVenue & { source: string };

/** The last day of the year, month or day of `closed_at`: events of that year say nothing. */
const lastDay = `CAST(replace(v.closed_at, '-', '') || CASE length(v.closed_at) WHEN 4 THEN '1231' WHEN 7 THEN '31' ELSE '' END AS INTEGER)`;
/** Its beginning, ms, a day early for zones west of Greenwich: `events_by_venue` starts there. */
const firstTime = `(unixepoch(v.closed_at || CASE length(v.closed_at) WHEN 4 THEN '-12-31' WHEN 7 THEN '-28' ELSE '' END) - 86400) * 1000`;

/** Finds events after the end of their venue. A venue that closed in a year or month counts as open until its last day. */
export class ClosedVenueEvents extends SqliteStore {
  // Few venues are closed (`venues_by_end`), and fewer have events after their end.
  readonly #rows = this.sqlite.prepare<
    unknown[],
    Omit<ClosedVenueRow, 'id' | 'next_date'> & {
      id: number;
      next: number;
    }
  >(
    `SELECT s.name AS source, v.id, v.slug, v.name, v.city, v.closed_at, count(DISTINCT e.id) AS events,
       ifnull(min(CASE WHEN e.ends_ts > @now THEN e.start_date END), max(e.start_date)) AS next
     FROM venues v INDEXED BY venues_by_end
       CROSS JOIN events e ON e.venue_id = v.id AND e.start_ts > ${firstTime} AND e.start_date > ${lastDay}
       CROSS JOIN source_records r ON r.record_id = e.id AND r.kind = 'event' AND r.withdrawn_ts IS NULL AND r.content IS NOT NULL
       CROSS JOIN sources s ON s.id = r.source_id
     WHERE v.closed_at IS NOT NULL AND (@source IS NULL OR s.name = @source)
     GROUP BY s.id, v.id ORDER BY events DESC, v.folded, v.id`,
  );

  /**
   * The closed venues at which sources list later events, most events first.
   * @param source null: all sources
   * @param now ms since 1970
   */
  list(source: string | null, now: number): ClosedVenueRow[] {
    const rows = this.#rows.all({ source, now });
    return rows.map(({ next, id, ...row }) => ({
      ...row,
      id: publicId('venue', id),
      next_date: toIsoDate(next),
    }));
  }
}

const toIsoDate = (date: number): string => String(date).replace(/^(\d{4})(\d\d)(\d\d)$/, '$1-$2-$3');
