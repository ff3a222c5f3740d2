/** Podcasts and episodes, worked out from what is said of them. */
import type { TrackStatement } from '../../contract/feed.ts';
import { readMoment } from '../../text/feed-time.ts';
import { fold } from '../../text/fold.ts';
import { isPlaceholderArtist } from '../../text/lineup/entry.ts';
import { slugOf } from '../../text/slug.ts';
import {
  mergeAliases,
  mergeLinks,
  nameColumns,
  type RebuildContext,
  saveNamedRecord,
  sourceRunOf,
} from './rebuild-context.ts';
import { fieldOwner, fieldValue, type SourceRecord } from './survivorship.ts';

export function rebuildPodcast(
  context: RebuildContext,
  id: number,
  sourceRecords: SourceRecord<'podcast'>[],
): void {
  const named = nameColumns(sourceRecords);
  const row = {
    ...named,
    publisher: fieldValue(sourceRecords, 'publisher'),
    description: fieldValue(sourceRecords, 'description'),
    website: fieldValue(sourceRecords, 'website'),
    feed_url: fieldValue(sourceRecords, 'feed_url'),
    image_url: fieldValue(sourceRecords, 'image_url'),
    links: mergeLinks(sourceRecords),
  };
  saveNamedRecord(context, 'podcast', id, row, mergeAliases(sourceRecords, named.name), () => [
    slugOf(named.name, 'podcast'),
  ]);
}

/** Before every date there is: episodes without one come last. */
const undatedTs = -8_640_000_000_000_000;

export function rebuildEpisode(
  context: RebuildContext,
  id: number,
  sourceRecords: SourceRecord<'episode'>[],
): void {
  const first = sourceRecords[0] as SourceRecord<'episode'>;
  const podcastId = context.resolver.podcast(first.statement.podcast, sourceRunOf(context, first));
  const podcast = context.writer.row('podcast', podcastId) as { slug: string };
  const name = fieldValue(sourceRecords, 'name') as string;
  const published = fieldOwner(sourceRecords, 'published_at');
  const moment = published?.statement.published_at
    ? readMoment(published.statement.published_at, 'UTC', published.clock)
    : null;
  const row = {
    podcast_id: podcastId,
    name,
    folded: fold(name),
    number: fieldValue(sourceRecords, 'number'),
    published_ts: moment?.ts ?? undatedTs,
    published_at: moment?.text.replace('+00:00', 'Z') ?? null,
    duration_seconds: fieldValue(sourceRecords, 'duration_seconds'),
    description: fieldValue(sourceRecords, 'description'),
    audio_url: fieldValue(sourceRecords, 'audio_url'),
    image_url: fieldValue(sourceRecords, 'image_url'),
  };
  const slugs = () => {
    const stem = slugOf(name, 'episode');
    return stem.startsWith(podcast.slug) ? [stem] : [slugOf(`${podcast.slug} ${name}`, 'episode')];
  };
  context.writer.save('episode', id, row, slugs, context.now);
  const owner = fieldOwner(sourceRecords, 'artists');
  const artists = new Set(
    owner
      ? (owner.statement.artists ?? [])
          .filter(({ name }) => !isPlaceholderArtist(name))
          .map((artist) => context.resolver.artist(artist, sourceRunOf(context, owner)))
      : [],
  );
  const artistRows = [...artists].map((artist, index) => [index + 1, artist]);
  if (context.writer.saveChildren('episode_artists', id, artistRows))
    context.writer.touch('episode', id, context.now);
  saveTracks(context, id, sourceRecords);
}

/** What a tracklist writes for a track that nobody knows. */
const unidentifiedTrackPattern = /^(?:id\??|unknown|unidentified|\?+)$/i;

const known = (text: string | null | undefined): string | null =>
  text == null || unidentifiedTrackPattern.test(text) ? null : text;

/** The artists and the label on record that a track names. */
export function creditsOf(
  { lookup, resolver }: RebuildContext,
  { artist_name: name, label_name: labelName }: TrackStatement,
): { artists: number[]; label: number | null } {
  const labels = labelName ? lookup.byName('label', fold(labelName)) : [];
  const artist = known(name);
  return {
    artists: artist === null ? [] : resolver.creditedArtists(artist),
    label: labels.length === 1 ? (labels[0]?.id ?? null) : null,
  };
}

/**
 * The tracklist as its owner gives it. Artists and labels are linked where they are on record; a tracklist alone puts
 * nobody there.
 */
function saveTracks(context: RebuildContext, id: number, said: SourceRecord<'episode'>[]): void {
  const tracklist = fieldOwner(said, 'tracklist')?.statement.tracklist ?? [];
  const tracks: (string | number | null)[][] = [];
  const artists: (string | number | null)[][] = [];
  const taken = new Set<number>();
  for (const [index, track] of tracklist.entries()) {
    let position = track.position ?? index + 1;
    while (taken.has(position)) position++;
    taken.add(position);
    const [artistName, title] = [known(track.artist_name), known(track.title)];
    const credited = creditsOf(context, track);
    tracks.push([
      position,
      track.start_seconds ?? null,
      artistName,
      title,
      track.label_name ?? null,
      credited.label,
      artistName !== null && title !== null ? 1 : 0,
    ]);
    for (const [ordinal, artist] of credited.artists.entries()) artists.push([position, ordinal, artist]);
  }
  const changed = context.writer.saveTracks(id, tracks, artists);
  if (changed) context.writer.touch('episode', id, context.now);
}
