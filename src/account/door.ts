/** The door for people: `{account_url}/account/…`. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Polka } from 'polka';
import type { Session } from '../access/access.ts';
import { Problem } from '../contract/errors.ts';
import { readSessionToken } from '../http/cookies.ts';
import { FormTooLong, readForm } from '../http/forms.ts';
import { newRequestId, problemOf } from '../http/problem.ts';
import { answerFailure } from '../http/server.ts';
import { describeFailure } from '../log.ts';
import { sendOn } from '../pages/send.ts';
import { askDisconnect, disconnect } from './apps.tsx';
import { showDeveloper } from './developer.tsx';
import { askIn, leave, letIn, showRequested } from './enter.tsx';
import { tell, tellForeign, tellMissing, tellStale } from './failures.tsx';
import { isForeign } from './gate.ts';
import { askRevoke, revokeKey } from './keys.tsx';
import { createKey } from './new-key.tsx';
import {
  askDelete,
  changePassword,
  deleteAccount,
  endSession,
  leaveEverywhere,
  showSecurity,
} from './security.tsx';
import { type AccountDeps, type Member, Visit } from './visit.ts';

type Answer<V> = (visit: V) => void | Promise<void>;
/** Who may see a page, and what it does when it is looked at or its form is sent. */
type Page =
  | { open: true; get: Answer<Visit>; post?: Answer<Visit> }
  | { open: false; get?: Answer<Member>; post?: Answer<Member> };

const home = '/account/developer';
const toHome: Answer<Visit> = (visit) => visit.go(home);

/** Every page by its path; `*` stands for the id of a record. */
const pages: Record<string, Page> = {
  '/account': { open: true, get: toHome },
  '/account/': { open: true, get: toHome },
  '/account/sign-in': {
    open: true,
    get: (visit) => askIn(visit, 'sign-in'),
    post: (visit) => letIn(visit, 'sign-in'),
  },
  '/account/sign-up': {
    open: true,
    get: (visit) => askIn(visit, 'sign-up'),
    post: (visit) => letIn(visit, 'sign-up'),
  },
  '/account/requested': { open: true, get: showRequested },
  '/account/sign-out': { open: false, get: toHome, post: leave },
  '/account/developer': { open: false, get: (visit) => showDeveloper(visit) },
  '/account/developer/keys': { open: false, get: toHome, post: createKey },
  '/account/developer/keys/*/revoke': { open: false, get: askRevoke, post: revokeKey },
  '/account/developer/apps/*/disconnect': { open: false, get: askDisconnect, post: disconnect },
  '/account/security': { open: false, get: (visit) => showSecurity(visit) },
  '/account/security/password': {
    open: false,
    get: (visit) => visit.go('/account/security'),
    post: changePassword,
  },
  '/account/security/sessions': {
    open: false,
    get: (visit) => visit.go('/account/security'),
    post: leaveEverywhere,
  },
  '/account/security/sessions/*/end': {
    open: false,
    get: (visit) => visit.go('/account/security'),
    post: endSession,
  },
  '/account/delete': { open: false, get: (visit) => askDelete(visit), post: deleteAccount },
};

const patterns = Object.entries(pages).map(([path, page]) => ({
  pattern: new RegExp(`^${path.replaceAll('*', '([A-Za-z0-9_-]{1,100})')}$`),
  page,
}));

function find(path: string): { page: Page; id: string } | null {
  for (const { pattern, page } of patterns) {
    const match = pattern.exec(path);
    if (match !== null) return { page, id: match[1] ?? '' };
  }
  return null;
}

export function mountAccount(app: Polka, deps: AccountDeps): void {
  const door = new AccountDoor(deps);
  for (const path of ['/account', '/account/*']) app.all(path, (req, res) => void door.call(req, res));
}

class AccountDoor {
  readonly #deps: AccountDeps;
  /** Where the pages are, when requests for another of the service's names come here too; else null. */
  readonly #elsewhere: { host: string; url: string } | null;

  constructor(deps: AccountDeps) {
    this.#deps = deps;
    const [base, own] = [new URL(deps.baseUrl), new URL(deps.place.url)];
    this.#elsewhere = base.host === own.host ? null : { host: base.host, url: deps.place.url };
  }

  /** A request's whole life: which page, from where, who, what was sent. */
  async call(request: IncomingMessage, response: ServerResponse): Promise<void> {
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
    const elsewhere = this.#elsewhere;
    if (!isPost && elsewhere !== null && request.headers.host === elsewhere.host) {
      return sendOn(response, elsewhere.url + request.url);
    }
    const session = await deps.access.sessions.find(readSessionToken(request, deps.place));
    const found = find((request.url ?? '').split('?', 1)[0] as string);
    const plain = { deps, request, response, session, form: new URLSearchParams(), id: found?.id ?? '' };
    if (found === null) return tellMissing(new Visit(plain));
    const { page } = found;
    if (!isPost && request.method !== 'GET' && request.method !== 'HEAD') {
      return refuseMethod(new Visit(plain), page);
    }
    if (!isPost) return look(new Visit(plain), page);
    if (page.post === undefined) return refuseMethod(new Visit(plain), page);
    if (isForeign(request, deps.place)) return tellForeign(new Visit(plain));
    return post(new Visit({ ...plain, form: await readForm(request) }), page);
  }

  #fail(request: IncomingMessage, response: ServerResponse, failure: unknown): void {
    const problem = problemOf(failure);
    if (!(failure instanceof Problem)) {
      const requestId = response.getHeader('X-Request-Id');
      this.#deps.log('error', 'request failed', { request_id: requestId, ...describeFailure(failure) });
    }
    if (response.headersSent || request.socket.destroyed) {
      response.destroy();
      return;
    }
    const form = new URLSearchParams();
    const visit = new Visit({ deps: this.#deps, request, response, session: null, form, id: '' });
    const { status, title } = failures[problem.type] ?? {
      status: problem instanceof FormTooLong ? 413 : 400,
      title: 'That did not work',
    };
    const headers: Record<string, string> = status === 503 ? { 'Retry-After': '5' } : {};
    tell(visit, { status, title, text: problem.message, headers });
  }
}

const failures: Partial<Record<Problem['type'], { status: number; title: string }>> = {
  internal_error: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'Not available at present' },
};

function refuseMethod(visit: Visit, page: Page): void {
  const allow = [...(page.get ? ['GET', 'HEAD'] : []), ...(page.post ? ['POST'] : [])].join(', ');
  tell(visit, { status: 405, title: 'Not this way', text: `Use ${allow} here.`, headers: { Allow: allow } });
}

async function look(visit: Visit, page: Page): Promise<void> {
  if (page.open) return page.get(visit);
  if (!isMember(visit)) return signInFirst(visit);
  return page.get?.(visit);
}

async function post(visit: Visit, page: Page): Promise<void> {
  if (page.open) return visit.hasFormToken() ? page.post?.(visit) : tellStale(visit);
  // Signed out in another tab, or for too long.
  if (!isMember(visit)) return visit.go('/account/sign-in');
  return visit.hasSessionToken() ? page.post?.(visit) : tellStale(visit);
}

const isMember = (visit: Visit): visit is Visit & { session: Session } => visit.session !== null;

function signInFirst(visit: Visit): void {
  visit.go(`/account/sign-in?next=${encodeURIComponent(visit.request.url ?? home)}`);
}
