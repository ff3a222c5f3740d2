/** Signing in, signing up, signing out. */
import type { VNode } from 'preact';
import { AccountError, type PasskeyRequest, SecondFactorRequired } from '../access/access.ts';
import { Button, CsrfField, Field, Notice } from '../pages/parts.tsx';
import type { AccountRequest, SignedInRequest } from './account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal } from './audit.ts';
import { startMailedSignUp } from './confirm-sign-up.tsx';
import { OtherWays } from './other-ways.tsx';
import { showNoPasswords } from './password-reset.tsx';
import { safeRedirectTarget } from './redirect-target.ts';
import { refusalHeaders, refusalStatus } from './refusals.ts';
import { askForCode, completeSignIn } from './sign-in-code.tsx';
import { PasskeyScript, requestPasskey } from './sign-in-passkey.tsx';

type EntryKind = 'sign-in' | 'sign-up';

/** Shows the sign-in or sign-up page; redirects a signed-in browser. */
export async function getEntryPage(visit: AccountRequest, entry: EntryKind): Promise<void> {
  if (visit.session !== null) visit.redirect(safeRedirectTarget(visit.query.get('next')));
  else if (entry === 'sign-up' && visit.deps.registration === 'closed') showClosed(visit);
  else if (entry === 'sign-up' && !visit.deps.localPasswords) visit.redirect('/account/sign-in');
  else await renderEntry(visit, entry, 200, null);
}

/** Signs in or up, or shows the reason of a refusal. An earlier session of the browser ends. */
export async function submitEntry(visit: AccountRequest, entry: EntryKind): Promise<void> {
  const { deps } = visit;
  if (entry === 'sign-up' && deps.registration === 'closed') return showClosed(visit);
  if (!deps.localPasswords) return showNoPasswords(visit);
  const [email, password] = [visit.field('email'), visit.field('password')];
  try {
    if (entry === 'sign-up') return await submitSignUp(visit, email, password);
    const session = await deps.access.sessions.signIn(email, password, visit.requestSource);
    await completeSignIn(visit, session, visit.form.get('next'));
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    if (failure instanceof SecondFactorRequired)
      return askForCode(visit, failure.account, visit.form.get('next'));
    await logRefusal(visit, entry === 'sign-in' ? 'sign-in failed' : 'sign-up refused', email, failure);
    if (failure.reason === 'pending') return showPending(visit);
    await renderEntry(visit, entry, refusalStatus(failure), failure);
  }
}

async function submitSignUp(visit: AccountRequest, email: string, password: string): Promise<void> {
  const { access, registration, mail } = visit.deps;
  const { sessions, pending } = access;
  if (mail !== null) return startMailedSignUp(visit);
  if (registration === 'approval') {
    await pending.request(email, password, visit.requestSource.address);
    await logAccountRequest(visit, email);
    return visit.redirect('/account/requested');
  }
  const session = await sessions.signUp(email, password, visit.requestSource);
  logAccountChange(visit, 'signed up', session.account.id);
  await completeSignIn(visit, session, visit.form.get('next'));
}

/** Ends the session and clears its cookie. */
export async function signOut(visit: SignedInRequest): Promise<void> {
  await visit.deps.access.sessions.signOut(visit.session);
  visit.signOut();
  visit.redirect('/account/sign-in?done=signed-out');
}

/** The page after a request for an account. It is the same if the email has an account or a pending request. */
export function showRequested(visit: AccountRequest): void {
  if (visit.deps.registration !== 'approval') {
    visit.redirect('/account/sign-up');
    return;
  }
  const title = 'Your request was received';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        Accounts of this service are admitted by its operator. Sign in later, in the same way, to see whether
        yours was admitted.
      </p>
      <p>
        Your request is kept for 30 days. If you have an account with this email already, it stays as it is.
      </p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>Sign in</a>
      </p>
    </>
  );
  visit.render(200, { title, children });
}

/** The page for a person whose request is pending. */
export function showPending(visit: AccountRequest): void {
  const title = 'Your account is not admitted yet';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        You signed in correctly. The operator of this service has not admitted the account yet; until then it
        has no keys and cannot be used.
      </p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>Try again later</a>
      </p>
    </>
  );
  visit.render(403, { title, children });
}

const titles: Record<EntryKind, string> = { 'sign-in': 'Sign in', 'sign-up': 'Create an account' };
const doneMessages: Record<string, string> = {
  'signed-out': 'You are signed out.',
  'signed-out-everywhere': 'You are signed out in every browser.',
  reset: 'Your new password is set. Sign in with it.',
  deleted: 'Your account is deleted, with its keys, apps and sessions.',
};

async function renderEntry(
  visit: AccountRequest,
  entry: EntryKind,
  status: number,
  refusal: AccountError | null,
): Promise<void> {
  const passkey = entry === 'sign-in' ? await requestPasskey(visit) : null;
  const title = titles[entry];
  // An authorization request continues to the address of the app (docs/decisions/06-oauth.md).
  const isAsked = safeRedirectTarget(nextOf(visit)).startsWith('/oauth/');
  visit.render(
    status,
    {
      title: refusal === null ? title : `Error: ${title}`,
      current: `/account/${entry}`,
      forms: isAsked ? 'anywhere' : 'self',
      ...(passkey === null ? {} : { head: <PasskeyScript siteUrl={visit.deps.siteUrl} /> }),
      children: <EntryPage visit={visit} entry={entry} refusal={refusal} passkey={passkey} />,
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

const nextOf = (visit: AccountRequest): string | null => visit.form.get('next') ?? visit.query.get('next');

type EntryProps = { visit: AccountRequest; entry: EntryKind; refusal: AccountError | null };

function EntryPage(props: EntryProps & { passkey: PasskeyRequest | null }): VNode {
  const { visit, entry, refusal, passkey } = props;
  const next = nextOf(visit);
  const message = doneMessages[visit.query.get('done') ?? ''];
  const lead =
    entry === 'sign-in'
      ? `Manage your API keys, usage and connected apps.`
      : visit.deps.registration === 'approval'
        ? 'For a key to the API, and for agents that read the catalogue for you. The operator of this service admits each account.'
        : 'For a key to the API, and for agents that read the catalogue for you. The Free plan costs nothing.';
  return (
    <>
      <h1>{titles[entry]}</h1>
      <p class="lead">{lead}</p>
      {message !== undefined && refusal === null && (
        <div class="actions">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      {refusal !== null && !isFieldError(refusal) && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      {visit.deps.localPasswords && <EntryForm visit={visit} entry={entry} refusal={refusal} next={next} />}
      <OtherWays visit={visit} passkey={passkey} next={next === null ? null : safeRedirectTarget(next)} />
      {visit.deps.localPasswords && <EntryAlternatives visit={visit} entry={entry} next={next} />}
    </>
  );
}

const isFieldError = ({ reason }: AccountError): boolean => reason === 'email' || reason === 'password';

function EntryForm({ visit, entry, refusal, next }: EntryProps & { next: string | null }): VNode {
  const errorOf = (field: string) => (refusal?.reason === field ? refusal.message : null);
  const isNew = entry === 'sign-up';
  const button = visit.deps.registration === 'approval' ? 'Ask for an account' : 'Create account';
  return (
    <form class="stack actions" method="post" action={visit.path(`/account/${entry}`)}>
      <CsrfField token={visit.formToken()} />
      {next !== null && <input type="hidden" name="next" value={safeRedirectTarget(next)} />}
      <Field
        name="email"
        label="Email"
        type="email"
        value={visit.field('email').slice(0, 300)}
        error={errorOf('email')}
        autocomplete="username"
        autofocus={refusal === null}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        error={errorOf('password')}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew ? { hint: 'At least 10 characters.' } : {})}
      />
      <div>
        <Button>{isNew ? button : 'Sign in'}</Button>
      </div>
    </form>
  );
}

function EntryAlternatives({
  visit,
  entry,
  next,
}: {
  visit: AccountRequest;
  entry: EntryKind;
  next: string | null;
}): VNode {
  const query = next === null ? '' : `?next=${encodeURIComponent(safeRedirectTarget(next))}`;
  const isClosed = visit.deps.registration === 'closed';
  if (entry === 'sign-up') {
    return (
      <p class="actions">
        <span>Have an account?</span> <a href={visit.path(`/account/sign-in${query}`)}>Sign in</a>
      </p>
    );
  }
  return (
    <div class="actions soft measure">
      {!isClosed && (
        <p>
          New here? <a href={visit.path(`/account/sign-up${query}`)}>Create an account</a>
        </p>
      )}
      <p>
        <a href={visit.path('/account/forgot')}>Forgot password?</a>
      </p>
    </div>
  );
}

function showClosed(visit: AccountRequest): void {
  const title = 'Registration is closed';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        Accounts of this service are made by whoever runs it, in the terminal:{' '}
        <code>cratebase accounts create you@example.com</code>
      </p>
      <p class="actions">
        <span>Have an account?</span> <a href={visit.path('/account/sign-in')}>Sign in</a>
      </p>
    </>
  );
  visit.render(403, { title, children });
}
