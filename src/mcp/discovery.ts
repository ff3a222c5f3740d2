/** Discovery documents: resource metadata (linked from a 401), server card and /llms.txt. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Polka } from 'polka';
import { Problem } from '../contract/errors.ts';
import type { PlansInForce } from '../contract/plans.ts';
import { catalogueScope } from '../contract/scopes.ts';
import { preflightHeaders } from '../http/cors.ts';
import { matchesETag, strongETag } from '../http/etag.ts';
import { corsHeaders, newRequestId, noSniffHeader, sendProblem } from '../http/problem-response.ts';
import { assetPaths } from '../pages/assets.ts';
import { currentRevision } from './fast-path.ts';
import { type LlmsTxtFacts, llmsTxt } from './llms-txt.ts';

/** The path of the resource metadata, which a 401 names (RFC 9728, 3.1). */
export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp';
const serverCardPaths = ['/mcp/server-card', '/.well-known/mcp/server-card.json'];

/** Returns the resource metadata (RFC 9728, 3.2). The service is its own authorization server (docs/spec/credentials.md). */
export const resourceMetadata = ({ baseUrl, accountUrl, name }: LlmsTxtFacts) => ({
  resource: `${baseUrl}/mcp`,
  authorization_servers: [accountUrl],
  scopes_supported: [catalogueScope],
  bearer_methods_supported: ['header'],
  resource_name: `${name}: catalogue of electronic music`,
  resource_documentation: `${baseUrl}/llms.txt`,
});

/** Earlier revisions that are served, from the first release of the protocol on. */
const olderRevisions = SUPPORTED_PROTOCOL_VERSIONS.filter(
  (revision) => revision !== currentRevision && revision >= '2024-11-05',
);
/** All revisions that are served, newest first. */
export const revisions: readonly string[] = [currentRevision, ...olderRevisions];

/** Returns the server card (SEP-2127): identity and connection. Clients learn the capabilities when they connect. */
export const serverCard = ({
  baseUrl,
  name,
  version,
  accountUrl,
}: Pick<LlmsTxtFacts, 'baseUrl' | 'name' | 'version' | 'accountUrl'>) => ({
  $schema: 'https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json',
  name: `${namespaceOf(baseUrl)}/cratebase`,
  version,
  description: 'Electronic music: artists, upcoming events, venues and line-ups. Read-only.',
  title: name,
  websiteUrl: baseUrl,
  remotes: [
    {
      type: 'streamable-http',
      url: `${baseUrl}/mcp`,
      headers: [
        {
          name: 'Authorization',
          description: `API key, for clients without OAuth. Create one at ${accountUrl}/account/developer.`,
          isRequired: false,
          isSecret: true,
          value: 'Bearer {api_key}',
          variables: { api_key: { description: 'API key (cb_live_…)', isRequired: false, isSecret: true } },
        },
      ],
      supportedProtocolVersions: revisions,
    },
  ],
});

/**
 * Returns the entry of the service for the MCP registry, which its operator publishes with `mcp-publisher`
 * (https://github.com/modelcontextprotocol/registry, "Generic server.json").
 */
export const registryEntry = (facts: Pick<LlmsTxtFacts, 'baseUrl' | 'name' | 'version' | 'accountUrl'>) => {
  const { $schema: _, remotes, ...card } = serverCard(facts);
  return {
    $schema: registrySchema,
    ...card,
    title: card.title.slice(0, 100),
    icons: [{ src: `${facts.baseUrl}${assetPaths.icon}`, mimeType: 'image/svg+xml', sizes: ['any'] }],
    remotes: remotes.map(({ supportedProtocolVersions: _revisions, ...remote }) => remote),
  };
};

const registrySchema = 'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json';

/** Returns the proof of the MCP registry that the operator owns the domain: the public key that signs the login. */
export const registryProof = (publicKey: string): string => `v=MCPv1; k=ed25519; p=${publicKey}\n`;

/** Returns the host name in reverse order ("org.example.music"); `localhost` for an IP address. */
function namespaceOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (!/^[a-z0-9.-]+$/.test(hostname) || /^[\d.]+$/.test(hostname)) return 'localhost';
  return hostname.split('.').reverse().join('.');
}

type StaticDocument = { type: string; body: Buffer; etag: string };

function makeDocument(type: string, text: string): StaticDocument {
  const body = Buffer.from(text);
  return { type, body, etag: strongETag(body) };
}

const jsonDocument = (value: unknown, type = 'application/json'): StaticDocument =>
  makeDocument(type, JSON.stringify(value));

/**
 * Mounts the documents, which are made again when the limits of the plans, the service's name or its attribution have
 * changed. They need no credential and may be read cross-origin.
 * @param registryKey public key for the MCP registry; null: the address of its proof answers 404
 * @param plansInForce returns the same object until the limits of the plans change
 */
export function mountDiscovery(
  app: Polka,
  deps: Omit<LlmsTxtFacts, 'attribution'> & { readonly attribution?: string | null },
  plansInForce: () => Promise<PlansInForce>,
  registryKey: string | null = null,
): void {
  const makers: Record<string, (facts: LlmsTxtFacts, limits: PlansInForce) => StaticDocument> = {
    '/llms.txt': (facts, limits) => makeDocument('text/plain; charset=utf-8', llmsTxt(facts, limits)),
    [resourceMetadataPath]: (facts) => jsonDocument(resourceMetadata(facts)),
    ...Object.fromEntries(serverCardPaths.map((path) => [path, serverCardDocument])),
    '/mcp/server.json': (facts) => jsonDocument(registryEntry(facts)),
    ...(registryKey === null
      ? {}
      : {
          '/.well-known/mcp-registry-auth': () =>
            makeDocument('text/plain; charset=utf-8', registryProof(registryKey)),
        }),
  };
  for (const [path, make] of Object.entries(makers)) {
    let latest: { facts: LlmsTxtFacts; limits: PlansInForce; document: StaticDocument } | undefined;
    app.all(path, async (req, res) => {
      const limits = await plansInForce();
      const { baseUrl, accountUrl, name, attribution = null, version, tools } = deps;
      const isCurrent =
        latest?.limits === limits && latest.facts.name === name && latest.facts.attribution === attribution;
      if (latest === undefined || !isCurrent) {
        const facts = { baseUrl, accountUrl, name, attribution, version, tools };
        latest = { facts, limits, document: make(facts, limits) };
      }
      sendDocument(latest.document, req, res);
    });
  }
}

const serverCardDocument = (facts: LlmsTxtFacts): StaticDocument =>
  jsonDocument(serverCard(facts), 'application/mcp-server-card+json');

const allowedMethods = 'GET, HEAD, OPTIONS';

function sendDocument({ type, body, etag }: StaticDocument, req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('X-Request-Id', newRequestId());
  for (const [name, value] of Object.entries({ ...corsHeaders, ...noSniffHeader }))
    res.setHeader(name, value);
  if (req.method === 'OPTIONS') {
    const allowedHeaders = 'Authorization, Content-Type, If-None-Match, MCP-Protocol-Version';
    res.writeHead(204, preflightHeaders(allowedMethods, allowedHeaders)).end();
    return;
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendProblem(res, new Problem('method_not_allowed', `This document supports ${allowedMethods}.`), {
      Allow: allowedMethods,
    });
    return;
  }
  const headers = { ETag: etag, 'Cache-Control': 'public, max-age=300' };
  if (matchesETag(req.headers['if-none-match'], etag)) {
    res.writeHead(304, headers).end();
    return;
  }
  res.writeHead(200, {
    ...headers,
    'Content-Type': type,
    'Content-Length': body.length,
  });
  res.end(req.method === 'HEAD' ? undefined : body);
}
