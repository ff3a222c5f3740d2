/** What is told of a request that is not answered. */
import type { KoaContextWithOIDC } from 'oidc-provider';

/** What is wrong, in the words of OAuth; `goesTo`: where the app wants to be told so. */
export type Told = { error: string; error_description?: string | undefined; goesTo?: string };
export type ShowError = (ctx: KoaContextWithOIDC, out: Told, status?: number) => void;
