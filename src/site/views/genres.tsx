/** The tree of genres, and the page of each. */
import type { VNode } from 'preact';
import type { GenreNode } from '../../store/site/relations.ts';
import {
  eventsMode,
  pastEventsSection,
  type RecordEvents,
  upcomingEvents,
  withQuery,
} from '../components/pagination.tsx';
import {
  Description,
  Facts,
  Heading,
  InlineLinks,
  LinkChips,
  NavigationLinks,
  PageSections,
} from '../components/parts.tsx';
import { countText, recordEventsPage } from '../components/record-sections.tsx';
import { type Crumb, collectionPage } from '../formats/json-ld.ts';
import { genreThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, recordPath, unprefixedPath } from '../page-context.ts';

/** With more genres than this, the tree shows only its first two levels; those below are on the genres' pages. */
const maxGenres = 350;

/** The tree of all genres; it unfolds without scripts. */
export function genreListPage(context: PageContext): PageView {
  const all = context.figures.genres(context.now);
  const below = new Map<number | null, GenreNode[]>();
  for (const genre of all) below.set(genre.parent_id, [...(below.get(genre.parent_id) ?? []), genre]);
  const deepest = all.length > maxGenres ? 2 : 12;
  const roots = (below.get(null) ?? []).slice(0, maxGenres);
  return {
    title: 'Genres',
    description: `${all.length.toLocaleString('en')} genres of electronic music as a tree, each with its artists and events.`,
    section: '/genres',
    crumbs: [{ name: 'Genres', path: '/genres' }],
    structuredData: [collectionPage(context, 'Genres', '/genres')],
    children: (
      <>
        <h1>Genres</h1>
        <p class="lead">
          {countText(all.length, 'genre')}, each below the genre that it came from. Open one to see its
          subgenres.
        </p>
        <section class="tree spaced" aria-label="Tree of genres">
          <ul>
            {roots.map((genre) => (
              <GenreBranch
                context={context}
                genre={genre}
                below={below}
                depth={1}
                deepest={deepest}
                key={genre.id}
              />
            ))}
          </ul>
        </section>
      </>
    ),
  };
}

type GenreBranchProps = {
  context: PageContext;
  genre: GenreNode;
  below: Map<number | null, GenreNode[]>;
  depth: number;
  deepest: number;
};

function GenreBranch({ context, genre, below, depth, deepest }: GenreBranchProps): VNode {
  const children = depth < deepest ? (below.get(genre.id) ?? []) : [];
  const href = recordPath(context, 'genre', genre.slug);
  if (children.length === 0)
    return (
      <li class="leaf">
        <a href={href}>{genre.name}</a>
      </li>
    );
  return (
    <li>
      <details open={depth === 1}>
        <summary>
          {genre.name} <span class="soft small">{children.length}</span>
        </summary>
        <ul>
          <li class="leaf">
            <a href={href}>
              <b>All {genre.name}</b>
            </a>
          </li>
          {children.map((child) => (
            <GenreBranch
              context={context}
              genre={child}
              below={below}
              depth={depth + 1}
              deepest={deepest}
              key={child.id}
            />
          ))}
        </ul>
      </details>
    </li>
  );
}

const maxArtists = 48;

/** A genre with its subgenres, events and artists. */
export function genrePage(context: PageContext, id: number): PageView {
  const { reader, site, now } = context;
  const genre = reader.details.genre(id, reader.upcoming(now));
  const path = unprefixedPath('genre', genre.slug);
  const crumbs = [...ancestorCrumbs(context, genre.parent?.slug ?? null), { name: genre.name, path }];
  const events: RecordEvents = {
    source: reader.events.source({ genre: id, upcomingAt: now }),
    past: { of: 'genre', id },
  };
  if (eventsMode(context) !== 'main')
    return recordEventsPage(context, { kind: 'Genre', name: genre.name, section: '/genres' }, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const artists = site.relations.artistsOf(id, 0, maxArtists);
  const festivals = site.relations.related('festivals of genre', id, 48);
  return {
    title: `${genre.name}: events, artists and festivals`,
    description:
      genre.description ??
      `${genre.name}: ${countText(genre.upcoming_event_count, 'upcoming event')} and ${countText(genre.artist_count, 'artist')}.`,
    section: '/genres',
    crumbs,
    structuredData: [genreThing(context, genre)],
    children: (
      <>
        <Heading kind="Genre" name={genre.name}>
          <Facts
            facts={[
              genre.parent && [
                'Part of',
                <InlineLinks context={context} kind="genre" refs={[genre.parent]} key="p" />,
              ],
              genre.aliases.length > 0 && ['Also', genre.aliases.slice(0, 20).join(', ')],
              genre.artist_count > 0 && ['Artists', genre.artist_count.toLocaleString('en')],
              upcoming !== null && ['Upcoming', countText(genre.upcoming_event_count, 'event')],
            ]}
          />
        </Heading>
        <PageSections
          sides={[
            genre.description !== null && {
              title: 'About',
              id: 'about',
              content: <Description text={genre.description} />,
            },
            genre.children.length > 0 && {
              title: 'Within it',
              id: 'children',
              content: <LinkChips context={context} kind="genre" refs={genre.children.slice(0, 150)} />,
            },
            {
              title: 'Upcoming events',
              id: 'upcoming',
              content: upcoming?.content ?? <p class="empty">No upcoming events of this genre.</p>,
            },
            artists.length > 0 && {
              title: 'Artists',
              id: 'artists',
              content: (
                <>
                  <LinkChips context={context} kind="artist" refs={artists} />
                  <NavigationLinks
                    links={[
                      genre.artist_count > maxArtists
                        ? {
                            href: withQuery(`${context.siteUrl.prefix}/artists`, { genre: genre.slug }),
                            label: `All ${countText(genre.artist_count, 'artist')}`,
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

/** The ancestors of a genre, root first. */
function ancestorCrumbs(context: PageContext, slug: string | null): Crumb[] {
  const all = new Map(context.figures.genres(context.now).map((genre) => [genre.id, genre]));
  const chain: Crumb[] = [];
  let id = slug === null ? null : context.reader.find('genre', slug);
  for (let steps = 0; id !== null && steps < 12; steps++) {
    const genre = all.get(id);
    if (genre === undefined) break;
    chain.unshift({ name: genre.name, path: unprefixedPath('genre', genre.slug) });
    id = genre.parent_id;
  }
  return [{ name: 'Genres', path: '/genres' }, ...chain];
}
