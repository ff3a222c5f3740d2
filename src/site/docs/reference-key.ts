/**
 * Creates and revokes the API key of the reference for the account that is signed in. Only the page's script requests it;
 * forms of other sites are rejected.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Access, AccountError, type Session } from '../../access/access.ts';
import { Problem } from '../../contract/errors.ts';
import { equalsConstantTime } from '../../http/constant-time-equal.ts';
import { readForm } from '../../http/forms.ts';
import { sendProblem } from '../../http/problem-response.ts';
import { isCrossSite } from '../../pages/same-site.ts';
import type { SiteUrl } from '../../pages/site-url.ts';

/** Name of the key on the dashboard. */
export const keyName = 'Reference';

/** Handles POST /docs/key with `csrf` and either `form` (creates a key, once per form) or `revoke` (a key's id). */
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
    const key = await keys.createOwn(account, keyName, form);
    if (key === null) {
      throw new Problem('invalid_parameter', 'This page has already made a key. Reload it to make another.');
    }
    return { id: key.id, key: key.key };
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
