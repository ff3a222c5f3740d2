/** /admin/accounts/ID: one account, and the forms that change it. */
import type { VNode } from 'preact';
import type { AccountDetails, OwnLimits } from '../../access/access.ts';
import { planNames, plans } from '../../contract/plans.ts';
import { roles } from '../../contract/roles.ts';
import { BrowserName, Button, ButtonLink, DateTime, EmptyState, Fact, Section } from '../../pages/parts.tsx';
import { SelectField } from '../../pages/select-field.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { formatCount } from '../format.ts';
import { TextInput } from '../inputs.tsx';
import { Crumb, DoneNotice, StaffForm } from '../parts.tsx';
import { WaysIn } from './ways-in.tsx';

const doneMessages: Record<string, string> = {
  role: 'The role is changed. It applies from the next request on.',
  plan: 'The plan is changed. It applies from the next request on.',
  limits: 'The limits are changed. They apply from the next request on.',
  suspended: 'The account is suspended. Its keys, apps, sessions and password are refused from now on.',
  unsuspended: 'The account is active again.',
  'signed-out': 'The account is signed out in every browser.',
  revoked: 'The key is revoked.',
  'no-second-factor': 'The account has no second factor.',
  'second-factor': 'The second factor is removed. The password suffices until the owner sets up another one.',
};

/** Returns the details of the account in the path; null after the page "not found". */
export async function findAccount(visit: StaffRequest): Promise<AccountDetails | null> {
  const { accounts } = visit.deps.access;
  const email = await accounts.emailOf(visit.ids[0] ?? '');
  if (email !== undefined) return accounts.show(email);
  showNotFound(visit);
  return null;
}

export async function showAccount(visit: StaffRequest): Promise<void> {
  const account = await findAccount(visit);
  if (account === null) return;
  const props = { visit, account };
  const children = (
    <>
      <Crumb href={visit.path('/admin/accounts')}>Accounts</Crumb>
      <h1>
        <bdi>{account.email}</bdi>
      </h1>
      <DoneNotice query={visit.query} texts={doneMessages} />
      <Section mark="A1" title="Account" id="account">
        <Facts {...props} />
      </Section>
      <Section mark="A2" title="Role and plan" id="role">
        <RoleForms {...props} own={account.own_limits} />
      </Section>
      <Section mark="A3" title="Ways to sign in" id="ways">
        <WaysIn {...props} />
      </Section>
      <Section mark="B1" title="Keys" id="keys">
        <Keys {...props} />
      </Section>
      <Section mark="B2" title="Signed in" id="sessions">
        <Sessions {...props} />
      </Section>
      <Section mark="C1" title={account.suspended_at === null ? 'Suspend' : 'Suspended'} id="suspend">
        <Suspension {...props} />
      </Section>
      <Section mark="C2" title="Delete" id="delete">
        <p>Its keys, apps, sessions and usage are deleted too. This cannot be undone.</p>
        <div>
          <ButtonLink look="quiet" href={visit.path(`/admin/accounts/${account.id}/delete`)}>
            Delete account
          </ButtonLink>
        </div>
      </Section>
    </>
  );
  visit.render(200, { title: account.email, section: '/admin/accounts', children });
}

export type AccountProps = { visit: StaffRequest; account: AccountDetails };

function Facts({ visit, account }: AccountProps): VNode {
  const { usage, connected_apps: apps } = account;
  return (
    <>
      <dl class="facts">
        <Fact term="State">
          {account.suspended_at === null ? (
            'active'
          ) : (
            <>
              suspended since <DateTime at={Date.parse(account.suspended_at)} time />
            </>
          )}
        </Fact>
        <Fact term="Created">
          <DateTime at={Date.parse(account.created_at)} time />
        </Fact>
        <Fact term="This month">
          {formatCount(usage.used)} of {formatCount(usage.quota)} requests
        </Fact>
        <Fact term="Each minute">{formatCount(usage.window)} requests for each key or app</Fact>
        <Fact term="Apps">{apps.length === 0 ? 'none' : apps.map(({ name }) => name).join(', ')}</Fact>
        <Fact term="Id">
          <code>{account.id}</code>
        </Fact>
      </dl>
      <p>
        <a href={visit.path(`/admin/audit?subject=${account.id}`)}>Changes of this account</a>
      </p>
    </>
  );
}

const roleLabels = {
  user: 'user',
  editor: 'editor: sources, review, records',
  operator: 'operator: everything',
};

function RoleForms({ visit, account, own }: AccountProps & { own: OwnLimits }): VNode {
  const path = `/admin/accounts/${account.id}`;
  return (
    <>
      <StaffForm visit={visit} action={`${path}/role`} look="line">
        <SelectField
          name="role"
          label="Role"
          value={account.role}
          options={roles.map((role) => [role, roleLabels[role]] as const)}
        />
        <Button look="quiet">Save role</Button>
      </StaffForm>
      <StaffForm visit={visit} action={`${path}/plan`} look="line">
        <SelectField
          name="plan"
          label="Plan"
          value={account.plan}
          options={planNames.map((name) => [name, plans[name].title] as const)}
        />
        <Button look="quiet">Save plan</Button>
      </StaffForm>
      <StaffForm visit={visit} action={`${path}/limits`} look="line">
        <TextInput
          name="month"
          label="Requests per month"
          hint="Empty: as in the plan"
          value={own.quota === null ? '' : String(own.quota)}
          inputMode="numeric"
          maxLength={15}
          narrow
        />
        <TextInput
          name="window"
          label="Requests per minute"
          hint="For each key, or empty"
          value={own.window === null ? '' : String(own.window)}
          inputMode="numeric"
          maxLength={15}
          narrow
        />
        <Button look="quiet">Save limits</Button>
      </StaffForm>
    </>
  );
}

function Keys({ visit, account }: AccountProps): VNode {
  if (account.keys.length === 0) return <EmptyState>The account has no keys.</EmptyState>;
  return (
    <ul class="rows">
      {account.keys.toReversed().map((key) => (
        <li key={key.id} class={key.revoked_at === null ? undefined : 'past'}>
          <div class="what">
            <p>
              <strong>
                <bdi>{key.name}</bdi>
              </strong>{' '}
              {key.revoked_at !== null && <span class="tag">revoked</span>}
            </p>
            <p>
              <code>{key.hint}</code>
            </p>
            <p class="small soft">
              created <DateTime at={Date.parse(key.created_at)} />,{' '}
              {key.last_used_at === null ? (
                'never used'
              ) : (
                <>
                  last used <DateTime at={Date.parse(key.last_used_at)} time />
                </>
              )}
            </p>
          </div>
          {key.revoked_at === null && (
            <StaffForm visit={visit} action={`/admin/accounts/${account.id}/keys/${key.id}/revoke`}>
              <Button look="quiet" label={`Revoke ${key.name}`}>
                Revoke
              </Button>
            </StaffForm>
          )}
        </li>
      ))}
    </ul>
  );
}

function Sessions({ visit, account }: AccountProps): VNode {
  if (account.sessions.length === 0) return <EmptyState>The account is not signed in anywhere.</EmptyState>;
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
                {session.address}, last seen <DateTime at={Date.parse(session.last_used_at)} time />
              </p>
            </div>
          </li>
        ))}
      </ul>
      <StaffForm visit={visit} action={`/admin/accounts/${account.id}/sign-out`}>
        <Button look="quiet">Sign out everywhere</Button>
      </StaffForm>
    </>
  );
}

function Suspension({ visit, account }: AccountProps): VNode {
  const path = `/admin/accounts/${account.id}`;
  if (account.suspended_at !== null) {
    return (
      <>
        <p>Every credential of the account is refused. Its data is kept.</p>
        <StaffForm visit={visit} action={`${path}/unsuspend`}>
          <Button look="quiet">End the suspension</Button>
        </StaffForm>
      </>
    );
  }
  return (
    <>
      <p>Keys, apps, sessions and the password are refused from the next request on. The data is kept.</p>
      <StaffForm visit={visit} action={`${path}/suspend`} look="line">
        <TextInput name="reason" label="Reason" hint="For the audit log" maxLength={300} />
        <Button look="danger">Suspend account</Button>
      </StaffForm>
    </>
  );
}
