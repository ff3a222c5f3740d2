/** The page of a label. */
import type { Shown } from '../contract/records.ts';
import type { Leaf } from './frame.tsx';
import type { Crumb } from './json-ld.ts';
import { linkList } from './links.tsx';
import { About, Below, Chips, country, Facts, Heading, Names, Sides } from './parts.tsx';
import { countText, feedsOf, onlyEvents, upcomingSide, walkAll } from './record.tsx';
import { type Ask, asked, local, pathOf, plainPath } from './site.ts';
import { labelThing } from './things.ts';
import { type EventsOf, eventsMode, upcomingEvents, walk, withQuery } from './walks.tsx';

const rosterOnPage = 60;

/** Roster and upcoming events of a label. @param id the record */
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
            upcomingSide(
              ask,
              { path, name: label.name },
              upcoming,
              'None of its artists has a date that is known at present.',
            ),
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
