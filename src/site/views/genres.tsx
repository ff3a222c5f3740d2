/** The tree of genres, and the page of each. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import type { GenreNode } from '../../store/site/relations.ts';
import {
  eventsMode,
  pastEventsSection,
  type RecordEvents,
  upcomingEvents,
  withQuery,
} from '../components/pagination.tsx';
import {
  aboutSection,
  chipsSection,
  Facts,
  Heading,
  InlineLinks,
  LinkChips,
  NavigationLinks,
  type PageSection,
  PageSections,
  SubscribeLinks,
} from '../components/parts.tsx';
import { feedLinks, recordEventsPage } from '../components/record-sections.tsx';
import { type Crumb, collectionPage } from '../formats/json-ld.ts';
import { genreThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, recordPath, unprefixedPath } from '../page-context.ts';

/** With more genres than this, the tree shows only its first two levels; those below are on the genres' pages. */
const maxGenres = 350;

/** The tree of all genres; it unfolds without scripts. */
export function genreListPage(context: PageContext): PageView {
  const { messages } = context;
  const { lists, counts, formats, genre: words } = messages;
  const all = context.figures.genres(context.now);
  const below = new Map<number | null, GenreNode[]>();
  for (const genre of all) {
    const siblings = below.get(genre.parent_id);
    if (siblings === undefined) below.set(genre.parent_id, [genre]);
    else siblings.push(genre);
  }
  const deepest = all.length > maxGenres ? 2 : 12;
  const roots = (below.get(null) ?? []).slice(0, maxGenres);
  return {
    title: lists.genres,
    description: words.listDescription(formats.number(all.length)),
    section: '/genres',
    crumbs: [{ name: lists.genres, path: '/genres' }],
    structuredData: [collectionPage(context, lists.genres, '/genres')],
    children: (
      <>
        <h1>{lists.genres}</h1>
        <p class="lead">{words.listLead(counts.genres(all.length))}</p>
        <section class="tree spaced" aria-label={words.tree}>
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
              <b>{context.messages.common.all(genre.name)}</b>
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
  const { reader, site, now, messages } = context;
  const { common, counts, kinds, genre: words } = messages;
  const genre = reader.details.genre(id, reader.upcoming(now));
  const path = unprefixedPath('genre', genre.slug);
  const crumbs = [...ancestorCrumbs(context, genre.parent?.slug ?? null), { name: genre.name, path }];
  const events: RecordEvents = {
    source: reader.events.source({ genre: id, upcomingAt: now }),
    past: { of: 'genre', id },
  };
  const record = { kind: kinds.genre, name: genre.name, section: '/genres' };
  if (eventsMode(context) !== 'main') return recordEventsPage(context, record, events, crumbs);
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const festivals = site.relations.related('festivals of genre', id, 48);
  const described = [
    aboutSection(messages, genre.description),
    chipsSection(context, { title: words.within, id: 'children' }, 'genre', genre.children.slice(0, 150)),
  ];
  const dates = {
    title: common.upcomingEvents,
    id: 'upcoming',
    content: (
      <>
        {upcoming?.content ?? <p class="empty">{words.noEvents}</p>}
        <SubscribeLinks context={context} path="/events" name={genre.name} query={{ genre: genre.slug }} />
      </>
    ),
  };
  return {
    title: words.title(genre.name),
    description:
      genre.description ??
      words.description(
        genre.name,
        counts.upcomingEvents(genre.upcoming_event_count),
        counts.artists(genre.artist_count),
      ),
    section: '/genres',
    crumbs,
    structuredData: [genreThing(context, genre)],
    feeds: feedLinks(messages, '/events', genre.name, { genre: genre.slug }),
    children: (
      <>
        <GenreHeading context={context} genre={genre} hasEvents={upcoming !== null} />
        <PageSections
          sides={[
            // Dates first; without any, what the genre is.
            ...(upcoming === null ? [...described, dates] : [dates, ...described]),
            artistsSection(context, id, genre),
            chipsSection(context, { title: common.festivals, id: 'festivals' }, 'festival', festivals),
            past !== null && { title: common.pastEvents, id: 'past', content: past },
          ]}
        />
      </>
    ),
  };
}

function GenreHeading({
  context,
  genre,
  hasEvents,
}: {
  context: PageContext;
  genre: ApiRecord<'Genre'>;
  hasEvents: boolean;
}): VNode {
  const { common, counts, formats, kinds } = context.messages;
  return (
    <Heading kind={kinds.genre} name={genre.name}>
      <Facts
        facts={[
          genre.parent && [
            common.partOf,
            <InlineLinks context={context} kind="genre" refs={[genre.parent]} key="p" />,
          ],
          genre.aliases.length > 0 && [common.also, genre.aliases.slice(0, 20).join(', ')],
          genre.artist_count > 0 && [common.artists, formats.number(genre.artist_count)],
          hasEvents && [common.upcoming, counts.events(genre.upcoming_event_count)],
        ]}
      />
    </Heading>
  );
}

/** The first artists of a genre, and the way to all; null without artists. */
function artistsSection(
  context: PageContext,
  id: number,
  { slug, artist_count: count }: ApiRecord<'Genre'>,
): PageSection | null {
  const { common, counts } = context.messages;
  const artists = context.site.relations.artistsOf(id, 0, maxArtists);
  if (artists.length === 0) return null;
  return {
    title: common.artists,
    id: 'artists',
    content: (
      <>
        <LinkChips context={context} kind="artist" refs={artists} />
        <NavigationLinks
          links={[
            count > maxArtists && {
              href: withQuery(`${context.siteUrl.prefix}/artists`, { genre: slug }),
              label: common.all(counts.artists(count)),
            },
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
  return [{ name: context.messages.lists.genres, path: '/genres' }, ...chain];
}
