/** Pages of the console for requests that fail. */
import { ActionDelayed } from '../contract/action-runner.ts';
import type { Problem } from '../contract/errors.ts';
import type { Role } from '../contract/roles.ts';
import type { Failure } from '../failure.ts';
import { FormTooLarge } from '../http/forms.ts';
import { QuietLink } from '../pages/parts.tsx';
import type { AdminRequest } from './admin-request.ts';
import { MessageText } from './message-text.tsx';
import { englishMessage, failureText } from './refusals.ts';
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
  const { failures } = visit.messages.consoleRecords;
  const { path, label } = link ?? { path: '/admin', label: failures.toOverview };
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        <MessageText text={text} />
      </p>
      <div class="actions">
        <QuietLink href={visit.path(path)}>{label}</QuietLink>
      </div>
      <p class="small soft actions">
        {failures.request} <code>{String(visit.response.getHeader('X-Request-Id') ?? '')}</code>
      </p>
    </>
  );
  visit.render(status, { title, children }, headers);
}

/** Shows the page for a path that the console does not have, and for an account that does not exist (404). */
export function showNotFound(visit: AdminRequest): void {
  const { notFound: title, notFoundText: text } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 404, title, text });
}

/** Shows the page for an account whose role does not suffice (403). */
export function showForbidden(visit: AdminRequest, required: Role): void {
  const { consoleRecords, consoleOperator } = visit.messages;
  const { failures } = consoleRecords;
  const { roles } = consoleOperator.accounts;
  const { email = '', role = 'user' } = visit.session?.account ?? {};
  showMessage(visit, {
    status: 403,
    title: failures.forbidden,
    text: failures.forbiddenText(roles[required], email, roles[role]),
    link: visit.hasRole('editor')
      ? { path: '/admin', label: failures.toOverview }
      : { path: '/account/developer', label: failures.toAccount },
  });
}

/** Shows the page for a form whose CSRF token is not that of the session (403): it was opened before signing in again. */
export function showStaleForm(visit: AdminRequest): void {
  const { stale: title, staleText: text } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 403, title, text });
}

/** Shows the page for a form that a page of another site sent (403). */
export function showCrossSiteForm(visit: AdminRequest): void {
  const { crossSite: title, crossSiteText } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 403, title, text: crossSiteText(visit.deps.siteUrl.url) });
}

/** Shows the page for a link of the first operator that was used or has expired (410). */
export async function showExpiredLink(visit: AdminRequest): Promise<void> {
  const { used, usedText, expiredText, signIn } = visit.messages.consoleEdit.start;
  const hasOperator = await visit.deps.access.operatorLinks.hasOperator();
  showMessage(visit, {
    status: 410,
    title: used,
    text: hasOperator ? usedText : expiredText,
    link: { path: '/account/sign-in', label: signIn },
  });
}

/**
 * Shows the page for a refused action: 400 for wrong input, 409 otherwise, because the change of another person may have come
 * first, and 404 for a record that does not exist. An action that takes longer than a page waits gets 202, or 503 if it only reads.
 */
export function showFailure(visit: AdminRequest, failure: Failure): void {
  if (failure.details.isMissing === true) {
    showMissing(visit, failure);
    return;
  }
  const { consoleRefusals: words } = visit.messages;
  const text = failureText(visit, failure);
  if (failure instanceof ActionDelayed && failure.kind === 'read') {
    const headers = { 'Retry-After': '60' };
    showMessage(visit, { status: 503, title: words.slow, text, headers });
    return;
  }
  const isDelayed = failure instanceof ActionDelayed;
  const refusalStatus = failure.exitStatus === 2 ? 400 : 409;
  showMessage(visit, {
    status: isDelayed ? 202 : refusalStatus,
    title: isDelayed ? words.delayed : words.refused,
    text,
    link: { path: originPath(visit), label: words.back },
  });
}

/** The page for a source, a record or an entry that does not exist. */
function showMissing(visit: AdminRequest, failure: Failure): void {
  if (failure.details.code !== 'record_missing') {
    const title = visit.messages.consoleRefusals.missing;
    showMessage(visit, { status: 404, title, text: failureText(visit, failure) });
    return;
  }
  const { missing, missingText, toRecords } = visit.messages.consoleEdit.record;
  const link = { path: '/admin/records', label: toRecords };
  showMessage(visit, { status: 404, title: missing, text: missingText, link });
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

const problemStatus: Partial<Record<Problem['type'], number>> = {
  internal_error: 500,
  unavailable: 503,
  not_found: 404,
};

/** Shows the page for a `Problem`: 404, 413 for a form that is too long, 500, 503 with `Retry-After`, otherwise 400. */
export function showProblem(visit: AdminRequest, problem: Problem): void {
  const status = problemStatus[problem.type] ?? (problem instanceof FormTooLarge ? 413 : 400);
  const words = visit.messages.consoleRefusals;
  const [title, translated] = {
    400: [words.failed, null],
    404: [words.missing, null],
    413: [words.failed, words.texts.form_too_large],
    500: [words.broken, words.brokenText],
    503: [words.unavailable, words.unavailableText],
  }[status] as [string, string | null];
  const headers: Record<string, string> = status === 503 ? { 'Retry-After': '5' } : {};
  const text = translated ?? englishMessage(visit, problem.message);
  showMessage(visit, { status, title, text, headers });
}

/** Shows the page for a method that no route of the path has (405). @param routes those of the path, for `Allow` */
export function showMethodNotAllowed(visit: AdminRequest, routes: RoutesOfPath): void {
  const allow = [...(routes.GET ? ['GET', 'HEAD'] : []), ...(routes.POST ? ['POST'] : [])].join(', ');
  const { method, methodText } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 405, title: method, text: methodText(allow), headers: { Allow: allow } });
}
