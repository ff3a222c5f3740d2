/** A forgotten password: asking for a link by mail, and setting a new password with a link. */
import type { VNode } from 'preact';
import { AccountError } from '../access/access.ts';
import { Button, ButtonLink, CsrfField, Field, Notice } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { logAccountChange, logRefusal } from './audit.ts';
import { showMessage } from './error-pages.tsx';
import { resetMail } from './mails.ts';
import { refusalHeaders, refusalStatus } from './refusals.ts';

/** Asks for the email; without mail, says what to do instead. */
export function showForgot(visit: AccountRequest, refusal: AccountError | null = null): void {
  if (!visit.deps.localPasswords) {
    showNoPasswords(visit);
    return;
  }
  const title = 'Forgot your password?';
  visit.render(
    refusal === null ? 200 : refusalStatus(refusal),
    {
      title: refusal === null ? title : `Error: ${title}`,
      children:
        visit.deps.mail === null ? (
          <AskOperator visit={visit} title={title} />
        ) : (
          <ForgotForm visit={visit} title={title} refusal={refusal} />
        ),
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

function AskOperator({ visit, title }: { visit: AccountRequest; title: string }): VNode {
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">
        This service sends no mail. Ask its operator for a link: it lets you set a new password, works once,
        and is valid for an hour.
      </p>
      <p class="actions small soft">
        The operator creates it with <code>cratebase accounts reset-link</code> and your email.
      </p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>Sign in</a>
      </p>
    </>
  );
}

type ForgotProps = { visit: AccountRequest; title: string; refusal: AccountError | null };

function ForgotForm({ visit, title, refusal }: ForgotProps): VNode {
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">Type the email of your account. You get a mail with a link to set a new password.</p>
      {refusal !== null && refusal.reason !== 'email' && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      <form class="stack actions" method="post" action={visit.path('/account/forgot')}>
        <CsrfField token={visit.formToken()} />
        <Field
          name="email"
          label="Email"
          type="email"
          value={visit.field('email').slice(0, 300)}
          error={refusal?.reason === 'email' ? refusal.message : null}
          autocomplete="username"
          autofocus={refusal === null}
        />
        <div>
          <Button>Send the link</Button>
        </div>
      </form>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>Back to sign in</a>
      </p>
    </>
  );
}

/** Answers the same for every email; the mail is made after the response. */
export async function requestReset(visit: AccountRequest): Promise<void> {
  const { access, mail, siteUrl, log, localPasswords } = visit.deps;
  if (mail === null || !localPasswords) return showForgot(visit);
  const { address } = visit.requestSource;
  try {
    const email = await access.signIn.resets.countRequest(visit.field('email'), address);
    visit.afterResponse(async () => {
      log('info', 'reset link requested', { account: await access.accountNameForLog(email), address });
      const link = await access.signIn.resets.issueMailed(email);
      if (link !== null) mail.send(resetMail(siteUrl, link.email, link.path), 'reset');
    });
    visit.redirect('/account/forgot/sent');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logRefusal(visit, 'reset link refused', visit.field('email'), failure);
    showForgot(visit, failure);
  }
}

export function showResetSent(visit: AccountRequest): void {
  showMessage(visit, {
    status: 200,
    title: 'Look into your mail',
    text: 'If there is an account with this email, a link to set a new password is on its way. It is valid for an hour. If no mail arrives within some minutes, look into the spam folder, then check the address.',
  });
}

/** Shows the form of a link; a void one shows how to get another. */
export async function showReset(visit: AccountRequest, refusal: AccountError | null = null): Promise<void> {
  if (!visit.deps.localPasswords) return showNoPasswords(visit);
  const email = await visit.deps.access.signIn.resets.find(visit.recordId);
  if (email === null) return showVoidLink(visit);
  const title = 'Set a new password';
  visit.render(
    refusal === null ? 200 : refusalStatus(refusal),
    {
      title: refusal === null ? title : `Error: ${title}`,
      children: <ResetForm visit={visit} email={email} refusal={refusal} />,
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

type ResetProps = { visit: AccountRequest; email: string; refusal: AccountError | null };

function ResetForm({ visit, email, refusal }: ResetProps): VNode {
  return (
    <>
      <h1>Set a new password</h1>
      <p class="lead">
        For <bdi>{email}</bdi>. All browsers of the account are signed out; keys and connected apps go on.
      </p>
      {refusal !== null && refusal.reason !== 'password' && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      <form class="stack actions" method="post" action={visit.path(`/account/reset/${visit.recordId}`)}>
        <CsrfField token={visit.formToken()} />
        <input type="hidden" name="email" value={email} autocomplete="username" />
        <Field
          name="password"
          label="New password"
          type="password"
          autocomplete="new-password"
          hint="At least 10 characters."
          error={refusal?.reason === 'password' ? refusal.message : null}
          autofocus={refusal === null}
        />
        <div>
          <Button>Set password</Button>
        </div>
      </form>
    </>
  );
}

/** Sets the password. The person signs in with it afterwards, with a code if the account requires one. */
export async function submitReset(visit: AccountRequest): Promise<void> {
  if (!visit.deps.localPasswords) return showNoPasswords(visit);
  const { access } = visit.deps;
  try {
    const { address } = visit.requestSource;
    const account = await access.signIn.resets.use(visit.recordId, visit.field('password'), address);
    logAccountChange(visit, 'password reset', account);
    visit.signOut();
    visit.redirect('/account/sign-in?done=reset');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    if (failure.reason === 'link') return showVoidLink(visit);
    await showReset(visit, failure);
  }
}

function showVoidLink(visit: AccountRequest): void {
  const title = 'This link does not work any more';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">It was used, replaced by a newer one, or is more than an hour old.</p>
      <div class="actions">
        <ButtonLink href={visit.path('/account/forgot')}>Get another link</ButtonLink>
        <a href={visit.path('/account/sign-in')}>Sign in</a>
      </div>
    </>
  );
  visit.render(410, { title, children });
}

/** The page of passwords where the service has none. */
export function showNoPasswords(visit: AccountRequest): void {
  showMessage(visit, {
    status: 403,
    title: 'There are no passwords here',
    text: 'Accounts of this service have no password of their own. Open the sign-in page to see how to sign in.',
  });
}
