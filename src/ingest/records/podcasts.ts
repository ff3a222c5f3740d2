/** Rebuilds podcasts and episodes from their source records. */
import type { TrackStatement } from '../../contract/feed.ts';
import type { ChildRow } from '../../store/writer.ts';
import { readMoment } from '../../text/feed-time.ts';
import { fold } from '../../text/fold.ts';
import { slugOf } from '../../text/slug.ts';
import type { WriteContext } from '../write-context.ts';
import { resolveArtists } from './artists.ts';
import { mergeLinks, nameColumns, saveNamedRecord, sourceRunOf, withoutRemoved } from './rebuild-helpers.ts';
import { fieldOwner, fieldValues, type SourceRecord } from './survivorship.ts';

/** Computes a podcast and saves it. */
export function rebuildPodcast(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'podcast'>[],
): void {
  saveNamedRecord(context, 'podcast', id, sourceRecords, {
    ...fieldValues(sourceRecords, ['publisher', 'description', 'website', 'feed_url', 'image_url']),
    links: JSON.stringify(mergeLinks(sourceRecords)),
  });
}

/** The earliest possible date: episodes without a date come last. */
const undatedTs = -8_640_000_000_000_000;

/** Computes an episode and saves it with its artists and tracks. If its podcast is removed, it is removed as well. */
export function rebuildEpisode(
  context: WriteContext,
  id: number,
  sourceRecords: SourceRecord<'episode'>[],
): void {
  const first = sourceRecords[0] as SourceRecord<'episode'>;
  const podcastId = context.resolver.podcast(first.statement.podcast, sourceRunOf(context, first));
  const { name } = nameColumns(sourceRecords);
  const podcast = context.writer.row('podcast', podcastId) as { slug: string };
  const slugs = () => {
    const stem = slugOf(name, 'episode');
    return stem.startsWith(podcast.slug) ? [stem] : [slugOf(`${podcast.slug} ${name}`, 'episode')];
  };
  if (context.resolver.isRemoved(podcastId)) {
    const kept = { podcast_id: podcastId, name, folded: fold(name) };
    context.remover.removePart('episode', id, { parent: podcastId, kept, slugs });
    return;
  }
  const dateOwner = fieldOwner(sourceRecords, 'published_at');
  const moment = dateOwner?.statement.published_at
    ? readMoment(dateOwner.statement.published_at, 'UTC', dateOwner.clock)
    : null;
  const row = {
    podcast_id: podcastId,
    name,
    folded: fold(name),
    published_ts: moment?.ts ?? undatedTs,
    published_at: moment?.text.replace('+00:00', 'Z') ?? null,
    ...fieldValues(sourceRecords, ['number', 'duration_seconds', 'description', 'audio_url', 'image_url']),
  };
  context.writer.save('episode', id, row, slugs, context.now);
  const owner = fieldOwner(sourceRecords, 'artists');
  const stated = owner ? resolveArtists(context, owner.statement.artists, sourceRunOf(context, owner)) : [];
  const artists = withoutRemoved(context, 'artist', stated, owner?.edits);
  const artistRows = [...artists].map((artist, index): [number, number] => [index + 1, artist]);
  if (context.writer.saveChildren('episode_artists', id, artistRows))
    context.writer.touch('episode', id, context.now);
  saveTracks(context, id, sourceRecords);
}

/** Placeholders in tracklists for unidentified tracks. */
const unidentifiedTrackPattern = /^(?:id\??|unknown|unidentified|\?+)$/i;

const identified = (text: string | null | undefined): string | null =>
  text == null || unidentifiedTrackPattern.test(text) ? null : text;

/** The existing artists and label that a track credits. */
export function creditsOf(
  { lookup, resolver }: WriteContext,
  { artist_name: name, label_name: labelName }: TrackStatement,
): { artists: number[]; label: number | null } {
  const labels = labelName ? lookup.byName('label', fold(labelName)) : [];
  const artist = identified(name);
  return {
    artists: artist === null ? [] : resolver.shown(resolver.creditedArtists(artist)),
    label: labels.length === 1 ? (resolver.shown(labels.map(({ id }) => id))[0] ?? null) : null,
  };
}

/** Saves the owner's tracklist. Artists and labels are linked if they exist; a tracklist does not create records. */
function saveTracks(context: WriteContext, id: number, sourceRecords: SourceRecord<'episode'>[]): void {
  const tracklist = fieldOwner(sourceRecords, 'tracklist')?.statement.tracklist ?? [];
  const tracks: ChildRow<'tracks'>[] = [];
  const artists: ChildRow<'track_artists'>[] = [];
  const usedPositions = new Set<number>();
  for (const [index, track] of tracklist.entries()) {
    let position = track.position ?? index + 1;
    while (usedPositions.has(position)) position++;
    usedPositions.add(position);
    const [artistName, title] = [identified(track.artist_name), identified(track.title)];
    const credits = creditsOf(context, track);
    tracks.push([
      position,
      track.start_seconds ?? null,
      artistName,
      title,
      track.label_name ?? null,
      credits.label,
      artistName !== null && title !== null ? 1 : 0,
    ]);
    for (const [ordinal, artist] of credits.artists.entries()) artists.push([position, ordinal, artist]);
  }
  const isChanged = context.writer.saveTracks(id, tracks, artists);
  if (isChanged) context.writer.touch('episode', id, context.now);
}
