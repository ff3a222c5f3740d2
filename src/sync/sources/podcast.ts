/**
 * Podcasts (docs/spec/imports.md#sources): RSS 2.0, RSS 1.0 and Atom with the itunes, podcast and psc namespaces, read by feedsmith.
 * A page is taken whole, but never more than its cap; pages are followed as long as they bring episodes.
 */
import { Failure } from '../../failure.ts';
import type { Adapter, AdapterContext, AdapterEnd, FeedRecord, RecordOf } from './adapter.ts';
import { chaptersOf } from './podcast-chapters.ts';
import { episodeOf } from './podcast-episode.ts';
import { openPage, type Page } from './podcast-page.ts';
import { podcastOf } from './podcast-show.ts';
import { shown } from './shown.ts';

const mostPages = 200;

export const podcast: Adapter = {
  async *read(context) {
    const locations = await context.list(context.location);
    const ends: AdapterEnd[] = [];
    for (const location of locations) {
      try {
        ends.push(yield* readFeed(context, location));
      } catch (failure) {
        // One file of a folder that cannot be read leaves the others.
        if (locations.length === 1 || !(failure instanceof Failure)) throw failure;
        context.reject(shown(location), failure.message);
        ends.push({ ended: 'partial', reason: failure.message });
      }
    }
    const partial = ends.find(({ ended }) => ended === 'partial');
    if (partial) return partial;
    return ends.length > 0 && ends.every(({ ended }) => ended === 'unchanged')
      ? { ended: 'unchanged' }
      : { ended: 'whole' };
  },
};

type Show = RecordOf<'podcast'>;

/** Reads a feed from its first page to its last. */
async function* readFeed(context: AdapterContext, location: string): AsyncGenerator<FeedRecord, AdapterEnd> {
  const seen = new Set<string>();
  const pages = new Set<string>();
  let show: Show | null = null;
  let next: string | undefined = location;
  let broken: string | null = null;
  while (next !== undefined && !pages.has(next)) {
    if (pages.size >= mostPages) return partly(`${shown(location)} has more than ${mostPages} pages`);
    pages.add(next);
    const page: Page | 'unchanged' | string = await pageAt(context, next, pages.size === 1);
    if (page === 'unchanged') return { ended: 'unchanged' };
    if (typeof page === 'string') return partly(page);
    broken ??= page.broken;
    const problem = faultOf(page, show);
    if (problem !== null) {
      context.reject(shown(next), problem);
      return partly(`${shown(next)}: ${problem}`);
    }
    if (show === null) {
      show = podcastOf(page, location) as Show;
      yield show;
    }
    const known = seen.size;
    yield* episodesOf(context, page, next, show, seen);
    // Pages that bring nothing new would go on for ever.
    next = seen.size > known ? nextOf(page, location) : undefined;
  }
  if (broken === null) return { ended: 'whole' };
  context.reject(shown(location), broken);
  return partly(broken);
}

const partly = (reason: string): AdapterEnd => ({ ended: 'partial', reason });

/** A feed in a file is read as it lies there: its further pages are not. */
const nextOf = (page: Page, location: string): string | undefined =>
  /^https?:/i.test(location) ? page.next : undefined;

/** Why a page cannot be a podcast's; null where it can. */
function faultOf(page: Page, show: Show | null): string | null {
  const { items } = page;
  if (items.length > 0 && !items.some((item) => item.recording))
    return `none of its ${items.length} items has a recording (an enclosure of audio or video)`;
  return show === null && page.title === undefined ? 'the feed has no title' : null;
}

/** A page; a sentence where it could not be read. What fails before anything was read fails the source. */
async function pageAt(
  context: AdapterContext,
  location: string,
  first: boolean,
): Promise<Page | 'unchanged' | string> {
  try {
    return (await openPage(context, location, first)) ?? `${shown(location)} is no feed that can be read`;
  } catch (failure) {
    if (first || !(failure instanceof Failure)) throw failure;
    context.reject(shown(location), failure.message);
    return failure.message;
  }
}

async function* episodesOf(
  context: AdapterContext,
  page: Page,
  address: string,
  show: Show,
  seen: Set<string>,
): AsyncGenerator<FeedRecord> {
  for (const [index, item] of page.items.entries()) {
    const where = `${shown(address)} item ${index + 1}${item.title ? ` (${item.title.slice(0, 80)})` : ''}`;
    if (!item.recording) {
      context.reject(where, 'has no recording (an enclosure of audio or video)');
      continue;
    }
    if (item.id === undefined) {
      context.reject(where, 'has neither guid nor enclosure nor link to be known by');
      continue;
    }
    if (item.title === undefined) {
      context.reject(where, 'has no title', { kind: 'episode', externalId: item.id });
      continue;
    }
    if (seen.has(item.id)) continue;
    seen.add(item.id);
    const chapters = await chaptersOf(context, item, where);
    context.at?.(where);
    yield episodeOf({ ...item, id: item.id, title: item.title }, show, page.music, chapters);
  }
}
