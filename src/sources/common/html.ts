/** Pages of the web as a tree, and texts with mark-up as plain ones. No function here follows the depth of a page. */
import { load } from 'cheerio/slim';

/** A node of a page, as far as it is read here. */
export type HtmlNode = {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: HtmlNode[];
  parent?: HtmlNode | null;
};

/** The tree of a page. Whatever the text is, it has one. */
export const parseHtml = (text: string): HtmlNode => load(limitDepth(text)).root()[0] as unknown as HtmlNode;

/** The parser takes the longer for an element the deeper it stands; no page that people read is as deep as this. */
const maxDepth = 10_000;
/** Elements that have no end, or that the next of their kind ends. */
const optionalEndTag =
  /^(?:area|base|br|col|dd|dt|embed|hr|img|input|li|link|meta|option|p|param|source|td|th|tr|track|wbr)$/;

/** The text as far as its elements are not too deep within each other. */
function limitDepth(text: string): string {
  const open = new Map<string, number>();
  let depth = 0;
  for (const { 1: slash, 2: written = '', index } of text.matchAll(/<(\/?)([a-z][a-z\d:-]{0,40})/gi)) {
    const name = written.toLowerCase();
    if (optionalEndTag.test(name)) continue;
    const count = open.get(name) ?? 0;
    if (slash === '') {
      open.set(name, count + 1);
      if (++depth > maxDepth) return text.slice(0, index);
    } else if (count > 0) {
      open.set(name, count - 1);
      depth--;
    }
  }
  return text;
}

/** Every node below another in the order of the text; `enter` says whether its children are wanted. */
export function* descendants(root: HtmlNode, enter?: (node: HtmlNode) => boolean): Generator<HtmlNode> {
  const waiting: HtmlNode[] = [...(root.children ?? [])].reverse();
  for (let node = waiting.pop(); node !== undefined; node = waiting.pop()) {
    yield node;
    const { children } = node;
    if (children === undefined || (enter && !enter(node))) continue;
    for (let index = children.length - 1; index >= 0; index--) waiting.push(children[index] as HtmlNode);
  }
}

const blockElement =
  /^(?:address|article|aside|blockquote|br|dd|div|dl|dt|h[1-6]|hr|li|ol|p|pre|section|table|tr|ul)$/;
const hiddenElement = /^(?:script|style|noscript|template|head)$/;

/** The text that a reader sees, lines where blocks are. */
export function visibleText(root: HtmlNode): string {
  let text = '';
  for (const node of descendants(root, ({ name }) => !hiddenElement.test(name ?? ''))) {
    if (node.type === 'text') text += node.data ?? '';
    else if (blockElement.test(node.name ?? '')) text += '\n';
    if (text.length > 200_000) break;
  }
  return collapseSpaces(text);
}

const collapseSpaces = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/ ?\n ?/g, '\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();

/** A text that may have mark-up or entities in it, without. */
export function stripMarkup(text: string): string {
  const marked = /<\/?[a-z][^<>]*>|<br/i.test(text);
  if (!marked && !/&(?:#\d+|#x[\da-f]+|[a-z]\w+);/i.test(text)) return text.trim().slice(0, 100_000);
  // Where there is no element, the line breaks of the text are its own.
  const html = marked ? text : text.replace(/</g, '&lt;').replace(/\n/g, '<br>');
  return visibleText(parseHtml(html.slice(0, 500_000))).slice(0, 100_000);
}
