/** The festivals that take place in a city on some days. */

import type { VNode } from 'preact';
import { Temporal } from 'temporal-polyfill';
import type { ApiRecord } from '../../contract/records.ts';
import { EditionList } from '../components/parts.tsx';
import type { PageContext } from '../page-context.ts';

const maxEditions = 10;
const latest = 8.64e15;
/** A festival night belongs to the day on which it began. */
const nightEnd = '06:00';

/** The days of a list, yyyy-mm-dd, local to a zone; null without a bound. */
export type FestivalDays = { first: string | null; last: string | null; zone: string | null };

/** Festival editions that take place in a city on the days; those that are over only if all the days are. */
export function editionsInCity(
  { site, now }: PageContext,
  cityId: number,
  { first, last, zone }: FestivalDays,
): ApiRecord<'EditionItem'>[] {
  const at = (date: Temporal.PlainDate, plainTime: string): number =>
    date.toZonedDateTime({ timeZone: zone ?? 'UTC', plainTime }).epochMilliseconds;
  const begins = first === null ? now : at(Temporal.PlainDate.from(first), nightEnd);
  const ends = last === null ? latest : at(Temporal.PlainDate.from(last).add({ days: 1 }), '00:00');
  const isOver = ends <= now;
  return site.relations.editionsInCity(cityId, isOver ? begins : Math.max(begins, now), ends, maxEditions);
}

/** A section with the festivals of a city on the days; null if there are none. */
export function CityFestivals({
  context,
  city: { id, name },
  days,
}: {
  context: PageContext;
  city: { id: number; name: string };
  days: FestivalDays;
}): VNode | null {
  const editions = editionsInCity(context, id, days);
  if (editions.length === 0) return null;
  return (
    <section class="spaced" aria-labelledby="running-festivals">
      <h2 id="running-festivals">{context.messages.days.festivalsIn(name)}</h2>
      <EditionList context={context} editions={editions} />
    </section>
  );
}
