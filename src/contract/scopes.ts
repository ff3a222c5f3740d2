/** What an app may be allowed by the account that lets it in. */

/** What an access token must be good for, at the agents' endpoint. */
export const catalogueScope = 'catalogue:read';

/** By scope: what it allows, as people are told. */
export const scopes = {
  [catalogueScope]:
    'Search and read the catalogue: artists, events, venues. It cannot change anything, nor see your password.',
} as const;
