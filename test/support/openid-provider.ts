/** A real OpenID provider on a free port, which signs in the person that the test names. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import Provider, { type Configuration } from 'oidc-provider';

/** What the provider says about a person; `null`: the person refuses. */
export type OpenIdPerson = { sub: string; email?: string; email_verified?: boolean } | null;
export type TestProvider = {
  issuer: string;
  person: OpenIdPerson;
  secret: string;
  stop: () => Promise<void>;
};

export const clientId = 'cratebase';
const clientSecret = 'a secret with: special +characters';

/** Starts the provider. `redirectUri` is asked for when the service's address is known. */
export async function serveOpenId(
  redirectUri: () => string,
  more: Partial<Configuration> = {},
): Promise<TestProvider> {
  const server = createServer((request, response) => {
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const stop = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeAllConnections();
    });
  const state: TestProvider = { issuer, person: null, secret: clientSecret, stop };
  let provider: Provider | undefined;
  const open = () => {
    provider ??= new Provider(issuer, {
      clients: [
        {
          client_id: clientId,
          client_secret: clientSecret,
          redirect_uris: [redirectUri()],
          response_types: ['code'],
          grant_types: ['authorization_code'],
        },
      ],
      claims: { email: ['email', 'email_verified'] },
      findAccount: (_context, sub) => ({ accountId: sub, claims: () => ({ ...state.person, sub }) }),
      interactions: { url: (_context, { uid }) => `/interaction/${uid}` },
      features: { devInteractions: { enabled: false } },
      cookies: { keys: ['test'] },
      pkce: { required: () => true },
      ...more,
    });
    return provider;
  };
  const handle: Parameters<typeof createServer>[1] & {} = (request, response) => {
    if (!request.url?.startsWith('/interaction/')) return void open().callback()(request, response);
    void decide(open(), state, request, response);
  };
  after(stop);
  return state;
}

async function decide(
  provider: Provider,
  { person }: TestProvider,
  request: Parameters<Provider['interactionDetails']>[0],
  response: Parameters<Provider['interactionDetails']>[1],
): Promise<void> {
  const { params } = await provider.interactionDetails(request, response);
  if (person === null) {
    const error = { error: 'access_denied', error_description: 'not today' };
    return provider.interactionFinished(request, response, error, { mergeWithLastSubmission: false });
  }
  const grant = new provider.Grant({ accountId: person.sub, clientId: String(params.client_id) });
  grant.addOIDCScope('openid email');
  const grantId = await grant.save();
  const result = { login: { accountId: person.sub, remember: false }, consent: { grantId } };
  await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
}

/** Follows the redirects of the provider from the authorization address to the address it sends people back to. */
export async function passProvider(start: string, issuer: string): Promise<string> {
  const cookies = new Map<string, string>();
  let url = start;
  for (let hop = 0; url.startsWith(issuer); hop += 1) {
    if (hop > 8) throw new Error(`too many redirects: ${url}`);
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(url, { redirect: 'manual', headers: { cookie } });
    for (const line of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (location === null) throw new Error(`${answer.status} at ${url}: ${await answer.text()}`);
    url = new URL(location, url).href;
  }
  return url;
}
