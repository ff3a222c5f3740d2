import type { KeyScope } from '../contract/scopes.ts';

/** The credential of a request: the ids of a key (or of an app's grant) and of its account, and what it may call. */
export type Credential = { readonly id: string; readonly account: string; readonly scope: KeyScope };
