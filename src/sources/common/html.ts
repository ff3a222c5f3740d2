/** Parses HTML pages, and converts HTML to text. No function recurses with the depth of a page. */
import { parseBounded } from './bounded-parser.ts';

/** A node of a parsed page. */
export type HtmlNode = {
  type: string;
  name?: string;
  data?: string;
  attribs?: Record<string, string>;
  children?: HtmlNode[];
  parent?: HtmlNode | null;
};

/** Parses a page. Every text has a tree. */
export const parseHtml = (text: string): HtmlNode => parseBounded(text) as HtmlNode;

/**
 * Yields the descendants of a node in document order.
 * @param enter whether to visit the children of a node
 */
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

/**
 * Returns the visible text, with line breaks at blocks.
 * @param budget limits the nodes and characters; what is read is subtracted
 */
export function visibleText(root: HtmlNode, budget = { left: Number.POSITIVE_INFINITY }): string {
  let text = '';
  for (const node of descendants(root, ({ name }) => !hiddenElement.test(name ?? ''))) {
    if (budget.left <= 0) break;
    budget.left -= 1 + (node.data?.length ?? 0);
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

/** Removes tags and entities from a text that may contain them. */
export function stripMarkup(text: string): string {
  const hasTags = /<\/?[a-z][^<>]*>|<br/i.test(text);
  if (!hasTags && !/&(?:#\d+|#x[\da-f]+|[a-z]\w+);/i.test(text)) return text.trim().slice(0, 100_000);
  // Without elements, line breaks are part of the text.
  const html = hasTags ? text : text.replace(/</g, '&lt;').replace(/\n/g, '<br>');
  return visibleText(parseHtml(html.slice(0, 500_000))).slice(0, 100_000);
}

/** Max length of HTML that is converted; the rest is ignored. */
const maxNotesLength = 150_000;

const paragraphElements = new Set([
  'p',
  'ul',
  'ol',
  'table',
  'blockquote',
  'pre',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
]);
const blockElements = new Set([
  ...paragraphElements,
  ...['div', 'li', 'tr', 'section', 'article', 'header', 'footer', 'figure', 'dl', 'dt', 'dd', 'hr', 'br'],
]);
const hiddenElements = new Set([
  'script',
  'style',
  'head',
  'template',
  'iframe',
  'object',
  'svg',
  'noscript',
]);
const anyTag = /<\/?[a-z][a-z0-9]*(?:\s[^<>]*)?\/?>/i;
const blockTag = /<(?:p|br|div|li|tr|h[1-6]|blockquote)\b/i;
const remainingEntity = /&(?:amp|quot|lt|gt|apos|nbsp|#\d{1,7}|#x[\da-f]{1,6});/i;

/**
 * Converts show notes to text, one line for each visible line.
 * @param html HTML, or plain text with significant line breaks; entities may be encoded twice
 */
export function htmlToText(html: string): string {
  const source = html.length > maxNotesLength ? html.slice(0, maxNotesLength) : html;
  const keepsLineBreaks = !blockTag.test(source);
  const text = anyTag.test(source) || source.includes('&') ? renderText(source, keepsLineBreaks) : source;
  const decoded = remainingEntity.test(text) ? renderText(text.replaceAll('<', '&lt;'), true) : text;
  return collapseSpaces(
    decoded.replace(/\r\n?/g, '\n').replace(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, ''),
  );
}

/** Matches "<" in a title that does not start a formatting tag. */
const nonTitleMarkup = /<(?!\/?(?:b|i|em|strong|span|br|a|p|u|small|sup|sub|font)\b[^<>]*>)/gi;

/** Converts a title to text on one line. */
export const htmlTitleToText = (title: string): string =>
  htmlToText(title.slice(0, 4_000).replace(nonTitleMarkup, '&lt;')).replace(/\s+/g, ' ').trim();

/** Builds text. Blocks start and end lines without doubled breaks. */
class TextBuilder {
  #text = '';
  #breaks = 0;

  add(text: string): void {
    // Spaces between blocks are not significant.
    if (text === '' || (this.#breaks > 0 && text.trim() === '' && !text.includes('\n'))) return;
    this.#text += text;
    let end = 0;
    while (end < text.length && text[text.length - 1 - end] === '\n') end++;
    this.#breaks = end === text.length ? this.#breaks + end : end;
  }

  /** Adds line breaks until the text ends with at least `breaks` of them. */
  ensureBreaks(breaks: number): void {
    if (this.#breaks < breaks) this.add('\n'.repeat(breaks - this.#breaks));
  }

  toString(): string {
    return this.#text;
  }
}

/** Renders a document without recursion: hostile notes can nest to any depth. */
function renderText(html: string, keepLineBreaks: boolean): string {
  const root = parseHtml(html);
  const lines = new TextBuilder();
  const stack: (HtmlNode | number)[] = [root];
  const counts = new Map<HtmlNode, number>();
  const firstCells = new Map<HtmlNode, HtmlNode>();
  while (stack.length > 0) {
    const node = stack.pop() as HtmlNode | number;
    if (typeof node === 'number') lines.ensureBreaks(node);
    else if (node.type === 'text')
      lines.add(keepLineBreaks ? (node.data ?? '') : collapseLineBreaks(node.data ?? ''));
    else if (node.name === 'br') lines.add('\n');
    else if (node.children && !hiddenElements.has(node.name ?? '')) {
      const name = node.name ?? '';
      const edge = paragraphElements.has(name) ? 2 : blockElements.has(name) ? 1 : 0;
      lines.ensureBreaks(edge);
      if (name === 'li') lines.add(listMarker(node, counts));
      if ((name === 'td' || name === 'th') && followsCell(node, firstCells)) lines.add(' | ');
      stack.push(edge);
      for (let index = node.children.length - 1; index >= 0; index--)
        stack.push(node.children[index] as HtmlNode);
    }
  }
  return lines.toString();
}

/** Whether a table cell is not the first of its row. Cells are asked for in document order. */
function followsCell(cell: HtmlNode, firstCells: Map<HtmlNode, HtmlNode>): boolean {
  const row = cell.parent;
  if (!row) return false;
  const first = firstCells.get(row) ?? cell;
  firstCells.set(row, first);
  return first !== cell;
}

/** Returns the marker of a list item: its number, or a bullet. */
function listMarker(item: HtmlNode, counts: Map<HtmlNode, number>): string {
  const list = item.parent;
  if (list?.name !== 'ol') return '• ';
  const number = (counts.get(list) ?? 0) + 1;
  counts.set(list, number);
  return `${number}. `;
}

const listLine = /^(?:\s*[[(]?\d{1,3}[\])]?[.:)\s]|\s*(?=\S)[^-–—\n]{1,80}\s[-–—]\s\S|\s{2,}[-–—]\s\S)/;

/** Replaces line breaks by spaces, unless the lines look like a list without markup. */
function collapseLineBreaks(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (
    lines.length >= 3 &&
    lines.filter((line) => listLine.test(line.slice(0, 500))).length >= lines.length * 0.7
  )
    return text;
  return text.replace(/\s+/g, ' ');
}
