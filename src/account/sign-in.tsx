/** Signing in, signing up, signing out. */
import type { VNode } from 'preact';
import { AccountError } from '../access/access.ts';
import { Button, CsrfField, Field, Notice } from '../pages/parts.tsx';
import type { AccountRequest, SignedInRequest } from './account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal } from './audit.ts';
import { safeRedirectTarget } from './redirect-target.ts';

type EntryKind = 'sign-in' | 'sign-up';

/** Returns the status of a refusal. */
const refusalStatuses: Partial<Record<AccountError['reason'], number>> = {
  credentials: 401,
  pending: 403,
  suspended: 403,
  taken: 409,
  slow: 429,
};
/** Returns the headers of a refusal. A 401 must name a scheme (RFC 9110, 15.5.2); browsers show no dialog for this one. */
const challenge = { 'WWW-Authenticate': 'Form realm="cratebase"' };

export function refusalHeaders({ reason, retryAfter }: AccountError): Record<string, string> {
  return {
    ...(reason === 'credentials' ? challenge : {}),
    ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
  };
}
export const refusalStatus = ({ reason }: AccountError): number => refusalStatuses[reason] ?? 400;

/** Shows the sign-in or sign-up page; redirects a signed-in browser. */
export function getEntryPage(visit: AccountRequest, entry: EntryKind): void {
  if (visit.session !== null) visit.redirect(safeRedirectTarget(visit.query.get('next')));
  else if (entry === 'sign-up' && visit.deps.registration === 'closed') showClosed(visit);
  else renderEntry(visit, entry, 200, null);
}

/** Signs in or up, or shows the reason of a refusal. An earlier session of the browser ends. */
export async function submitEntry(visit: AccountRequest, entry: EntryKind): Promise<void> {
  if (entry === 'sign-up' && visit.deps.registration === 'closed') return showClosed(visit);
  const { sessions, pending } = visit.deps.access;
  const [email, password] = [visit.field('email'), visit.field('password')];
  try {
    if (entry === 'sign-up' && visit.deps.registration === 'approval') {
      await pending.request(email, password, visit.requestSource.address);
      await logAccountRequest(visit, email);
      return visit.redirect('/account/requested');
    }
    const session =
      entry === 'sign-in'
        ? await sessions.signIn(email, password, visit.requestSource)
        : await sessions.signUp(email, password, visit.requestSource);
    if (visit.session !== null) await sessions.signOut(visit.session);
    if (entry === 'sign-up') logAccountChange(visit, 'signed up', session.account.id);
    visit.signIn(session);
    visit.redirect(safeRedirectTarget(visit.form.get('next')));
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logRefusal(visit, entry === 'sign-in' ? 'sign-in failed' : 'sign-up refused', email, failure);
    if (failure.reason === 'pending') return showPending(visit);
    renderEntry(visit, entry, refusalStatus(failure), failure);
  }
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
        Accounts of this service are admitted by its operator. No mail is sent from here: sign in later, with
        the same email and password, to see whether yours was admitted.
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
function showPending(visit: AccountRequest): void {
  const title = 'Your account is not admitted yet';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        Email and password are right. The operator of this service has not admitted the account yet; until
        then it has no keys and cannot be used.
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
  deleted: 'Your account is deleted, with its keys, apps and sessions.',
};

function renderEntry(
  visit: AccountRequest,
  entry: EntryKind,
  status: number,
  refusal: AccountError | null,
): void {
  const title = titles[entry];
  // An authorization request continues to the address of the app (docs/decisions/06-oauth.md).
  const isAsked = safeRedirectTarget(nextOf(visit)).startsWith('/oauth/');
  visit.render(
    status,
    {
      title: refusal === null ? title : `Error: ${title}`,
      current: `/account/${entry}`,
      forms: isAsked ? 'anywhere' : 'self',
      children: <EntryPage visit={visit} entry={entry} refusal={refusal} />,
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

const nextOf = (visit: AccountRequest): string | null => visit.form.get('next') ?? visit.query.get('next');

type EntryProps = { visit: AccountRequest; entry: EntryKind; refusal: AccountError | null };

function EntryPage({ visit, entry, refusal }: EntryProps): VNode {
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
      <EntryForm visit={visit} entry={entry} refusal={refusal} next={next} />
      <EntryAlternatives visit={visit} entry={entry} next={next} />
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
        {...(isNew ? { hint: 'At least 10 characters. No mail is sent here, so keep it safe.' } : {})}
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
      <p class="small">
        Password forgotten? This service sends no email. Its operator can set a new password.
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
