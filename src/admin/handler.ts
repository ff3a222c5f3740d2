/** Handles requests for the console: `{account_url}/admin/…`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import { Problem } from '../contract/errors.ts';
import { includesRole } from '../contract/roles.ts';
import { Failure } from '../failure.ts';
import { readSessionToken } from '../http/cookies.ts';
import { readFileForm, readForm } from '../http/forms.ts';
import { newRequestId, toProblem } from '../http/problem-response.ts';
import { answerFailure } from '../http/server.ts';
import { describeFailure } from '../log.ts';
import { isCrossSite } from '../pages/same-site.ts';
import { redirect } from '../pages/send.ts';
import { signInPath } from '../pages/sign-in-path.ts';
import { type AdminDeps, AdminRequest, type StaffRequest } from './admin-request.ts';
import {
  showCrossSiteForm,
  showFailure,
  showForbidden,
  showMethodNotAllowed,
  showNotFound,
  showProblem,
  showStaleForm,
} from './error-pages.tsx';
import { type AdminRoute, createMatcher } from './route.ts';
import { adminRoutes } from './routes.ts';

/** Maximum length of a form with a file, in bytes. */
const defaultFileFormBytes = 131_072;

/** Mounts the console. */
export function mountAdmin(app: Polka, deps: AdminDeps): void {
  const handler = new AdminHandler(deps, adminRoutes);
  for (const path of ['/admin', '/admin/*']) app.all(path, (req, res) => void handler.handle(req, res));
}

class AdminHandler {
  readonly #deps: AdminDeps;
  readonly #find: ReturnType<typeof createMatcher>;
  /** The host of the API, if the console has another one: requests to it are redirected to `url`. */
  readonly #apiHost: { host: string; url: string } | null;

  constructor(deps: AdminDeps, routes: readonly AdminRoute[]) {
    this.#deps = deps;
    this.#find = createMatcher(routes);
    const [base, own] = [new URL(deps.baseUrl), new URL(deps.siteUrl.url)];
    this.#apiHost = base.host === own.host ? null : { host: base.host, url: deps.siteUrl.url };
  }

  /** Handles a request. Order of checks: host, session, path, method, origin, role, form, CSRF token. */
  async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    response.setHeader('X-Request-Id', newRequestId());
    const parts = {
      deps: this.#deps,
      request,
      response,
      session: null,
      form: new URLSearchParams(),
      ids: [],
    };
    let visit = new AdminRequest(parts);
    try {
      const { method, headers, url = '' } = request;
      const apiHost = this.#apiHost;
      if (method !== 'POST' && apiHost !== null && headers.host === apiHost.host) {
        return redirect(response, apiHost.url + url);
      }
      const session = await this.#deps.access.sessions.find(readSessionToken(request, this.#deps.siteUrl));
      const match = this.#find(url.split('?', 1)[0] as string);
      visit = new AdminRequest({ ...parts, session, ids: match?.ids ?? [] });
      if (match === null) return session === null ? redirectToSignIn(visit) : showNotFound(visit);
      const route = method === 'POST' ? match.routes.POST : match.routes.GET;
      const isMethodKnown = method === 'POST' || method === 'GET' || method === 'HEAD';
      if (route === undefined || !isMethodKnown) return showMethodNotAllowed(visit, match.routes);
      if (method === 'POST' && isCrossSite(request, this.#deps.siteUrl)) return showCrossSiteForm(visit);
      const refusal = roleProblem(visit, route);
      if (refusal !== null) return refusal();
      if (method === 'POST') {
        visit = new AdminRequest({
          ...parts,
          session,
          ids: match.ids,
          ...(await readSentForm(request, route)),
        });
        if (!hasValidToken(visit, route)) return showStaleForm(visit);
      }
      await route.handle(visit as StaffRequest);
    } catch (failure) {
      this.#answerFailure(visit, failure);
    }
  }

  #answerFailure(visit: AdminRequest, failure: unknown): void {
    const { response, request } = visit;
    try {
      const isExpected = failure instanceof Failure || failure instanceof Problem;
      if (!isExpected) {
        const requestId = response.getHeader('X-Request-Id');
        this.#deps.log('error', 'request failed', { request_id: requestId, ...describeFailure(failure) });
      }
      if (response.headersSent || request.socket.destroyed) response.destroy();
      else if (failure instanceof Failure) showFailure(visit, failure);
      else showProblem(visit, toProblem(failure));
    } catch (another) {
      answerFailure(another, response, this.#deps.log);
    }
  }
}

/** Reads the form of a route, with its file if it has one. */
async function readSentForm(
  request: IncomingMessage,
  { hasFile, maxFormBytes: maxBytes }: AdminRoute,
): Promise<{ form: URLSearchParams; file: Buffer | null }> {
  const isMultipart = /^multipart\//i.test(request.headers['content-type'] ?? '');
  if (hasFile !== true || !isMultipart)
    return { form: await readForm(request, maxBytes === undefined ? {} : { maxBytes }), file: null };
  const { fields, file } = await readFileForm(request, maxBytes ?? defaultFileFormBytes);
  return { form: fields, file };
}

/** Returns the refusal of a route that requires another role; null if the account has it. */
function roleProblem(visit: AdminRequest, route: AdminRoute): (() => void) | null {
  if (route.role === 'open') return null;
  if (visit.session === null) return () => redirectToSignIn(visit);
  const { role } = visit.session.account;
  return includesRole(role, route.role) ? null : () => showForbidden(visit, route.role);
}

/** Whether the form carries the CSRF token of the session; on open routes, that of the browser. */
function hasValidToken(visit: AdminRequest, route: AdminRoute): boolean {
  if (route.role === 'open' && visit.session === null) return visit.hasValidFormToken();
  return visit.hasValidSessionToken();
}

/** Redirects to the sign-in page, which leads back. The page of a form is not known, so a form leads to the overview. */
function redirectToSignIn(visit: AdminRequest): void {
  const { method, url = '/admin' } = visit.request;
  visit.redirect(signInPath(method === 'POST' ? '/admin' : url, '/admin'));
}
