/** Style sheets, scripts and icons of the pages. Their names contain a digest, so browsers cache them permanently. */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../contract/errors.ts';
import { passkeyScript } from './passkey-script.ts';
import { script } from './script.ts';
import { siteScript } from './site-script.ts';
import { siteStylesheet } from './site-style.ts';
import { stylesheet } from './style.ts';

/** The logo: records in a crate, one of them pulled out. */
const icon = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24"><style>path{fill:#1a1814}@media(prefers-color-scheme:dark){path{fill:#ece8de}}</style><path d="M2 8h3v14H2zM7 8h3v14H7zM17 8h3v14h-3z"/><path d="M12 2h3v20h-3z" style="fill:#d9480f"/></svg>`;

const hashedPath = (name: string, ending: string, body: string): string =>
  `/assets/${name}-${hash('sha256', body, 'hex').slice(0, 12)}.${ending}`;

/** Paths of the assets, below the site URL. */
export const assetPaths = {
  style: hashedPath('style', 'css', stylesheet),
  script: hashedPath('page', 'js', script),
  icon: hashedPath('icon', 'svg', icon),
  /** Additional styles of the catalogue's pages. */
  siteStyle: hashedPath('site', 'css', siteStylesheet),
  passkeyScript: hashedPath('passkey', 'js', passkeyScript),
  siteScript: hashedPath('search', 'js', siteScript),
} as const;

const assets = new Map([
  [assetPaths.style, { type: 'text/css; charset=utf-8', body: stylesheet }],
  [assetPaths.script, { type: 'text/javascript; charset=utf-8', body: script }],
  [assetPaths.siteStyle, { type: 'text/css; charset=utf-8', body: siteStylesheet }],
  [assetPaths.passkeyScript, { type: 'text/javascript; charset=utf-8', body: passkeyScript }],
  [assetPaths.siteScript, { type: 'text/javascript; charset=utf-8', body: siteScript }],
  [assetPaths.icon, { type: 'image/svg+xml', body: icon }],
]);

/** Responds to a request below /assets/. @throws Problem `not_found` */
export function sendAsset(request: IncomingMessage, response: ServerResponse): void {
  const path = (request.url ?? '').split('?', 1)[0] as string;
  const asset = assets.get(path);
  if (asset === undefined) throw new Problem('not_found', 'There is nothing at this path.');
  response.writeHead(200, {
    'Content-Type': asset.type,
    'Content-Length': Buffer.byteLength(asset.body),
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.end(request.method === 'HEAD' ? undefined : asset.body);
}
