/** Podcasts and episodes, worked out from what is said of them. */
import type { TrackStatement } from '../../contract/feed.ts';
import { fold } from '../../store/fold.ts';
import { ownerOf, type Said, stated } from '../merge.ts';
import { isNobody } from '../reading/entry.ts';
import { slugOf } from '../slug.ts';
import { readMoment } from '../time.ts';
import { aliasesOf, type Context, linksOf, namedRow, saveNamed, speakerOf } from './context.ts';

export function rebuildPodcast(context: Context, id: number, said: Said<'podcast'>[]): void {
  const named = namedRow(said);
  const row = {
    ...named,
    publisher: stated(said, 'publisher'),
    description: stated(said, 'description'),
    website: stated(said, 'website'),
    feed_url: stated(said, 'feed_url'),
    image_url: stated(said, 'image_url'),
    links: linksOf(said),
  };
  saveNamed(context, 'podcast', id, row, aliasesOf(said, named.name), () => [slugOf(named.name, 'podcast')]);
}

/** Before every date there is: episodes without one come last. */
const noDate = -8_640_000_000_000_000;

export function rebuildEpisode(context: Context, id: number, said: Said<'episode'>[]): void {
  const first = said[0] as Said<'episode'>;
  const podcastId = context.resolver.podcast(first.statement.podcast, speakerOf(context, first));
  const podcast = context.writer.row('podcast', podcastId) as { slug: string };
  const name = stated(said, 'name') as string;
  const published = ownerOf(said, 'published_at');
  const moment = published?.statement.published_at
    ? readMoment(published.statement.published_at, 'UTC', published.clock)
    : null;
  const row = {
    podcast_id: podcastId,
    name,
    folded: fold(name),
    number: stated(said, 'number'),
    published_ts: moment?.ts ?? noDate,
    published_at: moment?.text.replace('+00:00', 'Z') ?? null,
    duration_seconds: stated(said, 'duration_seconds'),
    description: stated(said, 'description'),
    audio_url: stated(said, 'audio_url'),
    image_url: stated(said, 'image_url'),
  };
  const slugs = () => {
    const stem = slugOf(name, 'episode');
    return stem.startsWith(podcast.slug) ? [stem] : [slugOf(`${podcast.slug} ${name}`, 'episode')];
  };
  context.writer.save('episode', id, row, slugs, context.now);
  const owner = ownerOf(said, 'artists');
  const artists = new Set(
    owner
      ? (owner.statement.artists ?? [])
          .filter(({ name }) => !isNobody(name))
          .map((artist) => context.resolver.artist(artist, speakerOf(context, owner)))
      : [],
  );
  const artistRows = [...artists].map((artist, index) => [index + 1, artist]);
  if (context.writer.saveChildren('episode_artists', id, artistRows))
    context.writer.touch('episode', id, context.now);
  saveTracks(context, id, said);
}

/** What a tracklist writes for a track that nobody knows. */
const unidentified = /^(?:id\??|unknown|unidentified|\?+)$/i;

const known = (text: string | null | undefined): string | null =>
  text == null || unidentified.test(text) ? null : text;

/** The artists and the label on record that a track names. */
export function creditsOf(
  { lookup, resolver }: Context,
  { artist_name: name, label_name: labelName }: TrackStatement,
): { artists: number[]; label: number | null } {
  const labels = labelName ? lookup.byName('label', fold(labelName)) : [];
  const artist = known(name);
  return {
    artists: artist === null ? [] : resolver.credits(artist),
    label: labels.length === 1 ? (labels[0]?.id ?? null) : null,
  };
}

/**
 * The tracklist as its owner gives it. Artists and labels are linked where they are on record; a tracklist alone puts
 * nobody there.
 */
function saveTracks(context: Context, id: number, said: Said<'episode'>[]): void {
  const tracklist = ownerOf(said, 'tracklist')?.statement.tracklist ?? [];
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
