/** Line-ups and ticket links of events and editions. */
import type Database from 'better-sqlite3';
import { formatUtc } from '../../clock.ts';
import type { ApiRecord } from '../../contract/records.ts';
import { prepare, prepareByShape, query } from '../statement.ts';
import type { ListEntry, ListSource } from './pagination.ts';

/** The line-up of an event or edition, in billing order. */
export function lineupListSource(sqlite: Database.Database): (record: number) => ListSource {
  const statement = prepare<{ record: number; after: number; limit: number }, ApiRecord<'LineupEntry'>>(
    sqlite,
    (p) =>
      query
        .selectFrom('lineups as l')
        .innerJoin('artists as a', 'a.id', 'l.artist_id')
        .select(['a.slug', 'a.name', 'l.position', 'l.billing', 'l.set_start_at', 'l.set_end_at', 'l.stage'])
        .select((eb) => eb.fn.coalesce('l.set_position', 'l.position').as('set'))
        .where('l.record_id', '=', p.record)
        .where('l.position', '>', p.after)
        .orderBy('l.position')
        .limit(p.limit),
  );
  return (record) => ({
    kind: null,
    descending: false,
    fetch: (after, limit): ListEntry[] =>
      statement
        .all({ record, limit, after: (after?.[0] ?? 0) as number })
        .map((entry) => [JSON.stringify(entry), entry.position]),
  });
}

type TicketListRow = Omit<ApiRecord<'TicketLink'>, 'updated_at'> & { updated_ts: number | null };

/** The ticket links of an event or edition, by seller, then url. */
export function ticketListSource(sqlite: Database.Database): (record: number) => ListSource {
  type Values = { record: number; afterSeller: string; afterUrl: string; limit: number };
  const byShape = prepareByShape<Values, TicketListRow>(sqlite, (shape, p) =>
    query
      .selectFrom('tickets')
      .select(['seller', 'url', 'price_min', 'price_max', 'currency', 'availability', 'updated_ts'])
      .where('record_id', '=', p.record)
      .$if(shape === 'after', (q) =>
        q.where((eb) => eb(eb.refTuple('seller', 'url'), '>', eb.tuple(p.afterSeller, p.afterUrl))),
      )
      .orderBy('seller')
      .orderBy('url')
      .limit(p.limit),
  );
  return (record) => ({
    kind: null,
    descending: false,
    fetch: (after, limit): ListEntry[] =>
      byShape(after ? 'after' : '')
        .all({ record, limit, afterSeller: String(after?.[0] ?? ''), afterUrl: String(after?.[1] ?? '') })
        .map(({ updated_ts, ...ticket }) => {
          const link: ApiRecord<'TicketLink'> = {
            ...ticket,
            updated_at: updated_ts === null ? null : formatUtc(updated_ts),
          };
          return [JSON.stringify(link), ticket.seller, ticket.url];
        }),
  });
}
