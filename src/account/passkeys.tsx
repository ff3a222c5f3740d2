/** Passkeys on the page of the account: adding, renaming and removing them. */
import type { VNode } from 'preact';
import { AccountError, type PasskeyRequest, type PasskeySummary } from '../access/access.ts';
import {
  BoldName,
  Button,
  ButtonLink,
  Confirm,
  CsrfField,
  DatedText,
  Field,
  QuietLink,
} from '../pages/parts.tsx';
import type { SignedInRequest } from './account-request.ts';
import { logAccountChange, logWrongPassword } from './audit.ts';
import { showNotFound } from './error-pages.tsx';
import { RefusalNotice, renderForm } from './form-page.tsx';
import { asksForPassword, PasswordField } from './own-password.tsx';
import { refusalText } from './refusals.ts';
import { PasskeyScript, passkeySite } from './sign-in-passkey.tsx';

const page = '/account/security/passkeys';

type PasskeyListProps = { visit: SignedInRequest; passkeys: readonly PasskeySummary[] };

/** The section of the page /account/security. */
export function PasskeyList({ visit, passkeys }: PasskeyListProps): VNode {
  const words = visit.words.passkeys;
  const action = (id: string, verb: string) => visit.path(`${page}/${id}/${verb}`);
  return (
    <>
      <p>{words.lead}</p>
      {passkeys.length > 0 && (
        <ul class="rows">
          {passkeys.map(({ id, name, createdTs, usedTs }) => (
            <li key={id}>
              <div class="what">
                <p>
                  <BoldName>{name}</BoldName>
                </p>
                <p class="small soft">
                  <DatedText text={words.since} at={createdTs} />,{' '}
                  {usedTs === null ? words.notUsed : <DatedText text={words.lastUsed} at={usedTs} time />}
                </p>
              </div>
              <ButtonLink look="quiet" href={action(id, 'edit')} label={words.changeNamed(name)}>
                {words.change}
              </ButtonLink>
            </li>
          ))}
        </ul>
      )}
      <div data-needs-passkey hidden>
        <QuietLink href={visit.path(`${page}/new`)}>{words.add}</QuietLink>
      </div>
    </>
  );
}

/** Step 1 of adding a passkey: asks for the password; an account without one needs a new session instead. */
export async function showNewPasskey(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  if (passkeySite(visit.deps.siteUrl) === null) return showNotFound(visit);
  const words = visit.words.passkeys;
  const asksPassword = await asksForPassword(visit);
  const isWrong = refusal?.reason === 'credentials';
  render(
    visit,
    words.add,
    isWrong ? null : refusal,
    <>
      <p class="lead">{words.confirm}</p>
      <form class="stack actions" method="post" action={visit.path(`${page}/new`)}>
        <CsrfField token={visit.session.csrf} />
        {asksPassword && (
          <PasswordField visit={visit} error={isWrong ? visit.words.security.wrongPassword : null} />
        )}
        <div>
          <Button>{words.next}</Button>
        </div>
      </form>
    </>,
    refusal,
  );
}

/** Step 2: checks the password, and shows the form that creates the passkey. */
export async function beginPasskey(visit: SignedInRequest): Promise<void> {
  const site = passkeySite(visit.deps.siteUrl);
  if (site === null) return showNotFound(visit);
  const { access, localPasswords } = visit.deps;
  const { session } = visit;
  try {
    const password = visit.field('password');
    await access.sessions.confirmIdentity(session, password, visit.requestSource, localPasswords);
    const passkey = await access.signIn.passkeys.requestNew(site, session.account, session.csrf);
    showCreate(visit, passkey);
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await logWrongPassword(visit, failure);
    await showNewPasskey(visit, failure);
  }
}

function showCreate(visit: SignedInRequest, passkey: PasskeyRequest): void {
  const { passkey: signInWords, passkeys: words } = visit.words;
  render(
    visit,
    words.add,
    null,
    <>
      <p class="lead">{words.nameIt}</p>
      <form
        class="stack actions"
        method="post"
        action={visit.path(page)}
        data-passkey="create"
        data-options={passkey.options}
        data-not-used={signInWords.notUsed}
        data-already-there={signInWords.alreadyThere}
        data-needs-passkey
        hidden
      >
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="ticket" value={passkey.ticket} />
        <input type="hidden" name="answer" value="" />
        <Field name="name" label={words.name} hint={words.nameHint} maxLength={100} />
        <div>
          <button type="button">{words.create}</button>
        </div>
        <p class="error" role="status" hidden />
      </form>
      <noscript>
        <p class="actions">{words.needScript}</p>
      </noscript>
    </>,
  );
}

/** Stores the new passkey. */
export async function addPasskey(visit: SignedInRequest): Promise<void> {
  const site = passkeySite(visit.deps.siteUrl);
  if (site === null) return showNotFound(visit);
  const { account, csrf } = visit.session;
  try {
    await visit.deps.access.signIn.passkeys.add(site, account.id, visit.field('answer'), {
      ticket: visit.field('ticket'),
      browser: csrf,
      name: visit.field('name'),
    });
    logAccountChange(visit, 'passkey added', account.id);
    visit.redirect('/account/security?done=passkey-added#passkeys');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await showNewPasskey(visit, failure);
  }
}

/** The page to rename or remove a passkey. One of another account counts as missing. */
export async function showPasskey(
  visit: SignedInRequest,
  refusal: AccountError | null = null,
): Promise<void> {
  const passkeys = await visit.deps.access.signIn.passkeys.list(visit.session.account.id);
  const passkey = passkeys.find(({ id }) => id === visit.recordId);
  if (passkey === undefined) return showNotFound(visit);
  const words = visit.words.passkeys;
  const action = `${page}/${passkey.id}`;
  render(
    visit,
    words.changeTitle,
    null,
    <>
      <form class="stack actions" method="post" action={visit.path(`${action}/edit`)}>
        <CsrfField token={visit.session.csrf} />
        <Field
          name="name"
          label={words.name}
          value={refusal === null ? passkey.name : visit.field('name').slice(0, 100)}
          maxLength={100}
          error={refusal === null ? null : refusalText(visit.words, refusal)}
        />
        <div>
          <Button>{words.rename}</Button>
        </div>
      </form>
      <h2 class="actions">{words.remove}</h2>
      <p>
        {words.removeText} {passkeys.length === 1 && words.isLast}
      </p>
      <Confirm
        action={visit.path(`${action}/remove`)}
        csrf={visit.session.csrf}
        verb={words.removeButton}
        back={visit.path('/account/security')}
      />
    </>,
    refusal,
  );
}

/** Renames the passkey of the path. One of another account counts as missing. */
export async function renamePasskey(visit: SignedInRequest): Promise<void> {
  try {
    const { account } = visit.session;
    const { passkeys } = visit.deps.access.signIn;
    if (!(await passkeys.rename(account.id, visit.recordId, visit.field('name')))) return showNotFound(visit);
    visit.redirect('/account/security#passkeys');
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    await showPasskey(visit, failure);
  }
}

/** Removes the passkey of the path. One of another account counts as missing. */
export async function removePasskey(visit: SignedInRequest): Promise<void> {
  const { account } = visit.session;
  if (!(await visit.deps.access.signIn.passkeys.remove(account.id, visit.recordId)))
    return showNotFound(visit);
  logAccountChange(visit, 'passkey removed', account.id);
  visit.redirect('/account/security?done=passkey-removed#passkeys');
}

/** Sends a page. @param notice shown at its top; @param refusal decides about the status */
function render(
  visit: SignedInRequest,
  title: string,
  notice: AccountError | null,
  children: VNode,
  refusal: AccountError | null = notice,
): void {
  renderForm(visit, refusal, {
    title,
    current: '/account/security',
    head: <PasskeyScript siteUrl={visit.deps.siteUrl} />,
    children: (
      <>
        <h1>{title}</h1>
        {notice !== null && <RefusalNotice visit={visit} refusal={notice} />}
        {children}
        <p class="actions">
          <a href={visit.path('/account/security')}>{visit.words.security.back}</a>
        </p>
      </>
    ),
  });
}
