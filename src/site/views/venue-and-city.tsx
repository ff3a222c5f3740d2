/** The pages of venues and cities. */

import { zoneText } from '../components/dates.tsx';
import { EndingLine } from '../components/lifespan.tsx';
import { Address, MapLink } from '../components/lineup.tsx';
import { knownServices, linkList } from '../components/links.tsx';
import {
  eventsMode,
  pastEventsSection,
  type RecordEvents,
  upcomingEvents,
  withQuery,
} from '../components/pagination.tsx';
import {
  countryText,
  Facts,
  Heading,
  LinkChips,
  NavigationLinks,
  PageSections,
  placeText,
} from '../components/parts.tsx';
import { feedLinks, recordEventsPage, upcomingSection } from '../components/record-sections.tsx';
import { cityThing, venueThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, unprefixedPath } from '../page-context.ts';

/** The upcoming events and the address of a venue. */
export function venuePage(context: PageContext, id: number): PageView {
  const { reader, now, messages } = context;
  const { common, counts, formats, kinds, lists, venue: words } = messages;
  const venue = reader.details.venue(id, reader.upcoming(now));
  const path = unprefixedPath('venue', venue.slug);
  const city =
    venue.city_slug === null
      ? []
      : [{ name: venue.city ?? venue.city_slug, path: unprefixedPath('city', venue.city_slug) }];
  const crumbs = [{ name: lists.venues, path: '/venues' }, ...city, { name: venue.name, path }];
  const events: RecordEvents = {
    source: reader.events.source({ venue: id, upcomingAt: now }),
    past: { of: 'venue', id },
    at: 'venue',
  };
  if (eventsMode(context) !== 'main')
    return recordEventsPage(
      context,
      { kind: kinds.venue, name: venue.name, section: '/venues' },
      events,
      crumbs,
    );
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const links = linkList(messages, venue);
  const known = knownServices(venue.external_ids);
  const place = placeText(venue.city, countryText(messages, venue.country));
  return {
    title: `${venue.name}${venue.city ? `, ${venue.city}` : ''}`,
    description: words.description(venue.name, place, counts.upcomingEvents(venue.upcoming_event_count)),
    section: '/venues',
    image: venue.image_url,
    crumbs,
    structuredData: [venueThing(context, venue)],
    feeds: feedLinks(messages, path, venue.name),
    children: (
      <>
        <Heading kind={kinds.venue} name={venue.name}>
          <EndingLine record={venue} now={now} />
          <p class="lead strong">
            <Address
              context={context}
              location={venue.location}
              city={{ slug: venue.city_slug, name: venue.city }}
              code={venue.country}
            />
            <MapLink location={venue.location} />
          </p>
          <Facts
            facts={[
              venue.capacity !== null && [words.holds, words.people(venue.capacity)],
              venue.timezone && [
                common.timeZone,
                zoneText(formats, venue.timezone, new Date(now).toISOString()),
              ],
              upcoming !== null && [common.upcoming, counts.events(venue.upcoming_event_count)],
            ]}
          />
        </Heading>
        <PageSections
          sides={[
            upcomingSection(context, { path, name: venue.name }, upcoming, common.noEvents),
            past !== null && { title: common.pastEvents, id: 'past', content: past },
            links !== null && {
              title: common.elsewhere,
              id: 'links',
              content: (
                <>
                  {links}
                  {known !== '' && <p class="soft small">{common.knownTo(known)}</p>}
                </>
              ),
            },
          ]}
        />
      </>
    ),
  };
}

const maxVenues = 60;

/** The upcoming events, venues and festivals of a city. */
export function cityPage(context: PageContext, id: number): PageView {
  const { reader, site, now, messages } = context;
  const { common, counts, formats, kinds, lists, city: words } = messages;
  const city = reader.details.city(id, reader.upcoming(now));
  const path = unprefixedPath('city', city.slug);
  const crumbs = [
    { name: lists.cities, path: '/cities' },
    { name: city.name, path },
  ];
  const events: RecordEvents = {
    source: reader.events.source({ cityId: id, upcomingAt: now }),
    past: { of: 'city', id },
  };
  if (eventsMode(context) !== 'main')
    return recordEventsPage(
      context,
      { kind: kinds.city, name: city.name, section: '/cities' },
      events,
      crumbs,
    );
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const venues = site.relations.related('venues of city', id, maxVenues);
  const festivals = site.relations.related('festivals of city', id, 60);
  const place = placeText(
    city.region === city.name ? null : city.region,
    countryText(messages, city.country),
  );
  return {
    title: words.title(city.name, countryText(messages, city.country)),
    description: words.description(
      city.name,
      counts.upcomingEvents(city.upcoming_event_count),
      counts.venues(city.venue_count),
    ),
    section: '/cities',
    crumbs,
    structuredData: [cityThing(context, city)],
    feeds: feedLinks(messages, path, city.name),
    children: (
      <>
        <Heading kind={kinds.city} name={city.name}>
          <p class="lead strong">
            {place}
            <MapLink
              location={{
                address: null,
                postal_code: null,
                latitude: city.latitude,
                longitude: city.longitude,
              }}
            />
          </p>
          <Facts
            facts={[
              city.population !== null && [words.inhabitants, formats.number(city.population)],
              city.timezone && [
                common.timeZone,
                zoneText(formats, city.timezone, new Date(now).toISOString()),
              ],
              upcoming !== null && [common.upcoming, counts.events(city.upcoming_event_count)],
              city.venue_count > 0 && [common.venues, formats.number(city.venue_count)],
            ]}
          />
        </Heading>
        <PageSections
          sides={[
            upcomingSection(context, { path, name: city.name }, upcoming, common.noEvents),
            venues.length > 0 && {
              title: common.venues,
              id: 'venues',
              content: (
                <>
                  <LinkChips context={context} kind="venue" refs={venues} />
                  <NavigationLinks
                    links={[
                      city.venue_count > maxVenues
                        ? {
                            href: withQuery(`${context.siteUrl.prefix}/venues`, { city: city.slug }),
                            label: common.all(counts.venues(city.venue_count)),
                          }
                        : null,
                    ]}
                  />
                </>
              ),
            },
            festivals.length > 0 && {
              title: common.festivals,
              id: 'festivals',
              content: <LinkChips context={context} kind="festival" refs={festivals} />,
            },
            past !== null && { title: common.pastEvents, id: 'past', content: past },
          ]}
        />
      </>
    ),
  };
}
