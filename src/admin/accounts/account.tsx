/** /admin/accounts/ID: one account, and the forms that change it. */
import type { VNode } from 'preact';
import { type AccountDetails, isActive } from '../../access/access.ts';
import { planNames, plans } from '../../contract/plans.ts';
import { roles } from '../../contract/roles.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import {
  BoldName,
  BrowserName,
  Button,
  DateTime,
  EmptyState,
  Fact,
  QuietLink,
  Section,
} from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { ErrorSummary, type FormState, TextInput } from '../inputs.tsx';
import { ActionForm, Crumb, DoneNotice, StaffForm } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import { SignInSection } from './sign-in.tsx';

/** Returns the details of the account in the path; null if there is none: then the page "not found" has been sent. */
export async function findAccount(visit: StaffRequest): Promise<AccountDetails | null> {
  const { accounts } = visit.deps.access;
  const email = await accounts.emailOf(visit.ids[0] ?? '');
  if (email !== undefined) return accounts.show(email);
  showNotFound(visit);
  return null;
}

/** Shows an account with the forms that change it. @param form what was sent with one of them, and why it was refused */
export async function showAccount(visit: StaffRequest, form: FormState | null = null): Promise<void> {
  const account = await findAccount(visit);
  if (account === null) return;
  const { account: words, accounts } = visit.messages.consoleOperator;
  const props = { visit, account };
  const children = (
    <>
      <Crumb href={visit.path('/admin/accounts')}>{accounts.title}</Crumb>
      <h1>
        <bdi>{account.email}</bdi>
      </h1>
      {form === null ? (
        <DoneNotice query={visit.query} texts={words.done} />
      ) : (
        <ErrorSummary title={words.refused} errors={form.errors} />
      )}
      <Section title={words.sections.account} id="account">
        <Facts {...props} />
      </Section>
      <Section title={words.sections.role} id="role">
        <RoleForms {...props} form={form} />
      </Section>
      <Section title={words.sections.ways} id="ways">
        <SignInSection {...props} />
      </Section>
      <Section title={words.sections.keys} id="keys">
        <Keys {...props} />
      </Section>
      <Section title={words.sections.sessions} id="sessions">
        <Sessions {...props} />
      </Section>
      <Section
        title={account.suspended_at === null ? words.sections.suspend : words.sections.suspended}
        id="suspend"
      >
        <Suspension {...props} form={form} />
      </Section>
      <Section title={words.sections.delete} id="delete">
        <p>{words.deleteText}</p>
        <div>
          <QuietLink href={visit.path(`/admin/accounts/${account.id}/delete`)}>{words.delete}</QuietLink>
        </div>
      </Section>
    </>
  );
  const status = form === null ? 200 : refusedStatus;
  visit.render(status, { title: account.email, section: '/admin/accounts', children });
}

export type AccountProps = { visit: StaffRequest; account: AccountDetails };
type FormProps = AccountProps & { form: FormState | null };

const dateTime = (text: string): VNode => <DateTime at={Date.parse(text)} time />;

function Facts({ visit, account }: AccountProps): VNode {
  const { usage, connected_apps: apps } = account;
  const { formats, consoleOperator } = visit.messages;
  const words = consoleOperator.account;
  const { number } = formats;
  return (
    <>
      <dl class="facts">
        <Fact term={words.state}>
          {account.suspended_at === null ? (
            words.active
          ) : (
            <Filled text={words.suspendedSince} parts={{ day: dateTime(account.suspended_at) }} />
          )}
        </Fact>
        <Fact term={words.created}>{dateTime(account.created_at)}</Fact>
        <Fact term={words.month}>{words.monthText(number(usage.used), number(usage.quota))}</Fact>
        <Fact term={words.minute}>{words.minuteText(number(usage.window))}</Fact>
        <Fact term={words.apps}>
          <bdi>{apps.length === 0 ? words.none : apps.map(({ name }) => name).join(', ')}</bdi>
        </Fact>
        <Fact term={words.id}>
          <code>{account.id}</code>
        </Fact>
      </dl>
      <p>
        <a href={visit.path(`/admin/audit?subject=${account.id}`)}>{words.changes}</a>
      </p>
    </>
  );
}

/** The forms of role, plan and limits. After a refusal, they have the values that were sent. */
function RoleForms({ visit, account, form }: FormProps): VNode {
  const path = `/admin/accounts/${account.id}`;
  const { account: words, accounts, newAccount } = visit.messages.consoleOperator;
  const { quota, window } = account.own_limits;
  const value = (name: string, current: string): string => form?.values.get(name) ?? current;
  const common = { inputMode: 'numeric', maxLength: 25, narrow: true } as const;
  return (
    <>
      <StaffForm visit={visit} action={`${path}/role`} look="line">
        <TextInput
          name="role"
          label={accounts.role}
          value={value('role', account.role)}
          error={form?.errors.role}
          choices={roles.map((role) => [role, words.roleLabels[role]] as const)}
        />
        <Button look="quiet">{words.saveRole}</Button>
      </StaffForm>
      <StaffForm visit={visit} action={`${path}/plan`} look="line">
        <TextInput
          name="plan"
          label={newAccount.plan}
          value={value('plan', account.plan)}
          error={form?.errors.plan}
          choices={planNames.map((name) => [name, plans[name].title] as const)}
        />
        <Button look="quiet">{words.savePlan}</Button>
      </StaffForm>
      <StaffForm visit={visit} action={`${path}/limits`} look="line">
        <TextInput
          name="month"
          label={words.perMonth}
          hint={words.perMonthHint}
          value={value('month', quota === null ? '' : String(quota))}
          error={form?.errors.month}
          {...common}
        />
        <TextInput
          name="window"
          label={words.perMinute}
          hint={words.perMinuteHint}
          value={value('window', window === null ? '' : String(window))}
          error={form?.errors.window}
          {...common}
        />
        <Button look="quiet">{words.saveLimits}</Button>
      </StaffForm>
    </>
  );
}

function Keys({ visit, account }: AccountProps): VNode {
  const words = visit.messages.consoleOperator.account;
  const now = visit.deps.clock.now();
  if (account.keys.length === 0) return <EmptyState>{words.noKeys}</EmptyState>;
  return (
    <ul class="rows">
      {account.keys.toReversed().map((key) => (
        <li key={key.id} class={isActive(key, now) ? undefined : 'past'}>
          <div class="what">
            <p>
              <BoldName>{key.name}</BoldName>{' '}
              {key.revoked_at !== null ? (
                <span class="tag">{words.revoked}</span>
              ) : (
                !isActive(key, now) && <span class="tag">{words.expired}</span>
              )}
            </p>
            <p>
              <code>{key.hint}</code>
            </p>
            <p class="small soft">
              <Filled text={words.keyCreated} parts={{ day: <DateTime at={Date.parse(key.created_at)} /> }} />
              {', '}
              {key.last_used_at === null ? (
                words.keyUnused
              ) : (
                <Filled text={words.keyUsed} parts={{ day: dateTime(key.last_used_at) }} />
              )}
            </p>
          </div>
          {isActive(key, now) && (
            <StaffForm visit={visit} action={`/admin/accounts/${account.id}/keys/${key.id}/revoke`}>
              <Button look="quiet" label={`${words.revoke}: ${key.name}`}>
                {words.revoke}
              </Button>
            </StaffForm>
          )}
        </li>
      ))}
    </ul>
  );
}

function Sessions({ visit, account }: AccountProps): VNode {
  const words = visit.messages.consoleOperator.account;
  if (account.sessions.length === 0) return <EmptyState>{words.noSessions}</EmptyState>;
  return (
    <>
      <ul class="rows">
        {account.sessions.map((session) => (
          <li key={session.id}>
            <div class="what">
              <p>
                <BrowserName agent={session.user_agent} />
              </p>
              <p class="small soft">
                <Filled
                  text={words.lastSeen}
                  parts={{ address: session.address, day: dateTime(session.last_used_at) }}
                />
              </p>
            </div>
          </li>
        ))}
      </ul>
      <StaffForm visit={visit} action={`/admin/accounts/${account.id}/sign-out`}>
        <Button look="quiet">{words.signOut}</Button>
      </StaffForm>
    </>
  );
}

function Suspension({ visit, account, form }: FormProps): VNode {
  const path = `/admin/accounts/${account.id}`;
  const words = visit.messages.consoleOperator.account;
  if (account.suspended_at !== null) {
    return (
      <>
        <p>{words.suspendedText}</p>
        <ActionForm visit={visit} action={`${path}/unsuspend`} label={words.unsuspend} look="quiet" />
      </>
    );
  }
  return (
    <>
      <p>{words.suspendText}</p>
      <StaffForm visit={visit} action={`${path}/suspend`} look="line">
        <TextInput
          name="reason"
          label={words.reason}
          hint={words.reasonHint}
          value={form?.values.get('reason') ?? ''}
          maxLength={300}
        />
        <Button look="danger">{words.suspend}</Button>
      </StaffForm>
    </>
  );
}
