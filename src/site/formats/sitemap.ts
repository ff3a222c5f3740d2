/** robots.txt, and the sitemap with the addresses of all pages (sitemaps.org). */
import { formatUtc } from '../../clock.ts';
import { type Kind, kinds } from '../../contract/fields.ts';
import { escapeXml } from '../../escape-xml.ts';
import type { SitemapEntry } from '../../store/site/sitemap.ts';
import { absoluteUrl, type PageContext, resolveUrl } from '../page-context.ts';

/**
 * Number of addresses per part. The protocol allows ten times as many; parts of this size are rendered within a few
 * turns of the event loop and take little memory while they are sent.
 */
export const urlsPerPart = 5_000;
const xmlHead = '<?xml version="1.0" encoding="UTF-8"?>\n';
const namespace = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"';

/** Renders robots.txt. */
export function robotsText(context: PageContext): string {
  const { prefix, identity } = context.siteUrl;
  if (!identity.indexing) return 'User-agent: *\nDisallow: /\n';
  const disallowed = ['/account', '/oauth', '/mcp', '/api', '/search'].map(
    (path) => `Disallow: ${prefix}${path}`,
  );
  return [
    'User-agent: *',
    ...disallowed,
    'Allow: /',
    '',
    `Sitemap: ${absoluteUrl(context, '/sitemap.xml')}`,
    '',
  ].join('\n');
}

/** Paths of pages that belong to no record. */
const fixedPaths = [
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
  '/about',
];

/** Runs a piece of work in its turn of the fair queue. */
export type RunInTurn = <T>(piece: () => T) => Promise<T>;

/** Renders the list of all parts. Each part is looked up in a separate turn of the event loop. */
export async function sitemapIndex(context: PageContext, size: number, inTurn: RunInTurn): Promise<string> {
  const parts = ['pages.xml'];
  for (const kind of kinds) {
    const starts = context.site.map.parts(kind, size);
    for (let step = await inTurn(() => starts.next()); !step.done; step = await inTurn(() => starts.next())) {
      if (step.value !== null) parts.push(`${kind}-${step.value}.xml`);
    }
  }
  const entries = parts.map(
    (part) => `<sitemap><loc>${escapeXml(absoluteUrl(context, `/sitemaps/${part}`))}</loc></sitemap>\n`,
  );
  return `${xmlHead}<sitemapindex ${namespace}>\n${entries.join('')}</sitemapindex>\n`;
}

export type SitemapPart = 'pages' | { kind: Kind; after: number };

/** Parses the name of a part; null if it is invalid. */
export function parsePartName(name: string): SitemapPart | null {
  if (name === 'pages.xml') return 'pages';
  const [, kind, after] = /^([a-z]+)-(\d{1,15})\.xml$/.exec(name) ?? [];
  return kinds.includes(kind as Kind) ? { kind: kind as Kind, after: Number(after) } : null;
}

const entryText = (context: PageContext, { url, changed }: SitemapEntry): string =>
  `<url><loc>${escapeXml(resolveUrl(context, url))}</loc><lastmod>${formatUtc(changed)}</lastmod></url>\n`;

/** Addresses that are read and encoded in one turn, in less than a millisecond. */
const entriesPerTurn = 100;

/** Renders a part in several turns; null if it has no pages. */
export async function sitemapPart(
  context: PageContext,
  part: SitemapPart,
  size: number,
  inTurn: RunInTurn,
): Promise<Buffer | null> {
  if (part === 'pages') {
    const entries = fixedPaths.map(
      (path) => `<url><loc>${escapeXml(absoluteUrl(context, path))}</loc></url>\n`,
    );
    return urlSet([Buffer.from(entries.join(''))]);
  }
  const { map } = context.site;
  const end = await inTurn(() => map.end(part.kind, part.after, size));
  const pieces: Buffer[] = [];
  for (let after = part.after; ; ) {
    const last = await inTurn(() => {
      const entries = map.entries(part.kind, after, end, entriesPerTurn);
      if (entries.length > 0)
        pieces.push(Buffer.from(entries.map((entry) => entryText(context, entry)).join('')));
      return entries.length < entriesPerTurn ? null : (entries.at(-1) as SitemapEntry).id;
    });
    if (last === null) return pieces.length === 0 ? null : urlSet(pieces);
    after = last;
  }
}

const urlSet = (entries: readonly Buffer[]): Buffer =>
  Buffer.concat([Buffer.from(`${xmlHead}<urlset ${namespace}>\n`), ...entries, Buffer.from('</urlset>\n')]);
