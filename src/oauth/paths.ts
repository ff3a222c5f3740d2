/** Paths of the authorization server. */
export const routes = {
  authorization: '/oauth/authorize',
  token: '/oauth/token',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  jwks: '/oauth/jwks',
} as const;
export const interactionPath = '/oauth/interaction';
