/** The page of an artist. */
import type { Ref, Shown } from '../contract/records.ts';
import type { Leaf } from './frame.tsx';
import { knownTo, linkList } from './links.tsx';
import { About, country, Editions, Facts, Heading, Inline, Sides } from './parts.tsx';
import { Episodes } from './podcasts.tsx';
import { countText, feedsOf, onlyEvents, upcomingSide, walkAll } from './record.tsx';
import { type Ask, plainPath } from './site.ts';
import { artistThing } from './things.ts';
import { type EventsOf, eventsMode, latestPast, upcomingEvents } from './walks.tsx';

/** Dates, festivals, mixes, labels and links of an artist. @param id the record */
export function artistPage(ask: Ask, id: number): Leaf {
  const { reader, site, now } = ask;
  const artist = reader.details.artist(id, reader.upcoming(now));
  const path = plainPath('artist', artist.slug);
  const crumbs = [
    { name: 'Artists', path: '/artists' },
    { name: artist.name, path },
  ];
  const events: EventsOf = {
    source: reader.events.source({ artist: id, upcomingAt: now }),
    past: { of: 'artist', id },
  };
  if (eventsMode(ask) !== 'main')
    return onlyEvents(ask, { kind: 'Artist', name: artist.name, section: '/artists' }, events, crumbs);
  const genres = walkAll<Ref>(ask, reader.byName.source('genre', { artist: id }, true), 30);
  const upcoming = upcomingEvents(ask, events);
  const past = latestPast(ask, events);
  const editions = site.relations.editionsOf(id, now, 12);
  const labels = site.relations.beside('labels of artist', id, 30);
  const mixes = site.relations.episodesOf(id, 'by', 8);
  const heard = site.relations.episodesOf(id, 'with', 8);
  const links = linkList(artist);
  const known = knownTo(artist.external_ids);
  return {
    title: artist.name,
    description: artist.biography ?? described(artist, genres),
    section: '/artists',
    type: 'profile',
    image: artist.image_url,
    crumbs,
    things: [artistThing(ask, artist, genres)],
    feeds: feedsOf(path, artist.name),
    children: (
      <>
        <Heading kind="Artist" name={artist.name}>
          <Facts
            facts={[
              artist.country && ['From', country(artist.country)],
              artist.real_name && ['Real name', artist.real_name],
              artist.aliases.length > 0 && ['Also', artist.aliases.slice(0, 20).join(', ')],
              genres.length > 0 && ['Genres', <Inline ask={ask} kind="genre" refs={genres} key="genres" />],
              labels.length > 0 && ['Labels', <Inline ask={ask} kind="label" refs={labels} key="labels" />],
              upcoming !== null && ['Upcoming', countText(artist.upcoming_event_count, 'event')],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            upcomingSide(
              ask,
              { path, name: artist.name },
              upcoming,
              'No dates are known at present. The feed and the calendar tell of new ones.',
            ),
            editions.length > 0 && {
              title: 'Festivals to come',
              id: 'festivals',
              content: <Editions ask={ask} editions={editions} />,
            },
            artist.biography !== null && {
              title: 'About',
              id: 'about',
              content: <About text={artist.biography} />,
            },
            mixes.length > 0 && {
              title: 'Mixes',
              id: 'mixes',
              content: <Episodes ask={ask} episodes={mixes} named />,
            },
            heard.length > 0 && {
              title: 'Played in',
              id: 'heard',
              content: <Episodes ask={ask} episodes={heard} named />,
            },
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

function described(
  { name, country: code, upcoming_event_count: count }: Shown<'Artist'>,
  genres: readonly Ref[],
): string {
  const what = genres
    .slice(0, 3)
    .map((genre) => genre.name)
    .join(', ');
  const from = country(code);
  return `${name}${from ? ` from ${from}` : ''}${what ? `: ${what}` : ''}. ${countText(count, 'upcoming event')}, mixes and labels.`;
}
