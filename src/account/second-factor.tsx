/** /account/security/second-factor: codes of an authenticator app, and recovery codes. */
import type { ComponentChildren, VNode } from 'preact';
import { AccountError, type SecondFactorState, type TotpSetup } from '../access/access.ts';
import { Button, ButtonLink, Copyable, CsrfField, DatedText, Field, QuietLink } from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange, logCodeRefusal } from './audit.ts';
import { RefusalNotice, renderForm } from './form-page.tsx';
import { asksForPassword, PasswordField } from './own-password.tsx';
import { QrCode } from './qr-code.tsx';
import { refusalText } from './refusals.ts';

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
  const words = visit.words.factor;
  return (
    <>
      {state.enabledTs === null ? (
        <p>{words.off}</p>
      ) : (
        <p>
          <DatedText text={words.on} at={state.enabledTs} />{' '}
          {state.recoveryCodesLeft === 0 ? words.noCodesLeft : words.codesLeft(state.recoveryCodesLeft)}
        </p>
      )}
      <div>
        <ButtonLink look="quiet" href={visit.path(page)}>
          {state.enabledTs === null ? words.setUp : words.change}
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
  const asksPassword = await asksForPassword(visit);
  render(
    visit,
    visit.words.factor.title,
    refusal,
    <>
      {state.enabledTs === null ? (
        <BeginForm visit={visit} refusal={refusal} asksPassword={asksPassword} />
      ) : (
        <ChangeForms visit={visit} refusal={refusal} asksPassword={asksPassword} />
      )}
      <p class="actions">
        <a href={visit.path('/account/security')}>{visit.words.security.back}</a>
      </p>
    </>,
  );
}

type FormProps = { visit: SignedInRequest; refusal: Refusal | null; asksPassword: boolean };

function BeginForm({ visit, refusal, asksPassword }: FormProps): VNode {
  const words = visit.words.factor;
  return (
    <>
      <p class="lead">{words.need}</p>
      <form class="stack actions" method="post" action={visit.path(page)}>
        <CsrfField token={visit.session.csrf} />
        {asksPassword && (
          <PasswordField visit={visit} error={errorOf(visit, refusal, 'begin', 'credentials')} />
        )}
        <div>
          <Button>{words.begin}</Button>
        </div>
      </form>
    </>
  );
}

function ChangeForms({ visit, refusal, asksPassword }: FormProps): VNode {
  const words = visit.words.factor;
  return (
    <>
      <p class="lead">{words.isOn}</p>
      <h2 class="actions">{words.newCodes}</h2>
      <p>{words.newCodesText}</p>
      <form class="stack actions" method="post" action={visit.path(`${page}/recovery-codes`)}>
        <CsrfField token={visit.session.csrf} />
        <CodeField visit={visit} id="renew" error={errorOf(visit, refusal, 'renew', 'code')} />
        <div>
          <Button look="quiet">{words.showCodes}</Button>
        </div>
      </form>
      <h2 class="actions">{words.turnOff}</h2>
      <p>{words.turnOffText}</p>
      <form class="stack actions" method="post" action={visit.path(`${page}/off`)}>
        <CsrfField token={visit.session.csrf} />
        {asksPassword && (
          <PasswordField visit={visit} error={errorOf(visit, refusal, 'off', 'credentials')} />
        )}
        <CodeField visit={visit} id="off" error={errorOf(visit, refusal, 'off', 'code')} />
        <div>
          <Button look="danger">{words.turnOffButton}</Button>
        </div>
      </form>
    </>
  );
}

/** The error of a field; null if the refusal is not about it. */
function errorOf(
  visit: SignedInRequest,
  refusal: Refusal | null,
  form: Refusal['form'],
  reason: 'credentials' | 'code',
): string | null {
  if (refusal?.form !== form || refusal.error.reason !== reason) return null;
  const { words } = visit;
  return reason === 'credentials' ? words.security.wrongPassword : refusalText(words, refusal.error);
}

type CodeFieldProps = { visit: SignedInRequest; id: string; error: string | null };

const CodeField = ({ visit, id, error }: CodeFieldProps): VNode => (
  <Field
    name="code"
    id={`field-${id}`}
    label={visit.words.code.label}
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
  const words = visit.words.factor;
  const proof = visit.deps.access.signIn.sealed.seal('second factor', visit.session.id, 15 * 60_000);
  render(
    visit,
    words.setUp,
    error === null ? null : { form: 'confirm', error },
    <>
      <ol class="flow actions">
        <li class="flow">
          <p>{words.scan}</p>
          <QrCode text={setup.uri} label={words.qrCode} />
          <Copyable id="key" text={setup.key.replace(/(.{4})(?=.)/g, '$1 ')} label={words.copyKey} />
        </li>
        <li>{words.type}</li>
      </ol>
      <form class="stack actions" method="post" action={visit.path(`${page}/confirm`)}>
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="proof" value={proof} />
        <Field
          name="code"
          label={visit.words.code.label}
          autocomplete="one-time-code"
          maxLength={40}
          error={error?.reason === 'code' ? refusalText(visit.words, error) : null}
        />
        <div class="actions">
          <Button>{words.turnOn}</Button>
          <QuietLink href={visit.path('/account/security')}>{words.notNow}</QuietLink>
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
    showRecoveryCodes(visit, codes, visit.words.factor.turnedOn);
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
    showRecoveryCodes(visit, codes, visit.words.factor.renewed);
  } catch (failure) {
    await refuse(visit, 'renew', failure);
  }
}

function showRecoveryCodes(visit: SignedInRequest, codes: readonly string[], title: string): void {
  const words = visit.words.factor;
  render(
    visit,
    title,
    null,
    <>
      <p class="lead">{words.keep}</p>
      <div class="secret actions">
        <Copyable id="codes" text={codes.join('\n')} label={words.copyCodes} />
      </div>
      <div class="actions">
        <ButtonLink href={visit.path('/account/security')}>{words.areKept}</ButtonLink>
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
  // A second click or tab is no wrong code.
  if (failure.code !== 'code_enabled') logCodeRefusal(visit, visit.session.account.id, failure);
  await showSecondFactor(visit, { form, error: failure });
}

const fieldReasons: ReadonlySet<AccountError['reason']> = new Set(['code', 'credentials']);

/** Sends a page; a refusal that belongs to no field stands at its top. */
function render(
  visit: SignedInRequest,
  title: string,
  refusal: Refusal | null,
  children: ComponentChildren,
): void {
  const error = refusal?.error ?? null;
  const isGeneral = error !== null && (!fieldReasons.has(error.reason) || error.code === 'code_enabled');
  renderForm(visit, error, {
    title,
    current: '/account/security',
    children: (
      <>
        <h1>{title}</h1>
        {isGeneral && <RefusalNotice visit={visit} refusal={error} />}
        {children}
      </>
    ),
  });
}
