/** Signing in with the OpenID provider: to the provider and back, and linking an account that was there before. */
import type { VNode } from 'preact';
import { AccountError, type ExternalSignIn } from '../../access/access.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import type { Messages } from '../../pages/messages/messages.ts';
import { Button, CsrfField, Field } from '../../pages/parts.tsx';
import type { AccountRequest } from '../account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal, logWayInRefusal } from '../audit.ts';
import { showMessage } from '../error-pages.tsx';
import { RefusalNotice, renderForm } from '../form-page.tsx';
import { safeRedirectTarget } from '../redirect-target.ts';
import { refusalHeaders, refusalStatus, refusalText } from '../refusals.ts';
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
      return showMessage(visit, waitingPage(visit.words));
    case 'refused':
      logWayInRefusal(visit, 'openid', result.reason);
      return showMessage(visit, refusalPage(result.reason, openid, visit.words.openid));
  }
}

const waitingPage = ({ common, openid }: Messages['account']) => ({
  status: 403,
  title: common.notAdmitted,
  text: openid.waiting,
});

function refusalPage(
  reason: 'unverified' | 'domain' | 'closed',
  { options }: OpenIdProvider,
  words: Messages['account']['openid'],
) {
  const { name, domains } = options;
  switch (reason) {
    case 'unverified':
      return {
        status: 403,
        title: words.unverified,
        text: words.unverifiedText(name),
      };
    case 'domain':
      return {
        status: 403,
        title: words.domain,
        text: words.domainText(domains.join(', '), name),
      };
    case 'closed':
      return {
        status: 403,
        title: words.closed,
        text: words.closedText,
      };
  }
}

/** The browser did not come from the sign-in page, or too late. */
function showLost(visit: AccountRequest): void {
  logWayInRefusal(visit, 'openid', 'state');
  showMessage(visit, {
    status: 400,
    title: visit.words.openid.lost,
    text: visit.words.openid.lostText,
  });
}

function showRefusal(visit: AccountRequest, refusal: AccountError): void {
  logWayInRefusal(visit, 'openid', refusal.reason);
  showMessage(visit, {
    status: refusalStatus(refusal),
    title: visit.words.common.notSignedIn,
    text: refusalText(visit.words, refusal),
    headers: refusalHeaders(refusal),
  });
}

/** Says what to do; the log says what happened. */
function showOpenIdFailure(visit: AccountRequest, { options }: OpenIdProvider, failure: unknown): void {
  if (!(failure instanceof OpenIdFailure)) throw failure;
  const { name } = options;
  const words = visit.words.openid;
  logWayInRefusal(visit, 'openid', failure.kind, failure.message);
  if (failure.kind === 'denied') {
    showMessage(visit, {
      status: 403,
      title: words.denied,
      text: words.deniedText(name),
    });
    return;
  }
  const isDown = failure.kind === 'unreachable';
  showMessage(visit, {
    status: isDown ? 503 : 400,
    title: isDown ? words.down(name) : words.failed,
    text: isDown ? words.downText : words.failedText(name),
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
  const { words } = visit;
  const title = words.openid.link;
  renderForm(visit, refusal, {
    title,
    forms: flow.next?.startsWith('/oauth/') ? 'anywhere' : 'self',
    children: (
      <LinkPage visit={visit} email={flow.email} name={visit.deps.openid.options.name} refusal={refusal} />
    ),
  });
}

type LinkProps = { visit: AccountRequest; email: string; name: string; refusal: AccountError | null };

function LinkPage({ visit, email, name, refusal }: LinkProps): VNode {
  const { words } = visit;
  const isWrong = refusal?.reason === 'credentials';
  return (
    <>
      <h1>{words.openid.link}</h1>
      <p class="lead">
        <Filled text={words.openid.linkLead} parts={{ email: <bdi>{email}</bdi>, provider: name }} />
      </p>
      {refusal !== null && !isWrong && <RefusalNotice visit={visit} refusal={refusal} />}
      <form class="stack actions" method="post" action={visit.path('/account/openid/link')}>
        <CsrfField token={visit.formToken()} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <Field
          name="password"
          label={words.common.password}
          type="password"
          autocomplete="current-password"
          error={isWrong ? words.openid.linkWrong : null}
          autofocus={refusal === null}
        />
        <div>
          <Button>{words.openid.linkButton}</Button>
        </div>
      </form>
      <p class="actions small soft measure">{words.openid.linkHint}</p>
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
