/** Pages for requests that fail. */
import type { VNode } from 'preact';
import { ButtonLink } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';

type ErrorPageContent = { status: number; title: string; text: string; headers?: Record<string, string> };

/** Shows a message with a link to continue. */
export function showMessage(
  visit: AccountRequest,
  { status, title, text, headers = {} }: ErrorPageContent,
): void {
  visit.render(status, { title, children: <MessagePage visit={visit} title={title} text={text} /> }, headers);
}

function MessagePage({ visit, title, text }: { visit: AccountRequest; title: string; text: string }): VNode {
  const requestId = String(visit.response.getHeader('X-Request-Id') ?? '');
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <div class="actions">
        <ButtonLink look="quiet" href={visit.path('/account/developer')}>
          {visit.words.failures.toAccount}
        </ButtonLink>
      </div>
      <p class="small soft actions">
        {visit.words.failures.request} <code>{requestId}</code>
      </p>
    </>
  );
}

export const showNotFound = (visit: AccountRequest): void =>
  showMessage(visit, {
    status: 404,
    title: visit.words.failures.notFound,
    text: visit.words.failures.notFoundText,
  });

export const showStaleForm = (visit: AccountRequest): void =>
  showMessage(visit, {
    status: 403,
    title: visit.words.failures.stale,
    text: visit.words.failures.staleText,
  });

export const showCrossSiteForm = (visit: AccountRequest): void =>
  showMessage(visit, {
    status: 403,
    title: visit.words.failures.crossSite,
    text: visit.words.failures.crossSiteText(visit.deps.siteUrl.url),
  });
