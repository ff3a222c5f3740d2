/** The pages of artists and labels. */
import type { Ref, Shown } from '../contract/records.ts';
import type { Leaf } from './frame.tsx';
import { artistThing, type Crumb, labelThing } from './json-ld.ts';
import {
  About,
  Below,
  Chips,
  country,
  Editions,
  Facts,
  Heading,
  Inline,
  knownTo,
  linkList,
  Names,
  Sides,
  Subscribe,
} from './parts.tsx';
import { Episodes } from './podcasts.tsx';
import { type Ask, asked, local, pathOf, plainPath } from './site.ts';
import {
  type EventsOf,
  eventsMode,
  eventsPage,
  latestPast,
  upcomingEvents,
  walk,
  withQuery,
} from './walks.tsx';

export const countText = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

const feedsOf = (path: string, name: string) => [
  { path: `${path}.atom`, type: 'application/atom+xml', title: `${name}: upcoming events` },
  { path: `${path}.ics`, type: 'text/calendar', title: `${name}: upcoming events` },
];

export { feedsOf };

/** A page that shows one of a record's lists and nothing else of it. */
export function onlyEvents(
  ask: Ask,
  record: { kind: string; name: string; section: string },
  events: EventsOf,
  crumbs: Crumb[],
): Leaf {
  const { title, content } = eventsPage(ask, events);
  return {
    title: `${title}: ${record.name}`,
    description: `${title} of ${record.name}.`,
    section: record.section,
    canonical: null,
    crumbs: [...crumbs, { name: title, path: ask.path }],
    children: (
      <>
        <Heading kind={record.kind} name={record.name} />
        <Sides sides={[{ title, id: 'events', content }]} />
      </>
    ),
  };
}

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
              ['Upcoming', countText(artist.upcoming_event_count, 'event')],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            {
              title: 'Upcoming events',
              id: 'upcoming',
              content: (
                <>
                  {upcoming?.content ?? (
                    <p class="empty">
                      No dates are known at present. The feed and the calendar tell of new ones.
                    </p>
                  )}
                  <Subscribe ask={ask} path={path} name={artist.name} />
                </>
              ),
            },
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

/** The first entries of a list that is not walked. */
export function walkAll<T>(ask: Ask, source: Parameters<typeof walk>[1], limit: number): T[] {
  return ask.reader
    .page(source, { limit, position: null, binding: () => '' })
    .items.map((item) => JSON.parse(item) as T);
}

const rosterOnPage = 60;

export function labelPage(ask: Ask, id: number): Leaf {
  const { reader, site, now } = ask;
  const label = reader.details.label(id);
  const path = plainPath('label', label.slug);
  const crumbs = [
    { name: 'Labels', path: '/labels' },
    { name: label.name, path },
  ];
  const record = { kind: 'Label', name: label.name, section: '/labels' };
  const roster = reader.byName.source('artist', { roster: id });
  if (asked(ask, 'artists') !== '') return rosterPage(ask, record, roster, crumbs);
  const events: EventsOf = { source: reader.events.labelSource(id, { upcomingAt: now }), past: null };
  if (eventsMode(ask) !== 'main') return onlyEvents(ask, record, events, crumbs);
  const upcoming = upcomingEvents(ask, events);
  const artists = walkAll<Shown<'ArtistItem'>>(ask, roster, rosterOnPage);
  const below = site.relations.beside('labels of label', id, 60);
  const links = linkList(label);
  return {
    title: `${label.name}, record label`,
    description:
      label.description ??
      `${label.name}${label.country ? `, a label from ${country(label.country)}` : ''}: ${countText(label.artist_count, 'artist')} and their upcoming events.`,
    section: '/labels',
    image: label.image_url,
    crumbs,
    things: [labelThing(ask, label)],
    feeds: feedsOf(path, label.name),
    children: (
      <>
        <Heading kind="Label" name={label.name}>
          <Facts
            facts={[
              label.country && ['From', country(label.country)],
              label.founded_year !== null && ['Since', String(label.founded_year)],
              label.parent && [
                'Part of',
                <a href={pathOf(ask, 'label', label.parent.slug)} key="p">
                  {label.parent.name}
                </a>,
              ],
              label.aliases.length > 0 && ['Also', label.aliases.slice(0, 20).join(', ')],
              ['Roster', countText(label.artist_count, 'artist')],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            {
              title: 'Upcoming events',
              id: 'upcoming',
              content: (
                <>
                  {upcoming?.content ?? (
                    <p class="empty">None of its artists has a date that is known at present.</p>
                  )}
                  <Subscribe ask={ask} path={path} name={label.name} />
                </>
              ),
            },
            label.description !== null && {
              title: 'About',
              id: 'about',
              content: <About text={label.description} />,
            },
            artists.length > 0 && {
              title: 'Artists',
              id: 'artists',
              content: (
                <>
                  <Names
                    entries={artists.map((one) => ({
                      href: local(ask, one.url),
                      name: one.name,
                      note: one.country,
                    }))}
                  />
                  <Below
                    links={[
                      label.artist_count > rosterOnPage
                        ? {
                            href: withQuery(ask.place.prefix + path, { artists: 'all' }),
                            label: `All ${countText(label.artist_count, 'artist')}`,
                          }
                        : null,
                    ]}
                  />
                </>
              ),
            },
            below.length > 0 && {
              title: 'Its labels',
              id: 'labels',
              content: <Chips ask={ask} kind="label" refs={below} />,
            },
            links !== null && { title: 'Elsewhere', id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}

function rosterPage(
  ask: Ask,
  record: { kind: string; name: string; section: string },
  source: Parameters<typeof walk>[1],
  crumbs: Crumb[],
): Leaf {
  const { items, next } = walk<Shown<'ArtistItem'>>(ask, source, { limit: 200, filters: { artists: 'all' } });
  const own = ask.place.prefix + ask.path;
  return {
    title: `Artists of ${record.name}`,
    description: `The artists of ${record.name}.`,
    section: record.section,
    canonical: null,
    crumbs: [...crumbs, { name: 'Artists', path: ask.path }],
    children: (
      <>
        <Heading kind={record.kind} name={record.name} />
        <Sides
          sides={[
            {
              title: 'Artists',
              id: 'artists',
              content: (
                <>
                  <Names
                    entries={items.map((one) => ({
                      href: local(ask, one.url),
                      name: one.name,
                      note: one.country,
                    }))}
                  />
                  <Below
                    links={[
                      { href: own, label: 'Back' },
                      next === null
                        ? null
                        : {
                            href: withQuery(own, { artists: 'all', cursor: next }),
                            label: 'Next',
                            rel: 'next',
                          },
                    ]}
                  />
                </>
              ),
            },
          ]}
        />
      </>
    ),
  };
}
