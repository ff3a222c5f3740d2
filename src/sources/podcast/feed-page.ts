/** Loads and parses one page of a podcast feed in any format. */
import type { AtomFeed, RdfFeed, RssFeed } from 'feedsmith';
import { parseFeed } from 'feedsmith';
import type { AdapterContext } from '../adapter.ts';
import { readText } from '../common/charset.ts';
import { htmlTitleToText } from '../common/html.ts';
import { redactUrl } from '../common/redact.ts';
import { type FeedItem, itemFromAtom, itemFromRdf, itemFromRss } from './feed-item.ts';
import { parseDurationSeconds, resolveUrl } from './values.ts';

export type FeedPage = {
  title: string | undefined;
  guid: string | undefined;
  publisher: string | undefined;
  description: string | undefined;
  website: string | undefined;
  self: string | undefined;
  image: string | undefined;
  /** Absolute address of the next page. */
  next: string | undefined;
  /** Whether the feed says that it is about music; null if it does not say. */
  music: boolean | null;
  items: FeedItem[];
  /** Why the page is incomplete; null if it is complete. */
  broken: string | null;
};

/** Max size of a page. Feeds of ten thousand episodes are smaller. */
const maxPageBytes = 24 * 1024 * 1024;

/** Max quoted values of an element. Each takes far more memory than its text. */
const maxAttributes = 10_000;

/** Counts quoted values between two elements. Escaped HTML in a text counts too, which has fewer links than the limit. */
function hasTooManyAttributes(text: string): boolean {
  let count = 0;
  for (let at = 0; at < text.length && count <= maxAttributes; at += 1) {
    const character = text[at];
    if (character === '<') count = 0;
    else if (character === '=' && (text[at + 1] === '"' || text[at + 1] === "'")) count += 1;
  }
  return count > maxAttributes;
}

/** A page; or `unchanged` since the last run; or why it cannot be read, which is reported already. */
export type FeedPageResult = { page: FeedPage } | { unchanged: true } | { rejected: string };

/** Opens and parses a page. */
export async function loadFeedPage(
  context: AdapterContext,
  location: string,
  isFirst: boolean,
): Promise<FeedPageResult> {
  const resource = await context.open(location, {
    accept:
      'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1',
    maxBytes: maxPageBytes,
    conditional: isFirst && !context.complete,
  });
  if (resource === null) return { unchanged: true };
  const text = await readText(resource);
  const rejected = `${redactUrl(location)} is not a readable feed`;
  if (text.trim() === '') {
    context.reject(redactUrl(location), 'is empty');
    return { rejected };
  }
  if (hasTooManyAttributes(text)) {
    context.reject(redactUrl(location), 'has an element with too many attributes');
    return { rejected };
  }
  try {
    return { page: parseFeedPage(text, resource.url) };
  } catch (failure) {
    context.reject(
      redactUrl(location),
      `is not a readable feed: ${(failure as Error).message}${describeCause(failure)}`,
    );
    return { rejected };
  }
}

const describeCause = (failure: unknown): string => {
  const { cause } = failure as { cause?: unknown };
  return cause instanceof Error ? ` (${cause.message.slice(0, 200)})` : '';
};

/** Parses a page. A truncated page is parsed up to its last complete item. */
function parseFeedPage(text: string, base: string): FeedPage {
  const prepared = normalizeDurations(withoutDoctype(text));
  const ends = endsWithRoot(prepared.slice(-4_000).trimEnd());
  const parsed = parseFeedText(ends ? prepared : closeAfterLastItem(prepared));
  const broken = ends ? null : 'the feed ends early';
  if (parsed.format === 'rss') return { ...pageFromRss(parsed.feed, base), broken };
  if (parsed.format === 'rdf') return { ...pageFromRdf(parsed.feed, base), broken };
  if (parsed.format === 'atom') return { ...pageFromAtom(parsed.feed, base), broken };
  throw new Error('it is neither RSS nor Atom');
}

/** Whether a feed ends with the end tag of its root; one comment may follow. */
function endsWithRoot(end: string): boolean {
  for (const root of end.matchAll(/<\/(?:rss|rdf:rdf|feed)\s*>\s*/gi)) {
    const behind = end.slice(root.index + root[0].length);
    if (behind === '') return true;
    const length = behind.length - '<!---->'.length;
    if (behind.startsWith('<!--') && behind.endsWith('-->') && length >= 0 && length <= 2_000) return true;
  }
  return false;
}

type ParsedFeed = Extract<ReturnType<typeof parseFeed<string>>, { format: 'rss' | 'atom' | 'rdf' | 'json' }>;

const parseFeedText = (text: string): ParsedFeed =>
  parseFeed<string>(text, { parseDateFn: (date: string) => date }) as ParsedFeed;

/** Removes the document type, whose declarations are never trusted. */
function withoutDoctype(text: string): string {
  const at = text.slice(0, 65_536).search(/<!DOCTYPE/i);
  if (at === -1) return text;
  const root = text.slice(at).search(/<(?:rss|rdf:RDF|feed|channel)[\s>]/i);
  return root === -1 ? text : text.slice(0, at) + text.slice(at + root);
}

/** Converts durations to seconds, the only format that feedsmith accepts. */
const normalizeDurations = (text: string): string =>
  text.replace(
    /(<itunes:duration[^<>]{0,200}>)\s{0,20}(?:<!\[CDATA\[)?([^<\]]{1,60}?)(?:\]\]>)?\s{0,20}(?=<\/itunes:duration)/gi,
    (_, tag: string, length: string) => `${tag}${parseDurationSeconds(length) ?? ''}`,
  );

/** Closes a truncated page after its last complete item. */
function closeAfterLastItem(text: string): string {
  const items = [...['</item>', '</entry>'].map((tag) => ({ tag, at: text.lastIndexOf(tag) }))].filter(
    ({ at }) => at >= 0,
  );
  const last = items.sort((one, other) => other.at - one.at)[0];
  if (!last) return text;
  const kept = text.slice(0, last.at + last.tag.length);
  if (last.tag === '</entry>') return `${kept}</feed>`;
  return /<rdf:RDF[\s>]/i.test(kept.slice(0, 4_000)) ? `${kept}</rdf:RDF>` : `${kept}</channel></rss>`;
}

type FeedLinks = { rel?: string; href?: string }[] | undefined;
const findLink = (links: FeedLinks, rel: string, base: string): string | undefined =>
  resolveUrl(links?.find((link) => (link.rel ?? 'alternate') === rel)?.href, base);

const cleanTitle = (text: string | undefined): string | undefined =>
  text ? htmlTitleToText(text) || undefined : undefined;

function pageFromRss(feed: RssFeed.Feed<string>, base: string): Omit<FeedPage, 'broken'> {
  const image =
    feed.itunes?.image ?? feed.image?.url ?? feed.podcast?.images?.[0]?.href ?? feed.googleplay?.image?.href;
  const categories = [...(feed.itunes?.categories ?? []), ...(feed.googleplay?.categories ?? [])].map(
    (each) => (typeof each === 'string' ? each : (each as { text?: string }).text),
  );
  return {
    title: cleanTitle(feed.title ?? feed.itunes?.title),
    guid: feed.podcast?.guid,
    publisher: cleanTitle(
      feed.itunes?.author ??
        feed.itunes?.owner?.name ??
        feed.dc?.publishers?.[0] ??
        feed.dc?.creators?.[0] ??
        feed.managingEditor?.name,
    ),
    description: feed.description ?? feed.itunes?.summary ?? feed.itunes?.subtitle,
    website: resolveUrl(feed.link, base),
    self: findLink(feed.atom?.links, 'self', base),
    image: resolveUrl(image, base),
    next: findLink(feed.atom?.links, 'next', base),
    music: isAboutMusic(feed.podcast?.medium, categories),
    items: (feed.items ?? []).map((item) => itemFromRss(item, base)),
  };
}

function pageFromRdf(feed: RdfFeed.Feed<string>, base: string): Omit<FeedPage, 'broken'> {
  return {
    title: cleanTitle(feed.title),
    guid: undefined,
    publisher: cleanTitle(feed.dc?.publishers?.[0] ?? feed.dc?.creators?.[0]),
    description: feed.description,
    website: resolveUrl(feed.link, base),
    self: findLink(feed.atom?.links, 'self', base),
    image: resolveUrl(feed.image?.url, base),
    next: findLink(feed.atom?.links, 'next', base),
    music: null,
    items: (feed.items ?? []).map((item) => itemFromRdf(item, base)),
  };
}

function pageFromAtom(feed: AtomFeed.Feed<string>, base: string): Omit<FeedPage, 'broken'> {
  return {
    title: cleanTitle(feed.title?.value),
    guid: feed.id,
    publisher: cleanTitle(feed.itunes?.author ?? feed.authors?.[0]?.name),
    description: feed.subtitle?.value ?? feed.itunes?.summary,
    website: findLink(feed.links, 'alternate', base),
    self: findLink(feed.links, 'self', base),
    image: resolveUrl(feed.itunes?.image ?? feed.logo ?? feed.icon, base),
    next: findLink(feed.links, 'next', base),
    music: isAboutMusic(
      undefined,
      (feed.itunes?.categories ?? []).map((each) => each.text),
    ),
    items: (feed.entries ?? []).map((entry) => itemFromAtom(entry, base)),
  };
}

function isAboutMusic(medium: string | undefined, categories: (string | undefined)[]): boolean | null {
  if (medium && /^(?:music|mixed|musicL|mixedL)$/i.test(medium)) return true;
  const named = categories.filter((category) => category !== undefined && category !== '');
  return named.length === 0 ? null : named.some((category) => /music/i.test(category as string));
}
