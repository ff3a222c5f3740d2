/**
 * The service worker of the pages: it keeps the last pages that a visitor opened, and shows them, or a page that says so,
 * without a connection. With a connection, every page comes from the service. It never keeps pages of accounts, of the
 * console or of sign-ins, no responses of the API, and nothing with `Cache-Control: no-store`. It runs in browsers, as
 * it stands here.
 */
import { hash } from 'node:crypto';
import { assetPaths } from '../../pages/assets.ts';
import type { PageContext } from '../page-context.ts';

export const serviceWorkerPath = '/sw.js';
export const offlinePath = '/offline';

/** Pages that are kept on a device. */
const maxPages = 40;

const worker = `
const keep = 'pages-' + settings.version;
const shell = 'shell-' + settings.version;
const own = new RegExp('^' + settings.prefix + '/(?:$|(?:events|artists|venues|festivals|cities|labels|genres|podcasts|episodes|search|stats|about|docs|changelog)(?:/|$))');
const style = new RegExp('^' + settings.prefix + '/assets/(?:style|site|accent|page|search|icon|logo)-');

addEventListener('install', (event) => {
  skipWaiting();
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(settings.shell)));
});
addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    for (const name of await caches.keys())
      if (/^(?:pages|shell)-/.test(name) && name !== keep && name !== shell) await caches.delete(name);
    await clients.claim();
  })());
});

async function store(request, response) {
  const cache = await caches.open(keep);
  await cache.delete(request, { ignoreVary: true });
  await cache.put(request, response);
  const all = await cache.keys();
  for (const old of all.slice(0, Math.max(0, all.length - settings.most))) await cache.delete(old, { ignoreVary: true });
}
async function page(event, url) {
  const { request } = event;
  try {
    const response = await fetch(request);
    const rules = response.headers.get('Cache-Control') || '';
    if (response.status === 200 && !response.redirected && own.test(url.pathname) && !rules.includes('no-store'))
      event.waitUntil(store(request, response.clone()).catch(() => {}));
    return response;
  } catch (failure) {
    const kept = own.test(url.pathname) && await caches.match(request, { cacheName: keep, ignoreVary: true });
    return kept || await caches.match(settings.offline, { cacheName: shell, ignoreVary: true, ignoreSearch: true }) || Response.error();
  }
}
async function part(event) {
  const { request } = event;
  const kept = await caches.match(request, { cacheName: shell });
  if (kept) return kept;
  const response = await fetch(request);
  if (response.status === 200) {
    const copy = response.clone();
    event.waitUntil(caches.open(shell).then((cache) => cache.put(request, copy)).catch(() => {}));
  }
  return response;
}
addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') {
    if (own.test(url.pathname)) event.respondWith(page(event, url));
  } else if (style.test(url.pathname)) event.respondWith(part(event));
});
`;

/** The worker may only request the service; browsers look for a new one at each visit. */
export const workerHeaders = {
  'Cache-Control': 'no-cache',
  'Content-Security-Policy': "default-src 'none'; connect-src 'self'",
} as const;

/** Renders the worker with the addresses of this service. */
export function serviceWorkerText({ siteUrl, version }: PageContext): string {
  const { prefix } = siteUrl;
  const shell = [`${prefix}${offlinePath}`, prefix + assetPaths.style, prefix + assetPaths.siteStyle];
  const edition = hash('sha256', JSON.stringify([version, shell, worker, siteUrl.identity.version]), 'hex');
  const settings = {
    prefix: prefix.replace(/[^\w/-]/g, (sign) => `\\${sign}`),
    version: edition.slice(0, 12),
    offline: `${prefix}${offlinePath}`,
    shell,
    most: maxPages,
  };
  return `'use strict';\nconst settings = ${JSON.stringify(settings)};${worker}`;
}
