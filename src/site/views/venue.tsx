/** The page of a venue. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { zoneText } from '../components/dates.tsx';
import { EndingLine } from '../components/lifespan.tsx';
import { Address, MapLink } from '../components/lineup.tsx';
import { mapSection } from '../components/map.tsx';
import {
  eventsMode,
  pastEventsSection,
  type RecordEvents,
  upcomingEvents,
} from '../components/pagination.tsx';
import { cityText, countryText, Facts, Heading, PageSections, placeText } from '../components/parts.tsx';
import { RecordPicture } from '../components/pictures.tsx';
import { feedLinks, linkSection, recordEventsPage, upcomingSection } from '../components/record-sections.tsx';
import { venueThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, unprefixedPath } from '../page-context.ts';

/** The upcoming events and the address of a venue. */
export function venuePage(context: PageContext, id: number): PageView {
  const { reader, now, messages } = context;
  const { common, counts, kinds, lists, venue: words } = messages;
  const venue = reader.details.venue(id, reader.upcoming(now));
  const path = unprefixedPath('venue', venue.slug);
  const town = cityText(messages, venue.city, venue.country);
  const city =
    venue.city_slug === null
      ? []
      : [{ name: town ?? venue.city_slug, path: unprefixedPath('city', venue.city_slug) }];
  const crumbs = [{ name: lists.venues, path: '/venues' }, ...city, { name: venue.name, path }];
  const events: RecordEvents = {
    source: reader.events.source({ venue: id, upcomingAt: now }),
    past: { of: 'venue', id },
    at: 'venue',
  };
  const record = { kind: kinds.venue, name: venue.name, section: '/venues' };
  if (eventsMode(context) !== 'main') return recordEventsPage(context, record, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const place = placeText(town, countryText(messages, venue.country));
  return {
    title: `${venue.name}${town ? `, ${town}` : ''}`,
    description: words.description(venue.name, place, counts.upcomingEvents(venue.upcoming_event_count)),
    section: '/venues',
    crumbs,
    structuredData: [venueThing(context, venue)],
    feeds: feedLinks(messages, path, venue.name),
    children: (
      <>
        <VenueHeading context={context} venue={venue} hasEvents={upcoming !== null} />
        <PageSections
          sides={[
            upcomingSection(
              context,
              { path, name: venue.name, isEnded: venue.status === 'closed' },
              upcoming,
              common.noEvents,
            ),
            mapSection(context, venue.name, venue.location, 'venue'),
            past !== null && { title: common.pastEvents, id: 'past', content: past },
            linkSection(messages, venue),
          ]}
        />
      </>
    ),
  };
}

function VenueHeading({
  context,
  venue,
  hasEvents,
}: {
  context: PageContext;
  venue: ApiRecord<'Venue'>;
  hasEvents: boolean;
}): VNode {
  const { now, messages } = context;
  const { common, counts, formats, kinds, venue: words } = messages;
  return (
    <Heading
      kind={kinds.venue}
      name={venue.name}
      picture={<RecordPicture context={context} record={venue} />}
    >
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
          venue.timezone && [common.timeZone, zoneText(formats, venue.timezone, new Date(now).toISOString())],
          hasEvents && [common.upcoming, counts.events(venue.upcoming_event_count)],
        ]}
      />
    </Heading>
  );
}
