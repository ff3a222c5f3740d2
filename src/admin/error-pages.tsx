/** Pages of the console for requests that fail. */
import type { VNode } from 'preact';
import { ActionDelayed } from '../contract/action-runner.ts';
import type { Problem } from '../contract/errors.ts';

import type { Role } from '../contract/roles.ts';
import type { Failure } from '../failure.ts';
import { FormTooLarge } from '../http/forms.ts';
import { ButtonLink } from '../pages/parts.tsx';
import type { AdminRequest } from './admin-request.ts';
import type { RoutesOfPath } from './route.ts';

type Message = {
  status: number;
  title: string;
  text: string;
  /** The link that leads on; by default to the overview. */
  link?: { path: string; label: string };
  headers?: Record<string, string>;
};

function showMessage(visit: AdminRequest, { status, title, text, link, headers = {} }: Message): void {
  const { path, label } = link ?? { path: '/admin', label: 'To the overview' };
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        <MessageText text={text} />
      </p>
      <div class="actions">
        <ButtonLink look="quiet" href={visit.path(path)}>
          {label}
        </ButtonLink>
      </div>
      <p class="small soft actions">
        Request <code>{String(visit.response.getHeader('X-Request-Id') ?? '')}</code>
      </p>
    </>
  );
  visit.render(status, { title, children }, headers);
}

/** A message of the program: words between backticks are commands. */
export function MessageText({ text }: { text: string }): VNode {
  const pieces = text.split('`');
  return <>{pieces.map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece))}</>;
}

export const showNotFound = (visit: AdminRequest): void =>
  showMessage(visit, {
    status: 404,
    title: 'Page not found',
    text: 'There is nothing at this address. Check it, or start from the overview.',
  });

/** The page for an account whose role does not suffice. */
export const showForbidden = (visit: AdminRequest, required: Role): void =>
  showMessage(visit, {
    status: 403,
    title: 'Not for this account',
    text: `This page requires the role ${required}. You are signed in as ${visit.session?.account.email}, with the role ${visit.session?.account.role}. An operator can change it.`,
    link: visit.hasRole('editor')
      ? { path: '/admin', label: 'To the overview' }
      : { path: '/account/developer', label: 'To your account' },
  });

export const showStaleForm = (visit: AdminRequest): void =>
  showMessage(visit, {
    status: 403,
    title: 'This form is out of date',
    text: 'It was opened before you signed in or out, or your browser keeps no cookies. Nothing was changed. Go back, reload the page, and send it again.',
  });

export const showCrossSiteForm = (visit: AdminRequest): void =>
  showMessage(visit, {
    status: 403,
    title: 'Not from our own page',
    text: `This form was sent from another site, so nothing was changed. Open ${visit.deps.siteUrl.url}/admin yourself.`,
  });

/** The page for a link of the first operator that was used or has expired. */
export const showExpiredLink = async (visit: AdminRequest): Promise<void> =>
  showMessage(visit, {
    status: 410,
    title: 'This link is not valid any more',
    text: (await visit.deps.access.operatorLinks.hasOperator())
      ? 'This service has an operator already. Sign in.'
      : 'It works once, for an hour, and only in the browser that opened it. `cratebase accounts operator-link` prints another one.',
    link: { path: '/account/sign-in', label: 'Sign in' },
  });

/** The page for an action that was refused. The change of another person may have come first. */
export function showFailure(visit: AdminRequest, failure: Failure): void {
  if (failure instanceof ActionDelayed && failure.kind === 'read') {
    const headers = { 'Retry-After': '60' };
    showMessage(visit, { status: 503, title: 'This takes longer', text: failure.message, headers });
    return;
  }
  const isDelayed = failure instanceof ActionDelayed;
  const refusalStatus = failure.exitStatus === 2 ? 400 : 409;
  showMessage(visit, {
    status: isDelayed ? 202 : refusalStatus,
    title: isDelayed ? 'Your change waits' : 'That was not done',
    text: failure.message,
    link: { path: originPath(visit), label: 'Back' },
  });
}

/** Returns the page of the console that sent the form; the overview if it is not known. */
function originPath(visit: AdminRequest): string {
  const { referer } = visit.request.headers;
  if (referer === undefined || !URL.canParse(referer)) return '/admin';
  const { pathname, search } = new URL(referer);
  const { prefix } = visit.deps.siteUrl;
  const path = pathname.startsWith(`${prefix}/admin`) ? pathname.slice(prefix.length) : '/admin';
  return /^\/admin(?:\/|$)/.test(path) && !path.startsWith('/admin/start') ? path + search : '/admin';
}

const problemTitles: Partial<Record<Problem['type'], { status: number; title: string }>> = {
  internal_error: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'Not available at present' },
  not_found: { status: 404, title: 'Not found' },
};

export function showProblem(visit: AdminRequest, problem: Problem): void {
  const { status, title } = problemTitles[problem.type] ?? {
    status: problem instanceof FormTooLarge ? 413 : 400,
    title: 'That did not work',
  };
  const headers: Record<string, string> = status === 503 ? { 'Retry-After': '5' } : {};
  showMessage(visit, { status, title, text: problem.message, headers });
}

export function showMethodNotAllowed(visit: AdminRequest, routes: RoutesOfPath): void {
  const allow = [...(routes.GET ? ['GET', 'HEAD'] : []), ...(routes.POST ? ['POST'] : [])].join(', ');
  showMessage(visit, {
    status: 405,
    title: 'Not this way',
    text: `Use ${allow} here.`,
    headers: { Allow: allow },
  });
}
