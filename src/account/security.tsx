/** /account/security: password, sessions, and deletion of the account. */
import type { VNode } from 'preact';
import {
  AccountError,
  type PasskeySummary,
  type SecondFactorState,
  type SessionSummary,
} from '../access/access.ts';
import { Button, ButtonLink, CsrfField, DateTime, Field, Notice, Section } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange, logWrongPassword } from './audit.ts';
import { showNotFound } from './error-pages.tsx';
import { PasskeyList } from './passkeys.tsx';
import { showNoPasswords } from './password-reset.tsx';
import { refusalHeaders, refusalStatus } from './refusals.ts';
import { SecondFactorSummary } from './second-factor.tsx';
import { PasskeyScript, passkeySite } from './sign-in-passkey.tsx';
import { describeBrowser } from './user-agent.ts';

const doneMessages: Record<string, string> = {
  password: 'Your password is changed. Every other browser is signed out; keys and connected apps go on.',
  ended: 'That browser is signed out.',
  'passkey-added': 'Your passkey is added. Use it the next time you sign in.',
  'passkey-removed': 'The passkey is removed.',
  'second-factor-off': 'The second factor is off.',
};

/** The page; `refusal` is the reason why the password was not changed. */
export async function showSecurity(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  const { access, localPasswords } = visit.deps;
  const { id } = visit.session.account;
  const parts = {
    sessions: await access.sessions.list(id),
    passkeys: await access.signIn.passkeys.list(id),
    secondFactor: await access.signIn.secondFactors.state(id),
    hasPassword: localPasswords && (await access.sessions.hasPassword(visit.session)),
  };
  const content = {
    title: refusal === null ? 'Account' : 'Error: Account',
    current: '/account/security',
    inEnglish: true as const,
    head: <PasskeyScript siteUrl={visit.deps.siteUrl} />,
    children: <Security visit={visit} refusal={refusal} {...parts} />,
  };
  if (refusal === null) visit.render(200, content);
  else visit.render(refusalStatus(refusal), content, refusalHeaders(refusal));
}

type SecurityProps = {
  visit: SignedInRequest;
  sessions: readonly SessionSummary[];
  passkeys: readonly PasskeySummary[];
  secondFactor: SecondFactorState;
  /** Whether the account has a password, which forms then ask for. */
  hasPassword: boolean;
  refusal: AccountError | null;
};

function Security(props: SecurityProps): VNode {
  const { visit, sessions, passkeys, secondFactor, hasPassword, refusal } = props;
  const message = refusal === null ? doneMessages[visit.query.get('done') ?? ''] : undefined;
  return (
    <>
      <h1>Account</h1>
      <p class="lead">
        <bdi>{visit.session.account.email}</bdi>
      </p>
      {message !== undefined && (
        <div class="actions">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      {visit.deps.localPasswords && (
        <Section mark="A1" title="Password" id="password">
          <PasswordForm visit={visit} hasPassword={hasPassword} refusal={refusal} />
        </Section>
      )}
      <Section mark="A2" title="Second factor" id="second-factor">
        <SecondFactorSummary visit={visit} state={secondFactor} />
      </Section>
      {(passkeys.length > 0 || passkeySite(visit.deps.siteUrl) !== null) && (
        <Section mark="A3" title="Passkeys" id="passkeys">
          <PasskeyList visit={visit} passkeys={passkeys} />
        </Section>
      )}
      <Section mark="A4" title="Signed in" id="sessions">
        <SessionList visit={visit} sessions={sessions} />
      </Section>
      <Section mark="B1" title="Delete account" id="delete">
        <p>Everything of it goes for good: keys, connected apps, sessions, usage.</p>
        <div>
          <ButtonLink look="quiet" href={visit.path('/account/delete')}>
            Delete account
          </ButtonLink>
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
  const isWrong = refusal?.reason === 'credentials';
  return (
    <form class="stack" method="post" action={visit.path('/account/security/password')}>
      <CsrfField token={visit.session.csrf} />
      {isGeneral(refusal) && <Notice tone="bad">{refusal?.message}</Notice>}
      <input type="hidden" name="email" value={visit.session.account.email} autocomplete="username" />
      {hasPassword && (
        <Field
          name="password"
          label="Present password"
          type="password"
          autocomplete="current-password"
          error={isWrong ? 'This is not your password.' : null}
        />
      )}
      <Field
        name="new_password"
        label="New password"
        type="password"
        autocomplete="new-password"
        hint="At least 10 characters."
        error={refusal?.reason === 'password' ? refusal.message : null}
      />
      <div>
        <Button>{hasPassword ? 'Change password' : 'Set a password'}</Button>
      </div>
    </form>
  );
}

/** Whether a refusal belongs to no field of a form. */
const isGeneral = (refusal: AccountError | null): boolean =>
  refusal !== null && ['slow', 'stale', 'only_operator'].includes(refusal.reason);

function SessionList({ visit, sessions }: Pick<SecurityProps, 'visit' | 'sessions'>): VNode {
  return (
    <>
      <ul class="rows">
        {sessions.map((session) => (
          <li key={session.id}>
            <div class="what">
              <p>
                <strong>{describeBrowser(session.userAgent)}</strong>{' '}
                {session.id === visit.session.id && <span class="tag">this browser</span>}
              </p>
              <p class="small soft">
                {session.address}, since <DateTime at={session.createdTs} time />, last seen{' '}
                <DateTime at={session.usedTs} time />
              </p>
            </div>
            {session.id !== visit.session.id && (
              <form method="post" action={visit.path(`/account/security/sessions/${session.id}/end`)}>
                <CsrfField token={visit.session.csrf} />
                <Button
                  look="quiet"
                  label={`Sign out ${describeBrowser(session.userAgent)}, ${session.address}`}
                >
                  Sign out
                </Button>
              </form>
            )}
          </li>
        ))}
      </ul>
      <form method="post" action={visit.path('/account/security/sessions')}>
        <CsrfField token={visit.session.csrf} />
        <Button look="quiet">Sign out everywhere</Button>
      </form>
    </>
  );
}

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
  const { access, localPasswords } = visit.deps;
  const hasPassword = localPasswords && (await access.sessions.hasPassword(visit.session));
  const title = refusal === null ? 'Delete account' : 'Error: Delete account';
  const status = refusal === null ? 200 : refusalStatus(refusal);
  const content = {
    title,
    inEnglish: true as const,
    children: <DeletePage visit={visit} hasPassword={hasPassword} refusal={refusal} />,
  };
  visit.render(status, content, refusal === null ? {} : refusalHeaders(refusal));
}

function DeletePage({
  visit,
  hasPassword,
  refusal,
}: Pick<SecurityProps, 'visit' | 'hasPassword' | 'refusal'>): VNode {
  return (
    <>
      <h1>Delete this account?</h1>
      <p class="lead">
        Its keys and connected apps are refused from their next request on, and nothing of it can be brought
        back. An account made again with this email in the same month goes on with what is left of the quota.
      </p>
      {isGeneral(refusal) && (
        <div class="actions">
          <Notice tone="bad">{refusal?.message}</Notice>
        </div>
      )}
      <form class="stack actions" method="post" action={visit.path('/account/delete')}>
        <CsrfField token={visit.session.csrf} />
        <Field
          name="email"
          label="Your email"
          type="email"
          hint={visit.session.account.email}
          value={visit.field('email').slice(0, 300)}
          error={refusal?.reason === 'email' ? refusal.message : null}
        />
        {hasPassword && (
          <Field
            name="password"
            label="Your password"
            type="password"
            autocomplete="current-password"
            error={refusal?.reason === 'credentials' ? 'This is not your password.' : null}
          />
        )}
        <div class="actions">
          <Button look="danger">Delete for good</Button>
          <ButtonLink look="quiet" href={visit.path('/account/security')}>
            Keep it
          </ButtonLink>
        </div>
      </form>
    </>
  );
}

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
