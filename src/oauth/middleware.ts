/** What the library answers, as it is sent from here. */
import type Provider from 'oidc-provider';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { catalogueScope } from '../contract/scopes.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { interactionPath, routes } from './paths.ts';
import type { OAuthError, ShowError } from './told.ts';

type Middleware = Parameters<Provider['use']>[0];

/** `openid` cannot be configured away, nor what comes with it; nor can the cookie of a session that nobody will read. */
export const adjustResponse: Middleware = async (ctx, next) => {
  await next();
  const cookies = [ctx.res.getHeader('set-cookie') ?? []].flat() as string[];
  const kept = cookies.filter((cookie) => !/^cratebase_oauth(?:\.sig)?=/.test(cookie));
  if (kept.length < cookies.length) ctx.res.setHeader('set-cookie', kept);
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
 * Nobody is sent to an app's address before they have answered: a link to this service must not lead on to wherever
 * whoever made it likes (RFC 9700, 4.11.2). What is wrong with a request stands on a page of ours.
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

/** The error that an app was to be told; some kinds of answer have it after #, where no server would learn of it. */
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
