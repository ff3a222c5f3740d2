/**
 * Reads podcasts (docs/spec/imports.md#sources): RSS 2.0, RSS 1.0 and Atom with the itunes, podcast and psc namespaces,
 * parsed by feedsmith. A page is read whole, up to a max size. Further pages are followed as long as they contain new
 * episodes.
 */
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, FeedRecord, ReadOutcome, RecordOf } from '../adapter.ts';
import { readEach } from '../common/read-each.ts';
import { isHttpUrl, redactUrl } from '../common/redact.ts';
import { loadChapters } from './chapters.ts';
import { toEpisode, toPodcast } from './episode.ts';
import { type FeedPage, type FeedPageResult, loadFeedPage } from './feed-page.ts';

const maxPages = 200;

export const podcast: Adapter = {
  async *read(context) {
    const locations = await context.list(context.location);
    return yield* readEach(context, locations, (location) => readFeed(context, location));
  },
};

type PodcastRecord = RecordOf<'podcast'>;

async function* readFeed(context: AdapterContext, location: string): AsyncGenerator<FeedRecord, ReadOutcome> {
  const seen = new Set<string>();
  const pages = new Set<string>();
  let podcastRecord: PodcastRecord | null = null;
  let next: string | undefined = location;
  let broken: string | null = null;
  while (next !== undefined && !pages.has(next)) {
    if (pages.size >= maxPages)
      return partialOutcome(`${redactUrl(location)} has more than ${maxPages} pages`);
    pages.add(next);
    const result: FeedPageResult = await loadPage(context, next, pages.size === 1);
    if ('unchanged' in result) return { ended: 'unchanged' };
    if ('rejected' in result) return partialOutcome(result.rejected);
    const { page } = result;
    broken ??= page.broken;
    const problem = findProblem(page, podcastRecord);
    if (problem !== null) {
      context.reject(redactUrl(next), problem);
      return partialOutcome(`${redactUrl(next)}: ${problem}`);
    }
    if (podcastRecord === null) {
      podcastRecord = toPodcast(page, location) as PodcastRecord;
      yield podcastRecord;
    }
    const countBefore = seen.size;
    yield* readEpisodes(context, page, next, podcastRecord, seen);
    // Pages without new episodes may continue for ever.
    next = seen.size > countBefore ? nextPageUrl(page, location) : undefined;
  }
  if (broken === null) return { ended: 'whole' };
  context.reject(redactUrl(location), broken);
  return partialOutcome(broken);
}

const partialOutcome = (reason: string): ReadOutcome => ({ ended: 'partial', reason });

/** Returns the next page. The further pages of a feed in a file are not read. */
const nextPageUrl = (page: FeedPage, location: string): string | undefined =>
  isHttpUrl(location) ? page.next : undefined;

/** Says why a page is not a podcast; null if it is one. */
function findProblem(page: FeedPage, show: PodcastRecord | null): string | null {
  const { items } = page;
  if (items.length > 0 && !items.some((item) => item.recording))
    return `none of its ${items.length} items has a recording (an enclosure of audio or video)`;
  return show === null && page.title === undefined ? 'the feed has no title' : null;
}

/** Loads a page. A failure of the first page fails the source. */
async function loadPage(
  context: AdapterContext,
  location: string,
  isFirst: boolean,
): Promise<FeedPageResult> {
  try {
    return await loadFeedPage(context, location, isFirst);
  } catch (failure) {
    if (isFirst || !(failure instanceof Failure)) throw failure;
    context.reject(redactUrl(location), failure.message);
    return { rejected: failure.message };
  }
}

async function* readEpisodes(
  context: AdapterContext,
  page: FeedPage,
  address: string,
  show: PodcastRecord,
  seen: Set<string>,
): AsyncGenerator<FeedRecord> {
  for (const [index, item] of page.items.entries()) {
    const where = `${redactUrl(address)} item ${index + 1}${item.title ? ` (${item.title.slice(0, 80)})` : ''}`;
    if (!item.recording) {
      context.reject(where, 'has no recording (an enclosure of audio or video)');
      continue;
    }
    if (item.id === undefined) {
      context.reject(where, 'has no guid, enclosure or link to identify it');
      continue;
    }
    if (item.title === undefined) {
      context.reject(where, 'has no title', { kind: 'episode', externalId: item.id });
      continue;
    }
    if (seen.has(item.id)) continue;
    seen.add(item.id);
    const chapters = await loadChapters(context, item, where);
    context.setRecordLocation?.(where);
    yield toEpisode({ ...item, id: item.id, title: item.title }, show, page.music, chapters);
  }
}
