/** Converts podcasts and their episodes to feed records. */

import type { RecordOf } from '../adapter.ts';
import { htmlToText } from '../common/html.ts';
import { isHttpUrl } from '../common/redact.ts';
import { stated } from '../common/values.ts';
import { parseEpisodeTitle } from './episode-title.ts';
import type { FeedItem } from './feed-item.ts';
import type { FeedPage } from './feed-page.ts';
import {
  type Chapter,
  chaptersToTracks,
  parseTracklist,
  type Track,
  type TracklistHints,
} from './tracklist/parse.ts';
import { parseDurationSeconds, parsePublished } from './values.ts';

const maxDescriptionLength = 50_000;

/**
 * Converts the first page of a feed to the podcast. Its id is its podcast:guid, else its address, else its link or
 * title.
 * @param location address or file of the feed
 * @returns null without a title
 */
export function toPodcast(page: FeedPage, location: string): RecordOf<'podcast'> | null {
  if (page.title === undefined) return null;
  // Some feeds name their home page as their own address.
  const self = page.self === page.website ? undefined : page.self;
  const address = isHttpUrl(location) ? location : self;
  return {
    kind: 'podcast',
    external_id: (page.guid ?? address ?? page.website ?? page.title).trim().slice(0, 1_000),
    name: page.title.slice(0, 1_000),
    ...stated({
      publisher: page.publisher || null,
      description: htmlToText(page.description ?? '').slice(0, maxDescriptionLength) || null,
      website: page.website || null,
      feed_url: address || null,
      image_url: page.image || null,
    }),
  };
}

/** Words of the name or description of a music show, where the feed has no category. */
const musicWords =
  /\b(?:music|mix(?:es|tape)?|dj|djs|techno|house|trance|drum ?(?:&|and|n) ?bass|dnb|electro(?:nica?)?|ambient|disco|dub(?:step)?|garage|rave|club|beats?|tracklist)\b/i;

/**
 * Converts an item of a feed.
 * @param isMusicShow whether the feed says that it is about music; null if it does not say
 */
export function toEpisode(
  item: FeedItem & { id: string; title: string },
  show: RecordOf<'podcast'>,
  isMusicShow: boolean | null,
  chapters: readonly Chapter[],
): RecordOf<'episode'> {
  const notes = item.notes.map(htmlToText).filter((text) => text !== '');
  const duration = item.duration === undefined ? null : parseDurationSeconds(String(item.duration));
  const published = item.published === undefined ? null : parsePublished(item.published);
  const isLikelyMusic = isMusicShow ?? musicWords.test(`${show.name} ${show.description ?? ''}`);
  const tracklist = chooseTracklist(notes, chapters, {
    durationSeconds: duration,
    isTalkShow: isMusicShow === false,
    isMusicShow: isLikelyMusic,
  });
  const isMusic = isLikelyMusic || tracklist.length > 0;
  const { number, artists } = parseEpisodeTitle(item.title, { podcast: show.name, isMusicShow: isMusic });
  const guests = isMusic ? item.guests : [];
  const names = [...new Set([...artists, ...guests])];
  return {
    kind: 'episode',
    external_id: item.id,
    podcast: { external_id: show.external_id, name: show.name },
    name: item.title,
    ...stated({
      number: item.number ?? number,
      published_at: published,
      duration_seconds: duration,
      description: notes[0]?.slice(0, maxDescriptionLength),
      audio_url: item.audio,
      image_url: item.image,
      artists: names.map((name) => ({ name })),
      tracklist,
    }),
  };
}

/** Returns the longest tracklist of notes and chapters. Chapters win a tie, because they have times. */
function chooseTracklist(
  notes: readonly string[],
  chapters: readonly Chapter[],
  hints: TracklistHints,
): Track[] {
  const lists = [chaptersToTracks(chapters, hints), ...notes.map((text) => parseTracklist(text, hints))];
  return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
}
