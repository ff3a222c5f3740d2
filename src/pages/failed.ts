/** The page for visitors whose page failed (500, 503). Programs get the error of the API (docs/spec/errors.md). */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { errorTypes } from '../contract/errors.ts';
import { acceptsHtml, newRequestId, retrySeconds, sendProblem, toProblem } from '../http/problem-response.ts';
import { answerFailure, logFailure } from '../http/server.ts';
import type { Log } from '../log.ts';
import { errorPage } from './error-page.tsx';
import { languageHeaders, pageLanguage } from './language.ts';
import { messagesOf } from './messages/messages.ts';
import { sendPage } from './send.ts';
import type { SiteUrl } from './site-url.ts';

/** Whether a request comes from a browser that shows the response: it reads, and accepts HTML by name. */
export const isForPage = (request: IncomingMessage): boolean =>
  (request.method === 'GET' || request.method === 'HEAD') && acceptsHtml(request);

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
  response.setHeader('X-Request-Id', requestId);
  if (status === 503) response.setHeader('Retry-After', String(retrySeconds));
  logFailure(failure, response, log);
  try {
    const choice = pageLanguage(response.req, siteUrl);
    const { failed } = messagesOf(choice.language);
    const { title, text } = status === 503 ? failed.unavailable : failed.internal;
    const texts = { title, text: text.replace('{id}', requestId) };
    const html = errorPage(siteUrl, choice.language, status, texts);
    sendPage(response, status, html, { headers: languageHeaders(choice, siteUrl) });
  } catch {
    // The name and the colours of the service cannot be read either.
    sendProblem(response, problem);
  }
}
