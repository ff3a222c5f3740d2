/** /account/security/second-factor: codes of an authenticator app, and recovery codes. */
import type { ComponentChildren, VNode } from 'preact';
import { AccountError, type SecondFactorState, type TotpSetup } from '../access/access.ts';
import { Button, ButtonLink, Copyable, CsrfField, DateTime, Field, Notice } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange, logCodeRefusal } from './audit.ts';
import { QrCode } from './qr-code.tsx';
import { refusalHeaders, refusalStatus } from './refusals.ts';

const page = '/account/security/second-factor';

type Refusal = { form: 'begin' | 'confirm' | 'renew' | 'off'; error: AccountError };

/** The section of the page /account/security. */
export function SecondFactorSummary({
  visit,
  state,
}: {
  visit: SignedInRequest;
  state: SecondFactorState;
}): VNode {
  return (
    <>
      {state.enabledTs === null ? (
        <p>
          Off. With a second factor, signing in with the password also takes a code that an app on your phone
          shows.
        </p>
      ) : (
        <p>
          On since <DateTime at={state.enabledTs} />.{' '}
          {state.recoveryCodesLeft === 0
            ? 'No recovery codes are left.'
            : `Unused recovery codes: ${state.recoveryCodesLeft}.`}
        </p>
      )}
      <div>
        <ButtonLink look="quiet" href={visit.path(page)}>
          {state.enabledTs === null ? 'Set up a second factor' : 'Change the second factor'}
        </ButtonLink>
      </div>
    </>
  );
}

/** Shows how to turn the second factor on; if it is on, the ways to change it. */
export async function showSecondFactor(
  visit: SignedInRequest,
  refusal: Refusal | null = null,
): Promise<void> {
  const { access } = visit.deps;
  const state = await access.signIn.secondFactors.state(visit.session.account.id);
  const asksPassword = await needsPassword(visit);
  render(
    visit,
    'Second factor',
    refusal,
    <>
      {state.enabledTs === null ? (
        <BeginForm visit={visit} refusal={refusal} asksPassword={asksPassword} />
      ) : (
        <ChangeForms visit={visit} refusal={refusal} asksPassword={asksPassword} />
      )}
      <p class="actions">
        <a href={visit.path('/account/security')}>Back to your account</a>
      </p>
    </>,
  );
}

const needsPassword = async (visit: SignedInRequest): Promise<boolean> =>
  visit.deps.localPasswords && (await visit.deps.access.sessions.hasPassword(visit.session));

type FormProps = { visit: SignedInRequest; refusal: Refusal | null; asksPassword: boolean };

function BeginForm({ visit, refusal, asksPassword }: FormProps): VNode {
  return (
    <>
      <p class="lead">
        You need an authenticator app, such as Aegis, 2FAS or Google Authenticator. It shows a new code every
        30 seconds.
      </p>
      <form class="stack actions" method="post" action={visit.path(page)}>
        <CsrfField token={visit.session.csrf} />
        {asksPassword && <PasswordField error={errorOf(refusal, 'begin', 'credentials')} />}
        <div>
          <Button>Set up</Button>
        </div>
      </form>
    </>
  );
}

function ChangeForms({ visit, refusal, asksPassword }: FormProps): VNode {
  return (
    <>
      <p class="lead">Signing in with the password takes a code of your authenticator app.</p>
      <h2 class="actions">New recovery codes</h2>
      <p>The earlier ones stop working.</p>
      <form class="stack actions" method="post" action={visit.path(`${page}/recovery-codes`)}>
        <CsrfField token={visit.session.csrf} />
        <CodeField id="renew" error={errorOf(refusal, 'renew', 'code')} />
        <div>
          <Button look="quiet">Show new codes</Button>
        </div>
      </form>
      <h2 class="actions">Turn it off</h2>
      <p>Then the password alone is enough.</p>
      <form class="stack actions" method="post" action={visit.path(`${page}/off`)}>
        <CsrfField token={visit.session.csrf} />
        {asksPassword && <PasswordField error={errorOf(refusal, 'off', 'credentials')} />}
        <CodeField id="off" error={errorOf(refusal, 'off', 'code')} />
        <div>
          <Button look="danger">Turn off</Button>
        </div>
      </form>
    </>
  );
}

const errorOf = (refusal: Refusal | null, form: Refusal['form'], reason: string): string | null =>
  refusal?.form === form && refusal.error.reason === reason
    ? reason === 'credentials'
      ? 'This is not your password.'
      : refusal.error.message
    : null;

const PasswordField = ({ error }: { error: string | null }): VNode => (
  <Field
    name="password"
    label="Your password"
    type="password"
    autocomplete="current-password"
    error={error}
  />
);

const CodeField = ({ id, error }: { id: string; error: string | null }): VNode => (
  <Field
    name="code"
    id={`field-${id}`}
    label="Code"
    autocomplete="one-time-code"
    maxLength={40}
    error={error}
  />
);

/** Creates a secret and shows it, after the password. */
export async function beginSecondFactor(visit: SignedInRequest): Promise<void> {
  const { access, localPasswords, siteUrl } = visit.deps;
  const { session } = visit;
  try {
    await access.sessions.confirmIdentity(
      session,
      visit.field('password'),
      visit.requestSource,
      localPasswords,
    );
    const setup = await access.signIn.secondFactors.begin(session.account, siteUrl.name);
    showSetup(visit, setup, null);
  } catch (failure) {
    await refuse(visit, 'begin', failure);
  }
}

function showSetup(visit: SignedInRequest, setup: TotpSetup, error: AccountError | null): void {
  // Without this proof of the password, a wrong code would not show the secret again.
  const proof = visit.deps.access.signIn.sealed.seal('second factor', visit.session.id, 15 * 60_000);
  render(
    visit,
    'Set up a second factor',
    error === null ? null : { form: 'confirm', error },
    <>
      <ol class="flow actions">
        <li class="flow">
          <p>1. Scan this with your authenticator app, or type the key into it.</p>
          <QrCode text={setup.uri} label="QR code with the key below" />
          <Copyable id="key" text={setup.key.replace(/(.{4})(?=.)/g, '$1 ')} what="the key" />
        </li>
        <li>2. Type the code that the app shows.</li>
      </ol>
      <form class="stack actions" method="post" action={visit.path(`${page}/confirm`)}>
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="proof" value={proof} />
        <Field
          name="code"
          label="Code"
          autocomplete="one-time-code"
          maxLength={40}
          error={error?.reason === 'code' ? error.message : null}
        />
        <div class="actions">
          <Button>Turn on</Button>
          <ButtonLink look="quiet" href={visit.path('/account/security')}>
            Not now
          </ButtonLink>
        </div>
      </form>
    </>,
  );
}

/** Turns the second factor on and shows the recovery codes, this once. */
export async function confirmSecondFactor(visit: SignedInRequest): Promise<void> {
  const { access, siteUrl } = visit.deps;
  const { account, id } = visit.session;
  const factors = access.signIn.secondFactors;
  if (access.signIn.sealed.unseal('second factor', visit.field('proof')) !== id) return visit.redirect(page);
  try {
    const codes = await factors.confirm(account.id, visit.field('code'), visit.requestSource);
    logAccountChange(visit, 'second factor turned on', account.id);
    showRecoveryCodes(visit, codes, 'Your second factor is on');
  } catch (failure) {
    const setup = await factors.pendingSetup(account, siteUrl.name);
    if (!(failure instanceof AccountError) || setup === null) return refuse(visit, 'begin', failure);
    logCodeRefusal(visit, account.id, failure);
    showSetup(visit, setup, failure);
  }
}

/** Replaces the recovery codes and shows them, after a code. */
export async function renewRecoveryCodes(visit: SignedInRequest): Promise<void> {
  const { account } = visit.session;
  const factors = visit.deps.access.signIn.secondFactors;
  try {
    const codes = await factors.renewCodes(account.id, visit.field('code'), visit.requestSource);
    logAccountChange(visit, 'recovery codes renewed', account.id);
    showRecoveryCodes(visit, codes, 'Your new recovery codes');
  } catch (failure) {
    await refuse(visit, 'renew', failure);
  }
}

function showRecoveryCodes(visit: SignedInRequest, codes: readonly string[], title: string): void {
  render(
    visit,
    title,
    null,
    <>
      <p class="lead">
        Keep these recovery codes where you find them without your phone. Each signs you in once instead of a
        code of the app. They are not shown again.
      </p>
      <div class="secret actions">
        <Copyable id="codes" text={codes.join('\n')} what="the codes" />
      </div>
      <div class="actions">
        <ButtonLink href={visit.path('/account/security')}>I have kept them</ButtonLink>
      </div>
    </>,
  );
}

/** Turns the second factor off, after password and code. */
export async function turnOffSecondFactor(visit: SignedInRequest): Promise<void> {
  const { access, localPasswords } = visit.deps;
  const { session } = visit;
  const from = visit.requestSource;
  try {
    await access.sessions.confirmIdentity(session, visit.field('password'), from, localPasswords);
    await access.signIn.secondFactors.disable(session.account.id, visit.field('code'), from);
    logAccountChange(visit, 'second factor turned off', session.account.id);
    visit.redirect('/account/security?done=second-factor-off');
  } catch (failure) {
    await refuse(visit, 'off', failure);
  }
}

async function refuse(visit: SignedInRequest, form: Refusal['form'], failure: unknown): Promise<void> {
  if (!(failure instanceof AccountError)) throw failure;
  logCodeRefusal(visit, visit.session.account.id, failure);
  await showSecondFactor(visit, { form, error: failure });
}

/** Sends a page; a refusal that belongs to no field stands at its top. */
function render(
  visit: SignedInRequest,
  title: string,
  refusal: Refusal | null,
  children: ComponentChildren,
): void {
  const error = refusal?.error ?? null;
  const isGeneral = error !== null && error.reason !== 'code' && error.reason !== 'credentials';
  visit.render(
    error === null ? 200 : refusalStatus(error),
    {
      title: error === null ? title : `Error: ${title}`,
      current: '/account/security',
      inEnglish: true,
      children: (
        <>
          <h1>{title}</h1>
          {isGeneral && (
            <div class="actions">
              <Notice tone="bad">{error.message}</Notice>
            </div>
          )}
          {children}
        </>
      ),
    },
    error === null ? {} : refusalHeaders(error),
  );
}
