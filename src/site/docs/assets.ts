/**
 * Assets of the documentation: Swagger UI, its style sheet and the script. Their names contain a digest, so browsers cache
 * them permanently. They are read and compressed at the first request.
 */
import { hash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { gunzip, gzip } from 'node:zlib';
import { readAsset } from '../../assets.ts';
import { Problem } from '../../contract/errors.ts';
import { negotiateCoding } from '../../http/compression.ts';
import { refuseAssetMethod } from '../../pages/assets.ts';
import { script } from './script.ts';
import { stylesheet } from './style.ts';

/** Path prefix of the assets. */
export const docsAssetPrefix = '/docs/assets/';

const css = 'text/css; charset=utf-8';
const js = 'text/javascript; charset=utf-8';
const assetSources = {
  style: { name: 'docs.css', type: css, read: () => stylesheet },
  script: { name: 'docs.js', type: js, read: () => script },
  viewerStyle: {
    name: 'swagger-ui.css',
    type: css,
    read: () => withoutMap(readAsset('node_modules/swagger-ui-dist/swagger-ui.css')),
  },
  viewer: {
    name: 'swagger-ui-bundle.js',
    type: js,
    read: () => withoutMap(readAsset('node_modules/swagger-ui-dist/swagger-ui-bundle.js')),
  },
} as const;
type DocsAssetName = keyof typeof assetSources;

/** Removes the link to the source map, which is not bundled. */
const withoutMap = (text: string): string => text.replace(/\n\/[/*]# sourceMappingURL=.*\s*$/, '\n');

type PackedAsset = { path: string; type: string; packed: Buffer };
const packedAssets = new Map<DocsAssetName, Promise<PackedAsset>>();

async function pack(source: DocsAssetName): Promise<PackedAsset> {
  const { name, type, read } = assetSources[source];
  const text = read();
  const [stem, ending] = name.split('.');
  const path = `${docsAssetPrefix}${stem}-${hash('sha256', text, 'hex').slice(0, 12)}.${ending}`;
  return { path, type, packed: await promisify(gzip)(text, { level: 9 }) };
}

function packed(source: DocsAssetName): Promise<PackedAsset> {
  const asset = packedAssets.get(source) ?? pack(source);
  packedAssets.set(source, asset);
  return asset;
}

/** The path of an asset, below the site URL. */
export const docsAssetPath = async (source: DocsAssetName): Promise<string> => (await packed(source)).path;

/** Responds to a request below `docsAssetPrefix`. @throws Problem `not_found` */
export async function sendDocsAsset(request: IncomingMessage, response: ServerResponse): Promise<void> {
  if (refuseAssetMethod(request, response)) return;
  const path = (request.url ?? '').split('?', 1)[0] as string;
  const name = path.slice(docsAssetPrefix.length).replace(/-[0-9a-f]{12}(?=\.\w+$)/, '');
  const source = (Object.keys(assetSources) as DocsAssetName[]).find(
    (one) => assetSources[one].name === name,
  );
  const asset = source === undefined ? undefined : await packed(source);
  if (asset?.path !== path) throw new Problem('not_found', 'There is nothing at this path.');
  const takesGzip = negotiateCoding(request.headers['accept-encoding'], ['gzip']) === 'gzip';
  const body = takesGzip ? asset.packed : await promisify(gunzip)(asset.packed);
  response.writeHead(200, {
    'Content-Type': asset.type,
    'Content-Length': body.length,
    ...(takesGzip ? { 'Content-Encoding': 'gzip' } : {}),
    Vary: 'Accept-Encoding',
    'Cache-Control': 'public, max-age=31536000, immutable',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Resource-Policy': 'same-origin',
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
