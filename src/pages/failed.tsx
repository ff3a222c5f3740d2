/** The page for visitors whose page failed (500, 503). Programs get the error of the API (docs/spec/errors.md). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTypes, type Problem } from '../contract/errors.ts';
import { newRequestId, retrySeconds, toProblem } from '../http/problem-response.ts';
import { answerFailure, logFailure } from '../http/server.ts';
import type { Log } from '../log.ts';
import { languageHeaders, pageLanguage } from './language.ts';
import { type Language, messagesOf } from './messages/messages.ts';
import { page } from './page.tsx';
import { sendPage } from './send.ts';
import type { SiteUrl } from './site-url.ts';

/** Whether a request comes from a browser that shows the response: it reads, and accepts HTML by name. */
export const isForPage = ({ method, headers }: IncomingMessage): boolean =>
  (method === 'GET' || method === 'HEAD') && /\btext\/html\b/.test(headers.accept ?? '');

/**
 * Answers a failed request for a page: with a page in the visitor's language if the fault is the service's (5xx) and a
 * browser asked, otherwise as a program expects it.
 */
export function answerFailedPage(
  failure: unknown,
  response: ServerResponse,
  { siteUrl, log }: { siteUrl: SiteUrl; log: Log },
): void {
  const problem = toProblem(failure);
  const { status } = errorTypes[problem.type];
  if (status < 500 || response.headersSent || !isForPage(response.req)) {
    answerFailure(failure, response, log);
    return;
  }
  const requestId = String(response.getHeader('X-Request-Id') ?? newRequestId());
  const chosen = pageLanguage(response.req, siteUrl);
  const html = render(siteUrl, chosen.language, problem, requestId);
  if (html === null) {
    answerFailure(failure, response, log);
    return;
  }
  response.setHeader('X-Request-Id', requestId);
  if (status === 503) response.setHeader('Retry-After', String(retrySeconds));
  logFailure(failure, response, log);
  sendPage(response, status, html, { headers: languageHeaders(chosen, siteUrl) });
}

/** Renders the page; returns null if the name and the colours of the service cannot be read either. */
function render(siteUrl: SiteUrl, language: Language, { type }: Problem, requestId: string): string | null {
  const { failed } = messagesOf(language);
  const { title, text } = type === 'unavailable' ? failed.unavailable : failed.internal;
  try {
    return page({
      siteUrl,
      language,
      title,
      viewer: null,
      bar: <span />,
      children: (
        <>
          <p class="kind">{errorTypes[type].status}</p>
          <h1>{title}</h1>
          <p class="lead">{text.replace('{id}', requestId)}</p>
        </>
      ),
    });
  } catch {
    return null;
  }
}
