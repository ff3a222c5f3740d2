/** Refusals that the REST API and the change feed share: of keys, and the headers of errors. */
import { Problem } from '../contract/errors.ts';

/** What is wrong with a credential, by its format. A revoked or expired key is not distinguished from an unknown one. */
const credentialTexts = {
  none: 'This request has no key.',
  other: 'The Authorization header does not contain a valid API key.',
  mistyped: 'This key is mistyped or cut short: its checksum does not fit.',
  key: 'This key is unknown here, was revoked, or has expired.',
  token: 'An access token is for /mcp alone; this API takes keys.',
};

/** Returns the problem of a request whose credential is not valid. */
export const unauthorized = (kind: keyof typeof credentialTexts): Problem =>
  new Problem(
    'unauthorized',
    `${credentialTexts[kind]} Send a valid key: Authorization: Bearer cb_live_… (made on the account's developer page, or by \`cratebase keys create\`).`,
  );

/** Returns the problem of a key that is valid for the agent endpoint only. */
export const wrongScope = (): Problem =>
  new Problem(
    'forbidden',
    'This key is for agents (/mcp) only. Send a key with the scope rest or all: it is chosen when a key is created.',
  );

/**
 * Returns the headers that the response to a problem has because of its type, names and values in turn.
 * @param busyRetryAfter when a client that has too many requests open may try again, in seconds
 */
export function headersOfProblem(
  { type }: Problem,
  { allowedMethods, busyRetryAfter }: { allowedMethods: string; busyRetryAfter: number },
): string[] {
  if (type === 'unauthorized') return ['WWW-Authenticate', 'Bearer realm="cratebase"'];
  if (type === 'method_not_allowed') return ['Allow', allowedMethods];
  if (type === 'unavailable') return ['Retry-After', '5'];
  if (type === 'rate_limited') return ['Retry-After', String(busyRetryAfter)];
  return [];
}
