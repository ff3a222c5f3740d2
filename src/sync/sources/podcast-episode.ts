/** An episode as a line of the feed format. */
import { textOfNotes } from '../reading/show-notes.ts';
import type { RecordOf } from './adapter.ts';
import type { Item } from './podcast-item.ts';
import { longestText } from './podcast-show.ts';
import { readEpisodeTitle } from './podcast-title.ts';
import { readDuration, readPublished } from './podcast-values.ts';
import {
  type Chapter,
  readTracklist,
  type Track,
  type TracklistHints,
  tracksOfChapters,
} from './tracklist.ts';

/** What a show about music calls itself or is described by, where its feed gives no category. */
const musical =
  /\b(?:music|mix(?:es|tape)?|dj|djs|techno|house|trance|drum ?(?:&|and|n) ?bass|dnb|electro(?:nica?)?|ambient|disco|dub(?:step)?|garage|rave|club|beats?|tracklist)\b/i;

/**
 * @param music whether the show says that it is about music; null where it says nothing
 * @param chapters its chapters, if it has any
 */
export function episodeOf(
  item: Item & { id: string; title: string },
  show: RecordOf<'podcast'>,
  music: boolean | null,
  chapters: readonly Chapter[],
): RecordOf<'episode'> {
  const notes = item.notes.map(textOfNotes).filter((text) => text !== '');
  const description = notes[0]?.slice(0, longestText);
  const duration = item.duration === undefined ? null : readDuration(String(item.duration));
  const published = item.published === undefined ? null : readPublished(item.published);
  const sounds = music ?? musical.test(`${show.name} ${show.description ?? ''}`);
  const tracklist = tracksFrom(notes, chapters, {
    durationSeconds: duration,
    talkShow: music === false,
    music: sounds,
  });
  const isMusic = sounds || tracklist.length > 0;
  const { number, artists } = readEpisodeTitle(item.title, { podcast: show.name, music: isMusic });
  const guests = isMusic ? item.guests : [];
  const names = [...new Set([...artists, ...guests])];
  return {
    kind: 'episode',
    external_id: item.id,
    podcast: { external_id: show.external_id, name: show.name },
    name: item.title,
    ...definite('number', item.number ?? number),
    ...definite('published_at', published),
    ...definite('duration_seconds', duration),
    ...definite('description', description),
    ...definite('audio_url', item.audio),
    ...definite('image_url', item.image),
    ...(names.length > 0 ? { artists: names.map((name) => ({ name })) } : {}),
    ...(tracklist.length > 0 ? { tracklist } : {}),
  };
}

/** A member that is said, or nothing. */
const definite = <K extends string, V>(key: K, value: V | null | undefined): Partial<Record<K, V>> =>
  value === null || value === undefined ? {} : ({ [key]: value } as Record<K, V>);

/** The fullest of what the notes and the chapters tell; of two alike the chapters, which have times. */
function tracksFrom(notes: readonly string[], chapters: readonly Chapter[], hints: TracklistHints): Track[] {
  const lists = [tracksOfChapters(chapters, hints), ...notes.map((text) => readTracklist(text, hints))];
  return lists.reduce((best, list) => (list.length > best.length ? list : best), []);
}
