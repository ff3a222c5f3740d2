/** The credential of a request: the ids of a key (or of an app's grant) and of its account. */
export type Credential = { readonly id: string; readonly account: string };
