/** Adds headers to responses for browsers: security headers (RFC 6797 and others), and `X-Robots-Tag` against indexing. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ReadIdentity } from '../contract/identity.ts';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Only programs request these; no browser shows the responses. */
const apiPaths = /^\/(?:api|mcp)(?:[/?]|$)/;
/**
 * Apps open these pages in a popup and wait until it returns to them. `Cross-Origin-Opener-Policy` would separate the popup
 * from the window that opened it.
 */
const signInPaths = /^\/(?:oauth|account\/(?:sign-in|sign-up|openid))(?:[/?]|$)/;

const hstsHeader = 'max-age=31536000';
const permissionsPolicy = 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()';

/**
 * Adds `Strict-Transport-Security` (RFC 6797), `Permissions-Policy` and, except on pages of the sign-in for apps,
 * `Cross-Origin-Opener-Policy` to all responses that are not for programs.
 */
export function withSecurityHeaders(handler: Handler): Handler {
  return (request, response) => {
    const path = request.url ?? '/';
    if (!apiPaths.test(path)) {
      response.setHeader('Strict-Transport-Security', hstsHeader);
      response.setHeader('Permissions-Policy', permissionsPolicy);
      if (!signInPaths.test(path)) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    }
    handler(request, response);
  };
}

/** Adds `X-Robots-Tag` to all responses while the operator has search engines turned off. */
export function withoutIndexing(handler: Handler, readIdentity: ReadIdentity): Handler {
  return (request, response) => {
    if (!apiPaths.test(request.url ?? '/') && !readIdentity().indexing)
      response.setHeader('X-Robots-Tag', 'noindex, nofollow');
    handler(request, response);
  };
}
