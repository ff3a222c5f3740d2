/** Scopes of apps (OAuth) and of API keys. */

/** The scope that an access token needs for the MCP endpoint. */
export const catalogueScope = 'catalogue:read';

/** Descriptions of the scopes, as shown to users. */
export const scopes = {
  [catalogueScope]:
    'Search and read the catalogue: artists, events, venues. It cannot change anything, nor see your password.',
} as const;

/** What an API key may call: `rest` the REST API, `agents` the MCP endpoint, `all` both. */
export const keyScopes = ['all', 'rest', 'agents'] as const;
export type KeyScope = (typeof keyScopes)[number];
