/** Who calls: the ids of a key (or of what an app was allowed) and of its account. */
export type Credential = { readonly id: string; readonly account: string };
