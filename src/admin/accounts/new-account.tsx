/** /admin/new-account: creates an account, as `cratebase accounts create` does. */
import type { VNode } from 'preact';
import type { Account, ResetLink } from '../../access/access.ts';
import { planNames, plans } from '../../contract/plans.ts';
import { roles } from '../../contract/roles.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { Button, Copyable, DateTime, QuietLink } from '../../pages/parts.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { ErrorSummary, type FormState, TextInput } from '../inputs.tsx';
import { Crumb, StaffForm } from '../parts.tsx';
import { refusedForm, refusedStatus } from '../refusals.ts';

const path = '/admin/new-account';

/** Shows the form of a new account. @param form what was sent with it, and why it was refused */
export function showNewAccount(visit: StaffRequest, form: FormState | null = null): void {
  const { newAccount: words, accounts } = visit.messages.consoleOperator;
  const children = (
    <>
      <Crumb href={visit.path('/admin/accounts')}>{accounts.title}</Crumb>
      <h1>{words.title}</h1>
      {form !== null && <ErrorSummary title={words.refused} errors={form.errors} />}
      <p class="lead">{words.lead}</p>
      <div class="actions-below">
        <NewAccountForm visit={visit} form={form} />
      </div>
    </>
  );
  const status = form === null ? 200 : refusedStatus;
  visit.render(status, { title: words.title, section: '/admin/accounts', children });
}

function NewAccountForm({ visit, form }: { visit: StaffRequest; form: FormState | null }): VNode {
  const { newAccount: words, accounts, account } = visit.messages.consoleOperator;
  const { localPasswords, mail } = visit.deps;
  const value = (name: string): string => form?.values.get(name) ?? '';
  return (
    <StaffForm visit={visit} action={path} look="stack">
      <TextInput
        name="email"
        label={words.email}
        type="email"
        value={value('email')}
        error={form?.errors.email}
        maxLength={300}
        required
      />
      <TextInput
        name="plan"
        label={words.plan}
        value={value('plan')}
        error={form?.errors.plan}
        choices={planNames.map((name) => [name, plans[name].title] as const)}
      />
      <TextInput
        name="role"
        label={accounts.role}
        value={value('role')}
        error={form?.errors.role}
        choices={roles.map((role) => [role, account.roleLabels[role]] as const)}
      />
      <p class="small soft">
        {!localPasswords ? words.byOpenId : mail === null ? words.byLink : words.byMail}
      </p>
      <div>
        <Button>{words.create}</Button>
      </div>
    </StaffForm>
  );
}

/** Creates the account, and mails a link for its password or shows it. */
export async function createAccount(visit: StaffRequest): Promise<void> {
  const { access } = visit.deps;
  const input = { email: visit.field('email'), plan: visit.field('plan'), role: visit.field('role') };
  let account: Account;
  try {
    account = await access.accounts.create(input, actorOf(visit));
  } catch (failure) {
    return showNewAccount(visit, refusedForm(visit, failure));
  }
  const link = visit.deps.localPasswords ? await passOn(visit, account.email) : null;
  showCreated(visit, account, link);
}

/** Mails a link for the first password. Returns it if an operator has to pass it on; `mailed` otherwise. */
async function passOn(visit: StaffRequest, email: string): Promise<ResetLink | 'mailed'> {
  const { access, mail, siteUrl } = visit.deps;
  const link = mail === null ? null : await access.signIn.resets.createLink(email);
  if (mail === null || link === null) return access.signIn.resets.create(email, actorOf(visit));
  const words = visit.messages.consoleOperator.newAccount;
  const { name, url } = siteUrl;
  const text = [words.mailText(name), url + link.path, words.mailLater, `${url}/account/forgot`, ''];
  mail.send({ to: email, subject: words.mailSubject(name), text: text.join('\n\n') }, 'new account');
  return 'mailed';
}

/** The page after the account was created. It is the only one that has the link. */
function showCreated(visit: StaffRequest, { id, email }: Account, link: ResetLink | 'mailed' | null): void {
  const { newAccount: words, accounts, ways } = visit.messages.consoleOperator;
  const owner = <bdi>{email}</bdi>;
  const isShown = link !== null && link !== 'mailed';
  const children = (
    <>
      <Crumb href={visit.path('/admin/accounts')}>{accounts.title}</Crumb>
      <h1>{words.created}</h1>
      <p class="lead">
        {isShown ? (
          <Filled
            text={words.linkLead}
            parts={{ email: owner, day: <DateTime at={Date.parse(link.expires_at)} time /> }}
          />
        ) : (
          <Filled text={link === null ? words.openIdLead : words.mailLead} parts={{ email: owner }} />
        )}
      </p>
      <div class="actions flow">
        {isShown && <Copyable id="link" text={visit.deps.siteUrl.url + link.path} label={ways.copy} />}
        <div>
          <QuietLink href={visit.path(`/admin/accounts/${id}`)}>{words.toAccount}</QuietLink>
        </div>
      </div>
    </>
  );
  visit.render(200, { title: words.created, section: '/admin/accounts', children });
}
