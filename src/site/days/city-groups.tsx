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

/** Groups events by city, with its name in the catalogue; those without a city record are one group, the last. */
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

/** Events of a group that the page has room for. */
type FittedGroup = CityGroup & { part: EventItem[] };

/**
 * Returns the groups that fit into a page, each with its first events.
 * @param most the number of events of all groups together
 */
function fitGroups(groups: readonly CityGroup[], eventCount: number, most: number): FittedGroup[] {
  const perCity = eventCount <= most ? eventCount : Math.min(maxPerCity, most);
  let room = most;
  let bytes = maxListBytes;
  return groups.flatMap((group) => {
    const first = group.events.slice(0, Math.min(perCity, room));
    const part = first.slice(0, countFitting(first, estimatedBytes.event, bytes));
    bytes -= totalBytes(first, estimatedBytes.event);
    room -= part.length;
    return part.length === 0 ? [] : [{ ...group, part }];
  });
}

type CityGroupsProps = {
  context: PageContext;
  events: readonly EventItem[];
  /** The selected days, for the links to the cities. */
  when: string;
  /** The selected genres, as the parameter of the links; empty: all. */
  genre: string;
  by: 'time' | 'day';
  /** Events shown at most. */
  most?: number;
};

/** Lists events by city: the first ones of each, then the names of the cities for which there is no room. */
export function CityGroups({ context, events, when, genre, by, most = maxShown }: CityGroupsProps): VNode {
  const cities = context.site.events.cities(events.map(({ id }) => numberIn(id)));
  const groups = groupByCity(events, cities).map(
    (group): CityGroup => ({ ...group, name: cityText(context.messages, group.name, group.country) }),
  );
  const fitted = fitGroups(groups, events.length, most);
  const thumbnail = eventThumbnails(
    context,
    fitted.flatMap(({ part }) => part),
  );
  const rest = groups
    .slice(fitted.length)
    .filter(({ slug }) => slug !== null)
    .slice(0, 50);
  const pathOf = (slug: string) =>
    withQuery(recordPath(context, 'city', slug), { genre, [daysParameter]: when });
  return (
    <div class={by === 'day' ? 'listing by-city by-date' : 'listing by-city'}>
      {fitted.map((group) => (
        <EventsOfCity {...{ context, group, by, thumbnail, pathOf }} key={group.slug ?? ''} />
      ))}
      {rest.length > 0 && <OtherCities context={context} groups={rest} pathOf={pathOf} />}
    </div>
  );
}

/** The first events of a city, with a link to the others. */
function EventsOfCity({
  context,
  group: { slug, name, country, events, part },
  by,
  thumbnail,
  pathOf,
}: {
  context: PageContext;
  group: FittedGroup;
  by: 'time' | 'day';
  thumbnail: (event: EventItem) => string | null;
  pathOf: (slug: string) => string;
}): VNode {
  const { days: words, formats, counts } = context.messages;
  return (
    <div>
      <h3>
        {slug === null ? words.noCity : <a href={pathOf(slug)}>{name}</a>}
        <span class="soft small">
          {' '}
          {placeText(
            slug === null || country === null ? null : formats.country(country),
            counts.events(events.length),
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
      {slug !== null && events.length > part.length && (
        <p class="more">
          <a href={pathOf(slug)}>{words.moreIn(name, events.length - part.length)}</a>
        </p>
      )}
    </div>
  );
}

/** The cities whose events are not shown, with the number of each. */
function OtherCities({
  context,
  groups,
  pathOf,
}: {
  context: PageContext;
  groups: readonly CityGroup[];
  pathOf: (slug: string) => string;
}): VNode {
  const { days: words, formats } = context.messages;
  return (
    <div>
      <h3>{words.otherCity}</h3>
      <ul class="chips">
        {groups.map(({ slug, name, events }) => (
          <li key={slug}>
            <a href={pathOf(slug as string)}>
              {name}
              <span class="count">{formats.number(events.length)}</span>
            </a>
          </li>
        ))}
      </ul>
    </div>
  );
}
