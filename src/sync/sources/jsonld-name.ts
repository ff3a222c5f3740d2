/** What an event of schema.org is called. */
import { fold } from '../../store/fold.ts';
import { plainText } from './html.ts';
import type { Graph, Node } from './jsonld-graph.ts';
import { performersOf } from './jsonld-performers.ts';

/**
 * The name of an event, without the name of the site.
 * @param owner the artist or place that lists it as one of its events
 * @returns an empty text where nothing names it
 */
export function nameOf(graph: Graph, node: Node, owner: Node | null, pageUrl: string | null): string {
  const written = plainText(graph.text(node, 'name') ?? '')
    .replace(/\s+/g, ' ')
    .slice(0, longestName);
  return withoutSite(written, graph.site) || billOf(graph, node, owner, pageUrl);
}

/** One more than a record may have: it is rejected, and told so. */
const longestName = 1_001;

/** An event that nobody named is called as who plays there: an artist's page lists dates so. */
const billOf = (graph: Graph, node: Node, owner: Node | null, pageUrl: string | null): string =>
  performersOf(graph, node, owner, pageUrl, '')
    .slice(0, 4)
    .map(({ entry }) => entry.name)
    .join(', ')
    .slice(0, 300);

/** "Title — Site" is what some programs that make sites call every page of theirs, and its event too. */
function withoutSite(name: string, site: readonly string[]): string {
  const match = /^(.*\S)\s+[—–|·•-]\s+(\S.*?)$/.exec(name);
  return match && site.some((own) => fold(plainText(own)) === fold(match[2] as string))
    ? (match[1] as string)
    : name;
}
