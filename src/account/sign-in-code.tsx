/** The last steps of signing in: the code of the second factor, then the session. */
import type { VNode } from 'preact';
import { AccountError, type Session } from '../access/access.ts';
import { Button, CsrfField, Field } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { logAccountChange, logCodeRefusal } from './audit.ts';
import { RefusalNotice, renderForm } from './form-page.tsx';
import { safeRedirectTarget } from './redirect-target.ts';
import { refusalText } from './refusals.ts';

/** The account whose owner proved the first factor, and where to go afterwards. */
type CodeFlow = { account: string; fingerprint: string; next: string | null };

/** Puts a new session in the browser, and continues. An earlier session of the browser ends. */
export async function completeSignIn(
  visit: AccountRequest,
  session: Session,
  next: string | null,
): Promise<void> {
  if (visit.session !== null) await visit.deps.access.sessions.signOut(visit.session);
  visit.signIn(session);
  visit.redirect(safeRedirectTarget(next));
}

/** Continues after a first factor that is not the password: with a code if the account requires one. */
export async function continueSignIn(
  visit: AccountRequest,
  account: string,
  next: string | null,
): Promise<void> {
  const { access } = visit.deps;
  if (await access.signIn.secondFactors.isEnabled(account)) return askForCode(visit, account, next);
  await completeSignIn(visit, await access.sessions.open(account, visit.requestSource), next);
}

/** Continues with the page that asks for a code. No session exists until the code is right. */
export async function askForCode(visit: AccountRequest, account: string, next: string | null): Promise<void> {
  const fingerprint = await visit.deps.access.signIn.fingerprint(account);
  const flow: CodeFlow = { account, fingerprint, next: next === null ? null : safeRedirectTarget(next) };
  visit.keepFlow('code', flow);
  visit.redirect('/account/sign-in/code');
}

/** Shows the page; without a first factor in the last ten minutes, the sign-in page. */
export function showCodePage(visit: AccountRequest, refusal: AccountError | null = null): void {
  const flow = visit.flow<CodeFlow>('code');
  if (flow === null) {
    visit.redirect('/account/sign-in');
    return;
  }
  const { words } = visit;
  const { title } = words.code;
  renderForm(visit, refusal, {
    title,
    forms: flow.next?.startsWith('/oauth/') ? 'anywhere' : 'self',
    children: <CodePage visit={visit} refusal={refusal} />,
  });
}

function CodePage({ visit, refusal }: { visit: AccountRequest; refusal: AccountError | null }): VNode {
  const { words } = visit;
  const isWrong = refusal?.reason === 'code';
  return (
    <>
      <h1>{words.code.title}</h1>
      <p class="lead">{words.code.lead}</p>
      {refusal !== null && !isWrong && <RefusalNotice visit={visit} refusal={refusal} />}
      <form class="stack actions" method="post" action={visit.path('/account/sign-in/code')}>
        <CsrfField token={visit.formToken()} />
        <Field
          name="code"
          label={words.code.label}
          hint={words.code.hint}
          error={isWrong ? refusalText(words, refusal) : null}
          autocomplete="one-time-code"
          maxLength={40}
          autofocus={refusal === null}
        />
        <div>
          <Button>{words.common.signIn}</Button>
        </div>
      </form>
      <p class="actions small soft measure">{words.code.lost}</p>
    </>
  );
}

/** Signs in with a code. */
export async function submitCode(visit: AccountRequest): Promise<void> {
  const flow = visit.flow<CodeFlow>('code');
  const { access } = visit.deps;
  if (flow === null || flow.fingerprint !== (await access.signIn.fingerprint(flow.account)))
    return visit.redirect('/account/sign-in');
  try {
    const from = visit.requestSource;
    const kind = await access.signIn.secondFactors.check(flow.account, visit.field('code'), from);
    const session = await access.sessions.open(flow.account, from);
    visit.endFlow('code');
    if (kind === 'recovery') logAccountChange(visit, 'recovery code used', flow.account);
    await completeSignIn(visit, session, flow.next);
  } catch (failure) {
    if (!(failure instanceof AccountError)) throw failure;
    logCodeRefusal(visit, flow.account, failure);
    showCodePage(visit, failure);
  }
}
