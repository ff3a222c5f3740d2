/** Lists of events: upcoming ones by day, past ones with their dates. */
import type { VNode } from 'preact';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import { useMessages } from '../../pages/messages/messages.ts';
import { type PageContext, resolvePath } from '../page-context.ts';
import { ListDate, ListDay, ListTime, localDate } from './dates.tsx';
import { priceText } from './lineup.tsx';
import { StatusTag, venueText } from './parts.tsx';
import { eventThumbnails, Thumbnail } from './pictures.tsx';

type EventItem = ApiRecord<'EventItem'>;

/** Maximum number of line-up names per list entry. */
const maxActs = 5;
function ActNames({ lineup }: { lineup: readonly RecordRef[] }): VNode | null {
  if (lineup.length === 0) return null;
  const names = [...new Set(lineup.map(({ name }) => name))];
  const more = names.length - maxActs;
  const { common } = useMessages();
  return (
    <p class="acts">{`${names.slice(0, maxActs).join(', ')}${more > 0 ? ` ${common.andCountMore(more)}` : ''}`}</p>
  );
}

/** What all events of a list share, which entries omit: their venue, or their city. */
export type SharedPlace = 'venue' | 'city' | null;

/** An entry of a list of events. */
export function EventRow({
  context,
  event,
  by,
  at,
  thumbnail = null,
  withPrice = false,
}: {
  context: PageContext;
  event: EventItem;
  by: 'time' | 'date' | 'day';
  at: SharedPlace;
  thumbnail?: string | null;
  /** Whether the entry states the price of the tickets, if it is known. */
  withPrice?: boolean;
}): VNode {
  const messages = useMessages();
  const whole = venueText(messages, event.venue);
  const price = withPrice ? priceText(messages.formats, event) : '';
  const place = at === 'venue' ? '' : at === 'city' ? (event.venue.name ?? '') : whole;
  const looks = [event.status === 'cancelled' && 'off', thumbnail !== null && 'seen'].filter(Boolean);
  return (
    <li class={looks.length > 0 ? looks.join(' ') : undefined}>
      {by === 'time' && <ListTime event={event} />}
      {by === 'date' && <ListDate event={event} />}
      {by === 'day' && <ListDay event={event} />}
      <div>
        <a class="name" href={resolvePath(context, event.url)}>
          {event.name}
        </a>{' '}
        <StatusTag status={event.status} />
        {place !== '' && <p>{place}</p>}
        <ActNames lineup={event.lineup} />
        {price !== '' && <p class="price">{`${messages.days.price}: ${price}`}</p>}
      </div>
      {thumbnail !== null && <Thumbnail src={thumbnail} />}
    </li>
  );
}

/** Lists are sorted by instant. Across time zones, days and clock times would then go back and forth. */
function groupByDay(events: readonly EventItem[]): { date: string; events: EventItem[] }[] {
  const days = new Map<string, EventItem[]>();
  for (const event of events) {
    const date = localDate(event.start_at);
    const day = days.get(date);
    if (day === undefined) days.set(date, [event]);
    else day.push(event);
  }
  const clock = ({ start_at }: EventItem) => start_at.slice(11, 16);
  return [...days]
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([date, all]) => ({
      date,
      events: all.sort((a, b) => (clock(a) < clock(b) ? -1 : clock(a) > clock(b) ? 1 : 0)),
    }));
}

/** Upcoming events by day. @param at the place of all events, which entries omit */
export function EventsByDay({
  context,
  events,
  at = null,
  heading: Heading = 'h3',
  withPrices = false,
}: {
  context: PageContext;
  events: readonly EventItem[];
  at?: SharedPlace;
  /** The element of each day's date, one level below the heading of the list. */
  heading?: 'h2' | 'h3';
  withPrices?: boolean;
}): VNode {
  const days = groupByDay(events);
  const thumbnail = eventThumbnails(context, events);
  return (
    <div class="listing">
      {days.map((day) => (
        <div key={day.date}>
          <Heading>{context.messages.formats.longDate(day.date)}</Heading>
          <ul>
            {day.events.map((event) => (
              <EventRow
                context={context}
                event={event}
                by="time"
                at={at}
                thumbnail={thumbnail(event)}
                withPrice={withPrices}
                key={event.id}
              />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Past events, each with its date. */
export function PastEvents({
  context,
  events,
  at = null,
}: {
  context: PageContext;
  events: readonly EventItem[];
  at?: SharedPlace;
}): VNode {
  const thumbnail = eventThumbnails(context, events);
  return (
    <div class="listing by-date">
      <ul>
        {events.map((event) => (
          <EventRow
            context={context}
            event={event}
            by="date"
            at={at}
            thumbnail={thumbnail(event)}
            key={event.id}
          />
        ))}
      </ul>
    </div>
  );
}
