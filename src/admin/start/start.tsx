/**
 * /admin/start: the page of the first start, on which the first operator signs up; and /admin/welcome, the way to real
 * events. The link has a token. The first request moves it into a cookie, so that no later address contains it.
 */
import type { VNode } from 'preact';
import { AccountError, operatorLinkMs } from '../../access/access.ts';
import { readStartCookie, startCookie } from '../../http/cookies.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { Button, CsrfField, Field, Notice, QuietLink, Section } from '../../pages/parts.tsx';
import { type AdminRequest, actorOf, type StaffRequest } from '../admin-request.ts';
import { showExpiredLink } from '../error-pages.tsx';
import { ErrorSummary, type FormState } from '../inputs.tsx';
import { accountErrorText, refusedStatus } from '../refusals.ts';
import type { AdminRoute } from '../route.ts';
import type { IdentityField } from '../service-reader.ts';
import { IdentityInput, readIdentityChanges, refusedIdentity } from '../settings/identity-form.tsx';
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
  const token = visit.query.get('token');
  if (token === null) return renderStart(visit, null, 200);
  if (!(await access.operatorLinks.isValid(token))) return showExpiredLink(visit);
  visit.setCookie(startCookie(token, siteUrl, operatorLinkMs / 1_000));
  visit.redirect(path);
}

type Refusal = { account: AccountError | null; form: FormState | null };

async function renderStart(visit: AdminRequest, refusal: Refusal | null, status: number): Promise<void> {
  const { access, siteUrl } = visit.deps;
  const token = readStartCookie(visit.request, siteUrl);
  if (!(await access.operatorLinks.isValid(token))) return showExpiredLink(visit);
  const { start: words, forget } = visit.messages.consoleEdit;
  const account = refusal?.account ?? null;
  const children = (
    <>
      <h1>{words.title(siteUrl.name)}</h1>
      <p class="lead">{words.lead}</p>
      {account !== null && account.reason !== 'email' && account.reason !== 'password' && (
        <div class="actions">
          <Notice tone="bad">{accountErrorText(visit, account)}</Notice>
        </div>
      )}
      {refusal?.form != null && <ErrorSummary title={forget.refused} errors={refusal.form.errors} />}
      <StartForm visit={visit} refusal={refusal} />
    </>
  );
  visit.render(status, { title: words.short, children });
}

function StartForm({ visit, refusal }: { visit: AdminRequest; refusal: Refusal | null }): VNode {
  const { session } = visit;
  const words = visit.messages.consoleEdit.start;
  // Whatever was refused, the page has the values that were sent.
  const form = refusal === null ? null : (refusal.form ?? { values: visit.form, errors: {} });
  const fields = startFields(visit);
  return (
    <form method="post" action={visit.path(path)}>
      <CsrfField token={session?.csrf ?? visit.formToken()} />
      <Section title={words.account} id="operator">
        {session === null ? (
          <AccountFields visit={visit} refusal={refusal?.account ?? null} />
        ) : (
          <p>
            <Filled text={words.signedIn} parts={{ email: <bdi>{session.account.email}</bdi> }} />
          </p>
        )}
      </Section>
      {fields.length > 0 && (
        <Section title={words.service} id="service">
          <p class="soft">{words.serviceText}</p>
          <div class="stack-fields">
            {fields.map((field) => (
              <IdentityInput key={field.key} visit={visit} field={field} form={form} />
            ))}
          </div>
        </Section>
      )}
      <div class="actions">
        <Button>{session === null ? words.create : words.become}</Button>
      </div>
    </form>
  );
}

const startFields = (visit: AdminRequest): IdentityField[] =>
  visit.deps.identity?.fields().filter(({ key }) => firstFields.includes(key)) ?? [];

function AccountFields({ visit, refusal }: { visit: AdminRequest; refusal: AccountError | null }): VNode {
  const { account, consoleEdit } = visit.messages;
  const { start } = consoleEdit;
  const errorOf = (field: string) => (refusal?.reason === field ? accountErrorText(visit, refusal) : null);
  return (
    <div class="stack-fields">
      <Field
        name="email"
        label={account.common.email}
        type="email"
        value={visit.field('email').slice(0, 300)}
        error={errorOf('email')}
        autocomplete="username"
      />
      <Field
        name="password"
        label={account.common.password}
        type="password"
        hint={account.common.passwordHint}
        error={errorOf('password')}
        autocomplete="new-password"
      />
      <p class="soft small">
        <Filled
          text={start.haveAccount}
          parts={{
            link: <a href={visit.path('/account/sign-in?next=%2Fadmin%2Fstart')}>{start.signIn}</a>,
          }}
        />
      </p>
    </div>
  );
}

async function submitStart(visit: AdminRequest): Promise<void> {
  const { access, siteUrl, identity, log } = visit.deps;
  const token = readStartCookie(visit.request, siteUrl) ?? '';
  const from = visit.requestSource;
  const fields = startFields(visit);
  const changes = readIdentityChanges(visit, fields);
  try {
    // Before the link is used up, which happens once.
    identity?.check(changes);
  } catch (failure) {
    return renderStart(
      visit,
      { account: null, form: refusedIdentity(visit, failure, fields) },
      refusedStatus,
    );
  }
  try {
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
      return renderStart(visit, { account: failure, form: null }, failure.reason === 'taken' ? 409 : 400);
    throw failure;
  }
}

function showWelcome(visit: StaffRequest): void {
  const { service, baseUrl } = visit.deps;
  const { events, artists, venues, samples, sources } = service.catalogue();
  const { consoleEdit, consoleRecords, formats } = visit.messages;
  const words = consoleEdit.welcome;
  const email = actorOf(visit).replace('account:', '');
  const numbers: [string, number][] = [
    [words.events, events],
    [words.samples, samples],
    [words.artists, artists],
    [words.venues, venues],
    [words.sources, sources],
  ];
  const children = (
    <>
      <h1>{words.title}</h1>
      <p class="lead">
        <Filled text={words.lead} parts={{ email: <bdi>{email}</bdi> }} />
      </p>
      <dl class="numbers">
        {numbers.map(([label, count]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{formats.number(count)}</dd>
          </div>
        ))}
      </dl>
      <Section title={words.add} id="add">
        <p class="measure">
          {words.addText}
          {samples > 0 && words.addSamples}
        </p>
        <AddressForm visit={visit} />
      </Section>
      <div class="actions">
        <QuietLink href={`${baseUrl}/`}>{words.toSite}</QuietLink>
        <QuietLink href={visit.path('/admin')}>{consoleRecords.failures.toOverview}</QuietLink>
      </div>
    </>
  );
  visit.render(200, { title: words.short, children });
}
