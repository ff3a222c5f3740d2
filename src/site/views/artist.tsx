/** The page of an artist. */
import type { VNode } from 'preact';
import type { ApiRecord, RecordRef } from '../../contract/records.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import { EndingLine } from '../components/lifespan.tsx';
import {
  eventsMode,
  pastEventsSection,
  type RecordEvents,
  upcomingEvents,
} from '../components/pagination.tsx';
import {
  aboutSection,
  EditionList,
  Facts,
  Heading,
  InlineLinks,
  PageSections,
} from '../components/parts.tsx';
import { RecordPicture } from '../components/pictures.tsx';
import {
  feedLinks,
  linkSection,
  readFirst,
  recordEventsPage,
  upcomingSection,
} from '../components/record-sections.tsx';
import { artistThing } from '../formats/schema-org.ts';
import type { PageView } from '../layout.tsx';
import { type PageContext, unprefixedPath } from '../page-context.ts';
import { EpisodeList } from './podcasts.tsx';

/** Upcoming events, festivals, mixes, labels and links of an artist. */
export function artistPage(context: PageContext, id: number): PageView {
  const { reader, site, now, messages } = context;
  const { common, kinds, lists } = messages;
  const artist = reader.details.artist(id, reader.upcoming(now));
  const path = unprefixedPath('artist', artist.slug);
  const crumbs = [
    { name: lists.artists, path: '/artists' },
    { name: artist.name, path },
  ];
  const events: RecordEvents = {
    source: reader.events.source({ artist: id, upcomingAt: now }),
    past: { of: 'artist', id },
  };
  const record = { kind: kinds.artist, name: artist.name, section: '/artists' };
  if (eventsMode(context) !== 'main') return recordEventsPage(context, record, events, crumbs);
  const genres = readFirst<RecordRef>(
    context,
    reader.byName.source('genre', { artist: id }, { now, refs: true }),
    30,
  );
  const upcoming = upcomingEvents(context, events);
  const past = pastEventsSection(context, events);
  const editions = site.relations.editionsOf(id, now, 12);
  const labels = site.relations.related('labels of artist', id, 30);
  const mixes = site.relations.episodesOf(id, 'by', 8);
  const appearances = site.relations.episodesOf(id, 'with', 8);
  return {
    title: artist.name,
    description: artist.biography ?? artistDescription(messages, artist, genres),
    section: '/artists',
    type: 'profile',
    crumbs,
    structuredData: [artistThing(context, artist, genres)],
    feeds: feedLinks(messages, path, artist.name),
    children: (
      <>
        <ArtistHeading
          context={context}
          artist={artist}
          {...{ genres, labels }}
          hasEvents={upcoming !== null}
        />
        <PageSections
          sides={[
            upcomingSection(
              context,
              { path, name: artist.name, isEnded: artist.status === 'ended' },
              upcoming,
              common.noEvents,
            ),
            editions.length > 0 && {
              title: messages.artist.upcomingFestivals,
              id: 'festivals',
              content: <EditionList context={context} editions={editions} />,
            },
            aboutSection(messages, artist.biography),
            mixes.length > 0 && {
              title: messages.artist.mixes,
              id: 'mixes',
              content: <EpisodeList context={context} episodes={mixes} named />,
            },
            appearances.length > 0 && {
              title: messages.artist.playedIn,
              id: 'heard',
              content: <EpisodeList context={context} episodes={appearances} named />,
            },
            past !== null && { title: common.pastEvents, id: 'past', content: past },
            linkSection(messages, artist),
          ]}
        />
      </>
    ),
  };
}

function ArtistHeading({
  context,
  artist,
  genres,
  labels,
  hasEvents,
}: {
  context: PageContext;
  artist: ApiRecord<'Artist'>;
  genres: readonly RecordRef[];
  labels: readonly RecordRef[];
  hasEvents: boolean;
}): VNode {
  const { common, counts, kinds, formats, artist: words } = context.messages;
  const { now } = context;
  return (
    <Heading
      kind={kinds.artist}
      name={artist.name}
      picture={<RecordPicture context={context} record={artist} group={genres[0]?.name ?? null} />}
    >
      <EndingLine record={artist} now={now} />
      <Facts
        facts={[
          artist.country && [common.from, formats.country(artist.country)],
          artist.real_name && [words.realName, artist.real_name],
          artist.aliases.length > 0 && [common.also, artist.aliases.slice(0, 20).join(', ')],
          genres.length > 0 && [
            common.genres,
            <InlineLinks context={context} kind="genre" refs={genres} key="genres" />,
          ],
          labels.length > 0 && [
            common.labels,
            <InlineLinks context={context} kind="label" refs={labels} key="labels" />,
          ],
          hasEvents && [common.upcoming, counts.events(artist.upcoming_event_count)],
        ]}
      />
    </Heading>
  );
}

function artistDescription(
  { artist, counts, formats }: Messages,
  { name, country: code, upcoming_event_count: count }: ApiRecord<'Artist'>,
  genres: readonly RecordRef[],
): string {
  const what = genres
    .slice(0, 3)
    .map((genre) => genre.name)
    .join(', ');
  const country = code === null ? null : formats.country(code);
  return artist.description(name, country, what, counts.upcomingEvents(count));
}
