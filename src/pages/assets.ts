/** Style sheets, scripts and icons of the pages. Their names contain a digest, so browsers cache them permanently. */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Problem } from '../contract/errors.ts';
import type { Logo, ReadIdentity } from '../contract/identity.ts';
import { sendProblem } from '../http/problem-response.ts';
import { adminStylesheet } from './admin-style.ts';
import { accentShades } from './colours.ts';
import { embedStylesheet } from './embed-style.ts';
import { passkeyScript } from './passkey-script.ts';
import { progressScript } from './progress-script.ts';
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
  /** Additional styles of the console. */
  adminStyle: hashedPath('admin', 'css', adminStylesheet),
  /** Styles of lists that other sites embed. */
  embedStyle: hashedPath('embed', 'css', embedStylesheet),
  passkeyScript: hashedPath('passkey', 'js', passkeyScript),
  siteScript: hashedPath('search', 'js', siteScript),
  /** Updates a page of the console while a source is being read. */
  progressScript: hashedPath('progress', 'js', progressScript),
} as const;

type Asset = { type: string; body: string | Buffer; headers?: Record<string, string> };

const assets = new Map<string, Asset>([
  [assetPaths.style, { type: 'text/css; charset=utf-8', body: stylesheet }],
  [assetPaths.script, { type: 'text/javascript; charset=utf-8', body: script }],
  [assetPaths.siteStyle, { type: 'text/css; charset=utf-8', body: siteStylesheet }],
  [assetPaths.adminStyle, { type: 'text/css; charset=utf-8', body: adminStylesheet }],
  [assetPaths.embedStyle, { type: 'text/css; charset=utf-8', body: embedStylesheet }],
  [assetPaths.passkeyScript, { type: 'text/javascript; charset=utf-8', body: passkeyScript }],
  [assetPaths.siteScript, { type: 'text/javascript; charset=utf-8', body: siteScript }],
  [assetPaths.progressScript, { type: 'text/javascript; charset=utf-8', body: progressScript }],
  [assetPaths.icon, { type: 'image/svg+xml', body: icon }],
]);

/** The path of a logo: it contains the digest of the image. */
export const logoPath = ({ digest, ending }: Logo): string => `/assets/logo-${digest}.${ending}`;

/** The path of the style sheet with the shades of an accent colour (`#rrggbb`). */
export const accentPath = (colour: string): string => `/assets/accent-${colour.slice(1)}.css`;

/** The path of the style sheet with an accent colour for embedded lists, whose theme the address can name. */
export const embedAccentPath = (colour: string): string => `/assets/embed-accent-${colour.slice(1)}.css`;

/**
 * A logo comes from the operator, and an SVG can contain scripts. Under this policy none runs, also where the image is
 * opened as a document: a sandbox without permissions, and no source of anything but styles within the file.
 */
const logoPolicy =
  "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'none'";

function accentStylesheet(colour: string): string {
  const { light, dark } = accentShades(colour);
  const rule = ({ accent, onAccent }: typeof light) => `:root{--accent:${accent};--on-accent:${onAccent}}`;
  return `${rule(light)}\n@media (prefers-color-scheme: dark){${rule(dark)}}\n`;
}

function embedAccentStylesheet(colour: string): string {
  const { light, dark } = accentShades(colour);
  return `:root{--accent:light-dark(${light.accent},${dark.accent})}\n`;
}

/** Finds an asset of the identity: the style sheet of any accent colour, or the present logo. */
function identityAsset(path: string, readIdentity: ReadIdentity): Asset | undefined {
  const [, colour] = /^\/assets\/accent-([0-9a-f]{6})\.css$/.exec(path) ?? [];
  if (colour !== undefined) return { type: 'text/css; charset=utf-8', body: accentStylesheet(`#${colour}`) };
  const [, embedded] = /^\/assets\/embed-accent-([0-9a-f]{6})\.css$/.exec(path) ?? [];
  if (embedded !== undefined)
    return { type: 'text/css; charset=utf-8', body: embedAccentStylesheet(`#${embedded}`) };
  const { logo } = readIdentity();
  if (logo === null || path !== logoPath(logo)) return undefined;
  const headers = {
    'Content-Security-Policy': logoPolicy,
    'Content-Disposition': `inline; filename="logo.${logo.ending}"`,
  };
  return { type: logo.type, body: logo.content, headers };
}

/** Returns the handler of requests below /assets/. It throws a Problem `not_found`. */
export const sendAsset =
  (readIdentity: ReadIdentity) =>
  (request: IncomingMessage, response: ServerResponse): void => {
    if (refuseAssetMethod(request, response)) return;
    const path = (request.url ?? '').split('?', 1)[0] as string;
    const asset = assets.get(path) ?? identityAsset(path, readIdentity);
    if (asset === undefined) throw new Problem('not_found', 'There is nothing at this path.');
    send(request, response, asset);
  };

/** Answers a request that does not read an asset with 405. Returns whether it did. */
export function refuseAssetMethod(request: IncomingMessage, response: ServerResponse): boolean {
  if (request.method === 'GET' || request.method === 'HEAD') return false;
  const problem = new Problem('method_not_allowed', 'Use GET or HEAD on style sheets and scripts.');
  sendProblem(response, problem, { Allow: 'GET, HEAD' });
  return true;
}

function send(request: IncomingMessage, response: ServerResponse, asset: Asset): void {
  response.writeHead(200, {
    'Content-Type': asset.type,
    'Content-Length': Buffer.byteLength(asset.body),
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
    ...asset.headers,
  });
  response.end(request.method === 'HEAD' ? undefined : asset.body);
}
