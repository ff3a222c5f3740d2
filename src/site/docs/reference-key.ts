/**
 * The key of the reference: made for who is signed in, told to the page's script once, revoked when it is no longer
 * wanted. Asked for by that script alone, never by a form that another site could send.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Access, AccountError, type Session } from '../../access/access.ts';
import { Problem } from '../../contract/errors.ts';
import { equalsConstantTime } from '../../http/constant-time-equal.ts';
import { readForm } from '../../http/forms.ts';
import { sendProblem } from '../../http/problem-response.ts';
import { isCrossSite } from '../../pages/same-site.ts';
import type { SiteUrl } from '../../pages/site-url.ts';

/** What the dashboard calls it. */
export const keyName = 'Reference';

/** POST /docs/key with `csrf` and either `form` (makes one: the same form makes one alone) or `revoke` (an id). */
export async function handleKeyRequest(
  request: IncomingMessage,
  response: ServerResponse,
  { session, keys, siteUrl }: { session: Session | null; keys: Access['keys']; siteUrl: SiteUrl },
): Promise<void> {
  if (request.method !== 'POST') {
    sendProblem(response, new Problem('method_not_allowed', 'Use POST here.'), { Allow: 'POST' });
    return;
  }
  if (isCrossSite(request, siteUrl)) {
    throw new Problem('invalid_parameter', 'This request came from another site. Open /docs and try again.');
  }
  if (session === null) throw new Problem('unauthorized', 'You are no longer signed in. Sign in again.');
  const form = await readForm(request);
  if (!equalsConstantTime(form.get('csrf') ?? '', session.csrf)) {
    throw new Problem('invalid_parameter', 'This page belongs to another session. Reload it.');
  }
  const revoke = form.get('revoke');
  const { account } = session;
  if (revoke !== null) sendJson(response, { revoked: (await keys.revokeOwn(account.id, revoke)) !== null });
  else sendJson(response, await createReferenceKey(keys, account, (form.get('form') ?? '').slice(0, 64)));
}

async function createReferenceKey(
  keys: Access['keys'],
  account: Session['account'],
  form: string,
): Promise<{ id: string; key: string }> {
  try {
    const made = await keys.createOwn(account, keyName, form);
    if (made === null) {
      throw new Problem('invalid_parameter', 'This page has already made a key. Reload it to make another.');
    }
    return { id: made.id, key: made.key };
  } catch (failure) {
    if (failure instanceof AccountError) throw new Problem('invalid_parameter', failure.message);
    throw failure;
  }
}

function sendJson(response: ServerResponse, value: object): void {
  const body = JSON.stringify(value);
  response.writeHead(200, {
    'Content-Type': 'application/json',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(body);
}
