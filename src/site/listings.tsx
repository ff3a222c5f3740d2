/** Events in lists: those to come by day, those that are over with their dates. */
import type { VNode } from 'preact';
import type { Ref, Shown } from '../contract/records.ts';
import { Status, venueText } from './parts.tsx';
import { type Ask, local } from './site.ts';
import { dateIn, ListDate, ListTime, longDate } from './when.tsx';

type EventItem = Shown<'EventItem'>;

/** So many names of a line-up stand in a list. */
const mostActs = 5;
function Acts({ lineup }: { lineup: readonly Ref[] }): VNode | null {
  if (lineup.length === 0) return null;
  const names = [...new Set(lineup.map(({ name }) => name))];
  const more = names.length - mostActs;
  return <p class="acts">{`${names.slice(0, mostActs).join(', ')}${more > 0 ? ` and ${more} more` : ''}`}</p>;
}

function Row({
  ask,
  event,
  by,
  at,
}: {
  ask: Ask;
  event: EventItem;
  by: 'time' | 'date';
  at: string | null;
}): VNode {
  const place = at === 'venue' ? '' : venueText(event.venue);
  return (
    <li class={event.status === 'cancelled' ? 'off' : undefined}>
      {by === 'time' ? <ListTime event={event} /> : <ListDate event={event} />}
      <div>
        <a class="name" href={local(ask, event.url)}>
          {event.name}
        </a>{' '}
        <Status status={event.status} />
        {place !== '' && <p>{place}</p>}
        <Acts lineup={event.lineup} />
      </div>
    </li>
  );
}

/** Events to come, by day. `at`: all of them are there, so that need not be said. */
export function EventDays({
  ask,
  events,
  at = null,
}: {
  ask: Ask;
  events: readonly EventItem[];
  at?: 'venue' | null;
}): VNode {
  const days: { date: string; events: EventItem[] }[] = [];
  for (const event of events) {
    const date = dateIn(event.start_at);
    const last = days.at(-1);
    if (last?.date === date) last.events.push(event);
    else days.push({ date, events: [event] });
  }
  return (
    <div class="listing">
      {days.map((day, index) => (
        // A day can come twice: lists go by the instant, and zones differ.
        <div key={index}>
          <h3>{longDate(day.date)}</h3>
          <ul>
            {day.events.map((event) => (
              <Row ask={ask} event={event} by="time" at={at} key={event.id} />
            ))}
          </ul>
        </div>
      ))}
    </div>
  );
}

/** Events that are over, each with its date. */
export function PastEvents({
  ask,
  events,
  at = null,
}: {
  ask: Ask;
  events: readonly EventItem[];
  at?: 'venue' | null;
}): VNode {
  return (
    <div class="listing by-date">
      <ul>
        {events.map((event) => (
          <Row ask={ask} event={event} by="date" at={at} key={event.id} />
        ))}
      </ul>
    </div>
  );
}
