/** /account/security: password, sessions, and deletion of the account. */
import type { VNode } from 'preact';
import {
  AccountError,
  type LinkedLogin,
  type PasskeySummary,
  type SecondFactorState,
  type SessionSummary,
} from '../access/access.ts';
import { describeBrowser } from '../contract/user-agent.ts';
import { Button, Confirm, CsrfField, DatedText, Field, Notice, QuietLink, Section } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange, logWrongPassword } from './audit.ts';
import { showNotFound } from './error-pages.tsx';
import { DoneNotice, RefusalNotice, renderForm } from './form-page.tsx';
import { LinkedLoginList } from './linked-logins.tsx';
import { asksForPassword, PasswordField } from './own-password.tsx';
import { PasskeyList } from './passkeys.tsx';
import { showNoPasswords } from './password-reset.tsx';
import { refusalText } from './refusals.ts';
import { SecondFactorSummary } from './second-factor.tsx';
import { PasskeyScript, passkeySite } from './sign-in-passkey.tsx';

/** The page; `refusal` is the reason why the password was not changed. */
export async function showSecurity(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  const { access } = visit.deps;
  const { id } = visit.session.account;
  const parts = {
    sessions: await access.sessions.list(id),
    passkeys: await access.signIn.passkeys.list(id),
    logins: await access.signIn.linkedLogins.list(id),
    secondFactor: await access.signIn.secondFactors.state(id),
    hasPassword: await asksForPassword(visit),
  };
  renderForm(visit, refusal, {
    title: visit.words.security.title,
    current: '/account/security',
    head: <PasskeyScript siteUrl={visit.deps.siteUrl} />,
    children: <Security visit={visit} refusal={refusal} {...parts} />,
  });
}

type SecurityProps = {
  visit: SignedInRequest;
  sessions: readonly SessionSummary[];
  passkeys: readonly PasskeySummary[];
  logins: readonly LinkedLogin[];
  secondFactor: SecondFactorState;
  /** Whether the account has a password, which forms then ask for. */
  hasPassword: boolean;
  refusal: AccountError | null;
};

function Security(props: SecurityProps): VNode {
  const { visit, sessions, passkeys, logins, secondFactor, hasPassword, refusal } = props;
  const { security: words, deletion } = visit.words;
  return (
    <>
      <h1>{words.title}</h1>
      <p class="lead">
        <bdi>{visit.session.account.email}</bdi>
      </p>
      {refusal === null && <DoneNotice visit={visit} texts={words.done} />}
      {visit.deps.localPasswords && (
        <Section title={words.password} id="password">
          <PasswordForm visit={visit} hasPassword={hasPassword} refusal={refusal} />
        </Section>
      )}
      <Section title={words.secondFactor} id="second-factor">
        <SecondFactorSummary visit={visit} state={secondFactor} />
      </Section>
      {(passkeys.length > 0 || passkeySite(visit.deps.siteUrl) !== null) && (
        <Section title={words.passkeys} id="passkeys">
          <PasskeyList visit={visit} passkeys={passkeys} />
        </Section>
      )}
      {logins.length > 0 && (
        <Section title={words.logins} id="logins">
          <LinkedLoginList visit={visit} logins={logins} />
        </Section>
      )}
      <Section title={words.sessions} id="sessions">
        <SessionList visit={visit} sessions={sessions} />
      </Section>
      <Section title={deletion.title} id="delete">
        <p>{deletion.summary}</p>
        <div>
          <QuietLink href={visit.path('/account/delete')}>{deletion.title}</QuietLink>
        </div>
      </Section>
    </>
  );
}

function PasswordForm({
  visit,
  hasPassword,
  refusal,
}: Pick<SecurityProps, 'visit' | 'hasPassword' | 'refusal'>): VNode {
  const words = visit.words.security;
  const isWrong = refusal?.reason === 'credentials';
  return (
    <form class="stack" method="post" action={visit.path('/account/security/password')}>
      <CsrfField token={visit.session.csrf} />
      {isGeneral(refusal) && <Notice tone="bad">{refusalText(visit.words, refusal)}</Notice>}
      <input type="hidden" name="email" value={visit.session.account.email} autocomplete="username" />
      {hasPassword && (
        <PasswordField
          visit={visit}
          label={words.presentPassword}
          error={isWrong ? words.wrongPassword : null}
        />
      )}
      <Field
        name="new_password"
        label={visit.words.common.newPassword}
        type="password"
        autocomplete="new-password"
        hint={visit.words.common.passwordHint}
        error={refusal?.reason === 'password' ? refusalText(visit.words, refusal) : null}
      />
      <div>
        <Button>{hasPassword ? words.changePassword : words.setPassword}</Button>
      </div>
    </form>
  );
}

/** Whether a refusal belongs to no field of a form. */
const isGeneral = (refusal: AccountError | null): refusal is AccountError =>
  refusal !== null && ['slow', 'stale', 'only_operator'].includes(refusal.reason);

function SessionList({ visit, sessions }: Pick<SecurityProps, 'visit' | 'sessions'>): VNode {
  const words = visit.words.security;
  const browser = (agent: string) => describeBrowser(agent, visit.messages.controls.browser);
  return (
    <>
      <ul class="rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <div class="what">
              <p>
                <strong>{browser(session.userAgent)}</strong>{' '}
                {session.id === visit.session.id && <span class="tag">{words.thisBrowser}</span>}
              </p>
              <p class="small soft">
                <DatedText text={words.since(session.address)} at={session.createdTs} time />,{' '}
                <DatedText text={words.lastSeen} at={session.usedTs} time />
              </p>
            </div>
            {session.id !== visit.session.id && (
              <form method="post" action={visit.path(`/account/security/sessions/${session.id}/end`)}>
                <CsrfField token={visit.session.csrf} />
                <Button look="quiet" label={words.signOutNamed(browser(session.userAgent), session.address)}>
                  {words.signOut}
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form method="post" action={visit.path('/account/security/sessions')}>
        <CsrfField token={visit.session.csrf} />
        <Button look="quiet">{words.signOutEverywhere}</Button>
      </form>
    </>
  );
}

/**
 * Changes the password of the account, or sets the first one. The browser gets a new session, all others are signed
 * out.
 */
export async function changePassword(visit: SignedInRequest): Promise<void> {
  if (!visit.deps.localPasswords) return showNoPasswords(visit);
  const { sessions } = visit.deps.access;
  try {
    const [present, next] = [visit.field('password'), visit.field('new_password')];
    visit.signIn(await sessions.changePassword(visit.session, present, next, visit.requestSource));
    logAccountChange(visit, 'password changed', visit.session.account.id);
    visit.redirect('/account/security?done=password');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logWrongPassword(visit, failure);
    await showSecurity(visit, failure);
  }
}

/** Ends a session. One of another account counts as missing. */
export async function endSession(visit: SignedInRequest): Promise<void> {
  const { sessions } = visit.deps.access;
  if (!(await sessions.revoke(visit.session.account.id, visit.recordId))) return showNotFound(visit);
  if (visit.recordId === visit.session.id) {
    visit.signOut();
    visit.redirect('/account/sign-in?done=signed-out');
  } else visit.redirect('/account/security?done=ended#sessions');
}

/** Ends all sessions of the account, including this one. */
export async function signOutEverywhere(visit: SignedInRequest): Promise<void> {
  await visit.deps.access.sessions.signOutEverywhere(visit.session.account.id);
  visit.signOut();
  visit.redirect('/account/sign-in?done=signed-out-everywhere');
}

/** Asks for confirmation by typing the email address and the password. */
export async function confirmDelete(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  const hasPassword = await asksForPassword(visit);
  renderForm(visit, refusal, {
    title: visit.words.deletion.title,
    children: <DeletePage visit={visit} hasPassword={hasPassword} refusal={refusal} />,
  });
}

function DeletePage({
  visit,
  hasPassword,
  refusal,
}: Pick<SecurityProps, 'visit' | 'hasPassword' | 'refusal'>): VNode {
  const words = visit.words.deletion;
  return (
    <>
      <h1>{words.heading}</h1>
      <p class="lead">{words.lead}</p>
      {isGeneral(refusal) && <RefusalNotice visit={visit} refusal={refusal} />}
      <Confirm
        action={visit.path('/account/delete')}
        csrf={visit.session.csrf}
        verb={words.button}
        back={visit.path('/account/security')}
        spaced
      >
        <Field
          name="email"
          label={words.email}
          type="email"
          hint={visit.session.account.email}
          value={visit.field('email').slice(0, 300)}
          error={refusal?.reason === 'email' ? refusalText(visit.words, refusal) : null}
        />
        {hasPassword && (
          <PasswordField
            visit={visit}
            error={refusal?.reason === 'credentials' ? visit.words.security.wrongPassword : null}
          />
        )}
      </Confirm>
    </>
  );
}

/** Deletes the account, after its email and the password or a recent sign-in. */
export async function deleteAccount(visit: SignedInRequest): Promise<void> {
  const { sessions } = visit.deps.access;
  try {
    await sessions.deleteAccount(
      visit.session,
      visit.field('email'),
      visit.field('password'),
      visit.requestSource,
      visit.deps.localPasswords,
    );
    logAccountChange(visit, 'account deleted', visit.session.account.id);
    visit.signOut();
    visit.redirect('/account/sign-in?done=deleted');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logWrongPassword(visit, failure);
    await confirmDelete(visit, failure);
  }
}
