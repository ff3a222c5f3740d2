/** Signing in with the OpenID provider: to the provider and back, and linking an account that was there before. */
import { AccountError, type ExternalSignIn } from '../../access/access.ts';
import type { AccountRequest } from '../account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal, logWayInRefusal } from '../audit.ts';
import { showMessage, showRefusedWayIn } from '../error-pages.tsx';
import { PasswordForm, renderForm } from '../form-page.tsx';
import { safeRedirectTarget } from '../redirect-target.ts';
import { continueSignIn } from '../sign-in-code.tsx';
import { type OpenIdChecks, OpenIdFailure, type OpenIdProvider } from './provider.ts';

type OpenIdFlow = OpenIdChecks & { next: string | null };
type LinkFlow = { issuer: string; subject: string; email: string; next: string | null };

/** Sends the person to the provider. */
export async function startOpenId(visit: AccountRequest): Promise<void> {
  const { openid } = visit.deps;
  if (openid === null) return visit.redirect('/account/sign-in');
  const next = visit.query.get('next');
  try {
    const { url, checks } = await openid.begin();
    const flow: OpenIdFlow = { ...checks, next: next === null ? null : safeRedirectTarget(next) };
    visit.keepFlow('openid', flow);
    visit.redirectAway(url);
  } catch (failure) {
    showOpenIdFailure(visit, openid, failure);
  }
}

/**
 * Handles the return from the provider. Each return of a sign-in that was begun here counts as failed until the person is
 * known. A request without the cookie of one does not count: pages of others can make browsers send it.
 */
export async function finishOpenId(visit: AccountRequest): Promise<void> {
  const { openid, access, registration } = visit.deps;
  if (openid === null) return visit.redirect('/account/sign-in');
  const { externalLogins } = access.signIn;
  const { address } = visit.requestSource;
  const flow = visit.flow<OpenIdFlow>('openid');
  if (flow === null) return showLost(visit);
  try {
    await externalLogins.countAttempt(address);
    visit.endFlow('openid');
    const identity = await openid.finish(visit.query, flow);
    const policy = { registration, domains: openid.options.domains };
    const result = await externalLogins.signIn(identity, policy, address);
    if (result.outcome === 'link') {
      const link: LinkFlow = { ...identity, email: result.email, next: flow.next };
      visit.keepFlow('link', link);
    }
    if (result.outcome !== 'refused') await externalLogins.succeed(address);
    await showOutcome(visit, openid, result, flow.next);
  } catch (failure) {
    if (failure instanceof AccountError) return showRefusedWayIn(visit, 'openid', failure);
    showOpenIdFailure(visit, openid, failure);
  }
}

async function showOutcome(
  visit: AccountRequest,
  openid: OpenIdProvider,
  result: ExternalSignIn,
  next: string | null,
): Promise<void> {
  switch (result.outcome) {
    case 'account':
      if (result.isNew) logAccountChange(visit, 'signed up', result.account, { by: 'openid' });
      return continueSignIn(visit, result.account, next);
    case 'link':
      return visit.redirect('/account/openid/link');
    case 'pending':
      await logAccountRequest(visit, result.email);
      return showMessage(visit, 403, visit.words.common.notAdmitted, visit.words.openid.waiting);
    case 'refused':
      logWayInRefusal(visit, 'openid', result.reason);
      return showRefusedLogin(visit, openid, result.reason);
  }
}

function showRefusedLogin(
  visit: AccountRequest,
  { options: { name, domains } }: OpenIdProvider,
  reason: 'unverified' | 'domain' | 'closed',
): void {
  const { openid: words } = visit.words;
  const texts = {
    unverified: words.unverifiedText(name),
    domain: words.domainText(domains.join(', '), name),
    closed: words.closedText,
  };
  showMessage(visit, 403, words[reason], texts[reason]);
}

/** The browser did not come from the sign-in page, or too late. */
function showLost(visit: AccountRequest): void {
  logWayInRefusal(visit, 'openid', 'state');
  showMessage(visit, 400, visit.words.openid.lost, visit.words.openid.lostText);
}

/** Says what to do; the log says what happened. */
function showOpenIdFailure(visit: AccountRequest, { options }: OpenIdProvider, failure: unknown): void {
  if (!(failure instanceof OpenIdFailure)) throw failure;
  const { name } = options;
  const words = visit.words.openid;
  logWayInRefusal(visit, 'openid', failure.kind, failure.message);
  if (failure.kind === 'denied') showMessage(visit, 403, words.denied, words.deniedText(name));
  else if (failure.kind === 'unreachable')
    showMessage(visit, 503, words.down(name), words.downText, { 'Retry-After': '60' });
  else showMessage(visit, 400, words.failed, words.failedText(name));
}

/** Asks for the password of the account that has the email already. */
export function showLink(visit: AccountRequest, refusal: AccountError | null = null): void {
  const flow = visit.flow<LinkFlow>('link');
  if (flow === null || visit.deps.openid === null) {
    visit.redirect('/account/sign-in');
    return;
  }
  const { openid: words } = visit.words;
  const provider = visit.deps.openid.options.name;
  renderForm(visit, refusal, {
    title: words.link,
    forms: flow.next?.startsWith('/oauth/') ? 'anywhere' : 'self',
    children: (
      <PasswordForm
        {...{ visit, refusal }}
        words={{ title: words.link, lead: words.linkLead }}
        parts={{ provider }}
        action="/account/openid/link"
        email={flow.email}
        error={refusal?.reason === 'credentials' ? words.linkWrong : null}
        button={words.linkButton}
      >
        <p class="actions small soft measure">{words.linkHint}</p>
      </PasswordForm>
    ),
  });
}

/** Links the account and signs in. */
export async function submitLink(visit: AccountRequest): Promise<void> {
  const flow = visit.flow<LinkFlow>('link');
  if (flow === null) return visit.redirect('/account/sign-in');
  const { externalLogins } = visit.deps.access.signIn;
  try {
    const password = visit.field('password');
    const account = await externalLogins.confirmLink(flow, flow.email, password, visit.requestSource);
    visit.endFlow('link');
    logAccountChange(visit, 'openid login linked', account);
    await continueSignIn(visit, account, flow.next);
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logRefusal(visit, 'sign-in failed', flow.email, failure);
    showLink(visit, failure);
  }
}
