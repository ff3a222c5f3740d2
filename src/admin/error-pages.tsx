/** Pages of the console for requests that fail. */
import type { VNode } from 'preact';
import { ActionDelayed } from '../contract/action-runner.ts';
import type { Problem } from '../contract/errors.ts';

import type { Role } from '../contract/roles.ts';
import type { Failure } from '../failure.ts';
import { FormTooLarge } from '../http/forms.ts';
import { ButtonLink } from '../pages/parts.tsx';
import type { AdminRequest } from './admin-request.ts';
import { readMark } from './english.ts';
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
        <ButtonLink look="quiet" href={visit.path(path)}>
          {label}
        </ButtonLink>
      </div>
      <p class="small soft actions">
        {failures.request} <code>{String(visit.response.getHeader('X-Request-Id') ?? '')}</code>
      </p>
    </>
  );
  visit.render(status, { title, children, translated: true }, headers);
}

/** A message of the program: words between backticks are commands. */
export function MessageText({ text }: { text: string }): VNode {
  const { text: shown, isEnglish } = readMark(text);
  const pieces = shown.split('`').map((piece, at) => (at % 2 === 1 ? <code key={at}>{piece}</code> : piece));
  return isEnglish ? <span lang="en">{pieces}</span> : <>{pieces}</>;
}

export function showNotFound(visit: AdminRequest): void {
  const { notFound: title, notFoundText: text } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 404, title, text });
}

/** The page for an account whose role does not suffice. */
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

export function showStaleForm(visit: AdminRequest): void {
  const { stale: title, staleText: text } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 403, title, text });
}

export function showCrossSiteForm(visit: AdminRequest): void {
  const { crossSite: title, crossSiteText } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 403, title, text: crossSiteText(visit.deps.siteUrl.url) });
}

/** The page for a link of the first operator that was used or has expired. */
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

/** The page for an action that was refused. The change of another person may have come first. */
export function showFailure(visit: AdminRequest, failure: Failure): void {
  if (failure.details.isMissing === true) {
    showMissing(visit, failure);
    return;
  }
  // The messages of actions are English.
  visit.useEnglish();
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

/** The page for a source, a record or an entry that does not exist. */
function showMissing(visit: AdminRequest, { message, details }: Failure): void {
  if (details.code !== 'record_missing') {
    visit.useEnglish();
    showMessage(visit, { status: 404, title: 'Not found', text: message });
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

const problemTitles: Partial<Record<Problem['type'], { status: number; title: string }>> = {
  internal_error: { status: 500, title: 'Something went wrong here' },
  unavailable: { status: 503, title: 'Not available at present' },
  not_found: { status: 404, title: 'Not found' },
};

export function showProblem(visit: AdminRequest, problem: Problem): void {
  visit.useEnglish();
  const { status, title } = problemTitles[problem.type] ?? {
    status: problem instanceof FormTooLarge ? 413 : 400,
    title: 'That did not work',
  };
  const headers: Record<string, string> = status === 503 ? { 'Retry-After': '5' } : {};
  showMessage(visit, { status, title, text: problem.message, headers });
}

export function showMethodNotAllowed(visit: AdminRequest, routes: RoutesOfPath): void {
  const allow = [...(routes.GET ? ['GET', 'HEAD'] : []), ...(routes.POST ? ['POST'] : [])].join(', ');
  const { method, methodText } = visit.messages.consoleRecords.failures;
  showMessage(visit, { status: 405, title: method, text: methodText(allow), headers: { Allow: allow } });
}
