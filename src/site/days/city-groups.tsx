/** Events of many cities, grouped by city, the city with the most events first. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import type { EventCity } from '../../store/site/events.ts';
import { EventRow } from '../components/event-lists.tsx';
import { countFitting, estimatedBytes, pageBudgetBytes, totalBytes } from '../components/page-budget.ts';
import { withQuery } from '../components/pagination.tsx';
import { cityText, placeText } from '../components/parts.tsx';
import { eventThumbnails } from '../components/pictures.tsx';
import { numberIn } from '../formats/subscriptions.ts';
import { type PageContext, recordPath } from '../page-context.ts';
import { daysParameter } from './scope.ts';

type EventItem = ApiRecord<'EventItem'>;
type CityGroup = { slug: string | null; name: string; country: string | null; events: EventItem[] };

/** Groups events by city; those without a city record are one group, the last. */
export function groupByCity(
  events: readonly EventItem[],
  cities: ReadonlyMap<number, EventCity>,
): CityGroup[] {
  const groups = new Map<string, CityGroup>();
  for (const event of events) {
    const city = cities.get(numberIn(event.id));
    const key = city?.slug ?? '';
    const group = groups.get(key) ?? {
      slug: city?.slug ?? null,
      name: city?.name ?? '',
      country: city?.country ?? null,
      events: [],
    };
    group.events.push(event);
    groups.set(key, group);
  }
  return [...groups.values()].sort(
    (a, b) =>
      Number(a.slug === null) - Number(b.slug === null) ||
      b.events.length - a.events.length ||
      a.name.localeCompare(b.name),
  );
}

/** Events shown at most on a page; each takes about 600 bytes. */
const maxShown = 36;
/** Maximum size of the events of a page, in bytes: beside them it has genres and the names of other cities. */
const maxListBytes = pageBudgetBytes - 5_000;
/** Events of each city, if not all are shown. */
const maxPerCity = 4;

/** Lists events by city. @param when the selected days, for the links to the cities */
export function CityGroups({
  context,
  events,
  when,
  genre,
  by,
  most = maxShown,
}: {
  context: PageContext;
  events: readonly EventItem[];
  when: string;
  /** The selected genres, as the parameter of the links; empty: all. */
  genre: string;
  by: 'time' | 'day';
  most?: number;
}): VNode {
  const { days: words, formats } = context.messages;
  const cities = context.site.events.cities(events.map(({ id }) => numberIn(id)));
  const groups = groupByCity(events, cities);
  const perCity = events.length <= most ? events.length : Math.min(maxPerCity, most);
  let room = most;
  let bytes = maxListBytes;
  const shown = groups.flatMap((group) => {
    const fitting = group.events.slice(0, Math.min(perCity, room));
    const part = fitting.slice(0, countFitting(fitting, estimatedBytes.event, bytes));
    bytes -= totalBytes(fitting, estimatedBytes.event);
    room -= part.length;
    return part.length === 0 ? [] : [{ ...group, part }];
  });
  const thumbnail = eventThumbnails(
    context,
    shown.flatMap(({ part }) => part),
  );
  const rest = groups
    .slice(shown.length)
    .filter(({ slug }) => slug !== null)
    .slice(0, 50);
  const path = (slug: string) =>
    withQuery(recordPath(context, 'city', slug), { genre, [daysParameter]: when });
  return (
    <div class={by === 'day' ? 'listing by-city by-date' : 'listing by-city'}>
      {shown.map(({ slug, name, country, events: all, part }) => (
        <div key={slug ?? ''}>
          <h3>
            {slug === null ? (
              words.noCity
            ) : (
              <a href={path(slug)}>{cityText(context.messages, name, country)}</a>
            )}
            <span class="soft small">
              {' '}
              {placeText(
                slug === null || country === null ? null : formats.country(country),
                context.messages.counts.events(all.length),
              )}
            </span>
          </h3>
          <ul>
            {part.map((event) => (
              <EventRow
                context={context}
                event={event}
                by={by}
                at={slug === null ? null : 'city'}
                thumbnail={thumbnail(event)}
                key={event.id}
              />
            ))}
          </ul>
          {slug !== null && all.length > part.length && (
            <p class="more">
              <a href={path(slug)}>{words.moreIn(name, all.length - part.length)}</a>
            </p>
          )}
        </div>
      ))}
      {rest.length > 0 && (
        <div>
          <h3>{words.otherCity}</h3>
          <ul class="chips">
            {rest.map(({ slug, name, events: all }) => (
              <li key={slug}>
                <a href={path(slug as string)}>
                  {name}
                  <span class="count">{formats.number(all.length)}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      )}
    </div>
  );
}
