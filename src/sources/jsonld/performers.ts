/** Parses the performers of a schema.org event: the line-up, and an artist record for each performer with an id. */
import { fold } from '../../text/fold.ts';
import { alternatives } from '../../text/lexicon.ts';
import type { RecordOf } from '../adapter.ts';
import { stripMarkup } from '../common/html.ts';
import { parseDateTime, stated } from '../common/values.ts';
import { extractServiceIds, isSameSite, normalizeUrl, toProfileLink } from '../common/web-links.ts';
import { isJsonLdNode, type JsonLdGraph, type JsonLdNode } from './graph.ts';

type LineupEntry = NonNullable<RecordOf<'event'>['lineup']>[number];
export type Performer = { entry: LineupEntry; artist: RecordOf<'artist'> | null };

/** Placeholders for performer names. They include the type name, which a widespread plugin writes for every event. */
const placeholderName = new RegExp(`^(?:${alternatives('placeholder-names', 'performer')})$`, 'i');
const maxPerformers = 1_000;

/**
 * Parses the line-up.
 * @param owner the node that lists this event: an artist's page lists the artist's events
 */
export function parsePerformers(
  graph: JsonLdGraph,
  event: JsonLdNode,
  owner: JsonLdNode | null,
  pageUrl: string | null,
  title: string,
): Performer[] {
  const performers = new Map<string, Performer>();
  const named = graph.values(event, 'performer', 'performers', 'byArtist', 'actor');
  const eventUrl = graph.url(event, 'url') ?? pageUrl;
  const all = named.length === 0 && owner && isArtist(graph, owner) ? [owner] : named;
  for (const value of all.slice(0, maxPerformers)) {
    const performer = parsePerformer(graph, value, eventUrl, pageUrl);
    if (performer && !performers.has(fold(performer.entry.name)))
      performers.set(fold(performer.entry.name), performer);
  }
  for (const set of parseSets(graph, event, title)) {
    const listed = performers.get(fold(set.name));
    if (listed === undefined) performers.set(fold(set.name), { entry: set, artist: null });
    else listed.entry = { ...set, ...listed.entry };
  }
  return withoutEventItself([...performers.values()].slice(0, maxPerformers), title);
}

/** With a line-up this long, a performer with the event's name is the event itself. */
const longLineupLength = 10;
function withoutEventItself(performers: Performer[], title: string): Performer[] {
  const own = fold(title);
  const isItself = (name: string): boolean =>
    (performers.length > longLineupLength && name === own) ||
    (/\bfestival\b/.test(name) && own.includes(name));
  const others = performers.filter(({ entry }) => !isItself(fold(entry.name)));
  return others.length > 1 ? others : performers;
}

const isArtist = (graph: JsonLdGraph, node: JsonLdNode): boolean =>
  graph.types(node).some((type) => /^(?:MusicGroup|PerformingGroup|Person)$/.test(type));

function parsePerformer(
  graph: JsonLdGraph,
  value: unknown,
  eventUrl: string | null,
  pageUrl: string | null,
): Performer | null {
  const node = isJsonLdNode(value) ? (graph.nodesAt(value, 'performer')[0] ?? value) : null;
  const text = node ? graph.text(node, 'name') : typeof value === 'string' ? value : null;
  const name = stripMarkup(text ?? '').replace(/\s+/g, ' ');
  if (name === '' || placeholderName.test(name) || URL.canParse(name) || name.length > 1_000) return null;
  const id = node ? findOwnPage(graph, node, eventUrl, pageUrl) : null;
  if (node === null || id === null) return { entry: { name }, artist: null };
  return { entry: { external_id: id, name }, artist: toArtistRecord(graph, node, id, name) };
}

const profileUrls = (graph: JsonLdGraph, node: JsonLdNode): string[] =>
  ['url', 'sameAs'].flatMap((name) =>
    graph
      .values(node, name)
      .flatMap((value) => (typeof value === 'string' ? (normalizeUrl(value, graph.base) ?? []) : [])),
  );

/** Returns the performer's page on the source's own site; null for links to the event or to the front page. */
function findOwnPage(
  graph: JsonLdGraph,
  node: JsonLdNode,
  eventUrl: string | null,
  pageUrl: string | null,
): string | null {
  const isPage = (url: string): boolean =>
    url !== eventUrl && new URL(url).pathname !== '/' && !url.includes('#');
  const written = node['@id'];
  const own = typeof written === 'string' && !/^#|^_:/.test(written) ? normalizeUrl(written, null) : null;
  if (own !== null) return own;
  const site = pageUrl ?? graph.base ?? eventUrl;
  return (
    profileUrls(graph, node).find((url) => isPage(url) && site !== null && isSameSite(url, site)) ?? null
  );
}

function toArtistRecord(graph: JsonLdGraph, node: JsonLdNode, id: string, name: string): RecordOf<'artist'> {
  const urls = [...new Set(profileUrls(graph, node))].slice(0, 50);
  const ids = extractServiceIds(urls);
  return {
    kind: 'artist',
    external_id: id,
    name,
    ...stated({
      image_url: graph.url(node, 'image', 'logo'),
      links: urls.map(toProfileLink),
      external_ids: Object.keys(ids).length === 0 ? null : ids,
    }),
  };
}

/**
 * Returns the sets of an event: parts without a page of their own, with performer, time and stage. Parts with a page
 * are separate events.
 */
function parseSets(graph: JsonLdGraph, event: JsonLdNode, title: string): LineupEntry[] {
  return graph.nodesAt(event, 'subEvent', 'subEvents').flatMap((part) => {
    if (!isSet(graph, part)) return [];
    const performers = graph.nodesAt(part, 'performer', 'performers').map((node) => graph.text(node, 'name'));
    const names = performers.length > 0 ? performers : [graph.text(part, 'name')];
    const [start, end] = ['startDate', 'endDate'].map((name) => {
      const time = parseDateTime(graph.text(part, name) ?? '');
      return time?.length === 10 ? null : time;
    });
    const stage =
      graph.nodesAt(part, 'location').map((node) => graph.text(node, 'name'))[0] ??
      graph.text(part, 'location');
    return names.flatMap((written) => {
      const name = stripMarkup(written ?? '').replace(/\s+/g, ' ');
      if (name === '' || placeholderName.test(name) || fold(name) === fold(title)) return [];
      return { name, ...stated({ stage, set_start_at: start, set_end_at: end }) };
    });
  });
}

/** Whether a part of an event is a set rather than a separate event. */
export const isSet = (graph: JsonLdGraph, part: JsonLdNode): boolean =>
  graph.url(part, 'url') === null &&
  graph.values(part, 'offers').length === 0 &&
  graph.values(part, 'performer', 'performers', 'name').length > 0;
