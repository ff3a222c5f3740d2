/** One item of a podcast's feed, as the few things that are taken from it. */
import type { AtomFeed, ItunesNs, MediaNs, PodcastNs, PscNs, RdfFeed, RssFeed } from 'feedsmith';
import { textOfTitle } from '../reading/show-notes.ts';
import { addressOf } from './podcast-values.ts';

export type Item = {
  /** guid, else the recording's address, else the link. */
  id: string | undefined;
  title: string | undefined;
  number: number | undefined;
  published: string | undefined;
  duration: number | undefined;
  audio: string | undefined;
  image: string | undefined;
  /** The notes in each writing that the item has, the fullest first; HTML as it came. */
  notes: string[];
  /** Whether there is something to listen to. */
  recording: boolean;
  /** Where chapters are kept, as JSON. */
  chaptersAt: string | undefined;
  /** Podlove Simple Chapters. */
  chapters: { start: string; title: string }[];
  /** Who is named as a guest or as playing. */
  guests: string[];
};

type Enclosure = { url?: string | undefined; type?: string | undefined };

const audible = /^(?:audio|video)\/|^application\/(?:ogg|x-shockwave-flash)/i;
const file = /\.(?:mp3|m4a|m4b|aac|ogg|oga|opus|flac|wav|mp4|m4v|mov|webm)(?:[?#]|$)/i;

/** The first recording among enclosures: audio before video. */
function recordingOf(enclosures: Enclosure[], base: string): string | undefined {
  const found = enclosures.filter(({ url, type }) => url && (audible.test(type ?? '') || file.test(url)));
  const audio = found.find(({ url, type }) => /^audio\//i.test(type ?? '') || /\.mp3/i.test(url ?? ''));
  return addressOf((audio ?? found[0])?.url, base);
}

const contentsOf = (media: MediaNs.ItemOrFeed | undefined): MediaNs.Content[] => [
  ...(media?.contents ?? []),
  ...(media?.groups ?? []).flatMap((group) => group.contents ?? []),
];

type Extras = {
  itunes?: ItunesNs.Item | undefined;
  media?: MediaNs.ItemOrFeed | undefined;
  podcast?: PodcastNs.Item | undefined;
  psc?: PscNs.Item | undefined;
};

/** What the namespaces add, alike in all formats. */
function extrasOf({ itunes, media, podcast, psc }: Extras, enclosures: Enclosure[], base: string) {
  const contents = contentsOf(media);
  const audio = recordingOf([...enclosures, ...contents], base);
  const thumbnail = media?.thumbnails?.[0]?.url ?? media?.groups?.[0]?.thumbnails?.[0]?.url;
  const picture = contents.find(({ type, medium }) => medium === 'image' || type?.startsWith('image/'))?.url;
  return {
    number: wholeOf(itunes?.episode ?? podcast?.episode?.number),
    duration: itunes?.duration ?? contents.find(({ duration }) => duration)?.duration,
    audio,
    image: addressOf(itunes?.image ?? podcast?.images?.[0]?.href ?? thumbnail ?? picture, base),
    recording: audio !== undefined || (itunes?.duration ?? 0) > 0 || psc?.chapters !== undefined,
    chaptersAt: addressOf(podcast?.chapters?.url, base),
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

const wholeOf = (number: number | undefined): number | undefined =>
  number !== undefined && Number.isInteger(number) && number >= 0 && number < 1e6 ? number : undefined;

const some = (texts: (string | undefined)[]): string[] => [
  ...new Set(texts.filter((text) => text !== undefined && text.trim() !== '') as string[]),
];
const first = (...texts: (string | undefined)[]): string | undefined => some(texts)[0];
const titleOf = (...titles: (string | undefined)[]): string | undefined =>
  some(titles.map((title) => (title === undefined ? undefined : textOfTitle(title))))
    .find((title) => /[\p{L}\p{N}\p{P}\p{S}]/u.test(title))
    ?.slice(0, 1_000);
const idOf = (...ids: (string | undefined)[]): string | undefined =>
  some(ids.map((id) => id?.trim().slice(0, 1_000)))[0];

export function itemOfRss(item: RssFeed.Item<string>, base: string): Item {
  const extras = extrasOf(item, item.enclosures ?? [], base);
  return {
    ...extras,
    id: idOf(item.guid?.value, item.enclosures?.[0]?.url, item.link),
    title: titleOf(item.title, item.itunes?.title, item.media?.title?.value, item.dc?.titles?.[0]),
    published: first(item.pubDate, item.dc?.dates?.[0], item.dcterms?.issued?.[0], item.atom?.published),
    notes: some([
      item.content?.encoded,
      item.description,
      item.itunes?.summary,
      item.media?.description?.value,
      item.googleplay?.description,
      item.itunes?.subtitle,
    ]),
  };
}

export function itemOfRdf(item: RdfFeed.Item<string>, base: string): Item {
  const extras = extrasOf({ media: item.media }, [], base);
  return {
    ...extras,
    id: idOf(item.rdf?.about, extras.audio, item.link),
    title: titleOf(item.title, item.dc?.titles?.[0]),
    published: first(item.dc?.dates?.[0]),
    notes: some([item.content?.encoded, item.description]),
  };
}

export function itemOfAtom(entry: AtomFeed.Entry<string>, base: string): Item {
  const links = entry.links ?? [];
  const enclosures = links
    .filter(({ rel }) => rel === 'enclosure')
    .map(({ href, type }) => ({ url: href, type }));
  const source = entry.content?.src ? [{ url: entry.content.src, type: entry.content.type }] : [];
  const page = links.find(({ rel }) => (rel ?? 'alternate') === 'alternate')?.href;
  return {
    ...extrasOf(
      { itunes: entry.itunes, media: entry.media, psc: entry.psc },
      [...enclosures, ...source],
      base,
    ),
    id: idOf(entry.id, enclosures[0]?.url, page),
    title: titleOf(entry.title?.value, entry.itunes?.title, entry.media?.title?.value),
    published: first(entry.published, entry.updated),
    notes: some([
      entry.content?.value,
      entry.summary?.value,
      entry.itunes?.summary,
      entry.media?.groups?.[0]?.description?.value,
    ]),
  };
}
