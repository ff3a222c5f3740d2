/** Where the authorization server's addresses lie. */

export const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;
export const interactionPath = '/oauth/interaction';
