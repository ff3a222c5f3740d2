/** Signing up at a service that sends mail: the mail confirms the address, and the account is created then. */
import type { VNode } from 'preact';
import { AccountError } from '../access/access.ts';
import { Button, ButtonLink, CsrfField, Field, Notice } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal } from './audit.ts';
import { showMessage } from './error-pages.tsx';
import { accountExistsMail, confirmMail } from './mails.ts';
import { showNoPasswords } from './password-reset.tsx';
import { dashboardPath } from './redirect-target.ts';
import { refusalHeaders, refusalStatus } from './refusals.ts';

/** Answers a sign-up the same for every email; the mail is made after the response. Rejects with an `AccountError`. */
export async function startMailedSignUp(visit: AccountRequest): Promise<void> {
  const { access, mail, siteUrl } = visit.deps;
  const { signUps } = access.signIn;
  const { address } = visit.requestSource;
  const signUp = await signUps.count(visit.field('email'), visit.field('password'), address);
  visit.afterResponse(async () => {
    const issued = await signUps.issueMailed(signUp);
    if (issued?.kind === 'confirm')
      mail?.send(confirmMail(siteUrl, issued.email, issued.path), 'confirm sign-up');
    if (issued?.kind === 'exists') mail?.send(accountExistsMail(siteUrl, issued.email), 'account exists');
  });
  visit.redirect('/account/sign-up/sent');
}

export function showSignUpSent(visit: AccountRequest): void {
  showMessage(visit, {
    status: 200,
    title: 'Look into your mail',
    text: 'We sent you a link that confirms your address. It is valid for a day. If no mail arrives within some minutes, look into the spam folder, then check the address.',
  });
}

/** Shows the form of a link from a mail. */
export async function showConfirm(visit: AccountRequest, refusal: AccountError | null = null): Promise<void> {
  if (!visit.deps.localPasswords) return showNoPasswords(visit);
  const email = await visit.deps.access.signIn.signUps.find(visit.recordId);
  if (email === null) return showVoidLink(visit);
  const title = 'Confirm your address';
  visit.render(
    refusal === null ? 200 : refusalStatus(refusal),
    {
      title: refusal === null ? title : `Error: ${title}`,
      children: <ConfirmForm visit={visit} email={email} refusal={refusal} />,
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

type ConfirmProps = { visit: AccountRequest; email: string; refusal: AccountError | null };

function ConfirmForm({ visit, email, refusal }: ConfirmProps): VNode {
  const isWrong = refusal?.reason === 'credentials';
  return (
    <>
      <h1>Confirm your address</h1>
      <p class="lead">
        Type the password that you chose when you signed up with <bdi>{email}</bdi>. Without it, no account is
        created: somebody else may have typed your address.
      </p>
      {refusal !== null && !isWrong && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      <form class="stack actions" method="post" action={visit.path(`/account/confirm/${visit.recordId}`)}>
        <CsrfField token={visit.formToken()} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <Field
          name="password"
          label="Password"
          type="password"
          autocomplete="current-password"
          error={isWrong ? refusal.message : null}
          autofocus={refusal === null}
        />
        <div>
          <Button>{visit.deps.registration === 'approval' ? 'Confirm' : 'Create account'}</Button>
        </div>
      </form>
    </>
  );
}

/** Creates the account and signs in; with `--registration approval`, sends the request to the operator. */
export async function submitConfirm(visit: AccountRequest): Promise<void> {
  const { access, registration, localPasswords } = visit.deps;
  if (!localPasswords) return showNoPasswords(visit);
  if (registration === 'closed') return visit.redirect('/account/sign-up');
  const [token, password] = [visit.recordId, visit.field('password')];
  try {
    if (registration === 'approval') {
      const { address } = visit.requestSource;
      const email = await access.signIn.signUps.confirmRequest(token, password, address);
      await logAccountRequest(visit, email);
      return visit.redirect('/account/requested');
    }
    const session = await access.signIn.signUps.confirm(token, password, visit.requestSource);
    if (visit.session !== null) await access.sessions.signOut(visit.session);
    logAccountChange(visit, 'signed up', session.account.id);
    visit.signIn(session);
    visit.redirect(dashboardPath);
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    if (failure.reason === 'link') return showVoidLink(visit);
    const email = (await access.signIn.signUps.find(token)) ?? '';
    await logRefusal(visit, 'sign-up refused', email, failure);
    await showConfirm(visit, failure);
  }
}

function showVoidLink(visit: AccountRequest): void {
  const title = 'This link does not work any more';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">It was used, or is more than a day old. If you have no account yet, sign up again.</p>
      <div class="actions">
        <ButtonLink href={visit.path('/account/sign-in')}>Sign in</ButtonLink>
        {visit.deps.registration !== 'closed' && (
          <a href={visit.path('/account/sign-up')}>Create an account</a>
        )}
      </div>
    </>
  );
  visit.render(410, { title, children });
}
