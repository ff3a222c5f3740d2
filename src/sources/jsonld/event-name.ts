/** What an event of schema.org is called. */
import { fold } from '../../text/fold.ts';
import { stripMarkup } from '../common/html.ts';
import type { JsonLdGraph, JsonLdNode } from './graph.ts';
import { parsePerformers } from './performers.ts';

/**
 * The name of an event, without the name of the site.
 * @param ownerFromHeader the artist or place that lists it as one of its events
 * @returns an empty text where nothing names it
 */
export function parseEventName(
  graph: JsonLdGraph,
  node: JsonLdNode,
  owner: JsonLdNode | null,
  pageUrl: string | null,
): string {
  const written = stripMarkup(graph.text(node, 'name') ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, maxNameLength);
  return withoutSiteName(written, graph.siteNames) || nameFromPerformers(graph, node, owner, pageUrl);
}

/** One more than a record may have: it is rejected, and told so. */
const maxNameLength = 1_001;

/** An event that nobody named is called as who plays there: an artist's page lists dates so. */
const nameFromPerformers = (
  graph: JsonLdGraph,
  node: JsonLdNode,
  owner: JsonLdNode | null,
  pageUrl: string | null,
): string =>
  parsePerformers(graph, node, owner, pageUrl, '')
    .slice(0, 4)
    .map(({ entry }) => entry.name)
    .join(', ')
    .slice(0, 300);

/** "Title — Site" is what some programs that make sites call every page of theirs, and its event too. */
function withoutSiteName(name: string, site: readonly string[]): string {
  const match = /^(.*\S)\s+[—–|·•-]\s+(\S.*?)$/.exec(name);
  return match && site.some((own) => fold(stripMarkup(own)) === fold(match[2] as string))
    ? (match[1] as string)
    : name;
}
