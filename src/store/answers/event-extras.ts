/** Reads what an agent's answer shows of an event beyond its list item: details, tickets, the address of the venue. */
import type { ApiRecord } from '../../contract/records.ts';
import { prepareValue, SqliteStore } from '../statement.ts';

/** Ticket links of one event that an answer shows. */
const maxTickets = 10;

export type TicketFacts = Omit<ApiRecord<'TicketLink'>, 'updated_at'>;
/** The members of an event that its list item lacks. */
export type EventExtra = Pick<
  ApiRecord<'Event'>,
  'genres' | 'festival_edition' | 'image_url' | 'minimum_age'
> & {
  /** Street and postal code of the venue; null if unknown. */
  address: string | null;
  tickets: TicketFacts[];
};

type ExtraRow = [detail: string, address: string | null, postalCode: string | null, tickets: string];

const ticketsSql = `(
  SELECT json_group_array(json_object('seller', t.seller, 'url', t.url, 'price_min', t.price_min, 'price_max', t.price_max,
    'currency', t.currency, 'availability', t.availability) ORDER BY t.seller, t.url)
  FROM (SELECT * FROM tickets WHERE record_id = ? ORDER BY seller, url LIMIT ${maxTickets}) t)`;

/** Returns the numeric id of a public id such as `evt_00001a`. */
const numericId = (publicId: string): number =>
  Number.parseInt(publicId.slice(publicId.indexOf('_') + 1), 36);

/** Reads the members that agent answers add to a list item of an event: details, address, and at most 10 ticket links. */
export class EventExtras extends SqliteStore {
  readonly #extra = this.sqlite
    .prepare<[number, number], ExtraRow>(
      `SELECT (SELECT detail_json FROM event_details WHERE event_id = e.id), v.address, v.postal_code, ${ticketsSql}
       FROM events e LEFT JOIN venues v ON v.id = e.venue_id WHERE e.id = ?`,
    )
    .raw();
  readonly #tickets = prepareValue<string>(this.sqlite, `SELECT ${ticketsSql}`);

  /** The extra members of a list item. */
  of(item: ApiRecord<'EventItem'>): EventExtra {
    const id = numericId(item.id);
    const [detail, address, postalCode, tickets] = this.#extra.get(id, id) as ExtraRow;
    // A member may be part of the list item or of the detail.
    const all = { ...item, ...(JSON.parse(`{${detail}}`) as ApiRecord<'Event'>) };
    return {
      address: [address, postalCode].filter(Boolean).join(', ') || null,
      genres: all.genres,
      festival_edition: all.festival_edition,
      image_url: all.image_url,
      minimum_age: all.minimum_age,
      tickets: JSON.parse(tickets) as TicketFacts[],
    };
  }

  /** The ticket links of an event or edition. */
  ticketsOf(record: number): TicketFacts[] {
    return JSON.parse(this.#tickets.one(record)) as TicketFacts[];
  }
}
