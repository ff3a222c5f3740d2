/** Converts microdata (HTML standard, section 5.2) to JSON-LD nodes: types, and lists of values by name. */
import { descendants, type HtmlNode, visibleText } from '../common/html.ts';

type MicrodataItem = { [name: string]: unknown };

/** Maximum nesting of items. */
const maxDepth = 20;
const maxItems = 20_000;
/** Maximum number of elements visited in total: items may refer to the same elements repeatedly. */
const maxSteps = 500_000;
/** Maximum number of characters of all values, for the same reason. */
const maxText = 20_000_000;

/** What may still be read of a page: elements, and characters of values with the nodes they are collected from. */
type Budget = { left: number; text: { left: number }; texts: WeakMap<HtmlNode, string> };

/** Returns the items of a page that are not inside another item, whether or not they have a property name. */
export function parseMicrodata(root: HtmlNode, onCut: () => void = () => {}): MicrodataItem[] {
  const byId = new Map<string, HtmlNode>();
  const tops: HtmlNode[] = [];
  const inner = new Set<HtmlNode>();
  const referred = new Set<string>();
  for (const node of descendants(root)) {
    const { attribs, parent } = node;
    const isInner = parent != null && (inner.has(parent) || 'itemscope' in (parent.attribs ?? {}));
    if (isInner) inner.add(node);
    if (attribs === undefined) continue;
    if (attribs.id !== undefined && !byId.has(attribs.id)) byId.set(attribs.id, node);
    for (const id of attribs.itemref?.split(/\s+/) ?? []) referred.add(id);
    if (!('itemscope' in attribs) || ('itemprop' in attribs && isInner)) continue;
    if (tops.length < maxItems) tops.push(node);
    else onCut();
  }
  const budget: Budget = { left: maxSteps, text: { left: maxText }, texts: new WeakMap() };
  const items = tops
    .filter(({ attribs = {} }) => !('itemprop' in attribs && referred.has(attribs.id ?? '')))
    .map((node) => parseItem(node, byId, [], budget))
    .filter((item) => item !== null);
  if (budget.left <= 0 || budget.text.left <= 0) onCut();
  return items;
}

function parseItem(
  scope: HtmlNode,
  byId: Map<string, HtmlNode>,
  within: HtmlNode[],
  budget: Budget,
): MicrodataItem | null {
  // An itemref cycle, or a deliberately deep page.
  if (within.includes(scope) || within.length > maxDepth || budget.left <= 0) return null;
  const { itemtype = '', itemid, itemref = '' } = scope.attribs ?? {};
  const item: MicrodataItem = { '@type': itemtype.split(/\s+/).filter((type) => type !== '') };
  if (itemid !== undefined) item['@id'] = itemid;
  const isPlace = /\blocation\b/.test(scope.attribs?.itemprop ?? '');
  let linked = '';
  const others = itemref
    .split(/\s+/)
    .slice(0, 100)
    .flatMap((id) => byId.get(id) ?? []);
  // Elements without children are visited too.
  budget.left -= 1 + others.length;
  for (const root of [scope, ...others]) {
    for (const node of propertiesOf(root, root !== scope, budget)) {
      const value = propertyValue(node, byId, [...within, scope], budget);
      for (const name of (node.attribs?.itemprop ?? '').split(/\s+/)) addProperty(item, name, value);
      if (isPlace && linked === '' && isNamedLink(node)) linked = textOf(node, budget).replace(/\s+/g, ' ');
    }
  }
  if (isPlace && !Object.hasOwn(item, 'name')) addProperty(item, 'name', linked.slice(0, 200));
  return item;
}

/** Whether a link's text serves as the name of a place without a name. */
const isNamedLink = (node: HtmlNode): boolean =>
  node.name === 'a' && /\burl\b/.test(node.attribs?.itemprop ?? '');

function addProperty(item: MicrodataItem, name: string, value: unknown): void {
  if (name === '' || name.startsWith('@') || value === null || value === '') return;
  const values = Object.hasOwn(item, name) ? (item[name] as unknown[]) : [];
  if (values.length === 0) Object.defineProperty(item, name, { value: values, enumerable: true });
  if (values.length < 1_000) values.push(value);
}

/** Yields the property elements of a scope, without those of nested scopes. */
function* propertiesOf(root: HtmlNode, itself: boolean, budget: Budget): Generator<HtmlNode> {
  const isProperty = (node: HtmlNode) => node.attribs !== undefined && 'itemprop' in node.attribs;
  const isScope = (node: HtmlNode) => node.attribs !== undefined && 'itemscope' in node.attribs;
  if (itself && isProperty(root)) yield root;
  if (itself && isScope(root)) return;
  for (const node of descendants(root, (child) => !isScope(child))) {
    if (budget.left-- <= 0) return;
    if (isProperty(node)) yield node;
  }
}

const urlAttributes: Record<string, string> = {
  a: 'href',
  area: 'href',
  link: 'href',
  audio: 'src',
  embed: 'src',
  iframe: 'src',
  img: 'src',
  source: 'src',
  track: 'src',
  video: 'src',
  object: 'data',
};

function propertyValue(
  node: HtmlNode,
  byId: Map<string, HtmlNode>,
  within: HtmlNode[],
  budget: Budget,
): unknown {
  const attributes = node.attribs ?? {};
  if ('itemscope' in attributes) return parseItem(node, byId, within, budget);
  const written = attributes.content ?? attributes[urlAttributes[node.name ?? ''] ?? ''];
  if (written !== undefined) return limited(written, budget);
  if (node.name === 'time' && attributes.datetime !== undefined) return limited(attributes.datetime, budget);
  if (/^(?:data|meter)$/.test(node.name ?? '') && attributes.value !== undefined)
    return limited(attributes.value, budget);
  return textOf(node, budget);
}

/** Returns a value, or '' if the page has used up its characters. */
function limited(value: string, { text }: Budget): string {
  if (text.left <= 0) return '';
  text.left -= value.length;
  return value.trim();
}

/** Returns the visible text of an element. An element that many items refer to is read once. */
function textOf(node: HtmlNode, budget: Budget): string {
  const known = budget.texts.get(node);
  if (known !== undefined) return limited(known, budget);
  const text = visibleText(node, budget.text);
  budget.texts.set(node, text);
  return text;
}
