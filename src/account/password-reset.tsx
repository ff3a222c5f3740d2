/** A forgotten password: asking for a link by mail, and setting a new password with a link. */
import type { VNode } from 'preact';
import { AccountError } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { Button, ButtonLink, CsrfField, Field } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { logAccountChange, logRefusal } from './audit.ts';
import { showMessage, showVoidLink } from './error-pages.tsx';
import { PasswordForm, RefusalNotice, renderForm } from './form-page.tsx';
import { resetMail } from './mails.ts';
import { refusalText } from './refusals.ts';

/** Asks for the email; without mail, says what to do instead. */
export function showForgot(visit: AccountRequest, refusal: AccountError | null = null): void {
  if (!visit.deps.localPasswords) {
    showNoPasswords(visit);
    return;
  }
  const title = visit.words.reset.forgot;
  renderForm(visit, refusal, {
    title,
    children:
      visit.deps.mail === null ? (
        <AskOperator visit={visit} title={title} />
      ) : (
        <ForgotForm visit={visit} title={title} refusal={refusal} />
      ),
  });
}

function AskOperator({ visit, title }: { visit: AccountRequest; title: string }): VNode {
  const { words } = visit;
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{words.reset.askOperator}</p>
      <p class="actions small soft">
        <Filled
          text={words.reset.askCommand}
          parts={{ command: <code>cratebase accounts reset-link</code> }}
        />
      </p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>{words.common.signIn}</a>
      </p>
    </>
  );
}

type ForgotProps = { visit: AccountRequest; title: string; refusal: AccountError | null };

function ForgotForm({ visit, title, refusal }: ForgotProps): VNode {
  const { words } = visit;
  return (
    <>
      <h1>{title}</h1>
      <p class="lead">{words.reset.forgotLead}</p>
      {refusal !== null && refusal.reason !== 'email' && <RefusalNotice visit={visit} refusal={refusal} />}
      <form class="stack actions" method="post" action={visit.path('/account/forgot')}>
        <CsrfField token={visit.formToken()} />
        <Field
          name="email"
          label={words.common.email}
          type="email"
          value={visit.field('email').slice(0, 300)}
          error={refusal?.reason === 'email' ? refusalText(words, refusal) : null}
          autocomplete="username"
          autofocus={refusal === null}
        />
        <div>
          <Button>{words.reset.send}</Button>
        </div>
      </form>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>{words.reset.back}</a>
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
      const link = await access.signIn.resets.createLink(email);
      if (link !== null) mail.send(resetMail(visit.words.mails, siteUrl, link.email, link.path), 'reset');
    });
    visit.redirect('/account/forgot/sent');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logRefusal(visit, 'reset link refused', visit.field('email'), failure);
    showForgot(visit, failure);
  }
}

/** The page after a request for a link. It is the same for every email. */
export function showResetSent(visit: AccountRequest): void {
  showMessage(visit, 200, visit.words.common.lookIntoMail, visit.words.reset.sentText);
}

/** Shows the form of a link; a void one shows how to get another. */
export async function showReset(visit: AccountRequest, refusal: AccountError | null = null): Promise<void> {
  if (!visit.deps.localPasswords) return showNoPasswords(visit);
  const email = await visit.deps.access.signIn.resets.find(visit.recordId);
  if (email === null) return showVoidReset(visit);
  const { reset: words, common } = visit.words;
  renderForm(visit, refusal, {
    title: words.title,
    children: (
      <PasswordForm
        {...{ visit, refusal, email, words }}
        action={`/account/reset/${visit.recordId}`}
        newPassword={{ label: common.newPassword, hint: common.passwordHint }}
        error={refusal?.reason === 'password' ? refusalText(visit.words, refusal) : null}
        button={words.button}
      />
    ),
  });
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
    // A void link has no account any more.
    const email = (await access.signIn.resets.find(visit.recordId)) ?? '';
    await logRefusal(visit, 'reset link refused', email, failure);
    if (failure.reason === 'link') return showVoidReset(visit);
    await showReset(visit, failure);
  }
}

function showVoidReset(visit: AccountRequest): void {
  const { common, reset } = visit.words;
  showVoidLink(
    visit,
    reset.voidText,
    <>
      <ButtonLink href={visit.path('/account/forgot')}>{reset.another}</ButtonLink>
      <a href={visit.path('/account/sign-in')}>{common.signIn}</a>
    </>,
  );
}

/** The page of passwords where the service has none. */
export function showNoPasswords(visit: AccountRequest): void {
  showMessage(visit, 403, visit.words.reset.noPasswords, visit.words.reset.noPasswordsText);
}
