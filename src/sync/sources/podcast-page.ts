/** One page of a podcast's feed, in whatever format, as the few things that are taken from it. */
import type { AtomFeed, RdfFeed, RssFeed } from 'feedsmith';
import { parseFeed } from 'feedsmith';
import { textOfTitle } from '../reading/show-notes.ts';
import type { AdapterContext } from './adapter.ts';
import { type Item, itemOfAtom, itemOfRdf, itemOfRss } from './podcast-item.ts';
import { addressOf, readDuration } from './podcast-values.ts';
import { shown } from './shown.ts';
import { readText } from './text.ts';

export type Page = {
  title: string | undefined;
  guid: string | undefined;
  publisher: string | undefined;
  description: string | undefined;
  website: string | undefined;
  self: string | undefined;
  image: string | undefined;
  /** The next page, with its address made whole. */
  next: string | undefined;
  /** Whether the show says of itself that it is about music; null where it says nothing. */
  music: boolean | null;
  items: Item[];
  /** Why not all of the page could be read; null where it could. */
  broken: string | null;
};

/** A page of text is as large as this at the most: a feed of ten thousand episodes is smaller. */
const mostBytes = 24 * 1024 * 1024;

/**
 * Opens and reads a page.
 * @returns 'unchanged' where the source says so, null where it is no feed (reported)
 */
export async function openPage(
  context: AdapterContext,
  location: string,
  first: boolean,
): Promise<Page | 'unchanged' | null> {
  const opened = await context.open(location, {
    accept:
      'application/rss+xml, application/atom+xml, application/rdf+xml, application/xml;q=0.9, text/xml;q=0.8, */*;q=0.1',
    maxBytes: mostBytes,
    conditional: first && !context.complete,
  });
  if (opened === null) return 'unchanged';
  const text = await readText(opened);
  if (text.trim() === '') {
    context.reject(shown(location), 'is empty');
    return null;
  }
  try {
    return pageOf(text, opened.url);
  } catch (failure) {
    context.reject(
      shown(location),
      `is no feed that can be read: ${(failure as Error).message}${causeOf(failure)}`,
    );
    return null;
  }
}

const causeOf = (failure: unknown): string => {
  const { cause } = failure as { cause?: unknown };
  return cause instanceof Error ? ` (${cause.message.slice(0, 200)})` : '';
};

/** Reads a page; what breaks off in the middle is read up to there. */
export function pageOf(text: string, base: string): Page {
  const prepared = withLengths(withoutDoctype(text));
  const ends = isClosed(prepared.slice(-4_000).trimEnd());
  const parsed = tryParse(ends ? prepared : cutShort(prepared));
  const broken = ends ? null : 'the feed breaks off before its end';
  if (parsed.format === 'rss') return { ...ofRss(parsed.feed, base), broken };
  if (parsed.format === 'rdf') return { ...ofRdf(parsed.feed, base), broken };
  if (parsed.format === 'atom') return { ...ofAtom(parsed.feed, base), broken };
  throw new Error('it is neither RSS nor Atom');
}

/** Whether the end of a feed is that of its root; one comment may follow. */
function isClosed(end: string): boolean {
  for (const root of end.matchAll(/<\/(?:rss|rdf:rdf|feed)\s*>\s*/gi)) {
    const behind = end.slice(root.index + root[0].length);
    if (behind === '') return true;
    const length = behind.length - '<!---->'.length;
    if (behind.startsWith('<!--') && behind.endsWith('-->') && length >= 0 && length <= 2_000) return true;
  }
  return false;
}

type Parsed = Extract<ReturnType<typeof parseFeed<string>>, { format: 'rss' | 'atom' | 'rdf' | 'json' }>;

const tryParse = (text: string): Parsed =>
  parseFeed<string>(text, { parseDateFn: (date: string) => date }) as Parsed;

/** A document type is never needed, and what it declares is never to be taken at its word. */
function withoutDoctype(text: string): string {
  const at = text.slice(0, 65_536).search(/<!DOCTYPE/i);
  if (at === -1) return text;
  const root = text.slice(at).search(/<(?:rss|rdf:RDF|feed|channel)[\s>]/i);
  return root === -1 ? text : text.slice(0, at) + text.slice(at + root);
}

/** Lengths in seconds, which is the one writing that every reader of feeds knows. */
const withLengths = (text: string): string =>
  text.replace(
    /(<itunes:duration[^<>]{0,200}>)\s{0,20}(?:<!\[CDATA\[)?([^<\]]{1,60}?)(?:\]\]>)?\s{0,20}(?=<\/itunes:duration)/gi,
    (_, tag: string, length: string) => `${tag}${readDuration(length) ?? ''}`,
  );

/** A page that breaks off, closed behind its last whole item. */
function cutShort(text: string): string {
  const items = [...['</item>', '</entry>'].map((tag) => ({ tag, at: text.lastIndexOf(tag) }))].filter(
    ({ at }) => at >= 0,
  );
  const last = items.sort((one, other) => other.at - one.at)[0];
  if (!last) return text;
  const kept = text.slice(0, last.at + last.tag.length);
  if (last.tag === '</entry>') return `${kept}</feed>`;
  return /<rdf:RDF[\s>]/i.test(kept.slice(0, 4_000)) ? `${kept}</rdf:RDF>` : `${kept}</channel></rss>`;
}

type Links = { rel?: string; href?: string }[] | undefined;
const linkOf = (links: Links, rel: string, base: string): string | undefined =>
  addressOf(links?.find((link) => (link.rel ?? 'alternate') === rel)?.href, base);

const titled = (text: string | undefined): string | undefined =>
  text ? textOfTitle(text) || undefined : undefined;

function ofRss(feed: RssFeed.Feed<string>, base: string): Omit<Page, 'broken'> {
  const image =
    feed.itunes?.image ?? feed.image?.url ?? feed.podcast?.images?.[0]?.href ?? feed.googleplay?.image?.href;
  const categories = [...(feed.itunes?.categories ?? []), ...(feed.googleplay?.categories ?? [])].map(
    (each) => (typeof each === 'string' ? each : (each as { text?: string }).text),
  );
  return {
    title: titled(feed.title ?? feed.itunes?.title),
    guid: feed.podcast?.guid,
    publisher: titled(
      feed.itunes?.author ??
        feed.itunes?.owner?.name ??
        feed.dc?.publishers?.[0] ??
        feed.dc?.creators?.[0] ??
        feed.managingEditor?.name,
    ),
    description: feed.description ?? feed.itunes?.summary ?? feed.itunes?.subtitle,
    website: addressOf(feed.link, base),
    self: linkOf(feed.atom?.links, 'self', base),
    image: addressOf(image, base),
    next: linkOf(feed.atom?.links, 'next', base),
    music: aboutMusic(feed.podcast?.medium, categories),
    items: (feed.items ?? []).map((item) => itemOfRss(item, base)),
  };
}

function ofRdf(feed: RdfFeed.Feed<string>, base: string): Omit<Page, 'broken'> {
  return {
    title: titled(feed.title),
    guid: undefined,
    publisher: titled(feed.dc?.publishers?.[0] ?? feed.dc?.creators?.[0]),
    description: feed.description,
    website: addressOf(feed.link, base),
    self: linkOf(feed.atom?.links, 'self', base),
    image: addressOf(feed.image?.url, base),
    next: linkOf(feed.atom?.links, 'next', base),
    music: null,
    items: (feed.items ?? []).map((item) => itemOfRdf(item, base)),
  };
}

function ofAtom(feed: AtomFeed.Feed<string>, base: string): Omit<Page, 'broken'> {
  return {
    title: titled(feed.title?.value),
    guid: feed.id,
    publisher: titled(feed.itunes?.author ?? feed.authors?.[0]?.name),
    description: feed.subtitle?.value ?? feed.itunes?.summary,
    website: linkOf(feed.links, 'alternate', base),
    self: linkOf(feed.links, 'self', base),
    image: addressOf(feed.itunes?.image ?? feed.logo ?? feed.icon, base),
    next: linkOf(feed.links, 'next', base),
    music: aboutMusic(
      undefined,
      (feed.itunes?.categories ?? []).map((each) => each.text),
    ),
    items: (feed.entries ?? []).map((entry) => itemOfAtom(entry, base)),
  };
}

function aboutMusic(medium: string | undefined, categories: (string | undefined)[]): boolean | null {
  if (medium && /^(?:music|mixed|musicL|mixedL)$/i.test(medium)) return true;
  const named = categories.filter((category) => category !== undefined && category !== '');
  return named.length === 0 ? null : named.some((category) => /music/i.test(category as string));
}
