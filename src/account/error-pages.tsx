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
          To your account
        </ButtonLink>
      </div>
      <p class="small soft actions">
        Request <code>{requestId}</code>
      </p>
    </>
  );
}

export const showNotFound = (visit: AccountRequest): void =>
  showMessage(visit, {
    status: 404,
    title: 'Page not found',
    text: 'There is nothing at this address, or it is not yours. Check the address, or start from your account.',
  });

export const showStaleForm = (visit: AccountRequest): void =>
  showMessage(visit, {
    status: 403,
    title: 'This form is out of date',
    text: 'It was opened before you signed in or out, or your browser keeps no cookies. Nothing was changed. Go back, reload the page, and send it again.',
  });

export const showCrossSiteForm = (visit: AccountRequest): void =>
  showMessage(visit, {
    status: 403,
    title: 'Not from our own page',
    text: `This form was sent from another site, so nothing was changed. Open ${visit.deps.siteUrl.url}/account yourself.`,
  });
