/** Parses paths into routes, and gives the canonical form of each path. */
import type { Kind } from '../contract/fields.ts';
import { pageCollections } from '../store/records/serialize.ts';

/** The format of a record: a page, a feed or a calendar. */
export type RecordFormat = 'page' | 'atom' | 'ics';
export type SinglePage =
  | 'home'
  | 'search'
  | 'hits'
  | 'stats'
  | 'about'
  | 'near'
  | 'robots'
  | 'sitemap'
  | 'manifest'
  | 'worker'
  | 'offline';
export type ListedKind = Exclude<Kind, 'edition' | 'episode'>;
export type Route = { path: string } & (
  | { to: Exclude<SinglePage, 'sitemap'> }
  | { to: 'sitemap' }
  | { to: 'list'; kind: ListedKind }
  | { to: 'record'; kind: Kind; slug: string; edition: string; format: RecordFormat }
  | { to: 'sitemap part'; part: string }
  /** A feed or calendar of the list of all events. */
  | { to: 'event feed'; format: 'atom' | 'ics' }
  /** The form that remembers a city, or forgets it. */
  | { to: 'city choice'; slug: string; remember: boolean }
  /** The picture of a page for previews; `of` is null for pages without a picture of their own. */
  | { to: 'picture'; of: Route | null }
  /** An icon of the installed app. */
  | { to: 'icon'; size: 180 | 192 | 512; maskable: boolean }
  /** A list of events that other sites show in a frame. */
  | { to: 'embed' }
  /** A redirect to `path`. */
  | { to: 'elsewhere' }
);

const kindOfCollection: Readonly<Record<string, Kind>> = Object.fromEntries(
  Object.entries(pageCollections).map(([kind, collection]) => [collection, kind as Kind]),
);
/** The feed and calendar formats of each kind. An event has only a calendar. */
const feedFormats: Partial<Record<Kind, readonly RecordFormat[]>> = {
  artist: ['atom', 'ics'],
  venue: ['atom', 'ics'],
  city: ['atom', 'ics'],
  label: ['atom', 'ics'],
  event: ['ics'],
};

const singles: Readonly<Record<string, SinglePage>> = {
  search: 'search',
  'search/hits': 'hits',
  stats: 'stats',
  about: 'about',
  near: 'near',
  'robots.txt': 'robots',
  'sitemap.xml': 'sitemap',
  'manifest.webmanifest': 'manifest',
  'sw.js': 'worker',
  offline: 'offline',
};

/** Splits and decodes a path; null if its escapes are invalid. */
function decodeSegments(path: string): string[] | null {
  try {
    return path
      .split('/')
      .filter((piece) => piece !== '')
      .map(decodeURIComponent);
  } catch {
    return null;
  }
}

/**
 * Parses a path without its query; null if it is not a page of the site. `path` of the route is the canonical form:
 * single slashes, none at the end, slugs in lower case, as few escapes as possible.
 */
export function parseRoute(rawPath: string): Route | null {
  const pieces = decodeSegments(rawPath);
  if (pieces === null) return null;
  const [first = '', second, third, fourth] = pieces;
  if (pieces.length === 0) return { to: 'home', path: '/' };
  const whole = pieces.join('/').toLowerCase();
  const single = Object.hasOwn(singles, whole) ? singles[whole] : undefined;
  if (single) return { to: single, path: `/${whole}` };
  const folder = first.toLowerCase();
  if (whole === 'events.atom' || whole === 'events.ics')
    return { to: 'event feed', format: whole === 'events.ics' ? 'ics' : 'atom', path: `/${whole}` };
  if (whole === 'embed/events') return { to: 'embed', path: `/${whole}` };
  if (folder === 'og') return pictureRoute(pieces.slice(1));
  if (folder === 'icons' && pieces.length === 2) return iconRoute(second as string);
  if (folder === 'sitemaps' && pieces.length === 2) {
    return {
      to: 'sitemap part',
      part: second as string,
      path: `/sitemaps/${encodeURIComponent(second as string)}`,
    };
  }
  const kind = Object.hasOwn(kindOfCollection, folder) ? (kindOfCollection[folder] as Kind) : null;
  if (kind === null) return null;
  if (second === undefined) return listRoute(folder, kind);
  if (third === undefined) return recordRoute(folder, kind, second.toLowerCase());
  if (kind === 'city' && pieces.length === 3 && (third === 'remember' || third === 'forget')) {
    const slug = second.toLowerCase();
    const path = `/cities/${encodeURIComponent(slug)}/${third}`;
    return { to: 'city choice', slug, remember: third === 'remember', path };
  }
  if (kind !== 'festival' || third.toLowerCase() !== 'editions' || pieces.length > 4) return null;
  const slug = second.toLowerCase();
  const festivalPath = `/festivals/${encodeURIComponent(slug)}`;
  if (fourth === undefined) return { to: 'elsewhere', path: festivalPath };
  const path = `${festivalPath}/editions/${encodeURIComponent(fourth)}`;
  return { to: 'record', kind: 'edition', slug, edition: fourth, format: 'page', path };
}

/** The picture of the page at a path: `/og/events/klubnacht.png`. */
function pictureRoute(pieces: readonly string[]): Route | null {
  const whole = pieces.map(encodeURIComponent).join('/');
  if (!whole.endsWith('.png')) return null;
  const page = whole.slice(0, -'.png'.length);
  if (page === 'site') return { to: 'picture', of: null, path: '/og/site.png' };
  const of = parseRoute(`/${page}`);
  const isPage = of?.to === 'list' || (of?.to === 'record' && of.format === 'page');
  return isPage ? { to: 'picture', of, path: `/og${of.path}.png` } : null;
}

const icons: Readonly<Record<string, { size: 180 | 192 | 512; maskable: boolean }>> = {
  'touch-180.png': { size: 180, maskable: true },
  'icon-192.png': { size: 192, maskable: false },
  'icon-512.png': { size: 512, maskable: false },
  'maskable-512.png': { size: 512, maskable: true },
};

function iconRoute(name: string): Route | null {
  const icon = Object.hasOwn(icons, name) ? icons[name] : undefined;
  return icon === undefined ? null : { to: 'icon', ...icon, path: `/icons/${name}` };
}

function listRoute(folder: string, kind: Kind): Route {
  if (kind === 'episode') return { to: 'elsewhere', path: '/podcasts' };
  return { to: 'list', kind: kind as ListedKind, path: `/${folder}` };
}

function recordRoute(folder: string, kind: Kind, name: string): Route {
  const [, slug = name, ending] = /^(.+)\.(atom|ics)$/.exec(name) ?? [];
  const format = feedFormats[kind]?.find((one) => one === ending);
  const path = `/${folder}/${encodeURIComponent(name)}`;
  if (format) return { to: 'record', kind, slug, edition: '', format, path };
  return { to: 'record', kind, slug: name, edition: '', format: 'page', path };
}
