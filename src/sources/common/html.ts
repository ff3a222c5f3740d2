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

/** More than this is no description of a show; the rest is left unread. */
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
 * The text of show notes, one line for each that a reader sees.
 * @param html HTML, or plain text in which line breaks mean themselves; entities may be encoded twice
 */
export function htmlToText(html: string): string {
  const source = html.length > maxNotesLength ? html.slice(0, maxNotesLength) : html;
  const breaksMean = !blockTag.test(source);
  const text = anyTag.test(source) || source.includes('&') ? renderText(source, breaksMean) : source;
  const again = remainingEntity.test(text) ? renderText(text.replaceAll('<', '&lt;'), true) : text;
  return collapseSpaces(again.replace(/\r\n?/g, '\n').replace(/[\u00ad\u200b\u200e\u200f\u2060\ufeff]/g, ''));
}

/** Tags that titles are dressed with; any other "<" in a title is meant as it stands. */
const nonTitleMarkup = /<(?!\/?(?:b|i|em|strong|span|br|a|p|u|small|sup|sub|font)\b[^<>]*>)/gi;

/** The text of a title, on one line. */
export const htmlTitleToText = (title: string): string =>
  htmlToText(title.slice(0, 4_000).replace(nonTitleMarkup, '&lt;')).replace(/\s+/g, ' ').trim();

/** Text that grows; what encloses it in the document begins and ends lines, but never two at one place. */
class TextBuilder {
  #text = '';
  #breaks = 0;

  add(text: string): void {
    // Spaces between blocks say nothing.
    if (text === '' || (this.#breaks > 0 && text.trim() === '' && !text.includes('\n'))) return;
    this.#text += text;
    let end = 0;
    while (end < text.length && text[text.length - 1 - end] === '\n') end++;
    this.#breaks = end === text.length ? this.#breaks + end : end;
  }

  /** Sees to it that as many line breaks stand here. */
  ensureBreaks(breaks: number): void {
    if (this.#breaks < breaks) this.add('\n'.repeat(breaks - this.#breaks));
  }

  toString(): string {
    return this.#text;
  }
}

/** Walks the document without recursion: hostile notes nest as deep as they like. */
function renderText(html: string, keepLineBreaks: boolean): string {
  const root = load(
    html,
    { xml: { xmlMode: false, decodeEntities: true } },
    false,
  ).root()[0] as unknown as HtmlNode;
  const lines = new TextBuilder();
  const stack: (HtmlNode | number)[] = [root];
  const counts = new Map<HtmlNode, number>();
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
      if ((name === 'td' || name === 'th') && followsCell(node)) lines.add(' | ');
      stack.push(edge);
      for (let index = node.children.length - 1; index >= 0; index--)
        stack.push(node.children[index] as HtmlNode);
    }
  }
  return lines.toString();
}

/** Whether another cell of its row stands before. */
const followsCell = (cell: HtmlNode): boolean =>
  (cell.parent?.children ?? []).find(({ name }) => name === 'td' || name === 'th') !== cell;

/** What stands before an item of a list: its number, or a dot. */
function listMarker(item: HtmlNode, counts: Map<HtmlNode, number>): string {
  const list = item.parent;
  if (list?.name !== 'ol') return '• ';
  const number = (counts.get(list) ?? 0) + 1;
  counts.set(list, number);
  return `${number}. `;
}

const listLine = /^(?:\s*[[(]?\d{1,3}[\])]?[.:)\s]|\s*(?=\S)[^-–—\n]{1,80}\s[-–—]\s\S|\s{2,}[-–—]\s\S)/;

/** Within blocks a line break is a space, unless it plainly parts the lines of a list that nobody marked up. */
function collapseLineBreaks(text: string): string {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  if (
    lines.length >= 3 &&
    lines.filter((line) => listLine.test(line.slice(0, 500))).length >= lines.length * 0.7
  )
    return text;
  return text.replace(/\s+/g, ' ');
}
