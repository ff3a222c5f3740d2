/**
 * /admin/start: the page of the first start, which makes somebody the operator; and /admin/welcome, the way to real
 * events. The link has a token. The first request moves it into a cookie, so that no later address contains it.
 */
import type { VNode } from 'preact';
import { AccountError, operatorLinkMs } from '../../access/access.ts';
import { readStartCookie, startCookie } from '../../http/cookies.ts';
import { Button, ButtonLink, CsrfField, Field, Notice, Section } from '../../pages/parts.tsx';
import { type AdminRequest, actorOf, type StaffRequest } from '../admin-request.ts';
import { showExpiredLink } from '../error-pages.tsx';
import { formatCount } from '../format.ts';
import type { AdminRoute } from '../route.ts';
import type { IdentityField } from '../service-reader.ts';
import { IdentityInput, readIdentityChanges } from '../settings/identity-form.tsx';
import { AddressForm } from '../sources/add.tsx';

const path = '/admin/start';
/** The fields of the identity that this page asks for; the settings have the others. */
const firstFields = ['name', 'contact', 'homeCity'];

export const startRoutes: readonly AdminRoute[] = [
  { method: 'GET', path, role: 'open', handle: showStart },
  { method: 'POST', path, role: 'open', handle: submitStart },
  { method: 'GET', path: '/admin/welcome', role: 'operator', handle: showWelcome },
];

async function showStart(visit: AdminRequest): Promise<void> {
  const { access, siteUrl } = visit.deps;
  const given = visit.query.get('token');
  if (given === null) return renderStart(visit, null, 200);
  if (!(await access.operatorLinks.isValid(given))) return showExpiredLink(visit);
  visit.setCookie(startCookie(given, siteUrl, operatorLinkMs / 1_000));
  visit.redirect(path);
}

async function renderStart(visit: AdminRequest, refusal: AccountError | null, status: number): Promise<void> {
  const { access, siteUrl } = visit.deps;
  const token = readStartCookie(visit.request, siteUrl);
  if (!(await access.operatorLinks.isValid(token))) return showExpiredLink(visit);
  const children = (
    <>
      <h1>Set up {siteUrl.name}</h1>
      <p class="lead">
        You become the operator: the account that manages sources, records, accounts and settings here.
      </p>
      {refusal !== null && refusal.reason !== 'email' && refusal.reason !== 'password' && (
        <div class="actions">
          <Notice tone="bad">{refusal.message}</Notice>
        </div>
      )}
      <StartForm visit={visit} refusal={refusal} />
    </>
  );
  visit.render(status, { title: 'Set up', children });
}

function StartForm({ visit, refusal }: { visit: AdminRequest; refusal: AccountError | null }): VNode {
  const { session } = visit;
  const fields = startFields(visit);
  return (
    <form method="post" action={visit.path(path)}>
      <CsrfField token={session?.csrf ?? visit.formToken()} />
      <Section mark="A1" title="Your account" id="operator">
        {session === null ? (
          <AccountFields visit={visit} refusal={refusal} />
        ) : (
          <p>
            You are signed in as <bdi>{session.account.email}</bdi>. This account becomes the operator.
          </p>
        )}
      </Section>
      {fields.length > 0 && (
        <Section mark="A2" title="Your service" id="service">
          <p class="soft">You can change this later, in the settings.</p>
          <div class="stack-fields">
            {fields.map((field) => (
              <IdentityInput key={field.key} field={field} />
            ))}
          </div>
        </Section>
      )}
      <div class="actions">
        <Button>{session === null ? 'Create the operator' : 'Become the operator'}</Button>
      </div>
    </form>
  );
}

const startFields = (visit: AdminRequest): IdentityField[] =>
  visit.deps.identity?.fields().filter(({ key }) => firstFields.includes(key)) ?? [];

function AccountFields({ visit, refusal }: { visit: AdminRequest; refusal: AccountError | null }): VNode {
  const errorOf = (field: string) => (refusal?.reason === field ? refusal.message : null);
  return (
    <div class="stack-fields">
      <Field
        name="email"
        label="Email"
        type="email"
        value={visit.field('email').slice(0, 300)}
        error={errorOf('email')}
        autocomplete="username"
      />
      <Field
        name="password"
        label="Password"
        type="password"
        hint="At least 10 characters"
        error={errorOf('password')}
        autocomplete="new-password"
      />
      <p class="soft small">
        Have an account here? <a href={visit.path('/account/sign-in?next=%2Fadmin%2Fstart')}>Sign in</a>, and
        it becomes the operator.
      </p>
    </div>
  );
}

async function submitStart(visit: AdminRequest): Promise<void> {
  const { access, siteUrl, identity, log } = visit.deps;
  const token = readStartCookie(visit.request, siteUrl) ?? '';
  const from = visit.requestSource;
  try {
    const changes = readIdentityChanges(visit, startFields(visit));
    const { session } = visit;
    const account =
      session === null
        ? await access.operatorLinks.claimForNew(
            token,
            visit.field('email'),
            visit.field('password'),
            from.address,
          )
        : await access.operatorLinks.claimFor(token, session.account.id);
    log('info', 'operator added', { account: account.id, address: from.address });
    if (session === null) {
      visit.signIn(await access.sessions.signIn(visit.field('email'), visit.field('password'), from));
    }
    visit.setCookie(startCookie('', siteUrl, 0));
    if (Object.keys(changes).length > 0) await identity?.set(changes, `account:${account.email}`);
    visit.redirect('/admin/welcome');
  } catch (failure) {
    if (failure instanceof AccountError)
      return renderStart(visit, failure, failure.reason === 'taken' ? 409 : 400);
    throw failure;
  }
}

function showWelcome(visit: StaffRequest): void {
  const { service, baseUrl } = visit.deps;
  const { events, artists, venues, samples } = service.catalogue();
  const sources = service.sources().length;
  const numbers: [string, number][] = [
    ['Events', events],
    ['of them samples', samples],
    ['Artists', artists],
    ['Venues', venues],
    ['Sources', sources],
  ];
  const children = (
    <>
      <h1>You are the operator</h1>
      <p class="lead">
        Signed in as <bdi>{actorOf(visit).replace('account:', '')}</bdi>. Next, add the events of your city.
      </p>
      <dl class="numbers">
        {numbers.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formatCount(count)}</dd>
          </div>
        ))}
      </dl>
      <Section mark="A1" title="Add a source" id="add">
        <p class="measure">
          Paste the address of a club's calendar. You see its events before anything is imported.
          {samples > 0 && ' The sample events of the starter catalogue are not real.'}
        </p>
        <AddressForm visit={visit} />
      </Section>
      <div class="actions">
        <ButtonLink look="quiet" href={`${baseUrl}/`}>
          Look at the site
        </ButtonLink>
        <ButtonLink look="quiet" href={visit.path('/admin')}>
          To the overview
        </ButtonLink>
      </div>
    </>
  );
  visit.render(200, { title: 'Welcome', children });
}
