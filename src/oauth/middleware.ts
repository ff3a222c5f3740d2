/** Adjusts responses of the library. */
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { catalogueScope } from '../contract/scopes.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import type { OAuthError, ShowError } from './error-pages.tsx';
import { interactionPath, routes } from './paths.ts';

type Middleware = Parameters<Provider['use']>[0];

/** Removes what the library's configuration cannot turn off: metadata of OpenID Connect, and the session cookie. */
export const adjustResponse: Middleware = async (ctx, next) => {
  await next();
  const cookies = [ctx.res.getHeader('set-cookie') ?? []].flat() as string[];
  const otherCookies = cookies.filter((cookie) => !/^cratebase_oauth(?:\.sig)?=/.test(cookie));
  if (otherCookies.length < cookies.length) ctx.res.setHeader('set-cookie', otherCookies);
  // A repeated registration: the id was issued earlier (`adapter.ts`).
  const { clientIdIssuedAt } = ctx.state as { clientIdIssuedAt?: number };
  if (clientIdIssuedAt !== undefined && ctx.status === 201)
    ctx.body = { ...(ctx.body as object), client_id_issued_at: clientIdIssuedAt };
  if (!ctx.path.startsWith('/.well-known/') || typeof ctx.body !== 'object' || ctx.body === null) return;
  const {
    claims_supported: _claims,
    claim_types_supported: _types,
    ...rest
  } = ctx.body as Record<string, unknown>;
  const modes = 'response_modes_supported' in rest ? { response_modes_supported: ['query'] } : {};
  ctx.body = { ...rest, ...modes, scopes_supported: [catalogueScope, 'offline_access'] };
};

/**
 * Shows errors on a page of this service instead of redirecting to the app before the person has decided: a link to
 * this service must not be an open redirector (RFC 9700, 4.11.2).
 */
export const showErrorsLocally =
  ({ siteUrl, showError }: { siteUrl: SiteUrl; showError: ShowError }): Middleware =>
  async (ctx, next) => {
    await next();
    const { location } = ctx.response.headers as { location?: string };
    if (location === undefined || !ctx.path.startsWith(routes.authorization)) return;
    const isOurs = location.startsWith(`${siteUrl.prefix}${interactionPath}/`);
    if (isOurs || ctx.oidc?.entities.Interaction?.result !== undefined) return;
    ctx.remove('Location');
    const fault = errorInRedirect(location);
    showError(ctx as KoaContextWithOIDC, fault, fault.error === 'temporarily_unavailable' ? 429 : 400);
  };

/** Returns the error in a redirect address. Some response modes have it in the fragment. */
function errorInRedirect(location: string): OAuthError {
  const url = new URL(location);
  for (const [name, value] of new URLSearchParams(url.hash.slice(1))) url.searchParams.append(name, value);
  url.hash = '';
  const { searchParams } = url;
  return {
    error: searchParams.get('error') ?? 'invalid_request',
    error_description: searchParams.get('error_description') ?? undefined,
    errorRedirectUrl: url.href,
  };
}
