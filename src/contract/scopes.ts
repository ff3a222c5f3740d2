/** OAuth scopes that an account can grant to an app. */

/** The scope that an access token needs for the MCP endpoint. */
export const catalogueScope = 'catalogue:read';

/** Descriptions of the scopes, as shown to users. */
export const scopes = {
  [catalogueScope]:
    'Search and read the catalogue: artists, events, venues. It cannot change anything, nor see your password.',
} as const;
