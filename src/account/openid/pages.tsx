/** Signing in with the OpenID provider: to the provider and back, and linking an account that was there before. */
import type { VNode } from 'preact';
import { AccountError, type ExternalSignIn } from '../../access/access.ts';
import { Button, CsrfField, Field, Notice } from '../../pages/parts.tsx';
import type { AccountRequest } from '../account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal, logWayInRefusal } from '../audit.ts';
import { showMessage } from '../error-pages.tsx';
import { safeRedirectTarget } from '../redirect-target.ts';
import { refusalHeaders, refusalStatus } from '../refusals.ts';
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
    if (failure instanceof AccountError) return showRefusal(visit, failure);
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
      return showMessage(visit, waitingPage);
    case 'refused':
      logWayInRefusal(visit, 'openid', result.reason);
      return showMessage(visit, refusalPage(result.reason, openid));
  }
}

const waitingPage = {
  status: 403,
  title: 'Your account is not admitted yet',
  text: 'The operator of this service admits each account. Your request is on the list; sign in again later to see whether it was admitted.',
};

function refusalPage(reason: 'unverified' | 'domain' | 'closed', { options }: OpenIdProvider) {
  const { name, domains } = options;
  switch (reason) {
    case 'unverified':
      return {
        status: 403,
        title: 'Your email is not verified',
        text: `${name} does not say that it has verified your email address. Verify it there, then sign in again.`,
      };
    case 'domain':
      return {
        status: 403,
        title: 'Not with this address',
        text: `Only addresses of ${domains.join(', ')} can sign in here. Sign out at ${name}, then sign in with such an address.`,
      };
    case 'closed':
      return {
        status: 403,
        title: 'There is no account for you yet',
        text: 'Registration is closed. Ask the operator of this service to create an account with your email address.',
      };
  }
}

/** The browser did not come from the sign-in page, or too late. */
function showLost(visit: AccountRequest): void {
  logWayInRefusal(visit, 'openid', 'state');
  showMessage(visit, {
    status: 400,
    title: 'This sign-in was not begun here',
    text: 'It was begun in another browser, more than ten minutes ago, or it is over already. Open the sign-in page and begin again.',
  });
}

function showRefusal(visit: AccountRequest, refusal: AccountError): void {
  logWayInRefusal(visit, 'openid', refusal.reason);
  showMessage(visit, {
    status: refusalStatus(refusal),
    title: 'You are not signed in',
    text: refusal.message,
    headers: refusalHeaders(refusal),
  });
}

/** Says what to do; the log says what happened. */
function showOpenIdFailure(visit: AccountRequest, { options }: OpenIdProvider, failure: unknown): void {
  if (!(failure instanceof OpenIdFailure)) throw failure;
  const { name } = options;
  logWayInRefusal(visit, 'openid', failure.kind, failure.message);
  if (failure.kind === 'denied') {
    showMessage(visit, {
      status: 403,
      title: 'You did not sign in',
      text: `${name} says that the sign-in was cancelled. Open the sign-in page to begin again.`,
    });
    return;
  }
  const isDown = failure.kind === 'unreachable';
  showMessage(visit, {
    status: isDown ? 503 : 400,
    title: isDown ? `${name} does not answer` : 'The sign-in did not succeed',
    text: isDown
      ? 'Try again in some minutes. If it lasts, tell the operator of this service; the log has the reason.'
      : `The answer of ${name} is not right, or too old. Open the sign-in page and begin again. If it happens again, tell the operator of this service; the log has the reason.`,
    headers: isDown ? { 'Retry-After': '60' } : {},
  });
}

/** Asks for the password of the account that has the email already. */
export function showLink(visit: AccountRequest, refusal: AccountError | null = null): void {
  const flow = visit.flow<LinkFlow>('link');
  if (flow === null || visit.deps.openid === null) {
    visit.redirect('/account/sign-in');
    return;
  }
  const title = 'Is this your account?';
  visit.render(
    refusal === null ? 200 : refusalStatus(refusal),
    {
      title: refusal === null ? title : `Error: ${title}`,
      forms: flow.next?.startsWith('/oauth/') ? 'anywhere' : 'self',
      children: (
        <LinkPage visit={visit} email={flow.email} name={visit.deps.openid.options.name} refusal={refusal} />
      ),
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

type LinkProps = { visit: AccountRequest; email: string; name: string; refusal: AccountError | null };

function LinkPage({ visit, email, name, refusal }: LinkProps): VNode {
  const isWrong = refusal?.reason === 'credentials';
  return (
    <>
      <h1>Is this your account?</h1>
      <p class="lead">
        There is an account with <bdi>{email}</bdi> here already. Type its password once; from then on you
        sign in to it with {name}.
      </p>
      {refusal !== null && !isWrong && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      <form class="stack actions" method="post" action={visit.path('/account/openid/link')}>
        <CsrfField token={visit.formToken()} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          error={isWrong ? 'This is not the password of the account.' : null}
          autofocus={refusal === null}
        />
        <div>
          <Button>Link and sign in</Button>
        </div>
      </form>
      <p class="actions small soft measure">
        You do not know it? The operator of this service can confirm that the address is yours.
      </p>
    </>
  );
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
