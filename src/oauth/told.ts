/** What is told of a request that is not answered. */
import type { KoaContextWithOIDC } from 'oidc-provider';

/** What is wrong, in the words of OAuth; `errorRedirectUrl`: where the app wants to be told so. */
export type OAuthError = { error: string; error_description?: string | undefined; errorRedirectUrl?: string };
export type ShowError = (ctx: KoaContextWithOIDC, out: OAuthError, status?: number) => void;
