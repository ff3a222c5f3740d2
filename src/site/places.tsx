/** The pages of venues and cities. */

import { Address, Geo } from './bill.tsx';
import type { Leaf } from './frame.tsx';
import { knownTo, linkList } from './links.tsx';
import { Below, Chips, country, Facts, Heading, placeText, Sides } from './parts.tsx';
import { countText, feedsOf, onlyEvents, upcomingSide } from './record.tsx';
import { type Ask, plainPath } from './site.ts';
import { cityThing, venueThing } from './things.ts';
import { type EventsOf, eventsMode, latestPast, upcomingEvents, withQuery } from './walks.tsx';
import { zoneText } from './when.tsx';

const nothingHere = 'Nothing is announced here at present. The feed and the calendar tell of new dates.';

/** What is on at a venue, and where it is. @param id the record */
export function venuePage(ask: Ask, id: number): Leaf {
  const { reader, now } = ask;
  const venue = reader.details.venue(id, reader.upcoming(now));
  const path = plainPath('venue', venue.slug);
  const city =
    venue.city_slug === null
      ? []
      : [{ name: venue.city ?? venue.city_slug, path: plainPath('city', venue.city_slug) }];
  const crumbs = [{ name: 'Venues', path: '/venues' }, ...city, { name: venue.name, path }];
  const events: EventsOf = {
    source: reader.events.source({ venue: id, upcomingAt: now }),
    past: { of: 'venue', id },
    at: 'venue',
  };
  if (eventsMode(ask) !== 'main')
    return onlyEvents(ask, { kind: 'Venue', name: venue.name, section: '/venues' }, events, crumbs);
  const upcoming = upcomingEvents(ask, events);
  const past = latestPast(ask, events);
  const links = linkList(venue);
  const known = knownTo(venue.external_ids);
  const place = placeText(venue.city, country(venue.country));
  return {
    title: `${venue.name}${venue.city ? `, ${venue.city}` : ''}`,
    description: `${venue.name}${place ? ` in ${place}` : ''}: ${countText(venue.upcoming_event_count, 'upcoming event')}, address and links.`,
    section: '/venues',
    image: venue.image_url,
    crumbs,
    things: [venueThing(ask, venue)],
    feeds: feedsOf(path, venue.name),
    children: (
      <>
        <Heading kind="Venue" name={venue.name}>
          <p class="lead strong">
            <Address
              ask={ask}
              location={venue.location}
              city={{ slug: venue.city_slug, name: venue.city }}
              code={venue.country}
            />
            <Geo location={venue.location} />
          </p>
          <Facts
            facts={[
              venue.capacity !== null && ['Holds', `${venue.capacity.toLocaleString('en')} people`],
              venue.timezone && ['Time zone', zoneText(venue.timezone, new Date(now).toISOString())],
              upcoming !== null && ['Upcoming', countText(venue.upcoming_event_count, 'event')],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            upcomingSide(ask, { path, name: venue.name }, upcoming, nothingHere),
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

const venuesOnPage = 60;

/** What is on in a city, its venues and festivals. @param id the record */
export function cityPage(ask: Ask, id: number): Leaf {
  const { reader, site, now } = ask;
  const city = reader.details.city(id, reader.upcoming(now));
  const path = plainPath('city', city.slug);
  const crumbs = [
    { name: 'Cities', path: '/cities' },
    { name: city.name, path },
  ];
  const events: EventsOf = {
    source: reader.events.source({ cityId: id, upcomingAt: now }),
    past: { of: 'city', id },
  };
  if (eventsMode(ask) !== 'main')
    return onlyEvents(ask, { kind: 'City', name: city.name, section: '/cities' }, events, crumbs);
  const upcoming = upcomingEvents(ask, events);
  const past = latestPast(ask, events);
  const venues = site.relations.beside('venues of city', id, venuesOnPage);
  const festivals = site.relations.beside('festivals of city', id, 60);
  const place = placeText(city.region === city.name ? null : city.region, country(city.country));
  return {
    title: `Electronic music in ${city.name}, ${country(city.country)}`,
    description: `${city.name}: ${countText(city.upcoming_event_count, 'upcoming event')} at ${countText(city.venue_count, 'venue')}, and festivals.`,
    section: '/cities',
    crumbs,
    things: [cityThing(ask, city)],
    feeds: feedsOf(path, city.name),
    children: (
      <>
        <Heading kind="City" name={city.name}>
          <p class="lead strong">
            {place}
            <Geo
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
        <Sides
          sides={[
            upcomingSide(ask, { path, name: city.name }, upcoming, nothingHere),
            venues.length > 0 && {
              title: 'Venues',
              id: 'venues',
              content: (
                <>
                  <Chips ask={ask} kind="venue" refs={venues} />
                  <Below
                    links={[
                      city.venue_count > venuesOnPage
                        ? {
                            href: withQuery(`${ask.place.prefix}/venues`, { city: city.slug }),
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
              content: <Chips ask={ask} kind="festival" refs={festivals} />,
            },
            past !== null && { title: 'Past events', id: 'past', content: past },
          ]}
        />
      </>
    ),
  };
}
