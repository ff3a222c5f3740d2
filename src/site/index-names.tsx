/** The lists of records by name: artists, venues, festivals, cities, labels, podcasts. */

import type { VNode } from 'preact';
import { countryCode, countryName } from '../catalogue/countries.ts';
import type { Key } from '../store/list.ts';
import type { Leaf } from './frame.tsx';
import { collectionPage } from './json-ld.ts';
import { CountryFilter, Letters, letterOf } from './name-filters.tsx';
import { Below, Names, placeText } from './parts.tsx';
import type { ListedKind } from './route.ts';
import { type Ask, asked, local, pathOf } from './site.ts';
import { walk, withQuery } from './walks.tsx';

export type NamedKind = Exclude<ListedKind, 'event' | 'genre'>;

const onPage = 150;
const titles: Record<NamedKind, { title: string; path: string; about: string; hasCountry: boolean }> = {
  artist: {
    title: 'Artists',
    path: '/artists',
    about: 'Artists of electronic music with their dates, mixes and labels',
    hasCountry: true,
  },
  venue: {
    title: 'Venues',
    path: '/venues',
    about: 'Clubs and other venues with what is on',
    hasCountry: true,
  },
  festival: {
    title: 'Festivals',
    path: '/festivals',
    about: 'Festivals with their editions, line-ups and timetables',
    hasCountry: true,
  },
  city: {
    title: 'Cities',
    path: '/cities',
    about: 'Cities with their venues and what is on',
    hasCountry: true,
  },
  label: { title: 'Labels', path: '/labels', about: 'Record labels with their artists', hasCountry: true },
  podcast: {
    title: 'Podcasts',
    path: '/podcasts',
    about: 'Mix series and radio shows with their tracklists',
    hasCountry: false,
  },
};

type Item = {
  slug: string;
  name: string;
  url: string;
  city?: string | null;
  country?: string | null;
  publisher?: string | null;
};

const note = (kind: NamedKind, { city, country, publisher }: Item): string =>
  kind === 'venue' || kind === 'festival' ? placeText(city, country) : (publisher ?? country ?? '');

/** The list of a kind; its own page for venues of one city and artists of one genre. */
export function namesIndex(ask: Ask, kind: NamedKind): Leaf {
  const city = kind === 'venue' ? asked(ask, 'city') : '';
  const genre = kind === 'artist' ? asked(ask, 'genre') : '';
  if (city !== '') return venuesOfCity(ask, city);
  if (genre !== '') return artistsOfGenre(ask, genre);
  const { title, path, about, hasCountry } = titles[kind];
  const given = {
    country: hasCountry ? asked(ask, 'country', 100) : '',
    letter: letterOf(asked(ask, 'letter', 4)),
  };
  const code = given.country === '' ? null : countryCode(given.country);
  const start: Key | null = given.letter === '' ? null : [given.letter, ''];
  const source = ask.reader.byName.source(kind, code === null ? {} : { country: code });
  const { items, next } = walk<Item>(ask, source, { limit: onPage, filters: { country: code ?? '' }, start });
  const isWhole = given.country === '' && given.letter === '' && asked(ask, 'cursor') === '';
  const shown = code === null ? title : `${title} in ${countryName(code)}`;
  const own = ask.place.prefix + path;
  return {
    title: shown,
    description: `${about}${code === null ? '' : `: ${countryName(code)}`}.`,
    section: path,
    canonical: isWhole ? path : null,
    crumbs: [{ name: title, path }],
    things: isWhole ? [collectionPage(ask, title, path)] : [],
    children: (
      <>
        <h1>{shown}</h1>
        <p class="lead">{about}.</p>
        {hasCountry && (
          <CountryFilter own={own} country={given.country} unknown={given.country !== '' && code === null} />
        )}
        <Letters own={own} given={given} />
        <Listed
          entries={items.map((item) => ({
            href: local(ask, item.url),
            name: item.name,
            note: note(kind, item),
          }))}
          links={[
            isWhole ? null : { href: withQuery(own, { country: given.country }), label: 'Back to the first' },
            next === null
              ? null
              : {
                  href: withQuery(own, { country: given.country, cursor: next }),
                  label: 'Next',
                  rel: 'next',
                },
          ]}
        />
      </>
    ),
  };
}

function Listed({
  entries,
  links,
}: {
  entries: Parameters<typeof Names>[0]['entries'];
  links: Parameters<typeof Below>[0]['links'];
}): VNode {
  return (
    <section class="flow spaced" aria-labelledby="list">
      <h2 class="hidden" id="list">
        By name
      </h2>
      {entries.length === 0 ? <p class="empty">There is none here.</p> : <Names entries={entries} />}
      <Below links={links} />
    </section>
  );
}

/** A list that belongs to another record. */
function belonging(ask: Ask, kind: NamedKind, title: string, children: VNode): Leaf {
  const { title: all, path } = titles[kind];
  return {
    title,
    description: `${title}.`,
    section: path,
    canonical: null,
    crumbs: [
      { name: all, path },
      { name: title, path: ask.path },
    ],
    children: (
      <>
        <h1>{title}</h1>
        {children}
      </>
    ),
  };
}

const mostVenues = 300;
function venuesOfCity(ask: Ask, slug: string): Leaf {
  const id = ask.reader.find('city', slug.toLowerCase());
  const name = id === null ? slug : (ask.reader.named.one('city', id)?.name ?? slug);
  const venues = id === null ? [] : ask.site.relations.beside('venues of city', id, mostVenues + 1);
  return belonging(
    ask,
    'venue',
    `Venues in ${name}`,
    <>
      <Listed
        entries={venues
          .slice(0, mostVenues)
          .map((venue) => ({ href: pathOf(ask, 'venue', venue.slug), name: venue.name }))}
        links={[
          id === null ? null : { href: pathOf(ask, 'city', slug.toLowerCase()), label: `Back to ${name}` },
        ]}
      />
      {venues.length > mostVenues && (
        <p class="soft">These are the first {mostVenues}; search finds the others.</p>
      )}
    </>,
  );
}

function artistsOfGenre(ask: Ask, slug: string): Leaf {
  const id = ask.reader.find('genre', slug.toLowerCase());
  const name = id === null ? slug : (ask.reader.named.one('genre', id)?.name ?? slug);
  const after = Number(/^\d{1,15}$/.exec(asked(ask, 'after'))?.[0] ?? 0);
  const artists = id === null ? [] : ask.site.relations.artistsOf(id, after, onPage + 1);
  const shown = artists.slice(0, onPage);
  const own = `${ask.place.prefix}/artists`;
  return belonging(
    ask,
    'artist',
    `Artists of ${name}`,
    <Listed
      entries={shown.map((artist) => ({
        href: pathOf(ask, 'artist', artist.slug),
        name: artist.name,
        note: artist.country,
      }))}
      links={[
        after === 0 ? null : { href: withQuery(own, { genre: slug }), label: 'Back to the first' },
        artists.length > onPage
          ? {
              href: withQuery(own, { genre: slug, after: String(shown.at(-1)?.id) }),
              label: 'Next',
              rel: 'next',
            }
          : null,
      ]}
    />,
  );
}
