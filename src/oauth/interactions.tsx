/** Handles the consent page and the decision. */
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
import { languageHeaders, languageInAddress, type PageLanguage, pageLanguage } from '../pages/language.ts';
import { type Messages, messagesOf } from '../pages/messages/messages.ts';
import { redirect, sendPage } from '../pages/send.ts';
import type { SiteUrl } from '../pages/site-url.ts';
import { type ClientInfo, describeClient } from './client-info.ts';
import { consentPage } from './consent.tsx';
import { errorPage, type OAuthError, requestOverPage } from './error-pages.tsx';

type InteractionDeps = {
  provider: Provider;
  access: Access;
  siteUrl: SiteUrl;
  log: Log;
  trustProxy: boolean;
};
type InteractionDetails = Awaited<ReturnType<Provider['interactionDetails']>>;
type Client = InstanceType<Provider['Client']>;
/** A request of a signed-in person, with the client that asks. */
type ConsentRequest = {
  request: IncomingMessage;
  response: ServerResponse;
  details: InteractionDetails;
  client: Client;
  session: Session;
};

/** Shows the consent page of an authorization request and takes the decision of the person. */
export class InteractionHandler {
  readonly #parts: InteractionDeps;

  constructor(parts: InteractionDeps) {
    this.#parts = parts;
  }

  /**
   * GET shows the request, POST decides it. Without a session it redirects to the sign-in page.
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
    const consent = { request, response, details, client, session };
    if (method === 'POST' && isForeign) this.#show(consent, 403, (words) => words.sentFromElsewhere);
    else if (method === 'POST') await this.#decide(consent);
    else this.#show(consent, 200, null);
  }

  /** Finds the request of this address, if this browser started it; null if there is none or it is over. */
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

  async #decide(consent: ConsentRequest): Promise<void> {
    const form = await readForm(consent.request).catch(asFormProblem);
    if (form instanceof Problem) {
      return this.#show(consent, form instanceof FormTooLarge ? 413 : 400, (words) =>
        words.badForm(form.message),
      );
    }
    // This also fails if another account signed in after the page was shown.
    if (!equalsConstantTime(form.get('csrf') ?? '', consent.session.csrf))
      return this.#show(consent, 403, (words) => words.accountChanged);
    switch (form.get('decision')) {
      case 'allow':
        return this.#allow(consent);
      case 'deny':
        return this.#finish(consent, {
          error: 'access_denied',
          error_description: 'the person did not allow it',
        });
      case 'switch':
        return this.#switchAccount(consent);
      default:
        return this.#show(consent, 400, (words) => words.chooseButton);
    }
  }

  async #allow(consent: ConsentRequest): Promise<void> {
    const { details, client, session } = consent;
    const { provider, access, log, trustProxy } = this.#parts;
    const info = describeClient(client, details.params);
    const grant = new provider.Grant({ accountId: session.account.id, clientId: client.clientId });
    grant.jti = access.oauth.generateGrantId();
    grant.addResourceScope(info.resource, info.scopes.join(' '));
    const grantId = await grant.save();
    await access.oauth.describeGrant(grantId, client.clientId, {
      name: info.name,
      uri: info.uri,
      host: info.host,
      verified: info.verified,
      scopes: info.scopes,
    });
    const address = clientAddress(consent.request, trustProxy);
    log('info', 'app allowed', { account: session.account.id, address, client: client.clientId });
    await this.#finish(consent, {
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

  /** @param notice the message above the facts; null: none */
  #show(
    { request, response, details, client, session }: ConsentRequest,
    status: number,
    notice: ((words: Messages['consent']) => string) | null,
  ): void {
    const { siteUrl } = this.#parts;
    const choice = requestLanguage(request, siteUrl);
    const { language } = choice;
    const text = notice === null ? null : notice(messagesOf(language).consent);
    const info: ClientInfo = describeClient(client, details.params);
    const html = consentPage({ siteUrl, language, session, client: info, notice: text, uid: details.uid });
    // The form redirects to the app, and Chromium applies the form-action policy to the redirect.
    sendPage(response, status, html, { forms: 'anywhere', headers: languageHeaders(choice, siteUrl) });
  }

  #showEnded(response: ServerResponse): void {
    showError(response, 410, this.#parts.siteUrl, null);
  }
}

function asFormProblem(failure: unknown): Problem {
  if (failure instanceof Problem) return failure;
  throw failure;
}

/** Shows an error that is not reported to the app by a redirect. @param out null: the request is over */
export function showError(
  response: ServerResponse,
  status: number,
  siteUrl: SiteUrl,
  out: OAuthError | null,
): void {
  const choice = requestLanguage(response.req, siteUrl);
  const where = { siteUrl, language: choice.language };
  const isOver = out === null || (status === 400 && /session|expired/.test(out.error_description ?? ''));
  const html = isOver ? requestOverPage(where) : errorPage(where, out);
  const isCounted = status === 429 && !response.hasHeader('Retry-After');
  const headers: Record<string, string> = {
    ...languageHeaders(choice, siteUrl),
    ...(isCounted ? { 'Retry-After': '60' } : {}),
  };
  sendPage(response, isOver ? 410 : status, html, { headers });
}

const requestLanguage = (request: IncomingMessage, siteUrl: SiteUrl): PageLanguage =>
  pageLanguage(request, siteUrl, languageInAddress(request.url));
