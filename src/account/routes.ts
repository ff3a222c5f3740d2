/** Routes and request handling of the account pages: `{account_url}/account/…`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Session } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import { readSessionToken } from '../http/cookies.ts';
import { FormTooLarge, readForm } from '../http/forms.ts';
import { newRequestId, toProblem } from '../http/problem-response.ts';
import { answerFailure } from '../http/server.ts';
import { describeFailure } from '../log.ts';
import { isCrossSite } from '../pages/same-site.ts';
import { redirect } from '../pages/send.ts';
import { signInPath } from '../pages/sign-in-path.ts';
import { type AccountDeps, AccountRequest, type SignedInRequest } from './account-request.ts';
import { confirmDisconnect, disconnect } from './apps.tsx';
import { showConfirm, showSignUpSent, submitConfirm } from './confirm-sign-up.tsx';
import { showDeveloper } from './developer.tsx';
import { showCrossSiteForm, showMessage, showNotFound, showStaleForm } from './error-pages.tsx';
import { confirmRevoke, revokeKey } from './keys.tsx';
import { confirmUnlink, unlinkLogin } from './linked-logins.tsx';
import { createKey } from './new-key.tsx';
import { finishOpenId, showLink, startOpenId, submitLink } from './openid/pages.tsx';
import {
  addPasskey,
  beginPasskey,
  removePasskey,
  renamePasskey,
  showNewPasskey,
  showPasskey,
} from './passkeys.tsx';
import { requestReset, showForgot, showReset, showResetSent, submitReset } from './password-reset.tsx';
import { dashboardPath } from './redirect-target.ts';
import { confirmRotate, rotateKey } from './rotate-key.tsx';
import {
  beginSecondFactor,
  confirmSecondFactor,
  renewRecoveryCodes,
  showSecondFactor,
  turnOffSecondFactor,
} from './second-factor.tsx';
import {
  changePassword,
  confirmDelete,
  deleteAccount,
  endSession,
  showSecurity,
  signOutEverywhere,
} from './security.tsx';
import { getEntryPage, showRequested, signOut, submitEntry } from './sign-in.tsx';
import { showCodePage, submitCode } from './sign-in-code.tsx';
import { submitPasskey } from './sign-in-passkey.tsx';

type PageAction<V> = (visit: V) => void | Promise<void>;
/** The actions of a page; `open`: it needs no session. */
type AccountPage =
  | { open: true; get: PageAction<AccountRequest>; post?: PageAction<AccountRequest> }
  | { open: false; get?: PageAction<SignedInRequest>; post?: PageAction<SignedInRequest> };

/** For addresses that only forms are sent to. */
const redirectTo =
  (path: string): PageAction<AccountRequest> =>
  (visit) =>
    visit.redirect(path);
const toDashboard = redirectTo(dashboardPath);
const toSecurity = redirectTo('/account/security');
const toSecondFactor = redirectTo('/account/security/second-factor');

/** Pages by path; `*` stands for an id. */
const pages: Record<string, AccountPage> = {
  '/account': { open: true, get: toDashboard },
  '/account/': { open: true, get: toDashboard },
  '/account/sign-in': {
    open: true,
    get: (visit) => getEntryPage(visit, 'sign-in'),
    post: (visit) => submitEntry(visit, 'sign-in'),
  },
  '/account/sign-up': {
    open: true,
    get: (visit) => getEntryPage(visit, 'sign-up'),
    post: (visit) => submitEntry(visit, 'sign-up'),
  },
  '/account/sign-in/code': { open: true, get: showCodePage, post: submitCode },
  '/account/sign-in/passkey': { open: true, get: redirectTo('/account/sign-in'), post: submitPasskey },
  '/account/sign-in/openid': { open: true, get: startOpenId },
  '/account/openid/callback': { open: true, get: finishOpenId },
  '/account/openid/link': { open: true, get: showLink, post: submitLink },
  '/account/sign-up/sent': { open: true, get: showSignUpSent },
  '/account/confirm/*': { open: true, get: showConfirm, post: submitConfirm },
  '/account/forgot': { open: true, get: showForgot, post: requestReset },
  '/account/forgot/sent': { open: true, get: showResetSent },
  '/account/reset/*': { open: true, get: showReset, post: submitReset },
  '/account/requested': { open: true, get: showRequested },
  '/account/sign-out': { open: false, get: toDashboard, post: signOut },
  '/account/developer': { open: false, get: showDeveloper },
  '/account/developer/keys': { open: false, get: toDashboard, post: createKey },
  '/account/developer/keys/*/rotate': { open: false, get: confirmRotate, post: rotateKey },
  '/account/developer/keys/*/revoke': { open: false, get: confirmRevoke, post: revokeKey },
  '/account/developer/apps/*/disconnect': { open: false, get: confirmDisconnect, post: disconnect },
  '/account/security': { open: false, get: showSecurity },
  '/account/security/password': { open: false, get: toSecurity, post: changePassword },
  '/account/security/sessions': { open: false, get: toSecurity, post: signOutEverywhere },
  '/account/security/sessions/*/end': { open: false, get: toSecurity, post: endSession },
  '/account/security/second-factor': { open: false, get: showSecondFactor, post: beginSecondFactor },
  '/account/security/second-factor/confirm': { open: false, get: toSecondFactor, post: confirmSecondFactor },
  '/account/security/second-factor/recovery-codes': {
    open: false,
    get: toSecondFactor,
    post: renewRecoveryCodes,
  },
  '/account/security/second-factor/off': { open: false, get: toSecondFactor, post: turnOffSecondFactor },
  '/account/security/passkeys': { open: false, get: toSecurity, post: addPasskey },
  '/account/security/passkeys/new': { open: false, get: showNewPasskey, post: beginPasskey },
  '/account/security/passkeys/*/edit': { open: false, get: showPasskey, post: renamePasskey },
  '/account/security/passkeys/*/remove': { open: false, get: toSecurity, post: removePasskey },
  '/account/security/logins/*/unlink': { open: false, get: confirmUnlink, post: unlinkLogin },
  '/account/delete': { open: false, get: confirmDelete, post: deleteAccount },
};

const patterns = Object.entries(pages).map(([path, page]) => ({
  pattern: new RegExp(`^${path.replaceAll('*', '([A-Za-z0-9_-]{1,1400})')}$`),
  page,
}));

function findPage(path: string): { page: AccountPage; id: string } | null {
  for (const { pattern, page } of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return { page, id: match[1] ?? '' };
  }
  return null;
}

/** Mounts all account pages. Unknown paths below `/account` get a page with status 404. */
export function mountAccount(app: Polka, deps: AccountDeps): void {
  const handler = new AccountHandler(deps);
  for (const path of ['/account', '/account/*']) app.all(path, (req, res) => void handler.handle(req, res));
}

class AccountHandler {
  readonly #deps: AccountDeps;
  /** The host of the API, if the account pages have another one: requests to it are redirected to `url`. */
  readonly #apiHost: { host: string; url: string } | null;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
    const [base, own] = [new URL(deps.baseUrl), new URL(deps.siteUrl.url)];
    this.#apiHost = base.host === own.host ? null : { host: base.host, url: deps.siteUrl.url };
  }

  /** Handles a request. Order of checks: host, session, path, method, origin, form. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Request-Id', newRequestId());
    try {
      await this.#answer(request, response);
    } catch (failure) {
      try {
        this.#fail(request, response, failure);
      } catch (another) {
        answerFailure(another, response, this.#deps.log);
      }
    }
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const deps = this.#deps;
    const isPost = request.method === 'POST';
    const apiHost = this.#apiHost;
    if (!isPost && apiHost !== null && request.headers.host === apiHost.host) {
      return redirect(response, apiHost.url + request.url);
    }
    const session = await deps.access.sessions.find(readSessionToken(request, deps.siteUrl));
    const match = findPage((request.url ?? '').split('?', 1)[0] as string);
    const parts = { deps, request, response, session, form: new URLSearchParams(), id: match?.id ?? '' };
    if (match === null) return showNotFound(new AccountRequest(parts));
    const { page } = match;
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') {
      return showMethodNotAllowed(new AccountRequest(parts), page);
    }
    if (!isPost) return handleGet(new AccountRequest(parts), page);
    if (page.post === undefined) return showMethodNotAllowed(new AccountRequest(parts), page);
    if (isCrossSite(request, deps.siteUrl)) return showCrossSiteForm(new AccountRequest(parts));
    return handlePost(new AccountRequest({ ...parts, form: await readForm(request) }), page);
  }

  #fail(request: IncomingMessage, response: ServerResponse, failure: unknown): void {
    const problem = toProblem(failure);
    if (!(failure instanceof Problem)) {
      const requestId = response.getHeader('X-Request-Id');
      this.#deps.log('error', 'request failed', { request_id: requestId, ...describeFailure(failure) });
    }
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    const form = new URLSearchParams();
    const visit = new AccountRequest({ deps: this.#deps, request, response, session: null, form, id: '' });
    showFailure(visit, problem);
  }
}

function showFailure(visit: AccountRequest, problem: Problem): void {
  const { failures: words } = visit.words;
  const { type, message } = problem;
  if (type === 'internal_error') showMessage(visit, 500, words.internal, words.internalText(message));
  else if (type === 'unavailable')
    showMessage(visit, 503, words.unavailable, words.unavailableText(message), { 'Retry-After': '5' });
  else if (problem instanceof FormTooLarge) showMessage(visit, 413, words.other, words.tooLargeText(message));
  else showMessage(visit, 400, words.other, words.otherText(message));
}

function showMethodNotAllowed(visit: AccountRequest, page: AccountPage): void {
  const allow = [...(page.get ? ['GET', 'HEAD'] : []), ...(page.post ? ['POST'] : [])].join(', ');
  const { method, methodText } = visit.words.failures;
  showMessage(visit, 405, method, methodText(allow), { Allow: allow });
}

async function handleGet(visit: AccountRequest, page: AccountPage): Promise<void> {
  if (page.open) return page.get(visit);
  if (!isSignedIn(visit)) return redirectToSignIn(visit);
  return page.get?.(visit);
}

async function handlePost(visit: AccountRequest, page: AccountPage): Promise<void> {
  if (page.open) return visit.hasValidFormToken() ? page.post?.(visit) : showStaleForm(visit);
  // The session ended while the page was open.
  if (!isSignedIn(visit)) return visit.redirect('/account/sign-in');
  return visit.hasValidSessionToken() ? page.post?.(visit) : showStaleForm(visit);
}

const isSignedIn = (visit: AccountRequest): visit is AccountRequest & { session: Session } =>
  visit.session !== null;

function redirectToSignIn(visit: AccountRequest): void {
  visit.redirect(signInPath(visit.request.url ?? dashboardPath, dashboardPath));
}
