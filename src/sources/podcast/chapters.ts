/** Loads chapters of an episode: Podlove chapters of the feed, or the JSON that podcast:chapters names. */

import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { AdapterContext } from '../adapter.ts';
import { readText } from '../common/charset.ts';
import { parseJson } from '../common/parse-json.ts';
import { isHttpUrl } from '../common/redact.ts';
import type { FeedItem } from './feed-item.ts';
import type { Chapter } from './tracklist/parse.ts';
import { parseDurationSeconds } from './values.ts';

const maxChapterBytes = 1024 * 1024;
const chaptersSchema = z.object({
  chapters: z.array(
    z.object({
      startTime: z.coerce.number().min(0),
      title: z.string().catch(''),
      toc: z.boolean().optional().catch(undefined),
    }),
  ),
});

/** Loads the chapters of an item, in order. Unreadable chapters are reported, and none are returned. */
export async function loadChapters(
  context: AdapterContext,
  item: FeedItem,
  where: string,
): Promise<Chapter[]> {
  if (item.chapters.length > 0) return item.chapters.flatMap(toChapter);
  // A feed in a file must not trigger requests.
  if (item.chaptersAt === undefined || !isHttpUrl(context.location)) return [];
  try {
    const opened = await context.open(item.chaptersAt, {
      accept: 'application/json+chapters, application/json',
      maxBytes: maxChapterBytes,
    });
    if (opened === null) return [];
    const { chapters } = chaptersSchema.parse(parseJson(await readText(opened)));
    return chapters
      .filter(({ toc }) => toc !== false)
      .map(({ startTime, title }) => ({ start: startTime, title }));
  } catch (failure) {
    const reason = failure instanceof Failure ? failure.message : 'they are not JSON chapters';
    context.reject(where, `its chapters cannot be read: ${reason}`);
    return [];
  }
}

function toChapter({ start, title }: { start: string; title: string }): Chapter[] {
  const seconds = /^[0:]*(?:\.0*)?$/.test(start) ? 0 : parseDurationSeconds(start);
  return seconds === null ? [] : [{ start: seconds, title }];
}
