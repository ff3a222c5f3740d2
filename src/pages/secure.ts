/** Headers of everything that people open in a browser, where the service is reached by https. */
import type { IncomingMessage, ServerResponse } from 'node:http';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

/** Programs ask here: no browser shows it. */
const forPrograms = /^\/(?:api|mcp)(?:[/?]|$)/;
/**
 * An app may open these in a window of its own, and wait for that window to come back to it: isolated from the window that
 * opened it, it would come back to nobody.
 */
const inSignIn = /^\/(?:oauth|account\/sign-(?:in|up))(?:[/?]|$)/;

const transport = 'max-age=31536000';
const permissions = 'camera=(), geolocation=(), microphone=(), payment=(), usb=(), browsing-topics=()';

/**
 * Adds `Strict-Transport-Security` (RFC 6797), `Permissions-Policy` and, but for the pages on which an app is let in,
 * `Cross-Origin-Opener-Policy` to all answers that are not for programs.
 */
export function securePages(handler: Handler): Handler {
  return (request, response) => {
    const path = request.url ?? '/';
    if (!forPrograms.test(path)) {
      response.setHeader('Strict-Transport-Security', transport);
      response.setHeader('Permissions-Policy', permissions);
      if (!inSignIn.test(path)) response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
    }
    handler(request, response);
  };
}
