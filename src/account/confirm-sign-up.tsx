/** Signing up at a service that sends mail: the mail confirms the address, and the account is created then. */
import { AccountError } from '../access/access.ts';
import { ButtonLink } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { logAccountChange, logAccountRequest, logRefusal } from './audit.ts';
import { showMessage, showVoidLink } from './error-pages.tsx';
import { PasswordForm, renderForm } from './form-page.tsx';
import { accountExistsMail, confirmMail } from './mails.ts';
import { showNoPasswords } from './password-reset.tsx';
import { dashboardPath } from './redirect-target.ts';
import { refusalText } from './refusals.ts';

/** Answers a sign-up the same for every email; the mail is made after the response. Rejects with an `AccountError`. */
export async function startMailedSignUp(visit: AccountRequest): Promise<void> {
  const { access, mail, siteUrl } = visit.deps;
  const { mails } = visit.words;
  const { signUps } = access.signIn;
  const { address } = visit.requestSource;
  const signUp = await signUps.accept(visit.field('email'), visit.field('password'), address);
  visit.afterResponse(async () => {
    const issued = await signUps.createMail(signUp);
    if (issued?.kind === 'confirm')
      mail?.send(confirmMail(mails, siteUrl, issued.email, issued.path), 'confirm sign-up');
    if (issued?.kind === 'exists')
      mail?.send(accountExistsMail(mails, siteUrl, issued.email), 'account exists');
  });
  visit.redirect('/account/sign-up/sent');
}

/** The page after a sign-up at a service that sends mail. It is the same for every email. */
export function showSignUpSent(visit: AccountRequest): void {
  showMessage(visit, 200, visit.words.common.lookIntoMail, visit.words.confirm.sentText);
}

/** Shows the form of a link from a mail. */
export async function showConfirm(visit: AccountRequest, refusal: AccountError | null = null): Promise<void> {
  if (!visit.deps.localPasswords) return showNoPasswords(visit);
  const email = await visit.deps.access.signIn.signUps.find(visit.recordId);
  if (email === null) return showVoidSignUp(visit);
  const { confirm: words, entry } = visit.words;
  renderForm(visit, refusal, {
    title: words.title,
    children: (
      <PasswordForm
        {...{ visit, refusal, email, words }}
        action={`/account/confirm/${visit.recordId}`}
        error={refusal?.reason === 'credentials' ? refusalText(visit.words, refusal) : null}
        button={visit.deps.registration === 'approval' ? words.button : entry.create}
      />
    ),
  });
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
    if (failure.reason === 'link') return showVoidSignUp(visit);
    const email = (await access.signIn.signUps.find(token)) ?? '';
    await logRefusal(visit, 'sign-up refused', email, failure);
    await showConfirm(visit, failure);
  }
}

function showVoidSignUp(visit: AccountRequest): void {
  const { common, confirm } = visit.words;
  showVoidLink(
    visit,
    confirm.voidText,
    <>
      <ButtonLink href={visit.path('/account/sign-in')}>{common.signIn}</ButtonLink>
      {visit.deps.registration !== 'closed' && (
        <a href={visit.path('/account/sign-up')}>{common.createAccount}</a>
      )}
    </>,
  );
}
