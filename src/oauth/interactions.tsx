/** The page on which a person decides about an app, and what follows from the answer. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type Provider from 'oidc-provider';
import { errors } from 'oidc-provider';
import type { Access, Session } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import { clientAddress } from '../http/client-address.ts';
import { equalsConstantTime } from '../http/constant-time-equal.ts';
import { clearedSessionCookie, readSessionToken } from '../http/cookies.ts';
import { FormTooLarge, readForm } from '../http/forms.ts';
import { sendProblem } from '../http/problem-response.ts';
import type { Log } from '../log.ts';
import { redirect, sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { type ClientInfo, describeClient } from './client-info.ts';
import { consentPage } from './consent.tsx';
import { errorPage, requestOverPage } from './error-pages.tsx';
import type { OAuthError } from './told.ts';

type InteractionDeps = {
  provider: Provider;
  access: Access;
  siteUrl: SiteUrl;
  log: Log;
  trustProxy: boolean;
};
type InteractionDetails = Awaited<ReturnType<Provider['interactionDetails']>>;
type Client = InstanceType<Provider['Client']>;
/** All that an answer needs. */
type ConsentRequest = {
  request: IncomingMessage;
  response: ServerResponse;
  details: InteractionDetails;
  client: Client;
  session: Session;
};

export class InteractionHandler {
  readonly #parts: InteractionDeps;

  constructor(parts: InteractionDeps) {
    this.#parts = parts;
  }

  /**
   * GET shows the request, POST answers it; whoever is not signed in does that first.
   * @param isForeign whether a page of another site sent it (`pages/same-site.ts`)
   */
  async handle(request: IncomingMessage, response: ServerResponse, isForeign: boolean): Promise<void> {
    const { method } = request;
    if (method !== 'GET' && method !== 'HEAD' && method !== 'POST') {
      const problem = new Problem('method_not_allowed', 'This page takes GET, HEAD, POST.');
      return sendProblem(response, problem, { Allow: 'GET, HEAD, POST' });
    }
    const details = await this.#find(request, response);
    if (details === null) return this.#showEnded(response);
    const { access, siteUrl } = this.#parts;
    const session = await access.sessions.find(readSessionToken(request, siteUrl));
    if (session === null) return this.#sendToSignIn(response, details.uid);
    const client = await this.#parts.provider.Client.find(String(details.params.client_id));
    if (client === undefined) return this.#showEnded(response);
    const visit = { request, response, details, client, session };
    if (method === 'POST' && isForeign) this.#show(visit, 403, sentFromElsewhere);
    else if (method === 'POST') await this.#decide(visit);
    else this.#show(visit, 200, null);
  }

  /** The request that this browser has begun and that this address names; null where there is none (any more). */
  async #find(request: IncomingMessage, response: ServerResponse): Promise<InteractionDetails | null> {
    const { uid } = (request as { params?: { uid?: string } }).params ?? {};
    try {
      const details = await this.#parts.provider.interactionDetails(request, response);
      return details.uid === uid ? details : null;
    } catch (failure) {
      if (failure instanceof errors.SessionNotFound) return null;
      throw failure;
    }
  }

  async #decide(visit: ConsentRequest): Promise<void> {
    const form = await readForm(visit.request).catch(asFormProblem);
    if (form instanceof Problem) {
      return this.#show(visit, form instanceof FormTooLarge ? 413 : 400, form.message);
    }
    // Also where another account has signed in since the page was shown: the answer would be about another's data.
    if (!equalsConstantTime(form.get('csrf') ?? '', visit.session.csrf))
      return this.#show(visit, 403, accountChangedNotice);
    switch (form.get('decision')) {
      case 'allow':
        return this.#allow(visit);
      case 'deny':
        return this.#finish(visit, {
          error: 'access_denied',
          error_description: 'the person did not allow it',
        });
      case 'switch':
        return this.#switchAccount(visit);
      default:
        return this.#show(visit, 400, 'Choose one of the buttons.');
    }
  }

  async #allow(visit: ConsentRequest): Promise<void> {
    const { details, client, session } = visit;
    const { provider, access, log, trustProxy } = this.#parts;
    const asking = describeClient(client, details.params);
    const grant = new provider.Grant({ accountId: session.account.id, clientId: client.clientId });
    grant.jti = access.oauth.generateGrantId();
    grant.addResourceScope(asking.resource, asking.scopes.join(' '));
    const grantId = await grant.save();
    await access.oauth.describeGrant(grantId, client.clientId, {
      name: asking.name,
      uri: asking.uri,
      host: asking.host,
      verified: asking.verified,
      scopes: asking.scopes,
    });
    const address = clientAddress(visit.request, trustProxy);
    log('info', 'app allowed', { account: session.account.id, address, client: client.clientId });
    await this.#finish(visit, {
      login: { accountId: session.account.id, remember: false },
      consent: { grantId },
    });
  }

  #finish(
    { request, response }: ConsentRequest,
    result: Parameters<Provider['interactionFinished']>[2],
  ): Promise<void> {
    response.setHeader('Cache-Control', 'no-store');
    return this.#parts.provider.interactionFinished(request, response, result, {
      mergeWithLastSubmission: false,
    });
  }

  async #switchAccount({ response, details, session }: ConsentRequest): Promise<void> {
    const { access, siteUrl } = this.#parts;
    await access.sessions.signOut(session);
    this.#sendToSignIn(response, details.uid, { 'Set-Cookie': clearedSessionCookie(siteUrl) });
  }

  #sendToSignIn(response: ServerResponse, uid: string, headers: Record<string, string> = {}): void {
    const next = encodeURIComponent(`/oauth/interaction/${uid}`);
    redirect(response, `${this.#parts.siteUrl.prefix}/account/sign-in?next=${next}`, headers);
  }

  #show({ response, details, client, session }: ConsentRequest, status: number, notice: string | null): void {
    const { siteUrl } = this.#parts;
    const asking: ClientInfo = describeClient(client, details.params);
    const html = consentPage({ siteUrl, session, asking, notice, uid: details.uid });
    // The answer leads on to the app, wherever that is; Chromium holds the form's policy against that too.
    sendPage(response, status, html, { forms: 'anywhere' });
  }

  #showEnded(response: ServerResponse): void {
    sendPage(response, 410, requestOverPage(this.#parts.siteUrl));
  }
}

function asFormProblem(failure: unknown): Problem {
  if (failure instanceof Problem) return failure;
  throw failure;
}

const sentFromElsewhere = 'This answer was sent from a page of another site. Look at it again, then decide.';
const accountChangedNotice =
  'This page was opened for another account, or too long ago. Look at it again, then decide.';

/** What is wrong with a request that cannot be sent back to its app. */
export function showError(response: ServerResponse, status: number, siteUrl: SiteUrl, out: OAuthError): void {
  const isOver = status === 400 && /session|expired/.test(out.error_description ?? '');
  const html = isOver ? requestOverPage(siteUrl) : errorPage(siteUrl, out);
  const isCounted = status === 429 && !response.hasHeader('Retry-After');
  const headers: Record<string, string> = isCounted ? { 'Retry-After': '60' } : {};
  sendPage(response, isOver ? 410 : status, html, { headers });
}
