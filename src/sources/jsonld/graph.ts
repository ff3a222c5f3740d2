/** The JSON-LD and microdata nodes of a page: their types, and their values by name with references resolved. */
import { descendants, type HtmlNode, parseHtml } from '../common/html.ts';
import { isJsonObject, type JsonObject } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';
import { parseLenientJson } from './lenient-json.ts';
import { parseMicrodata } from './microdata.ts';
import { parseNextData } from './next-data.ts';

export type JsonLdNode = JsonObject;

export const isJsonLdNode = isJsonObject;

/** Maximum number of nodes read from one page. */
const maxNodes = 50_000;
const maxDepth = 60;

/** The structured data of a page and its base URL. */
export class JsonLdGraph {
  /** The base of relative URLs; null for a file that names none. */
  readonly base: string | null;
  /** All nodes in document order; `under` is the property by which a node belongs to its parent `above`. */
  readonly nodes: { node: JsonLdNode; under: string | null; above: JsonLdNode | null }[] = [];
  /** Number of scripts that could not be parsed. */
  readonly unreadableScripts: number;
  /** Whether there are more nodes than are read. */
  readonly isCut: boolean;
  /** The names that the site gives itself. */
  readonly siteNames: readonly string[];
  readonly #byId = new Map<string, JsonLdNode>();

  constructor(roots: readonly unknown[], base: string | null, site: readonly string[] = []) {
    this.base = base;
    this.unreadableScripts = roots.filter((root) => root === undefined).length;
    this.isCut = !this.#walk(roots);
    const own = this.nodes.filter(({ node }) => this.types(node).includes('WebSite'));
    this.siteNames = [...site, ...own.flatMap(({ node }) => this.text(node, 'name') ?? [])];
  }

  /** Collects the nodes. Returns false if there may be more of them than are read. */
  #walk(roots: readonly unknown[]): boolean {
    type Step = { value: unknown; under: string | null; above: JsonLdNode | null; depth: number };
    const waiting: Step[] = roots.map((value) => ({ value, under: null, above: null, depth: 0 })).reverse();
    const seen = new Set<object>();
    for (let step = waiting.pop(); step !== undefined; step = waiting.pop()) {
      if (this.nodes.length >= maxNodes) return false;
      const { value, under, above, depth } = step;
      if (typeof value !== 'object' || value === null || seen.has(value) || depth > maxDepth) continue;
      seen.add(value);
      if (Array.isArray(value)) {
        for (const part of value.slice(0, maxNodes).reverse())
          waiting.push({ value: part, under, above, depth: depth + 1 });
        continue;
      }
      const node = value as JsonLdNode;
      this.nodes.push({ node, under, above });
      this.#indexById(node);
      for (const [name, part] of Object.entries(node).reverse()) {
        const grouping = name === '@graph' || name === '@list' || name === '@set';
        waiting.push({
          value: part,
          under: grouping ? under : stripVocabulary(name),
          above: grouping ? above : node,
          depth: depth + 1,
        });
      }
    }
    return true;
  }

  /** Indexes a node by its id. Of two nodes with one id, the one with more properties wins. */
  #indexById(node: JsonLdNode): void {
    const id = node['@id'];
    if (typeof id !== 'string') return;
    const other = this.#byId.get(id);
    if (other === undefined || Object.keys(node).length > Object.keys(other).length) this.#byId.set(id, node);
  }

  /** Returns the values of a node under the first of these names that it has. Bare references are resolved. */
  values(node: JsonLdNode, ...names: string[]): unknown[] {
    for (const name of names) {
      const value =
        node[name] ??
        node[`schema:${name}`] ??
        node[`http://schema.org/${name}`] ??
        node[`https://schema.org/${name}`];
      if (value !== undefined && value !== null) return this.#flat(value, 0).slice(0, 2_000);
    }
    return [];
  }

  #flat(value: unknown, depth: number): unknown[] {
    if (Array.isArray(value))
      return depth > 5 ? [] : value.slice(0, 2_000).flatMap((part) => this.#flat(part, depth + 1));
    if (!isJsonLdNode(value)) return value === null || value === undefined ? [] : [value];
    const inner = value['@value'] ?? value['@list'] ?? value['@set'];
    if (inner !== undefined) return depth > 5 ? [] : this.#flat(inner, depth + 1);
    const id = value['@id'];
    if (typeof id !== 'string' || Object.keys(value).length > 2) return [value];
    return [this.#byId.get(id) ?? value];
  }

  nodesAt(node: JsonLdNode, ...names: string[]): JsonLdNode[] {
    return this.values(node, ...names).filter(isJsonLdNode);
  }

  /** Returns the first non-blank text or number. */
  text(node: JsonLdNode, ...names: string[]): string | null {
    for (const value of this.values(node, ...names)) {
      const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
      if (text !== '') return text;
    }
    return null;
  }

  /** Returns the first URL: a value itself, or the id or url of a node. */
  url(node: JsonLdNode, ...names: string[]): string | null {
    for (const value of this.values(node, ...names)) {
      const text = isJsonLdNode(value) ? (value['@id'] ?? value.url) : value;
      const address = typeof text === 'string' ? normalizeUrl(text, this.base) : null;
      if (address !== null) return address;
    }
    return null;
  }

  /** Returns the types of a node without their vocabulary prefix. */
  types(node: JsonLdNode): string[] {
    const types = node['@type'];
    return (Array.isArray(types) ? types : [types])
      .filter((type): type is string => typeof type === 'string')
      .map(stripVocabulary);
  }
}

const stripVocabulary = (name: string): string =>
  name.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');

/** A parsed page: metadata and structured data, JSON-LD first, then microdata. */
export type WebPage = {
  graph: JsonLdGraph;
  /** The canonical URL of the page. */
  canonical: string | null;
  /** All links to other pages. */
  links: string[];
  /** Whether the page may describe more events than are read. */
  isCut: boolean;
  /** Whether a script that may describe events cannot be read. */
  isBroken: boolean;
};

/** Words of which a description of events has at least one. */
const eventWords = /event|festival|start_?date/i;

/**
 * Parses the JSON-LD, the links and the site name of a page in HTML. Relative addresses resolve against its `base`
 * element, else the URL, else its canonical address. Never fails.
 */
export function parseWebPage(text: string, url: string | null): WebPage {
  const root = parseHtml(text);
  const scripts: unknown[] = [];
  const hrefs: string[] = [];
  let base = url;
  const site: string[] = [];
  let canonical: string | null = null;
  let nextData = '';
  let isBroken = false;
  for (const node of descendants(root)) {
    const { name, attribs = {} } = node;
    if (name === 'script' && /^\s*application\/ld\+json/i.test(attribs.type ?? '')) {
      const script = textContent(node);
      const parsed = parseLenientJson(script);
      // Sites with a broken description of themselves are many.
      isBroken ||= parsed === undefined && eventWords.test(script);
      scripts.push(parsed);
    } else if (name === 'script' && attribs.id === '__NEXT_DATA__') nextData = textContent(node);
    else if (name === 'base' && attribs.href !== undefined) base = normalizeUrl(attribs.href, base) ?? base;
    else if (name === 'link' && /\bcanonical\b/i.test(attribs.rel ?? ''))
      canonical ??= normalizeUrl(attribs.href ?? '', base);
    else if (name === 'meta' && /^og:url$/i.test(attribs.property ?? ''))
      canonical ??= normalizeUrl(attribs.content ?? '', base);
    else if (name === 'meta' && /^og:site_name$/i.test(attribs.property ?? ''))
      site.push(attribs.content ?? '');
    else if (name === 'a' && attribs.href !== undefined && hrefs.length < 20_000) hrefs.push(attribs.href);
  }
  base ??= canonical;
  const links = hrefs
    .map((href) => normalizeUrl(href, base)?.split('#', 1)[0] ?? null)
    .filter((link) => link !== null);
  let isCut = false;
  const onCut = (): void => {
    isCut = true;
  };
  const stated = [...scripts, ...parseMicrodata(root, onCut)];
  const graph = new JsonLdGraph(stated, base, site);
  const hasEvents = graph.nodes.some(({ node }) =>
    graph.types(node).some((type) => /Event$|^Festival$/.test(type)),
  );
  // What a site states for other programs is better than what it keeps for its own.
  const own = hasEvents || nextData === '' ? [] : parseNextData(nextData, onCut);
  isBroken ||= own === null;
  const whole = own?.length ? new JsonLdGraph([...stated, ...own], base, site) : graph;
  return { graph: whole, canonical, links: [...new Set(links)], isCut: isCut || whole.isCut, isBroken };
}

/** Parses a document that consists of JSON-LD only. */
export function parseJsonLdDocument(text: string, url: string | null): WebPage {
  const graph = new JsonLdGraph([parseLenientJson(text)], url);
  return { graph, canonical: null, links: [], isCut: graph.isCut, isBroken: graph.unreadableScripts > 0 };
}

const textContent = (node: HtmlNode): string => (node.children ?? []).map(({ data = '' }) => data).join('');
