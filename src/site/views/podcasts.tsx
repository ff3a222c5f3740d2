/** The pages of podcasts and their episodes. */
import type { VNode } from 'preact';
import type { ApiRecord } from '../../contract/records.ts';
import { durationText, localDate } from '../components/dates.tsx';
import { ExternalLink, linkList } from '../components/links.tsx';
import { readListPart, withQuery } from '../components/pagination.tsx';
import {
  aboutSection,
  Facts,
  Heading,
  InlineLinks,
  NavigationLinks,
  nextLink,
  PageSections,
} from '../components/parts.tsx';
import { type PicturedRecord, RecordPicture } from '../components/pictures.tsx';
import { TrackList } from '../components/tracklist.tsx';
import { episodeThing, podcastThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import {
  isHttpUrl,
  type PageContext,
  queryParameter,
  recordPath,
  resolvePath,
  unprefixedPath,
} from '../page-context.ts';

type EpisodeItem = ApiRecord<'EpisodeItem'>;

/** A list of episodes; with `named`, each shows its podcast. */
export function EpisodeList({
  context,
  episodes,
  named = false,
}: {
  context: PageContext;
  episodes: readonly EpisodeItem[];
  named?: boolean;
}): VNode {
  return (
    <ul class="rows">
      {episodes.map((episode) => (
        <li key={episode.id}>
          <span class="what">
            <a href={resolvePath(context, episode.url)}>
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
              <time datetime={localDate(episode.published_at)}>
                {context.messages.formats.shortDate(localDate(episode.published_at))}
              </time>
            )}
            {episode.duration_seconds !== null &&
              `${episode.published_at === null ? '' : ' · '}${durationText(episode.duration_seconds)}`}
          </span>
        </li>
      ))}
    </ul>
  );
}

const pageSize = 40;

/** A podcast with its episodes, newest first. */
export function podcastPage(context: PageContext, id: number): PageView {
  const { reader, messages } = context;
  const { common, counts, lists, podcast: words } = messages;
  const podcast = reader.details.podcast(id);
  const path = unprefixedPath('podcast', podcast.slug);
  const { items, next } = readListPart<EpisodeItem>(context, reader.episodes(id), { limit: pageSize });
  const isFirst = queryParameter(context, 'cursor') === '';
  const links = linkList(messages, podcast);
  const basePath = context.siteUrl.prefix + path;
  return {
    title: words.title(podcast.name),
    description:
      podcast.description ??
      words.description(podcast.name, podcast.publisher, counts.episodes(podcast.episode_count)),
    section: '/podcasts',
    canonical: isFirst ? path : null,
    crumbs: [
      { name: lists.podcasts, path: '/podcasts' },
      { name: podcast.name, path },
    ],
    structuredData: [podcastThing(context, podcast)],
    children: (
      <>
        <PodcastHeading context={context} podcast={podcast} />
        <PageSections
          sides={[
            isFirst && aboutSection(messages, podcast.description),
            {
              title: words.episodes,
              id: 'episodes',
              content: (
                <>
                  {items.length === 0 ? (
                    <p class="empty">{words.noEpisodes}</p>
                  ) : (
                    <EpisodeList context={context} episodes={items} />
                  )}
                  <NavigationLinks
                    links={[
                      !isFirst && { href: basePath, label: words.backToNewest },
                      next !== null && nextLink(withQuery(basePath, { cursor: next }), words.earlierEpisodes),
                    ]}
                  />
                </>
              ),
            },
            links !== null && { title: common.elsewhere, id: 'links', content: links },
          ]}
        />
      </>
    ),
  };
}

function PodcastHeading({
  context,
  podcast,
}: {
  context: PageContext;
  podcast: ApiRecord<'Podcast'>;
}): VNode {
  const { formats, kinds, podcast: words } = context.messages;
  const feed = podcast.feed_url;
  return (
    <Heading
      kind={kinds.podcast}
      name={podcast.name}
      picture={<RecordPicture context={context} record={podcast} framing="whole" />}
    >
      <Facts
        facts={[
          podcast.publisher && [words.by, podcast.publisher],
          [words.episodes, formats.number(podcast.episode_count)],
          podcast.latest_episode_at && [
            words.latest,
            formats.shortDate(localDate(podcast.latest_episode_at)),
          ],
          isHttpUrl(feed) && [
            words.feed,
            <ExternalLink href={feed} key="feed">
              {new URL(feed).hostname}
            </ExternalLink>,
          ],
        ]}
      />
    </Heading>
  );
}

/** An episode with its tracklist. */
export function episodePage(context: PageContext, id: number): PageView {
  const { reader, messages } = context;
  const { lists, episode: words } = messages;
  const episode = reader.details.episode(id);
  const tracks = reader.nestedLists.all('tracks', id).map(([json]) => JSON.parse(json) as ApiRecord<'Track'>);
  const audio = episode.audio_url;
  const by = episode.artists.map(({ name }) => name).join(', ');
  return {
    title: `${episode.name}, ${episode.podcast.name}`,
    description:
      episode.description ?? words.description(episode.name, episode.podcast.name, by, tracks.length),
    section: '/podcasts',
    type: 'article',
    crumbs: [
      { name: lists.podcasts, path: '/podcasts' },
      { name: episode.podcast.name, path: unprefixedPath('podcast', episode.podcast.slug) },
      { name: episode.name, path: unprefixedPath('episode', episode.slug) },
    ],
    structuredData: [episodeThing(context, episode)],
    children: (
      <>
        <EpisodeHeading context={context} episode={episode} />
        {isHttpUrl(audio) && (
          // biome-ignore lint/a11y/useMediaCaption: music has no captions; the tracklist is on the page
          <audio controls preload="none" src={audio} aria-label={messages.media.player(episode.name)} />
        )}
        <PageSections
          sides={[
            tracks.length > 0 && {
              title: words.tracklist,
              id: 'tracks',
              content: (
                <TrackList context={context} tracks={tracks} audio={isHttpUrl(audio) ? audio : null} />
              ),
            },
            aboutSection(messages, episode.description),
          ]}
        />
      </>
    ),
  };
}

function EpisodeHeading({
  context,
  episode,
}: {
  context: PageContext;
  episode: ApiRecord<'Episode'>;
}): VNode {
  const { common, formats, kinds, episode: words } = context.messages;
  const audio = episode.audio_url;
  return (
    <Heading
      kind={kinds.episode}
      name={episode.name}
      picture={
        <RecordPicture
          context={context}
          record={picturedEpisode(context, episode)}
          framing="whole"
          group={episode.podcast.name}
        />
      }
    >
      <Facts
        facts={[
          [
            words.podcast,
            <a href={recordPath(context, 'podcast', episode.podcast.slug)} key="p">
              {episode.podcast.name}
            </a>,
          ],
          episode.artists.length > 0 && [
            common.artists,
            <InlineLinks context={context} kind="artist" refs={episode.artists} key="a" />,
          ],
          episode.number !== null && [words.number, String(episode.number)],
          episode.published_at && [
            words.published,
            <time datetime={episode.published_at} key="t">
              {formats.shortDate(localDate(episode.published_at))}
            </time>,
          ],
          episode.duration_seconds !== null && [words.length, durationText(episode.duration_seconds)],
          isHttpUrl(audio) && [
            words.listen,
            <ExternalLink href={audio} key="l">
              {words.at(new URL(audio).hostname)}
            </ExternalLink>,
          ],
        ]}
      />
    </Heading>
  );
}

/** The picture of an episode; that of its podcast if it has none. */
function picturedEpisode({ reader }: PageContext, episode: ApiRecord<'Episode'>): PicturedRecord {
  const podcast = episode.image_url === null ? reader.find('podcast', episode.podcast.slug) : null;
  if (podcast === null) return episode;
  const { id, image_url } = reader.details.podcast(podcast);
  return { id, name: episode.name, image_url };
}
