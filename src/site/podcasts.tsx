/** The pages of podcasts and their episodes. */
import type { VNode } from 'preact';
import type { Ref, Shown } from '../contract/records.ts';
import type { Leaf } from './frame.tsx';
import { linkList, Out } from './links.tsx';
import { About, Below, Facts, Heading, Inline, Sides } from './parts.tsx';
import { type Ask, asked, isWeb, local, pathOf, plainPath } from './site.ts';
import { episodeThing, podcastThing } from './things.ts';
import { walk, withQuery } from './walks.tsx';
import { clockOf, dateIn, shortDate } from './when.tsx';

type EpisodeItem = Shown<'EpisodeItem'>;

/** Episodes in a list; `named` says of which podcast each is. */
export function Episodes({
  ask,
  episodes,
  named = false,
}: {
  ask: Ask;
  episodes: readonly EpisodeItem[];
  named?: boolean;
}): VNode {
  return (
    <ul class="rows">
      {episodes.map((episode) => (
        <li key={episode.id}>
          <span class="what">
            <a href={local(ask, episode.url)}>
              <strong>{episode.name}</strong>
            </a>
            {named && <span class="soft"> {episode.podcast.name}</span>}
            {!named && episode.artists.length > 0 && (
              <span class="soft">
                {' '}
                {episode.artists
                  .slice(0, 4)
                  .map(({ name }) => name)
                  .join(', ')}
              </span>
            )}
          </span>
          <span class="small mono">
            {episode.published_at !== null && (
              <time datetime={dateIn(episode.published_at)}>{shortDate(dateIn(episode.published_at))}</time>
            )}
            {episode.duration_seconds !== null &&
              `${episode.published_at === null ? '' : ' · '}${clockOf(episode.duration_seconds)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

const onPage = 40;

/** A podcast with its episodes, newest first. @param id the record */
export function podcastPage(ask: Ask, id: number): Leaf {
  const { reader } = ask;
  const podcast = reader.details.podcast(id);
  const path = plainPath('podcast', podcast.slug);
  const { items, next } = walk<EpisodeItem>(ask, reader.episodes(id), { limit: onPage });
  const isFirst = asked(ask, 'cursor') === '';
  const links = linkList(podcast);
  const own = ask.place.prefix + path;
  const feed = podcast.feed_url;
  return {
    title: `${podcast.name}, podcast`,
    description:
      podcast.description ??
      `${podcast.name}${podcast.publisher ? ` by ${podcast.publisher}` : ''}: ${podcast.episode_count.toLocaleString('en')} episodes with artists and tracklists.`,
    section: '/podcasts',
    image: podcast.image_url,
    canonical: isFirst ? path : null,
    crumbs: [
      { name: 'Podcasts', path: '/podcasts' },
      { name: podcast.name, path },
    ],
    things: [podcastThing(ask, podcast)],
    children: (
      <>
        <Heading kind="Podcast" name={podcast.name}>
          <Facts
            facts={[
              podcast.publisher && ['By', podcast.publisher],
              ['Episodes', podcast.episode_count.toLocaleString('en')],
              podcast.latest_episode_at && ['Latest', shortDate(dateIn(podcast.latest_episode_at))],
              isWeb(feed) && [
                'Feed',
                <Out href={feed} key="feed">
                  {new URL(feed).hostname}
                </Out>,
              ],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            isFirst &&
              podcast.description !== null && {
                title: 'About',
                id: 'about',
                content: <About text={podcast.description} />,
              },
            {
              title: 'Episodes',
              id: 'episodes',
              content: (
                <>
                  {items.length === 0 ? (
                    <p class="empty">No episode is on record yet.</p>
                  ) : (
                    <Episodes ask={ask} episodes={items} />
                  )}
                  <Below
                    links={[
                      isFirst ? null : { href: own, label: 'Back to the newest' },
                      next === null
                        ? null
                        : { href: withQuery(own, { cursor: next }), label: 'Earlier episodes', rel: 'next' },
                    ]}
                  />
                </>
              ),
            },
            links !== null && { title: 'Elsewhere', id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}

const mostTracks = 200;

/** An episode with its tracklist. @param id the record */
export function episodePage(ask: Ask, id: number): Leaf {
  const { reader } = ask;
  const episode = reader.details.episode(id);
  const tracks = reader.inner.all('tracks', id).map(([json]) => JSON.parse(json) as Shown<'Track'>);
  const audio = episode.audio_url;
  const by = episode.artists.map(({ name }) => name).join(', ');
  return {
    title: `${episode.name}, ${episode.podcast.name}`,
    description:
      episode.description ??
      `${episode.name}, an episode of ${episode.podcast.name}${by ? ` by ${by}` : ''}${tracks.length ? `, with a tracklist of ${tracks.length}` : ''}.`,
    section: '/podcasts',
    type: 'article',
    image: episode.image_url,
    crumbs: [
      { name: 'Podcasts', path: '/podcasts' },
      { name: episode.podcast.name, path: plainPath('podcast', episode.podcast.slug) },
      { name: episode.name, path: plainPath('episode', episode.slug) },
    ],
    things: [episodeThing(ask, episode)],
    children: (
      <>
        <Heading kind="Episode" name={episode.name}>
          <Facts
            facts={[
              [
                'Podcast',
                <a href={pathOf(ask, 'podcast', episode.podcast.slug)} key="p">
                  {episode.podcast.name}
                </a>,
              ],
              episode.artists.length > 0 && [
                'Artists',
                <Inline ask={ask} kind="artist" refs={episode.artists} key="a" />,
              ],
              episode.number !== null && ['Number', String(episode.number)],
              episode.published_at && [
                'Published',
                <time datetime={episode.published_at} key="t">
                  {shortDate(dateIn(episode.published_at))}
                </time>,
              ],
              episode.duration_seconds !== null && ['Length', clockOf(episode.duration_seconds)],
              isWeb(audio) && ['Listen', <Out href={audio} key="l">{`at ${new URL(audio).hostname}`}</Out>],
            ]}
          />
        </Heading>
        <Sides
          sides={[
            tracks.length > 0 && {
              title: 'Tracklist',
              id: 'tracks',
              content: <Tracks ask={ask} tracks={tracks} />,
            },
            episode.description !== null && {
              title: 'About',
              id: 'about',
              content: <About text={episode.description} />,
            },
          ]}
        />
      </>
    ),
  };
}

function Tracks({ ask, tracks }: { ask: Ask; tracks: readonly Shown<'Track'>[] }): VNode {
  return (
    <>
      <ol class="tracks">
        {tracks.slice(0, mostTracks).map((track) => (
          <li key={track.position}>
            <span class="at">
              {track.start_seconds === null ? track.position : clockOf(track.start_seconds)}
            </span>
            <span>
              <TrackText ask={ask} track={track} />
            </span>
          </li>
        ))}
      </ol>
      {tracks.length > mostTracks && <p class="soft">and {tracks.length - mostTracks} more</p>}
    </>
  );
}

/** The artist as the tracklist writes it, linked where that is one artist on record. */
function TrackText({ ask, track }: { ask: Ask; track: Shown<'Track'> }): VNode {
  const [only, ...others] = track.artists as [Ref?, ...Ref[]];
  const linked = only !== undefined && others.length === 0;
  const label = track.label?.name ?? track.label_name;
  return (
    <>
      {linked ? (
        <a href={pathOf(ask, 'artist', only.slug)}>{track.artist_name ?? only.name}</a>
      ) : track.artists.length > 0 ? (
        <Inline ask={ask} kind="artist" refs={track.artists} />
      ) : (
        (track.artist_name ?? 'ID')
      )}
      {' – '}
      {track.title ?? 'ID'}
      {label && (
        <span class="soft small">
          {' '}
          {track.label ? <a href={pathOf(ask, 'label', track.label.slug)}>{label}</a> : label}
        </span>
      )}
    </>
  );
}
