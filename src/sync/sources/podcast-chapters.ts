/** Chapters of an episode: Podlove's in the feed itself, or the JSON that podcast:chapters points to. */
import { z } from 'zod';
import { Failure } from '../../failure.ts';
import type { AdapterContext } from './adapter.ts';
import type { Item } from './podcast-item.ts';
import { readDuration } from './podcast-values.ts';
import { readText } from './text.ts';
import type { Chapter } from './tracklist.ts';

const mostBytes = 1024 * 1024;
const json = z.object({
  chapters: z.array(
    z.object({
      startTime: z.coerce.number().min(0),
      title: z.string().catch(''),
      toc: z.boolean().optional().catch(undefined),
    }),
  ),
});

/** The chapters of an item, in order; none where there are none, or they cannot be read (reported). */
export async function chaptersOf(context: AdapterContext, item: Item, where: string): Promise<Chapter[]> {
  if (item.chapters.length > 0) return item.chapters.flatMap(simple);
  // A feed in a file is read as it lies there: it may not send its reader out.
  if (item.chaptersAt === undefined || !/^https?:/i.test(context.location)) return [];
  try {
    const opened = await context.open(item.chaptersAt, {
      accept: 'application/json+chapters, application/json',
      maxBytes: mostBytes,
    });
    if (opened === null) return [];
    const { chapters } = json.parse(JSON.parse(await readText(opened)));
    return chapters
      .filter(({ toc }) => toc !== false)
      .map(({ startTime, title }) => ({ start: startTime, title }));
  } catch (failure) {
    const reason = failure instanceof Failure ? failure.message : 'they are not JSON chapters';
    context.reject(where, `its chapters could not be read: ${reason}`);
    return [];
  }
}

function simple({ start, title }: { start: string; title: string }): Chapter[] {
  const seconds = /^[0:]*(?:\.0*)?$/.test(start) ? 0 : readDuration(start);
  return seconds === null ? [] : [{ start: seconds, title }];
}
