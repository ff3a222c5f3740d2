/** The pages of venues and cities. */

import { zoneText } from '../components/dates.tsx';
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
import { countText, feedLinks, recordEventsPage, upcomingSection } from '../components/record-sections.tsx';
import { cityThing, venueThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, unprefixedPath } from '../page-context.ts';

const noEventsText = 'No upcoming events. New ones appear in the feed and the calendar.';

/** The upcoming events and the address of a venue. */
export function venuePage(context: PageContext, id: number): PageView {
  const { reader, now } = context;
  const venue = reader.details.venue(id, reader.upcoming(now));
  const path = unprefixedPath('venue', venue.slug);
  const city =
    venue.city_slug === null
      ? []
      : [{ name: venue.city ?? venue.city_slug, path: unprefixedPath('city', venue.city_slug) }];
  const crumbs = [{ name: 'Venues', path: '/venues' }, ...city, { name: venue.name, path }];
  const events: RecordEvents = {
    source: reader.events.source({ venue: id, upcomingAt: now }),
    past: { of: 'venue', id },
    at: 'venue',
  };
  if (eventsMode(context) !== 'main')
    return recordEventsPage(context, { kind: 'Venue', name: venue.name, section: '/venues' }, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const links = linkList(venue);
  const known = knownServices(venue.external_ids);
  const place = placeText(venue.city, countryText(venue.country));
  return {
    title: `${venue.name}${venue.city ? `, ${venue.city}` : ''}`,
    description: `${venue.name}${place ? ` in ${place}` : ''}: ${countText(venue.upcoming_event_count, 'upcoming event')}, address and links.`,
    section: '/venues',
    image: venue.image_url,
    crumbs,
    structuredData: [venueThing(context, venue)],
    feeds: feedLinks(path, venue.name),
    children: (
      <>
        <Heading kind="Venue" name={venue.name}>
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
              venue.capacity !== null && ['Holds', `${venue.capacity.toLocaleString('en')} people`],
              venue.timezone && ['Time zone', zoneText(venue.timezone, new Date(now).toISOString())],
              upcoming !== null && ['Upcoming', countText(venue.upcoming_event_count, 'event')],
            ]}
          />
        </Heading>
        <PageSections
          sides={[
            upcomingSection(context, { path, name: venue.name }, upcoming, noEventsText),
            past !== null && { title: 'Past events', id: 'past', content: past },
            links !== null && {
              title: 'Elsewhere',
              id: 'links',
              content: (
                <>
                  {links}
                  {known !== '' && <p class="soft small">Known to {known}.</p>}
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
  const { reader, site, now } = context;
  const city = reader.details.city(id, reader.upcoming(now));
  const path = unprefixedPath('city', city.slug);
  const crumbs = [
    { name: 'Cities', path: '/cities' },
    { name: city.name, path },
  ];
  const events: RecordEvents = {
    source: reader.events.source({ cityId: id, upcomingAt: now }),
    past: { of: 'city', id },
  };
  if (eventsMode(context) !== 'main')
    return recordEventsPage(context, { kind: 'City', name: city.name, section: '/cities' }, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const venues = site.relations.related('venues of city', id, maxVenues);
  const festivals = site.relations.related('festivals of city', id, 60);
  const place = placeText(city.region === city.name ? null : city.region, countryText(city.country));
  return {
    title: `Electronic music in ${city.name}, ${countryText(city.country)}`,
    description: `${city.name}: ${countText(city.upcoming_event_count, 'upcoming event')} at ${countText(city.venue_count, 'venue')}, and festivals.`,
    section: '/cities',
    crumbs,
    structuredData: [cityThing(context, city)],
    feeds: feedLinks(path, city.name),
    children: (
      <>
        <Heading kind="City" name={city.name}>
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
              city.population !== null && ['Inhabitants', city.population.toLocaleString('en')],
              city.timezone && ['Time zone', zoneText(city.timezone, new Date(now).toISOString())],
              upcoming !== null && ['Upcoming', countText(city.upcoming_event_count, 'event')],
              city.venue_count > 0 && ['Venues', city.venue_count.toLocaleString('en')],
            ]}
          />
        </Heading>
        <PageSections
          sides={[
            upcomingSection(context, { path, name: city.name }, upcoming, noEventsText),
            venues.length > 0 && {
              title: 'Venues',
              id: 'venues',
              content: (
                <>
                  <LinkChips context={context} kind="venue" refs={venues} />
                  <NavigationLinks
                    links={[
                      city.venue_count > maxVenues
                        ? {
                            href: withQuery(`${context.siteUrl.prefix}/venues`, { city: city.slug }),
                            label: `All ${countText(city.venue_count, 'venue')}`,
                          }
                        : null,
                    ]}
                  />
                </>
              ),
            },
            festivals.length > 0 && {
              title: 'Festivals',
              id: 'festivals',
              content: <LinkChips context={context} kind="festival" refs={festivals} />,
            },
            past !== null && { title: 'Past events', id: 'past', content: past },
          ]}
        />
      </>
    ),
  };
}
