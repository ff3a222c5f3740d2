/** Converts podcasts and their episodes to feed records. */

import type { RecordOf } from '../adapter.ts';
import { htmlToText } from '../common/html.ts';
import { isHttpUrl } from '../common/redact.ts';
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

/** Max length of a description. */
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
  const description =
    page.description === undefined ? '' : htmlToText(page.description).slice(0, maxDescriptionLength);
  return {
    kind: 'podcast',
    external_id: (page.guid ?? address ?? page.website ?? page.title).trim().slice(0, 1_000),
    name: page.title.slice(0, 1_000),
    ...(page.publisher ? { publisher: page.publisher } : {}),
    ...(description === '' ? {} : { description }),
    ...(page.website ? { website: page.website } : {}),
    ...(address ? { feed_url: address } : {}),
    ...(page.image ? { image_url: page.image } : {}),
  };
}

/** Words of the name or description of a music show, where the feed has no category. */
const musicWords =
  /\b(?:music|mix(?:es|tape)?|dj|djs|techno|house|trance|drum ?(?:&|and|n) ?bass|dnb|electro(?:nica?)?|ambient|disco|dub(?:step)?|garage|rave|club|beats?|tracklist)\b/i;

/**
 * Converts an item of a feed.
 * @param isMusicShow whether the feed says that it is about music; null where it says nothing
 */
export function toEpisode(
  item: FeedItem & { id: string; title: string },
  show: RecordOf<'podcast'>,
  isMusicShow: boolean | null,
  chapters: readonly Chapter[],
): RecordOf<'episode'> {
  const notes = item.notes.map(htmlToText).filter((text) => text !== '');
  const description = notes[0]?.slice(0, maxDescriptionLength);
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
    ...optionalField('number', item.number ?? number),
    ...optionalField('published_at', published),
    ...optionalField('duration_seconds', duration),
    ...optionalField('description', description),
    ...optionalField('audio_url', item.audio),
    ...optionalField('image_url', item.image),
    ...(names.length > 0 ? { artists: names.map((name) => ({ name })) } : {}),
    ...(tracklist.length > 0 ? { tracklist } : {}),
  };
}

/** Returns an object with the member if it has a value. */
const optionalField = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> =>
  value === null || value === undefined ? {} : ({ [key]: value } as Record<K, V>);

/** Returns the longest tracklist of notes and chapters. Chapters win a tie, because they have times. */
function chooseTracklist(
  notes: readonly string[],
  chapters: readonly Chapter[],
  hints: TracklistHints,
): Track[] {
  const lists = [chaptersToTracks(chapters, hints), ...notes.map((text) => parseTracklist(text, hints))];
  return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
}
