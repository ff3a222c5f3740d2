/** Signing in, signing up, signing out. */
import type { VNode } from 'preact';
import { AccountError, type PasskeyRequest, SecondFactorRequired } from '../access/access.ts';
import type { Messages } from '../pages/messages/messages.ts';
import { Button, CsrfField, Field } from '../pages/parts.tsx';
import type { AccountRequest, SignedInRequest } from './account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal } from './audit.ts';
import { startMailedSignUp } from './confirm-sign-up.tsx';
import { DoneNotice, RefusalNotice, renderForm } from './form-page.tsx';
import { showNoPasswords } from './password-reset.tsx';
import { safeRedirectTarget } from './redirect-target.ts';
import { refusalText } from './refusals.ts';
import { askForCode, completeSignIn } from './sign-in-code.tsx';
import { SignInMethods } from './sign-in-methods.tsx';
import { PasskeyScript, requestPasskey } from './sign-in-passkey.tsx';

type EntryKind = 'sign-in' | 'sign-up';

/** Shows the sign-in or sign-up page; redirects a signed-in browser. */
export async function getEntryPage(visit: AccountRequest, entry: EntryKind): Promise<void> {
  if (visit.session !== null) visit.redirect(safeRedirectTarget(visit.query.get('next')));
  else if (entry === 'sign-up' && visit.deps.registration === 'closed') showClosed(visit);
  else if (entry === 'sign-up' && !visit.deps.localPasswords) visit.redirect('/account/sign-in');
  else await renderEntry(visit, entry, null);
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
    await renderEntry(visit, entry, failure);
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
  const { words } = visit;
  const title = words.entry.requested;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">{words.entry.requestedLead}</p>
      <p>{words.entry.requestedText}</p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>{words.common.signIn}</a>
      </p>
    </>
  );
  visit.render(200, { title, children });
}

/** The page for a person whose request is pending. */
export function showPending(visit: AccountRequest): void {
  const { words } = visit;
  const title = words.common.notAdmitted;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">{words.entry.pendingLead}</p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>{words.entry.tryLater}</a>
      </p>
    </>
  );
  visit.render(403, { title, children });
}

const titleOf = (entry: EntryKind, { common }: Messages['account']): string =>
  entry === 'sign-in' ? common.signIn : common.createAccount;

async function renderEntry(
  visit: AccountRequest,
  entry: EntryKind,
  refusal: AccountError | null,
): Promise<void> {
  const passkey = entry === 'sign-in' ? await requestPasskey(visit) : null;
  // An authorization request continues to the address of the app (docs/decisions/06-oauth.md).
  const isAsked = safeRedirectTarget(nextOf(visit)).startsWith('/oauth/');
  renderForm(visit, refusal, {
    title: titleOf(entry, visit.words),
    current: `/account/${entry}`,
    forms: isAsked ? 'anywhere' : 'self',
    ...(passkey === null ? {} : { head: <PasskeyScript siteUrl={visit.deps.siteUrl} /> }),
    children: <EntryPage visit={visit} entry={entry} refusal={refusal} passkey={passkey} />,
  });
}

const nextOf = (visit: AccountRequest): string | null => visit.form.get('next') ?? visit.query.get('next');

type EntryProps = { visit: AccountRequest; entry: EntryKind; refusal: AccountError | null };

function EntryPage(props: EntryProps & { passkey: PasskeyRequest | null }): VNode {
  const { visit, entry, refusal, passkey } = props;
  const next = nextOf(visit);
  const { words } = visit;
  const lead =
    entry === 'sign-in'
      ? words.entry.leadSignIn
      : visit.deps.registration === 'approval'
        ? words.entry.leadApproval
        : words.entry.leadSignUp;
  return (
    <>
      <h1>{titleOf(entry, words)}</h1>
      <p class="lead">{lead}</p>
      {refusal === null && <DoneNotice visit={visit} texts={words.entry.done} />}
      {refusal !== null && !isFieldError(refusal) && <RefusalNotice visit={visit} refusal={refusal} />}
      {visit.deps.localPasswords && <EntryForm visit={visit} entry={entry} refusal={refusal} next={next} />}
      <SignInMethods visit={visit} passkey={passkey} next={next === null ? null : safeRedirectTarget(next)} />
      {visit.deps.localPasswords && <EntryAlternatives visit={visit} entry={entry} next={next} />}
    </>
  );
}

const isFieldError = ({ reason }: AccountError): boolean => reason === 'email' || reason === 'password';

function EntryForm({ visit, entry, refusal, next }: EntryProps & { next: string | null }): VNode {
  const { words } = visit;
  const errorOf = (field: string) => (refusal?.reason === field ? refusalText(words, refusal) : null);
  const isNew = entry === 'sign-up';
  const button = visit.deps.registration === 'approval' ? words.entry.ask : words.entry.create;
  return (
    <form class="stack actions" method="post" action={visit.path(`/account/${entry}`)}>
      <CsrfField token={visit.formToken()} />
      {next !== null && <input type="hidden" name="next" value={safeRedirectTarget(next)} />}
      <Field
        name="email"
        label={words.common.email}
        type="email"
        value={visit.field('email').slice(0, 300)}
        error={errorOf('email')}
        autocomplete="username"
        autofocus={refusal === null}
      />
      <Field
        name="password"
        label={words.common.password}
        type="password"
        error={errorOf('password')}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew ? { hint: words.common.passwordHint } : {})}
      />
      <div>
        <Button>{isNew ? button : words.common.signIn}</Button>
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
  const { words } = visit;
  const query = next === null ? '' : `?next=${encodeURIComponent(safeRedirectTarget(next))}`;
  const isClosed = visit.deps.registration === 'closed';
  if (entry === 'sign-up') {
    return (
      <p class="actions">
        <span>{words.common.haveAccount}</span>{' '}
        <a href={visit.path(`/account/sign-in${query}`)}>{words.common.signIn}</a>
      </p>
    );
  }
  return (
    <div class="actions soft measure">
      {!isClosed && (
        <p>
          {words.entry.newHere}{' '}
          <a href={visit.path(`/account/sign-up${query}`)}>{words.common.createAccount}</a>
        </p>
      )}
      <p>
        <a href={visit.path('/account/forgot')}>{words.entry.forgot}</a>
      </p>
    </div>
  );
}

function showClosed(visit: AccountRequest): void {
  const { words } = visit;
  const title = words.entry.closed;
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        {words.entry.closedText} <code>cratebase accounts create you@example.com</code>
      </p>
      <p class="actions">
        <span>{words.common.haveAccount}</span>{' '}
        <a href={visit.path('/account/sign-in')}>{words.common.signIn}</a>
      </p>
    </>
  );
  visit.render(403, { title, children });
}
