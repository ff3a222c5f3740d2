/** All events of one page, each once, under ids that stay. */
import type { FeedRecord } from './adapter.ts';
import { type Found, isSeries, isShow, readEvent, sameness } from './jsonld-event.ts';
import type { Graph, Node, Page } from './jsonld-graph.ts';
import { isSet } from './jsonld-performers.ts';
import { BadEvent } from './jsonld-values.ts';
import { pageAddress } from './links.ts';
import { digest } from './place.ts';

export type PageEvent = { id: string; url: string | null; start: string; records: () => FeedRecord[] };

const eventParts = /^(?:subEvents?|superEvent|event|events)$/;

/** @param tell hears of what cannot be taken */
export function eventsOf(
  page: Page,
  url: string | null,
  options: Readonly<Record<string, string>>,
  tell: (reason: string) => void,
): PageEvent[] {
  const { graph } = page;
  const own = page.canonical ?? url;
  const found = new Map<string, Found>();
  for (const { node, under, above } of graph.nodes) {
    if (!isShow(graph, node) || isSeries(graph, node) || isReference(graph, node, under)) continue;
    const whole =
      under !== null && /^subEvents?$/.test(under) ? above : (graph.parts(node, 'superEvent')[0] ?? null);
    const owner = under !== null && /^events?$/.test(under) ? above : null;
    // A set of a show stands in its line-up; the nights of a series and the shows of a festival are events.
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
      const event = readEvent(graph, node, own, whole, owner, options);
      if (!found.has(sameness(event))) found.set(sameness(event), event);
    } catch (failure) {
      if (!(failure instanceof BadEvent)) throw failure;
      tell(failure.message);
    }
  }
  if (graph.unread > 0) tell(`${graph.unread} JSON-LD scripts cannot be read`);
  return withIds([...found.values()], own);
}

/** What only names an event that is described elsewhere. */
function isReference(graph: Graph, node: Node, under: string | null): boolean {
  if (graph.values(node, 'startDate').length > 0) return false;
  return under !== null && (eventParts.test(under) || under === 'item')
    ? true
    : Object.keys(node).length <= 3;
}

/** An address that several events of a page share names none of them: the date has to. */
function withIds(events: Found[], own: string | null): PageEvent[] {
  const shared = new Map<string, number>();
  const identity = (event: Found): string | null => event.ownId ?? event.url;
  for (const event of events) {
    const id = identity(event);
    if (id !== null) shared.set(id, (shared.get(id) ?? 0) + 1);
  }
  const taken = new Map<string, number>();
  return events.map((event) => {
    const named = identity(event);
    // The page of a list is not the page of an event.
    const usable = named !== null && !(named === own && events.length > 1);
    const base = usable ? named : digest(event.name, event.start.slice(0, 10), event.place);
    const dated = usable && (shared.get(named) ?? 0) > 1 ? `${base}#${event.start.slice(0, 10)}` : base;
    const count = (taken.get(dated) ?? 0) + 1;
    taken.set(dated, count);
    const id = count === 1 ? dated : `${dated}T${event.start.slice(11, 16)}${count > 2 ? `-${count}` : ''}`;
    return { id, url: event.url, start: event.start, records: () => event.records(id) };
  });
}

/** The addresses that a page lists as items rather than describes (ItemList). */
export function listedIn({ graph }: Page): string[] {
  const urls: string[] = [];
  for (const { node } of graph.nodes) {
    if (!graph.types(node).includes('ItemList')) continue;
    for (const element of graph.values(node, 'itemListElement')) urls.push(...addressesIn(graph, element));
  }
  return [...new Set(urls)];
}

function addressesIn(graph: Graph, element: unknown): string[] {
  if (typeof element === 'string') return [pageAddress(element, graph.base)].filter((url) => url !== null);
  if (typeof element !== 'object' || element === null) return [];
  const node = element as Node;
  const item = graph.address(node, 'url') ?? graph.address(node, 'item');
  return item === null ? [] : [item];
}
