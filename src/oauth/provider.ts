/**
 * Configuration of `oidc-provider` as an OAuth 2.1 authorization server without OpenID Connect. `middleware.ts` removes
 * what the library cannot turn off.
 */
import { generateKeyPair, randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { promisify } from 'node:util';
import Provider, { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import { type Access, matchesClientSecret, networkPrefix } from '../access/access.ts';
import { catalogueScope } from '../contract/scopes.ts';
import type { GuardedFetch } from '../fetch/guarded-fetch.ts';
import { clientAddress } from '../http/client-address.ts';
import { describeFailure, type Log } from '../log.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { callerAddress, createAdapterFactory } from './adapter.ts';
import { authMethods, clientDefaults, signingAlgorithms } from './client-metadata.ts';
import { documentFetch } from './document-fetch.ts';
import type { ShowError } from './error-pages.tsx';
import { adjustResponse, showErrorsLocally } from './middleware.ts';
import { interactionPath, routes } from './paths.ts';
import { identityOf } from './shared-clients.ts';

export type ProviderOptions = {
  access: Access;
  log: Log;
  /** The site of the account pages; its address is the issuer. */
  siteUrl: SiteUrl;
  baseUrl: string;
  /** The resource of all tokens: {base_url}/mcp. */
  resource: string;
  trustProxy: boolean;
  fetch: GuardedFetch;
  /** Returns the id of the account that is signed in; null: none. */
  accountOf: (request: IncomingMessage) => Promise<string | null>;
  showError: ShowError;
};

/** Returns the network for which a request is counted. */
export const networkOf = (request: IncomingMessage, trustProxy: boolean): string =>
  networkPrefix(clientAddress(request, trustProxy));

/** Cookies of the library. The session cookie is never set (`middleware.ts`). */
export const cookieNames = {
  session: 'cratebase_oauth',
  interaction: 'cratebase_interaction',
  resume: 'cratebase_resume',
} as const;

const minute = 60;
const hour = 60 * minute;
const day = 24 * hour;
/** Seconds. A grant lasts as long as it has tokens. */
const ttl = {
  AccessToken: hour,
  AuthorizationCode: minute,
  RefreshToken: 30 * day,
  Interaction: hour,
  Session: hour,
  Grant: 3_650 * day,
  // Never issued.
  IdToken: hour,
};

/**
 * Creates the server of the library. Reads its signing and cookie keys from the stored secrets, or creates them.
 */
export async function createProvider(parts: ProviderOptions): Promise<Provider> {
  const [jwks, cookieKey] = await Promise.all([readSigningKeys(parts), readCookieKey(parts)]);
  const provider = new Provider(parts.siteUrl.url, configure(parts, jwks, cookieKey));
  // The library reads host and protocol from headers that `handler.ts` sets.
  provider.proxy = true;
  provider.Client.prototype.compareClientSecret = function compare(secret) {
    return matchesClientSecret(this.clientSecret, secret);
  };
  rotateToOneSuccessor(provider, parts.access.oauth);
  provider.use(showErrorsLocally(parts));
  provider.use(adjustResponse);
  provider.on('server_error', (_ctx, failure) =>
    parts.log('error', 'oauth failed', describeFailure(failure)),
  );
  return provider;
}

/**
 * Derives the id of a rotated refresh token from its predecessor (`successorOf`), so that repeated use within the grace
 * period gives the same successor. All other ids are random.
 */
function rotateToOneSuccessor(provider: Provider, tokens: Access['oauth']): void {
  // The types of the library leave the method out.
  const { prototype } = provider.RefreshToken as unknown as { prototype: { generateTokenId(): string } };
  const random = prototype.generateTokenId;
  prototype.generateTokenId = function generateTokenId() {
    const before = Provider.ctx?.oidc.entities.RotatedRefreshToken;
    return before === undefined ? random.call(this) : tokens.successorOf(before.jti);
  };
}

/** Reads or creates the signing key of the file, which the library requires. It would sign OpenID Connect tokens only. */
async function readSigningKeys({ access }: ProviderOptions): Promise<{ keys: object[] }> {
  const keys = await access.oauth.secret('oauth_jwks', async () => {
    const { privateKey } = await promisify(generateKeyPair)('rsa', { modulusLength: 2048 });
    return JSON.stringify({ keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'RS256' }] });
  });
  return JSON.parse(keys) as { keys: object[] };
}

const readCookieKey = ({ access }: ProviderOptions): Promise<string> =>
  access.oauth.secret('oauth_cookie_key', async () =>
    Buffer.from(crypto.getRandomValues(new Uint8Array(32))).toString('hex'),
  );

function configure(parts: ProviderOptions, jwks: { keys: object[] }, cookieKey: string): Configuration {
  const { access, siteUrl, trustProxy } = parts;
  const { oauth: tokens } = access;
  const resumeAt = (id: string) => `${siteUrl.url}${routes.authorization}/${id}`;
  const cookie = { httpOnly: true, sameSite: 'lax', signed: true, overwrite: true } as const;
  return {
    adapter: createAdapterFactory({ tokens, trustProxy, log: parts.log, resumeAt }),
    jwks: jwks as NonNullable<Configuration['jwks']>,
    routes,
    ttl,
    responseTypes: ['code'],
    clientAuthMethods: [...authMethods],
    enabledJWA: { clientAuthSigningAlgValues: [...signingAlgorithms] },
    clientDefaults,
    pkce: { required: () => true },
    cookies: { names: cookieNames, keys: [cookieKey], long: cookie, short: cookie },
    interactions: {
      url: (_ctx, { uid }) => `${siteUrl.prefix}${interactionPath}/${uid}`,
      policy: loginPolicy(parts),
    },
    findAccount: async (_ctx, id) =>
      (await tokens.accountExists(id)) ? { accountId: id, claims: async () => ({ sub: id }) } : undefined,
    // One grant per consent: revoking that of one installation does not affect another.
    loadExistingGrant: async ({ oidc }) => {
      const id = oidc.result?.consent?.grantId;
      return id === undefined ? undefined : oidc.provider.Grant.find(id);
    },
    expiresWithSession: async () => false,
    issueRefreshToken: async (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    rotateRefreshToken: true,
    revokeGrantPolicy: () => true,
    clientBasedCORS: () => true,
    renderError: (ctx, out) => parts.showError(ctx, out),
    fetch: documentFetch({
      fetch: parts.fetch,
      caller: () => callerAddress(trustProxy) ?? '',
    }) as NonNullable<Configuration['fetch']>,
    fetchResponseBodyLimits: { 'client_id metadata document': 20_000, jwks_uri: 65_536 },
    features: features(parts),
    discovery: {
      service_documentation: `${parts.baseUrl}/llms.txt`,
      protected_resources: [parts.resource],
      revocation_endpoint_auth_methods_supported: [...authMethods],
    },
  };
}

function features({ resource, access }: ProviderOptions): NonNullable<Configuration['features']> {
  const off = { enabled: false };
  return {
    devInteractions: off,
    userinfo: off,
    rpInitiatedLogout: off,
    pushedAuthorizationRequests: off,
    dPoP: off,
    claimsParameter: off,
    registration: {
      enabled: true,
      // A client cannot be changed: installations of an app share it.
      issueRegistrationAccessToken: false,
      idFactory: (ctx) => {
        const identity = identityOf(ctx.req);
        return identity === null
          ? randomBytes(16).toString('base64url')
          : access.oauth.sharedClientId(identity);
      },
    },
    revocation: {
      enabled: true,
      allowedPolicy: async (_ctx, client, token) => token.clientId === client.clientId,
    },
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      // `documentFetch` has the limits.
      allowFetch: async () => true,
      allowClient: async () => true,
      cacheDuration: { min: 60, max: hour },
    },
    resourceIndicators: {
      enabled: true,
      defaultResource: async () => resource,
      useGrantedResource: async () => true,
      getResourceServerInfo: async (_ctx, requested) => {
        if (requested !== resource)
          throw new errors.InvalidTarget('this service issues tokens for its own resource only');
        return {
          scope: catalogueScope,
          audience: resource,
          accessTokenFormat: 'opaque',
          accessTokenTTL: hour,
        };
      },
    },
  };
}

/** Requires that the account of the request is still signed in when the person decides. */
function loginPolicy({ accountOf }: ProviderOptions): interactionPolicy.DefaultPolicy {
  const base = interactionPolicy.base();
  const same = new interactionPolicy.Check(
    'account_changed',
    'another account is signed in',
    'access_denied',
    async ({ req, oidc }) => {
      const { accountId } = oidc.session ?? {};
      if (accountId !== undefined && accountId !== (await accountOf(req))) {
        throw new errors.AccessDenied('another account is signed in by now');
      }
      return interactionPolicy.Check.NO_NEED_TO_PROMPT;
    },
  );
  base.get('login')?.checks.add(same, 0);
  return base;
}
