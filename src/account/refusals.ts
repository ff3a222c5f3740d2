/** Refused forms: status and headers of the response, and the text that says why. */
import type { AccountError } from '../access/access.ts';
import type { Messages } from '../pages/messages/messages.ts';

const statuses: Partial<Record<AccountError['reason'], number>> = {
  credentials: 401,
  code: 401,
  passkey: 401,
  stale: 401,
  pending: 403,
  suspended: 403,
  taken: 409,
  only_operator: 409,
  only_way: 409,
  link: 410,
  slow: 429,
};
/** A 401 must name a scheme (RFC 9110, 15.5.2); browsers show no dialog for this one. */
const challenge = { 'WWW-Authenticate': 'Form realm="cratebase"' };

/** Returns the status of a refusal. */
export const refusalStatus = ({ reason }: AccountError): number => statuses[reason] ?? 400;

/** Returns the headers of a refusal. */
export function refusalHeaders(refusal: AccountError): Record<string, string> {
  const { retryAfter } = refusal;
  return {
    ...(refusalStatus(refusal) === 401 ? challenge : {}),
    ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
  };
}

/** Returns why a form was refused, in the language of the texts. */
export function refusalText({ refusals }: Messages['account'], { code, value }: AccountError): string {
  const text = refusals[code];
  return typeof text === 'string' ? text : text(value);
}
