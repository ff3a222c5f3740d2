/** Parses lists of pages: sitemaps and sitemap indexes (sitemaps.org), and text files with one URL per line. */
import { SaxesParser } from 'saxes';
import { normalizeUrl } from '../common/web-links.ts';

type PageList = { pages: string[]; sitemaps: string[] };

/**
 * Whether a text is a sitemap or has one HTTP address per line, judged by its first 4,000 characters; null if neither.
 */
export function detectListKind(text: string): 'sitemap' | 'lines' | null {
  const head = text.slice(0, 4_000);
  if (/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(head)) return 'sitemap';
  const lines = head.split(/\r?\n/).map((line) => line.trim());
  const urls = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const whole = text.length > head.length ? urls.slice(0, -1) : urls;
  return whole.length > 0 && whole.every((line) => /^https?:\/\/\S+$/i.test(line)) ? 'lines' : null;
}

/** Parses the addresses in a list of pages. A list with more than `maxPages` gives one more than that. */
export function parsePageList(text: string, kind: 'sitemap' | 'lines', maxPages: number): PageList {
  return kind === 'sitemap'
    ? parseSitemap(text, maxPages)
    : { pages: parseUrlLines(text, maxPages), sitemaps: [] };
}

function parseUrlLines(text: string, maxPages: number): string[] {
  const pages = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const url = line.startsWith('#') ? null : normalizeUrl(line, null);
    if (url !== null) pages.add(url);
    if (pages.size > maxPages) break;
  }
  return [...pages];
}

/** Max attributes of an element, which the parser keeps. */
const maxAttributes = 1_000;

/** Parses a sitemap. After a syntax error or too many attributes the URLs before it are kept. Entity declarations are ignored. */
function parseSitemap(text: string, maxPages: number): PageList {
  const pages = new Set<string>();
  const sitemaps = new Set<string>();
  const open: string[] = [];
  let written = '';
  let attributes = 0;
  const parser = new SaxesParser();
  parser.on('error', () => {});
  parser.on('opentag', ({ name }) => {
    if (open.length < 100) open.push(name.replace(/^.*:/, '').toLowerCase());
    written = '';
    attributes = 0;
  });
  parser.on('attribute', () => {
    attributes += 1;
  });
  parser.on('text', (piece) => {
    if (written.length < 5_000) written += piece;
  });
  parser.on('cdata', (piece) => {
    if (written.length < 5_000) written += piece;
  });
  parser.on('closetag', () => {
    const [parent, name] = open.slice(-2);
    const url = name === 'loc' ? normalizeUrl(written, null) : null;
    if (url !== null && parent === 'url' && pages.size <= maxPages) pages.add(url);
    if (url !== null && parent === 'sitemap' && sitemaps.size <= maxPages) sitemaps.add(url);
    open.pop();
  });
  for (let at = 0; at < text.length && attributes <= maxAttributes; at += 65_536)
    parser.write(text.slice(at, at + 65_536));
  return { pages: [...pages], sitemaps: [...sitemaps] };
}
