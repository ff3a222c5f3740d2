/** By what the endpoint is found: the metadata that a 401 leads to, the server card, the text map for agents. */
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { SUPPORTED_PROTOCOL_VERSIONS } from '@modelcontextprotocol/server';
import type { Polka } from 'polka';
import { Problem } from '../contract/errors.ts';
import { catalogueScope } from '../contract/scopes.ts';
import { crossOrigin, newRequestId, noSniff, sendProblem } from '../http/problem.ts';
import { agentMap, type MapFacts } from './llms.ts';
import { revision } from './straight.ts';

export const resourceMetadataPath = '/.well-known/oauth-protected-resource/mcp';
const cardPaths = ['/mcp/server-card', '/.well-known/mcp/server-card.json'];

/**
 * RFC 9728, 3.2. The service is its own authorization server (docs/spec/credentials.md): where people sign in, apps
 * are let in.
 */
export const resourceMetadata = ({ baseUrl, accountUrl, name }: MapFacts) => ({
  resource: `${baseUrl}/mcp`,
  authorization_servers: [accountUrl],
  scopes_supported: [catalogueScope],
  bearer_methods_supported: ['header'],
  resource_name: `${name}: catalogue of electronic music`,
  resource_documentation: `${baseUrl}/llms.txt`,
});

/** What clients older than the present revision may speak here: none from before the first release of the protocol. */
const olderRevisions = SUPPORTED_PROTOCOL_VERSIONS.filter((one) => one !== revision && one >= '2024-11-05');
/** All revisions that are served here, newest first. */
export const revisions: readonly string[] = [revision, ...olderRevisions];

/** SEP-2127: identity and connection alone; what the server can do, it says itself once one is connected. */
export const serverCard = ({ baseUrl, name, version, accountUrl }: MapFacts) => ({
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
          description: `An API key, made at ${accountUrl}/account/developer.`,
          isRequired: true,
          isSecret: true,
          value: 'Bearer {api_key}',
          variables: { api_key: { description: 'API key (cb_live_…)', isRequired: true, isSecret: true } },
        },
      ],
      supportedProtocolVersions: revisions,
    },
  ],
});

/** The host's name from its end ("org.example.music"); an address in figures has none and is told as `localhost`. */
function namespaceOf(baseUrl: string): string {
  const { hostname } = new URL(baseUrl);
  if (!/^[a-z0-9.-]+$/.test(hostname) || /^[\d.]+$/.test(hostname)) return 'localhost';
  return hostname.split('.').reverse().join('.');
}

type Document = { type: string; body: Buffer; tag: string };

function makeDocument(type: string, text: string): Document {
  const body = Buffer.from(text);
  const tag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { type, body, tag };
}

const asJson = (value: unknown, type = 'application/json'): Document =>
  makeDocument(type, JSON.stringify(value));

/** Puts the documents on the server: for anyone to read, from anywhere. */
export function mountDocuments(app: Polka, facts: MapFacts): void {
  const card = asJson(serverCard(facts), 'application/mcp-server-card+json');
  const documents: Record<string, Document> = {
    '/llms.txt': makeDocument('text/plain; charset=utf-8', agentMap(facts)),
    [resourceMetadataPath]: asJson(resourceMetadata(facts)),
    ...Object.fromEntries(cardPaths.map((path) => [path, card])),
  };
  for (const [path, document] of Object.entries(documents)) {
    app.all(path, (req, res) => show(document, req, res));
  }
}

const allow = 'GET, HEAD, OPTIONS';

function show({ type, body, tag }: Document, req: IncomingMessage, res: ServerResponse): void {
  res.setHeader('X-Request-Id', newRequestId());
  for (const [name, value] of Object.entries({ ...crossOrigin, ...noSniff })) res.setHeader(name, value);
  if (req.method === 'OPTIONS') {
    res.writeHead(204, {
      Allow: allow,
      'Access-Control-Allow-Methods': allow,
      'Access-Control-Allow-Headers': 'Authorization, Content-Type, If-None-Match, MCP-Protocol-Version',
      'Access-Control-Max-Age': '86400',
    });
    res.end();
    return;
  }
  if (req.method !== 'GET' && req.method !== 'HEAD') {
    sendProblem(res, new Problem('method_not_allowed', `This document takes ${allow}.`), { Allow: allow });
    return;
  }
  const known = (req.headers['if-none-match'] ?? '')
    .split(',')
    .map((part) => part.trim().replace(/^W\//, ''));
  const headers = { ETag: tag, 'Cache-Control': 'public, max-age=300' };
  if (known.includes(tag) || known.includes('*')) {
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
