/** The nodes of a page, whether JSON-LD or microdata: their types, and values by name with references followed. */
import { descendants, type HtmlNode, parseHtml } from '../common/html.ts';
import { isJsonObject, type JsonObject } from '../common/values.ts';
import { normalizeUrl } from '../common/web-links.ts';
import { parseLenientJson } from './lenient-json.ts';
import { parseMicrodata } from './microdata.ts';

export type JsonLdNode = JsonObject;

export const isJsonLdNode = isJsonObject;

/** More of a page is not looked at. */
const maxNodes = 50_000;
const maxDepth = 60;

/** What a page says in data, and where it stands. */
export class JsonLdGraph {
  /** The address that relative ones are relative to; null of a file that names none. */
  readonly base: string | null;
  /** All nodes in order; `under` is the name by which a node is a part of another one. */
  readonly nodes: { node: JsonLdNode; under: string | null; above: JsonLdNode | null }[] = [];
  /** Scripts of which nothing could be read. */
  readonly unreadableScripts: number;
  /** What the site calls itself. */
  readonly siteNames: readonly string[];
  readonly #byId = new Map<string, JsonLdNode>();

  constructor(roots: readonly unknown[], base: string | null, site: readonly string[] = []) {
    this.base = base;
    this.unreadableScripts = roots.filter((root) => root === undefined).length;
    this.#walk(roots);
    const own = this.nodes.filter(({ node }) => this.types(node).includes('WebSite'));
    this.siteNames = [...site, ...own.flatMap(({ node }) => this.text(node, 'name') ?? [])];
  }

  #walk(roots: readonly unknown[]): void {
    type Step = { value: unknown; under: string | null; above: JsonLdNode | null; depth: number };
    const waiting: Step[] = roots.map((value) => ({ value, under: null, above: null, depth: 0 })).reverse();
    const seen = new Set<object>();
    for (let step = waiting.pop(); step !== undefined && this.nodes.length < maxNodes; step = waiting.pop()) {
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
  }

  /** Of two descriptions of one id the one that says more counts. */
  #indexById(node: JsonLdNode): void {
    const id = node['@id'];
    if (typeof id !== 'string') return;
    const other = this.#byId.get(id);
    if (other === undefined || Object.keys(node).length > Object.keys(other).length) this.#byId.set(id, node);
  }

  /** The values of a node under the first of these names that it has; a bare reference is followed. */
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

  /** The nodes among the values. */
  nodesAt(node: JsonLdNode, ...names: string[]): JsonLdNode[] {
    return this.values(node, ...names).filter(isJsonLdNode);
  }

  /** The first value that is a text or a number and not blank. */
  text(node: JsonLdNode, ...names: string[]): string | null {
    for (const value of this.values(node, ...names)) {
      const text = typeof value === 'string' ? value.trim() : typeof value === 'number' ? String(value) : '';
      if (text !== '') return text;
    }
    return null;
  }

  /** The first value that is an address, of itself or as the id or url of a node. */
  url(node: JsonLdNode, ...names: string[]): string | null {
    for (const value of this.values(node, ...names)) {
      const text = isJsonLdNode(value) ? (value['@id'] ?? value.url) : value;
      const address = typeof text === 'string' ? normalizeUrl(text, this.base) : null;
      if (address !== null) return address;
    }
    return null;
  }

  /** The types of a node without the vocabulary in front of them. */
  types(node: JsonLdNode): string[] {
    const types = node['@type'];
    return (Array.isArray(types) ? types : [types])
      .filter((type): type is string => typeof type === 'string')
      .map(stripVocabulary);
  }
}

const stripVocabulary = (name: string): string =>
  name.trim().replace(/^(?:https?:\/\/(?:www\.)?schema\.org\/|schema:)/i, '');

/** What a page says of itself and in data: JSON-LD first, then microdata. */
export type WebPage = {
  graph: JsonLdGraph;
  /** The address the page wants to be known by. */
  canonical: string | null;
  /** All links of the page that lead to other pages. */
  links: string[];
};

export function parseWebPage(text: string, url: string | null): WebPage {
  const root = parseHtml(text);
  const scripts: unknown[] = [];
  const hrefs: string[] = [];
  let base = url;
  const site: string[] = [];
  let canonical: string | null = null;
  for (const node of descendants(root)) {
    const { name, attribs = {} } = node;
    if (name === 'script' && /^\s*application\/ld\+json/i.test(attribs.type ?? ''))
      scripts.push(parseLenientJson(textContent(node)));
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
  const graph = new JsonLdGraph([...scripts, ...parseMicrodata(root)], base, site);
  return { graph, canonical, links: [...new Set(links)] };
}

/** A document of JSON-LD alone. */
export const parseJsonLdDocument = (text: string, url: string | null): WebPage => ({
  graph: new JsonLdGraph([parseLenientJson(text)], url),
  canonical: null,
  links: [],
});

const textContent = (node: HtmlNode): string => (node.children ?? []).map(({ data = '' }) => data).join('');
