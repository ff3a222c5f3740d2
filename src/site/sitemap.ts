/** What crawlers read: robots.txt, and the addresses of all pages in parts of at most 50,000 (sitemaps.org). */
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { setImmediate } from 'node:timers/promises';
import { type Kind, kinds } from '../contract/fields.ts';
import type { MapEntry } from '../store/site-map.ts';
import { type Ask, absolute, addressOf } from './site.ts';

/** As many addresses as one file may have. */
export const partSize = 50_000;
const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';
const stamp = (ms: number): string => new Date(ms).toISOString().replace(/\.\d{3}Z$/, 'Z');
const xml = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

/** What crawlers may read, and where the sitemap is. */
export function robotsText(ask: Ask): string {
  const { prefix } = ask.place;
  const closed = ['/account', '/oauth', '/mcp', '/api', '/search'].map(
    (path) => `Disallow: ${prefix}${path}`,
  );
  return ['User-agent: *', ...closed, 'Allow: /', '', `Sitemap: ${addressOf(ask, '/sitemap.xml')}`, ''].join(
    '\n',
  );
}

/** Pages that are no record's. */
const fixed = [
  '/',
  '/events',
  '/artists',
  '/venues',
  '/festivals',
  '/cities',
  '/labels',
  '/genres',
  '/podcasts',
  '/stats',
];

/** The list of all parts. */
export function sitemapIndex(ask: Ask, size: number): string {
  const parts = kinds.flatMap((kind) =>
    ask.site.map.parts(kind, size).map((after) => `${kind}-${after}.xml`),
  );
  const entries = ['pages.xml', ...parts].map(
    (part) => `<sitemap><loc>${xml(addressOf(ask, `/sitemaps/${part}`))}</loc></sitemap>\n`,
  );
  return `${xmlHead}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`;
}

export type MapPart = 'pages' | { kind: Kind; after: number };

/** Which part a file's name means; null where it means none. */
export function readPart(name: string): MapPart | null {
  if (name === 'pages.xml') return 'pages';
  const [, kind, after] = /^([a-z]+)-(\d{1,15})\.xml$/.exec(name) ?? [];
  return kinds.includes(kind as Kind) ? { kind: kind as Kind, after: Number(after) } : null;
}

const entryText = (ask: Ask, { url, changed }: MapEntry): string =>
  `<url><loc>${xml(absolute(ask, url))}</loc><lastmod>${stamp(changed)}</lastmod></url>\n`;

/** So many addresses are read in one turn: others are answered in between. */
const inOneTurn = 500;

/** Sends a part as it is read; false where it has no page. The response is ended, but for a HEAD request's body. */
export async function sendPart(
  ask: Ask,
  part: MapPart,
  size: number,
  response: ServerResponse,
): Promise<boolean> {
  if (part === 'pages') {
    begin(response);
    response.end(
      `${xmlHead}<urlset ${namespace}>\n${fixed.map((path) => `<url><loc>${xml(addressOf(ask, path))}</loc></url>\n`).join('')}</urlset>\n`,
    );
    return true;
  }
  const { map } = ask.site;
  const end = map.end(part.kind, part.after, size);
  let entries = map.entries(part.kind, part.after, end, inOneTurn);
  if (entries.length === 0) return false;
  begin(response);
  if (response.req.method === 'HEAD') {
    response.end();
    return true;
  }
  response.write(`${xmlHead}<urlset ${namespace}>\n`);
  while (entries.length > 0 && !response.destroyed) {
    const text = entries.map((entry) => entryText(ask, entry)).join('');
    if (!response.write(text)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    await setImmediate();
    const last = entries.at(-1) as MapEntry;
    entries = entries.length < inOneTurn ? [] : map.entries(part.kind, last.id, end, inOneTurn);
  }
  response.end('</urlset>\n');
  return true;
}

function begin(response: ServerResponse): void {
  response.writeHead(200, {
    'Content-Type': 'application/xml; charset=utf-8',
    'Cache-Control': 'public, max-age=3600',
    'X-Content-Type-Options': 'nosniff',
  });
}
