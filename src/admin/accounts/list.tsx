/** /admin/accounts: requests for accounts, and all accounts with search and pages. */
import type { VNode } from 'preact';
import type { Account } from '../../access/access.ts';
import { type Role, roles } from '../../contract/roles.ts';
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { BoldName, Button, ButtonLink, DateTime, EmptyState, Section } from '../../pages/parts.tsx';
import { SelectField } from '../../pages/select-field.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { Check, TextInput } from '../inputs.tsx';
import { DoneNotice, StaffForm, withQuery } from '../parts.tsx';

const path = '/admin/accounts';
const pageSize = 25;

type Filter = { text: string; role: Role | null; suspended: boolean; page: number };

function readFilter({ query }: StaffRequest): Filter {
  const page = Number.parseInt(query.get('page') ?? '1', 10);
  return {
    text: (query.get('q') ?? '').trim().slice(0, 100),
    role: roles.find((role) => role === query.get('role')) ?? null,
    suspended: query.get('suspended') === '1',
    page: page > 0 && page < 1e6 ? page : 1,
  };
}

/** Searches the accounts. A page after the last one is the last one: an account may have been deleted meanwhile. */
async function searchAccounts(
  { deps }: StaffRequest,
  filter: Filter,
): Promise<{ accounts: Account[]; total: number; page: number }> {
  const { accounts } = deps.access;
  const result = await accounts.search({ ...filter, pageSize });
  const page = Math.min(filter.page, Math.max(1, Math.ceil(result.total / pageSize)));
  if (page === filter.page) return { ...result, page };
  return { ...(await accounts.search({ ...filter, page, pageSize })), page };
}

/** Shows the requests for accounts, and a page of the accounts that match the query. */
export async function showAccounts(visit: StaffRequest): Promise<void> {
  const requested = readFilter(visit);
  const [{ accounts, total, page }, requests] = await Promise.all([
    searchAccounts(visit, requested),
    visit.deps.access.pending.list(),
  ]);
  const filter = { ...requested, page };
  const words = visit.messages.consoleOperator.accounts;
  const children = (
    <>
      <h1>{words.title}</h1>
      <DoneNotice query={visit.query} texts={words.done} />
      {requests.length > 0 && (
        <Section title={words.waiting} id="pending">
          <ul class="rows">
            {requests.map((request) => (
              <RequestRow key={request.email} visit={visit} {...request} />
            ))}
          </ul>
        </Section>
      )}
      <div class="actions-below">
        <ButtonLink look="quiet" href={visit.path('/admin/new-account')}>
          {visit.messages.consoleOperator.newAccount.title}
        </ButtonLink>
      </div>
      <FilterForm visit={visit} filter={filter} />
      <p class="soft actions" role="status">
        {words.count(total)}
      </p>
      {accounts.length === 0 ? (
        <EmptyState>{words.none}</EmptyState>
      ) : (
        <ul class="rows actions-below">
          {accounts.map((account) => (
            <AccountRow key={account.id} visit={visit} account={account} />
          ))}
        </ul>
      )}
      <Pagination visit={visit} filter={filter} total={total} />
    </>
  );
  visit.render(200, { title: words.title, section: path, children });
}

function FilterForm({ visit, filter }: { visit: StaffRequest; filter: Filter }): VNode {
  const words = visit.messages.consoleOperator.accounts;
  const options = [['', words.all] as const, ...roles.map((role) => [role, words.roles[role]] as const)];
  return (
    <form class="filters" method="get" action={visit.path(path)}>
      <TextInput name="q" label={words.contains} value={filter.text} maxLength={100} />
      <SelectField name="role" label={words.role} options={options} value={filter.role ?? ''} />
      <Check name="suspended" label={words.suspendedOnly} checked={filter.suspended} />
      <Button look="quiet">{words.show}</Button>
    </form>
  );
}

function AccountRow({ visit, account }: { visit: StaffRequest; account: Account }): VNode {
  const { consoleOperator } = visit.messages;
  const words = consoleOperator.accounts;
  return (
    <li>
      <div class="what">
        <p>
          <a href={visit.path(`${path}/${account.id}`)}>
            <BoldName>{account.email}</BoldName>
          </a>{' '}
          <span class="tags">
            {account.role !== 'user' && <span class="tag">{words.roles[account.role]}</span>}
            {account.suspended_at !== null && <span class="tag bad">{words.suspended}</span>}
          </span>
        </p>
        <p class="small soft">
          <Filled
            text={words.since}
            parts={{ plan: account.plan, day: <DateTime at={Date.parse(account.created_at)} /> }}
          />
        </p>
      </div>
    </li>
  );
}

type RequestRowProps = { visit: StaffRequest; email: string; address: string; requested_at: string };

function RequestRow({ visit, email, address, requested_at }: RequestRowProps): VNode {
  const words = visit.messages.consoleOperator.accounts;
  return (
    <li>
      <div class="what">
        <p>
          <BoldName>{email}</BoldName>
        </p>
        <p class="small soft">
          <Filled
            text={words.asked}
            parts={{ address, day: <DateTime at={Date.parse(requested_at)} time /> }}
          />
        </p>
      </div>
      <StaffForm visit={visit} action={`${path}/requests`} look="row-actions" fields={{ email }}>
        <Button name="decision" value="approve" label={`${words.approve}: ${email}`}>
          {words.approve}
        </Button>
        <Button look="quiet" name="decision" value="reject" label={`${words.reject}: ${email}`}>
          {words.reject}
        </Button>
      </StaffForm>
    </li>
  );
}

function Pagination({
  visit,
  filter,
  total,
}: {
  visit: StaffRequest;
  filter: Filter;
  total: number;
}): VNode | null {
  const pages = Math.ceil(total / pageSize);
  if (pages < 2) return null;
  const words = visit.messages.consoleOperator.accounts;
  const link = (page: number, text: string) => {
    const suspended = filter.suspended ? '1' : null;
    const target = withQuery(path, { q: filter.text, role: filter.role, suspended, page });
    return <a href={visit.path(target)}>{text}</a>;
  };
  return (
    <nav class="list-end" aria-label={words.pages}>
      {filter.page > 1 && link(filter.page - 1, words.newer)}
      <span class="soft">{words.page(filter.page, pages)}</span>
      {filter.page < pages && link(filter.page + 1, words.older)}
    </nav>
  );
}

/** Approves or rejects a request for an account. */
export async function decideRequest(visit: StaffRequest): Promise<void> {
  const { pending } = visit.deps.access;
  const [email, decision] = [visit.field('email'), visit.field('decision')];
  if (decision === 'approve') await pending.approve(email, actorOf(visit));
  else if (decision === 'reject') await pending.reject(email, actorOf(visit));
  else
    throw new Failure('The form has no decision. Open its page again, and send it from there.', 2, {
      code: 'form',
    });
  visit.redirect(`${path}?done=${decision === 'approve' ? 'approved' : 'rejected'}`);
}
