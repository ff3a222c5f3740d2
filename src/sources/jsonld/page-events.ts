/** Returns all events of one page without duplicates, each with a stable id. */
import type { FeedRecord } from '../adapter.ts';
import { stableDigest } from '../address/place.ts';
import { InvalidEventError } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';
import { duplicateKey, isSeries, isShow, type ParsedEvent, parseEvent } from './event.ts';
import type { JsonLdGraph, JsonLdNode, WebPage } from './graph.ts';
import { isSet } from './performers.ts';

export type PageEvent = { id: string; url: string | null; start: string; records: () => FeedRecord[] };

const eventProperty = /^(?:subEvents?|superEvent|event|events)$/;

/**
 * Parses the events of a page.
 * @param onProblem called for each event that is rejected
 */
export function parsePageEvents(
  page: WebPage,
  url: string | null,
  options: Readonly<Record<string, string>>,
  onProblem: (reason: string) => void,
): PageEvent[] {
  const { graph } = page;
  const own = page.canonical ?? url;
  const events = new Map<string, ParsedEvent>();
  for (const { node, under, above } of graph.nodes) {
    if (!isShow(graph, node) || isSeries(graph, node) || isReference(graph, node, under)) continue;
    const whole =
      under !== null && /^subEvents?$/.test(under) ? above : (graph.nodesAt(node, 'superEvent')[0] ?? null);
    const owner = under !== null && /^events?$/.test(under) ? above : null;
    // A set of a show belongs to its line-up; the nights of a series and the shows of a festival are events.
    if (
      whole &&
      under !== null &&
      /^subEvents?$/.test(under) &&
      isShow(graph, whole) &&
      !graph.types(whole).includes('Festival') &&
      isSet(graph, node)
    )
      continue;
    try {
      const event = parseEvent(graph, node, own, whole, owner, options);
      if (!events.has(duplicateKey(event))) events.set(duplicateKey(event), event);
    } catch (failure) {
      if (!(failure instanceof InvalidEventError)) throw failure;
      onProblem(failure.message);
    }
  }
  const unreadable = graph.unreadableScripts;
  if (unreadable > 0) onProblem(`${unreadable} JSON-LD script${unreadable === 1 ? '' : 's'} cannot be read`);
  return assignIds([...events.values()], own);
}

/** Whether a node only refers to an event that is described elsewhere. */
function isReference(graph: JsonLdGraph, node: JsonLdNode, under: string | null): boolean {
  if (graph.values(node, 'startDate').length > 0) return false;
  return under !== null && (eventProperty.test(under) || under === 'item')
    ? true
    : Object.keys(node).length <= 3;
}

/** Assigns the ids. A URL that several events of a page share cannot identify them, so the date is added. */
function assignIds(events: ParsedEvent[], own: string | null): PageEvent[] {
  const shared = new Map<string, number>();
  const identity = (event: ParsedEvent): string | null => event.ownId ?? event.url;
  for (const event of events) {
    const id = identity(event);
    if (id !== null) shared.set(id, (shared.get(id) ?? 0) + 1);
  }
  const taken = new Map<string, number>();
  return events.map((event) => {
    const named = identity(event);
    // The URL of a list page does not identify an event.
    const usable = named !== null && !(named === own && events.length > 1);
    const base = usable ? named : stableDigest(event.name, event.start.slice(0, 10), event.placeName);
    const dated = usable && (shared.get(named) ?? 0) > 1 ? `${base}#${event.start.slice(0, 10)}` : base;
    const count = (taken.get(dated) ?? 0) + 1;
    taken.set(dated, count);
    const id = count === 1 ? dated : `${dated}T${event.start.slice(11, 16)}${count > 2 ? `-${count}` : ''}`;
    return { id, url: event.url, start: event.start, records: () => event.records(id) };
  });
}

/** Returns the URLs that a page lists as items without describing them (ItemList). */
export function listedUrls({ graph }: WebPage): string[] {
  const urls: string[] = [];
  for (const { node } of graph.nodes) {
    if (!graph.types(node).includes('ItemList')) continue;
    for (const element of graph.values(node, 'itemListElement')) urls.push(...itemUrls(graph, element));
  }
  return [...new Set(urls)];
}

function itemUrls(graph: JsonLdGraph, element: unknown): string[] {
  if (typeof element === 'string') return [normalizeUrl(element, graph.base)].filter((url) => url !== null);
  if (typeof element !== 'object' || element === null) return [];
  const node = element as JsonLdNode;
  const item = graph.url(node, 'url') ?? graph.url(node, 'item');
  return item === null ? [] : [item];
}
