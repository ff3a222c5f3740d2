/** Signing in, signing up, signing out. */
import type { VNode } from 'preact';
import { Refusal } from '../access/access.ts';
import { Button, Csrf, Field, Notice } from '../pages/parts.tsx';
import { safeNext } from './next.ts';
import { tellDone, tellRefused, tellRequested } from './told.ts';
import type { Member, Visit } from './visit.ts';

type Entry = 'sign-in' | 'sign-up';

/** The status of an answer that says why somebody was not let in. */
const statuses: Partial<Record<Refusal['reason'], number>> = {
  credentials: 401,
  pending: 403,
  taken: 409,
  slow: 429,
};
/** A 401 names a scheme (RFC 9110, 15.5.2); no browser has a window of its own for this one. */
const challenge = { 'WWW-Authenticate': 'Form realm="cratebase"' };

export function refusalHeaders({ reason, retryAfter }: Refusal): Record<string, string> {
  return {
    ...(reason === 'credentials' ? challenge : {}),
    ...(retryAfter === null ? {} : { 'Retry-After': String(retryAfter) }),
  };
}
export const refusalStatus = ({ reason }: Refusal): number => statuses[reason] ?? 400;

/** The page that asks who it is; who is signed in already goes straight on. */
export function askIn(visit: Visit, entry: Entry): void {
  if (visit.session !== null) visit.go(safeNext(visit.query.get('next')));
  else if (entry === 'sign-up' && visit.deps.registration === 'closed') showClosed(visit);
  else showEntry(visit, entry, 200, null);
}

/** Lets in, or says why not. What was signed in before in this browser is signed out. */
export async function letIn(visit: Visit, entry: Entry): Promise<void> {
  if (entry === 'sign-up' && visit.deps.registration === 'closed') return showClosed(visit);
  const { sessions, pending } = visit.deps.access;
  const [email, password] = [visit.field('email'), visit.field('password')];
  try {
    if (entry === 'sign-up' && visit.deps.registration === 'approval') {
      await pending.request(email, password, visit.from.address);
      await tellRequested(visit, email);
      return visit.go('/account/requested');
    }
    const session =
      entry === 'sign-in'
        ? await sessions.signIn(email, password, visit.from)
        : await sessions.signUp(email, password, visit.from);
    if (visit.session !== null) await sessions.signOut(visit.session);
    if (entry === 'sign-up') tellDone(visit, 'signed up', session.account.id);
    visit.signIn(session);
    visit.go(safeNext(visit.form.get('next')));
  } catch (failure) {
    if (!(failure instanceof Refusal)) throw failure;
    await tellRefused(visit, entry === 'sign-in' ? 'sign-in failed' : 'sign-up refused', email, failure);
    if (failure.reason === 'pending') return showWaiting(visit);
    showEntry(visit, entry, refusalStatus(failure), failure);
  }
}

/** Ends this session; the browser keeps nothing of it. */
export async function leave(visit: Member): Promise<void> {
  await visit.deps.access.sessions.signOut(visit.session);
  visit.signOut();
  visit.go('/account/sign-in?done=signed-out');
}

/** What is said after a request for an account: the same whether the email has one, waits already, or is new. */
export function showRequested(visit: Visit): void {
  if (visit.deps.registration !== 'approval') {
    visit.go('/account/sign-up');
    return;
  }
  const title = 'Your request was received';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        Accounts of this service are admitted by its operator. No mail is sent from here: sign in later, with
        the same email and password, to see whether yours was admitted.
      </p>
      <p>
        Your request is kept for 30 days. If you have an account with this email already, it stays as it is.
      </p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>Sign in</a>
      </p>
    </>
  );
  visit.show(200, { title, children });
}

/** What is said to a person whose account the operator has not admitted yet. */
function showWaiting(visit: Visit): void {
  const title = 'Your account is not admitted yet';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        Email and password are right. The operator of this service has not admitted the account yet; until
        then it has no keys and cannot be used.
      </p>
      <p class="actions">
        <a href={visit.path('/account/sign-in')}>Try again later</a>
      </p>
    </>
  );
  visit.show(403, { title, children });
}

const titles: Record<Entry, string> = { 'sign-in': 'Sign in', 'sign-up': 'Create an account' };
const done: Record<string, string> = {
  'signed-out': 'You are signed out.',
  'signed-out-everywhere': 'You are signed out in every browser.',
  deleted: 'Your account is deleted, with its keys, apps and sessions.',
};

function showEntry(visit: Visit, entry: Entry, status: number, refusal: Refusal | null): void {
  const title = titles[entry];
  // An authorization that only waits for this leads on to the app's own address (docs/decisions/06-oauth.md).
  const isAsked = safeNext(nextOf(visit)).startsWith('/oauth/');
  visit.show(
    status,
    {
      title: refusal === null ? title : `Error: ${title}`,
      current: `/account/${entry}`,
      forms: isAsked ? 'anywhere' : 'self',
      children: <EntryPage visit={visit} entry={entry} refusal={refusal} />,
    },
    refusal === null ? {} : refusalHeaders(refusal),
  );
}

const nextOf = (visit: Visit): string | null => visit.form.get('next') ?? visit.query.get('next');

type EntryProps = { visit: Visit; entry: Entry; refusal: Refusal | null };

function EntryPage({ visit, entry, refusal }: EntryProps): VNode {
  const next = nextOf(visit);
  const message = done[visit.query.get('done') ?? ''];
  const lead =
    entry === 'sign-in'
      ? `To your keys, your usage and the apps you let in.`
      : visit.deps.registration === 'approval'
        ? 'For a key to the API, and for agents that read the catalogue for you. The operator of this service admits each account.'
        : 'For a key to the API, and for agents that read the catalogue for you. The Free plan costs nothing.';
  return (
    <>
      <h1>{titles[entry]}</h1>
      <p class="lead">{lead}</p>
      {message !== undefined && refusal === null && (
        <div class="actions">
          <Notice tone="good">{message}</Notice>
        </div>
      )}
      {refusal !== null && !isOfField(refusal) && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      <EntryForm visit={visit} entry={entry} refusal={refusal} next={next} />
      <Otherwise visit={visit} entry={entry} next={next} />
    </>
  );
}

const isOfField = ({ reason }: Refusal): boolean => reason === 'email' || reason === 'password';

function EntryForm({ visit, entry, refusal, next }: EntryProps & { next: string | null }): VNode {
  const errorOf = (field: string) => (refusal?.reason === field ? refusal.message : null);
  const isNew = entry === 'sign-up';
  const button = visit.deps.registration === 'approval' ? 'Ask for an account' : 'Create account';
  return (
    <form class="stack actions" method="post" action={visit.path(`/account/${entry}`)}>
      <Csrf token={visit.formToken()} />
      {next !== null && <input type="hidden" name="next" value={safeNext(next)} />}
      <Field
        name="email"
        label="Email"
        type="email"
        value={visit.field('email').slice(0, 300)}
        error={errorOf('email')}
        autocomplete="username"
        autofocus={refusal === null}
      />
      <Field
        name="password"
        label="Password"
        type="password"
        error={errorOf('password')}
        autocomplete={isNew ? 'new-password' : 'current-password'}
        {...(isNew ? { hint: 'At least 10 characters. No mail is sent here, so keep it safe.' } : {})}
      />
      <div>
        <Button>{isNew ? button : 'Sign in'}</Button>
      </div>
    </form>
  );
}

function Otherwise({ visit, entry, next }: { visit: Visit; entry: Entry; next: string | null }): VNode {
  const query = next === null ? '' : `?next=${encodeURIComponent(safeNext(next))}`;
  const isClosed = visit.deps.registration === 'closed';
  if (entry === 'sign-up') {
    return (
      <p class="actions">
        <span>Have an account?</span> <a href={visit.path(`/account/sign-in${query}`)}>Sign in</a>
      </p>
    );
  }
  return (
    <div class="actions soft measure">
      {!isClosed && (
        <p>
          New here? <a href={visit.path(`/account/sign-up${query}`)}>Create an account</a>
        </p>
      )}
      <p class="small">
        Password forgotten? Nothing is mailed from here: whoever runs this service can give the account a new
        one.
      </p>
    </div>
  );
}

function showClosed(visit: Visit): void {
  const title = 'Registration is closed';
  const children = (
    <>
      <h1>{title}</h1>
      <p class="lead">
        Accounts of this service are made by whoever runs it, in the terminal:{' '}
        <code>cratebase accounts create you@example.com</code>
      </p>
      <p class="actions">
        <span>Have an account?</span> <a href={visit.path('/account/sign-in')}>Sign in</a>
      </p>
    </>
  );
  visit.show(403, { title, children });
}
