/** Lists of pages: sitemaps and indexes of sitemaps (sitemaps.org), and plain texts with one address a line. */
import { SaxesParser } from 'saxes';
import { pageAddress } from './links.ts';

export type PageList = { pages: string[]; sitemaps: string[] };

/** What kind of list a text is; null where it is none. */
export function listKind(text: string): 'sitemap' | 'lines' | null {
  const head = text.slice(0, 4_000);
  if (/<(?:\w+:)?(?:urlset|sitemapindex)[\s>]/.test(head)) return 'sitemap';
  const lines = head.split(/\r?\n/).map((line) => line.trim());
  const told = lines.filter((line) => line !== '' && !line.startsWith('#'));
  const whole = text.length > head.length ? told.slice(0, -1) : told;
  return whole.length > 0 && whole.every((line) => /^https?:\/\/\S+$/i.test(line)) ? 'lines' : null;
}

export function readList(text: string, kind: 'sitemap' | 'lines', most: number): PageList {
  return kind === 'sitemap' ? readSitemap(text, most) : { pages: readAddresses(text, most), sitemaps: [] };
}

function readAddresses(text: string, most: number): string[] {
  const pages = new Set<string>();
  for (const line of text.split(/\r?\n/)) {
    const url = line.startsWith('#') ? null : pageAddress(line, null);
    if (url !== null) pages.add(url);
    if (pages.size > most) break;
  }
  return [...pages];
}

/** What stands before a fault in the text is read; what is declared in it (entities) is not believed. */
function readSitemap(text: string, most: number): PageList {
  const pages = new Set<string>();
  const sitemaps = new Set<string>();
  const open: string[] = [];
  let written = '';
  const parser = new SaxesParser();
  parser.on('error', () => {});
  parser.on('opentag', ({ name }) => {
    if (open.length < 100) open.push(name.replace(/^.*:/, '').toLowerCase());
    written = '';
  });
  parser.on('text', (piece) => {
    if (written.length < 5_000) written += piece;
  });
  parser.on('cdata', (piece) => {
    if (written.length < 5_000) written += piece;
  });
  parser.on('closetag', () => {
    const [parent, name] = open.slice(-2);
    const url = name === 'loc' ? pageAddress(written, null) : null;
    if (url !== null && parent === 'url' && pages.size <= most) pages.add(url);
    if (url !== null && parent === 'sitemap' && sitemaps.size <= most) sitemaps.add(url);
    open.pop();
  });
  for (let at = 0; at < text.length; at += 65_536) parser.write(text.slice(at, at + 65_536));
  return { pages: [...pages], sitemaps: [...sitemaps] };
}
