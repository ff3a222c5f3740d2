/** Reads items of podcast feeds. */
import type { AtomFeed, ItunesNs, MediaNs, PodcastNs, PscNs, RdfFeed, RssFeed } from 'feedsmith';
import { htmlTitleToText } from '../common/html.ts';
import { resolveUrl } from './values.ts';

export type FeedItem = {
  /** guid, else the address of the recording, else the link. */
  id: string | undefined;
  title: string | undefined;
  number: number | undefined;
  published: string | undefined;
  duration: number | undefined;
  audio: string | undefined;
  image: string | undefined;
  /** Notes in each format of the item, the most complete first; original HTML. */
  notes: string[];
  /** Whether the item has a recording. */
  recording: boolean;
  /** Address of the chapters as JSON. */
  chaptersAt: string | undefined;
  /** Podlove Simple Chapters. */
  chapters: { start: string; title: string }[];
  /** Names of guests and performers. */
  guests: string[];
};

type Enclosure = { url?: string | undefined; type?: string | undefined };

const mediaType = /^(?:audio|video)\/|^application\/(?:ogg|x-shockwave-flash)/i;
const mediaFileName = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|mp4|m4v|mov|webm)(?:[?#]|$)/i;

/** Returns the first recording among enclosures, audio before video. */
function findRecording(enclosures: Enclosure[], base: string): string | undefined {
  const recordings = enclosures.filter(
    ({ url, type }) => url && (mediaType.test(type ?? '') || mediaFileName.test(url)),
  );
  const audio = recordings.find(({ url, type }) => /^audio\//i.test(type ?? '') || /\.mp3/i.test(url ?? ''));
  return resolveUrl((audio ?? recordings[0])?.url, base);
}

const mediaContents = (media: MediaNs.ItemOrFeed | undefined): MediaNs.Content[] => [
  ...(media?.contents ?? []),
  ...(media?.groups ?? []).flatMap((group) => group.contents ?? []),
];

type NamespaceFields = {
  itunes?: ItunesNs.Item | undefined;
  media?: MediaNs.ItemOrFeed | undefined;
  podcast?: PodcastNs.Item | undefined;
  psc?: PscNs.Item | undefined;
};

/** Reads the members of namespaces, which are the same in all formats. */
function readNamespaceFields(
  { itunes, media, podcast, psc }: NamespaceFields,
  enclosures: Enclosure[],
  base: string,
) {
  const contents = mediaContents(media);
  const audio = findRecording([...enclosures, ...contents], base);
  const thumbnail = media?.thumbnails?.[0]?.url ?? media?.groups?.[0]?.thumbnails?.[0]?.url;
  const picture = contents.find(({ type, medium }) => medium === 'image' || type?.startsWith('image/'))?.url;
  return {
    number: toWholeNumber(itunes?.episode ?? podcast?.episode?.number),
    duration: itunes?.duration ?? contents.find(({ duration }) => duration)?.duration,
    audio,
    image: resolveUrl(itunes?.image ?? podcast?.images?.[0]?.href ?? thumbnail ?? picture, base),
    recording: audio !== undefined || (itunes?.duration ?? 0) > 0 || psc?.chapters !== undefined,
    chaptersAt: resolveUrl(podcast?.chapters?.url, base),
    chapters: (psc?.chapters ?? []).flatMap(({ start, title }) => (start && title ? [{ start, title }] : [])),
    guests: (podcast?.persons ?? []).flatMap(({ display, role }) =>
      display &&
      display.length <= 200 &&
      /[\p{L}\p{N}]/u.test(display) &&
      /^(?:guest|dj|artist|performer|musician|mixer)/i.test(role ?? '')
        ? [display]
        : [],
    ),
  };
}

const toWholeNumber = (number: number | undefined): number | undefined =>
  number !== undefined && Number.isInteger(number) && number >= 0 && number < 1e6 ? number : undefined;

const nonBlank = (texts: (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined && text.trim() !== '') as string[]),
];
const firstNonBlank = (...texts: (string | undefined)[]): string | undefined => nonBlank(texts)[0];
const firstTitle = (...titles: (string | undefined)[]): string | undefined =>
  nonBlank(titles.map((title) => (title === undefined ? undefined : htmlTitleToText(title))))
    .find((title) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(title))
    ?.slice(0, 1_000);
const firstId = (...ids: (string | undefined)[]): string | undefined =>
  nonBlank(ids.map((id) => id?.trim().slice(0, 1_000)))[0];

/** Converts an item of RSS. Relative addresses resolve against `base`. */
export function itemFromRss(item: RssFeed.Item<string>, base: string): FeedItem {
  const extras = readNamespaceFields(item, item.enclosures ?? [], base);
  return {
    ...extras,
    id: firstId(item.guid?.value, item.enclosures?.[0]?.url, item.link),
    title: firstTitle(item.title, item.itunes?.title, item.media?.title?.value, item.dc?.titles?.[0]),
    published: firstNonBlank(
      item.pubDate,
      item.dc?.dates?.[0],
      item.dcterms?.issued?.[0],
      item.atom?.published,
    ),
    notes: nonBlank([
      item.content?.encoded,
      item.description,
      item.itunes?.summary,
      item.media?.description?.value,
      item.googleplay?.description,
      item.itunes?.subtitle,
    ]),
  };
}

/** Converts an item of RSS 1.0 (RDF). Audio is in Media RSS. Relative addresses resolve against `base`. */
export function itemFromRdf(item: RdfFeed.Item<string>, base: string): FeedItem {
  const extras = readNamespaceFields({ media: item.media }, [], base);
  return {
    ...extras,
    id: firstId(item.rdf?.about, extras.audio, item.link),
    title: firstTitle(item.title, item.dc?.titles?.[0]),
    published: firstNonBlank(item.dc?.dates?.[0]),
    notes: nonBlank([item.content?.encoded, item.description]),
  };
}

/**
 * Converts an entry of Atom (RFC 4287). Audio is in enclosures or in the linked content. Relative addresses resolve
 * against `base`.
 */
export function itemFromAtom(entry: AtomFeed.Entry<string>, base: string): FeedItem {
  const links = entry.links ?? [];
  const enclosures = links
    .filter(({ rel }) => rel === 'enclosure')
    .map(({ href, type }) => ({ url: href, type }));
  const source = entry.content?.src ? [{ url: entry.content.src, type: entry.content.type }] : [];
  const page = links.find(({ rel }) => (rel ?? 'alternate') === 'alternate')?.href;
  return {
    ...readNamespaceFields(
      { itunes: entry.itunes, media: entry.media, psc: entry.psc },
      [...enclosures, ...source],
      base,
    ),
    id: firstId(entry.id, enclosures[0]?.url, page),
    title: firstTitle(entry.title?.value, entry.itunes?.title, entry.media?.title?.value),
    published: firstNonBlank(entry.published, entry.updated),
    notes: nonBlank([
      entry.content?.value,
      entry.summary?.value,
      entry.itunes?.summary,
      entry.media?.groups?.[0]?.description?.value,
    ]),
  };
}
