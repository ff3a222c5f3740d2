/** Completes stored list items of events for responses. */

import { formatUtc } from '../../clock.ts';
import { prepare, query, SqliteStore } from '../statement.ts';
import {
  type EventRendering,
  isFormerItem,
  type PricedTicket,
  upgradeRendering,
  type VenuePosition,
} from './event-rendering.ts';

/** The stored columns of an event that its list item is made of. */
export type StoredEventItem = { id: number; item: string; updated_ts: number };

/**
 * Completes stored items of events with `updated_at`, and renders those of earlier versions again
 * (docs/decisions/04-rendered-items.md). Reads further tables only for the latter.
 */
export class EventItems extends SqliteStore {
  /** The events of one import share their time. */
  #lastTime = { ts: Number.NaN, text: '' };
  readonly #tickets = prepare<{ id: number }, PricedTicket>(this.sqlite, (p) =>
    query
      .selectFrom('tickets')
      .select(['price_min', 'price_max', 'currency', 'availability'])
      .where('record_id', '=', p.id),
  );
  readonly #detail = prepare<{ id: number }, { detail_json: string }>(this.sqlite, (p) =>
    query.selectFrom('event_details').select('detail_json').where('event_id', '=', p.id),
  );
  readonly #position = prepare<{ id: number }, VenuePosition>(this.sqlite, (p) =>
    query
      .selectFrom('events as e')
      .innerJoin('venues as v', 'v.id', 'e.venue_id')
      .select(['v.latitude', 'v.longitude'])
      .where('e.id', '=', p.id),
  );

  /** The list item of an event as JSON text, complete also if it was rendered by an earlier version. */
  complete({ id, item, updated_ts }: StoredEventItem): string {
    const current = isFormerItem(item) ? this.upgrade(id, item).item : item;
    return `${current.slice(0, -1)},"updated_at":"${this.#format(updated_ts)}"}`;
  }

  /** The detail of an event as JSON text. */
  completeDetail(row: StoredEventItem, detail: string): string {
    const { id, item } = row;
    if (!isFormerItem(item)) return `${this.complete(row).slice(0, -1)},${detail}}`;
    const upgraded = this.upgrade(id, item);
    return `${this.complete({ ...row, item: upgraded.item }).slice(0, -1)},${upgraded.detail}}`;
  }

  /** The present rendering of an event that an earlier version rendered. */
  upgrade(id: number, item: string): EventRendering {
    const detail = this.#detail.get({ id })?.detail_json ?? '';
    const position = this.#position.get({ id }) ?? { latitude: null, longitude: null };
    return upgradeRendering({ item, detail }, this.#tickets.all({ id }), position);
  }

  #format(ts: number): string {
    if (this.#lastTime.ts !== ts) this.#lastTime = { ts, text: formatUtc(ts) };
    return this.#lastTime.text;
  }
}
