/** Headers of everything that people open in a browser, where the service is reached by https. */
import type { IncomingMessage, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Programs ask here: no browser shows it. */
const apiPaths = /^\/(?:api|mcp)(?:[/?]|$)/;
/**
 * An app may open these in a window of its own, and wait for that window to come back to it: isolated from the window that
 * opened it, it would come back to nobody.
 */
const signInPaths = /^\/(?:oauth|account\/sign-(?:in|up))(?:[/?]|$)/;

const hstsHeader = 'max-age=31536000';
const permissionsPolicy = 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()';

/**
 * Adds `Strict-Transport-Security` (RFC 6797), `Permissions-Policy` and, but for the pages on which an app is let in,
 * `Cross-Origin-Opener-Policy` to all answers that are not for programs.
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
