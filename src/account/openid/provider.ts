/**
 * The client of one OpenID provider: discovery, and the authorization code flow with PKCE, state and nonce (OpenID Connect
 * Core 1.0, section 3.1). All requests go through the guarded fetch.
 */
import type { Configuration, CustomFetch } from 'openid-client';
import { type ExternalIdentity, isSameIssuer } from '../../access/access.ts';
import { FetchFailure } from '../../fetch/fetch-failure.ts';
import type { GuardedFetch } from '../../fetch/guarded-fetch.ts';

export type OpenIdOptions = {
  issuer: string;
  clientId: string;
  /** Null: a public client. */
  clientSecret: string | null;
  /** The name on the sign-in page. */
  name: string;
  /** Domains of emails that may sign in; empty: all. */
  domains: readonly string[];
  /** The address that the provider sends people back to. */
  redirectUri: string;
  openFetch: () => Promise<GuardedFetch>;
};
/** What the browser keeps while the person is at the provider. */
export type OpenIdChecks = { state: string; nonce: string; verifier: string };

/** `denied`: the person refused; `unreachable`: the provider does not answer; `invalid`: its answer is not right. */
export class OpenIdFailure extends Error {
  readonly kind: 'denied' | 'unreachable' | 'invalid';

  constructor(kind: OpenIdFailure['kind'], cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.kind = kind;
  }
}

const configurationMaxAgeMs = 3_600_000;
const maxResponseBytes = 262_144;
const requestTimeoutMs = 5_000;
const clockToleranceSeconds = 30;
const statusesWithoutBody = new Set([204, 205, 304]);

/** A client of the provider that `options` name. It caches the metadata of the provider for an hour. */
export class OpenIdProvider {
  readonly options: OpenIdOptions;
  #configuration: { promise: Promise<Configuration>; loadedAtMs: number } | undefined;

  constructor(options: OpenIdOptions) {
    this.options = options;
  }

  /** Whether `issuer`, of an ID token, is this provider. */
  isIssuer(issuer: string): boolean {
    return isSameIssuer(issuer, this.options.issuer);
  }

  /** Returns the address that asks the person to sign in, and the checks of the answer. Rejects with an `OpenIdFailure`. */
  async begin(): Promise<{ url: string; checks: OpenIdChecks }> {
    const client = await import('openid-client');
    const configuration = await this.#configure();
    const checks = {
      state: client.randomState(),
      nonce: client.randomNonce(),
      verifier: client.randomPKCECodeVerifier(),
    };
    const parameters = {
      redirect_uri: this.options.redirectUri,
      scope: 'openid email',
      state: checks.state,
      nonce: checks.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(checks.verifier),
      code_challenge_method: 'S256',
    };
    try {
      return { url: client.buildAuthorizationUrl(configuration, parameters).href, checks };
    } catch (failure) {
      // The metadata of the provider have no address to sign in, or one that is no address.
      throw toOpenIdFailure(failure);
    }
  }

  /**
   * Exchanges the code of the answer and returns who signed in. Rejects with an `OpenIdFailure`.
   * @param query the query of the address that the person came back to
   */
  async finish(query: URLSearchParams, checks: OpenIdChecks): Promise<ExternalIdentity> {
    const client = await import('openid-client');
    if (query.get('error') === 'access_denied') throw new OpenIdFailure('denied', 'access_denied');
    const configuration = await this.#configure();
    try {
      const address = new URL(this.options.redirectUri);
      address.search = query.toString();
      const tokens = await client.authorizationCodeGrant(configuration, address, {
        expectedState: checks.state,
        expectedNonce: checks.nonce,
        pkceCodeVerifier: checks.verifier,
        idTokenExpected: true,
      });
      const claims = tokens.claims();
      if (claims === undefined) throw new Error('the answer has no ID token');
      const { email, email_verified } =
        claims.email === undefined && configuration.serverMetadata().userinfo_endpoint !== undefined
          ? await client.fetchUserInfo(configuration, tokens.access_token, claims.sub)
          : claims;
      return {
        issuer: claims.iss,
        subject: claims.sub,
        email: typeof email === 'string' ? email : null,
        emailVerified: email_verified === true,
      };
    } catch (failure) {
      throw toOpenIdFailure(failure);
    }
  }

  /** Reads the metadata of the provider once an hour. A failure is not kept. */
  #configure(): Promise<Configuration> {
    const cached = this.#configuration;
    if (cached !== undefined && performance.now() - cached.loadedAtMs < configurationMaxAgeMs)
      return cached.promise;
    const promise = this.#discover().catch((failure: unknown) => {
      this.#configuration = undefined;
      throw toOpenIdFailure(failure);
    });
    this.#configuration = { promise, loadedAtMs: performance.now() };
    return promise;
  }

  async #discover(): Promise<Configuration> {
    const { issuer, clientId, clientSecret, openFetch } = this.options;
    const client = await import('openid-client');
    const server = new URL(issuer);
    // The guarded fetch refuses plain http, except to addresses that --fetch-allow lists.
    const insecure = server.protocol === 'http:' ? [client.allowInsecureRequests] : [];
    return client.discovery(
      server,
      clientId,
      { [client.clockTolerance]: clockToleranceSeconds },
      clientSecret === null ? client.None() : secretAuthentication(client, clientSecret),
      {
        [client.customFetch]: toCustomFetch(await openFetch()),
        // Signatures are verified too, although the ID token comes from the provider directly.
        execute: [...insecure, client.enableNonRepudiationChecks],
        timeout: requestTimeoutMs / 1000,
      },
    );
  }
}

/** Authenticates as the provider supports it. `client_secret_basic` is the default (OpenID Connect Discovery, section 3). */
function secretAuthentication(client: typeof import('openid-client'), secret: string) {
  const [basic, post] = [client.ClientSecretBasic(secret), client.ClientSecretPost(secret)];
  return (...[server, ...rest]: Parameters<typeof basic>) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    return (methods.includes('client_secret_basic') ? basic : post)(server, ...rest);
  };
}

function toCustomFetch(fetch: GuardedFetch): CustomFetch {
  return async (url, { method, headers, body, signal }) => {
    const response = await fetch(url, {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: Object.fromEntries(Object.entries(headers).filter(([name]) => name !== 'user-agent')),
      ...(body == null ? {} : { body: String(body) }),
      accept: headers.accept ?? 'application/json',
      maxBytes: maxResponseBytes,
      timeoutMs: requestTimeoutMs,
      deadlineMs: requestTimeoutMs,
      maxRedirects: 0,
      ...(signal ? { signal } : {}),
    });
    const { status } = response;
    const { 'content-encoding': _, 'content-length': __, ...otherHeaders } = response.headers;
    return new Response(statusesWithoutBody.has(status) ? null : await response.text(), {
      status,
      headers: otherHeaders,
    });
  };
}

/** Finds a failed request among the causes of an error of the library. */
function toOpenIdFailure(failure: unknown): OpenIdFailure {
  if (failure instanceof OpenIdFailure) return failure;
  for (let cause = failure; cause instanceof Error; cause = cause.cause) {
    if (cause instanceof FetchFailure) return new OpenIdFailure('unreachable', cause);
  }
  return new OpenIdFailure('invalid', failure);
}
