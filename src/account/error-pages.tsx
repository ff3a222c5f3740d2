/** Pages for requests that fail. */
import type { VNode } from 'preact';
import type { AccountError } from '../access/access.ts';
import { QuietLink } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { logWayInRefusal } from './audit.ts';
import { refusalHeaders, refusalStatus, refusalText } from './refusals.ts';

/** Shows a message with a link to continue; that of a failure has the id of the request. */
export function showMessage(
  visit: AccountRequest,
  status: number,
  title: string,
  text: string,
  headers: Record<string, string> = {},
): void {
  const children = <MessagePage {...{ visit, title, text, isFailure: status >= 400 }} />;
  visit.render(status, { title, children }, headers);
}

type MessageProps = { visit: AccountRequest; title: string; text: string; isFailure: boolean };

function MessagePage({ visit, title, text, isFailure }: MessageProps): VNode {
  const requestId = String(visit.response.getHeader('X-Request-Id') ?? '');
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <div class="actions">
        <QuietLink href={visit.path('/account/developer')}>{visit.words.failures.toAccount}</QuietLink>
      </div>
      {isFailure && (
        <p class="small soft actions">
          {visit.words.failures.request} <code>{requestId}</code>
        </p>
      )}
    </>
  );
}

/** Shows that the page or the record of its path does not exist (404). */
export const showNotFound = (visit: AccountRequest): void =>
  showMessage(visit, 404, visit.words.failures.notFound, visit.words.failures.notFoundText);

/** Shows that the token of a form is wrong (403): the session changed after the page was opened. */
export const showStaleForm = (visit: AccountRequest): void =>
  showMessage(visit, 403, visit.words.failures.stale, visit.words.failures.staleText);

/** Shows that a form was sent by a page of another site (403), with the address of this one. */
export const showCrossSiteForm = (visit: AccountRequest): void =>
  showMessage(
    visit,
    403,
    visit.words.failures.crossSite,
    visit.words.failures.crossSiteText(visit.deps.siteUrl.url),
  );

/** The page of a link that was used or has expired. @param way how to get on: a link, and for some a second one */
export function showVoidLink(visit: AccountRequest, text: string, way: VNode): void {
  const title = visit.words.common.voidLink;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">{text}</p>
      <div class="actions">{way}</div>
    </>
  );
  visit.render(410, { title, children });
}

/** Logs a refused sign-in by another way than the password, and shows its page. @param by the way, for the log */
export function showRefusedWayIn(visit: AccountRequest, by: string, refusal: AccountError): void {
  logWayInRefusal(visit, by, refusal.reason);
  showMessage(
    visit,
    refusalStatus(refusal),
    visit.words.common.notSignedIn,
    refusalText(visit.words, refusal),
    refusalHeaders(refusal),
  );
}
