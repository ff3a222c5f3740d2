/** Routes of /admin/accounts. Each change of an account redirects to its page, with a message. */
import { isActive } from '../../access/access.ts';
import { Failure } from '../../failure.ts';
import { Filled } from '../../pages/messages/filled.tsx';
import { Confirm } from '../../pages/parts.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { parseLimit } from '../limit-input.ts';
import { refusedForm } from '../refusals.ts';
import type { AdminRoute } from '../route.ts';
import { findAccount, showAccount } from './account.tsx';
import { decideRequest, showAccounts } from './list.tsx';
import { createAccount, showNewAccount } from './new-account.tsx';
import { confirmFactorReset, resetFactor, showResetLink } from './sign-in.tsx';

type Accounts = StaffRequest['deps']['access']['accounts'];
type Change = (accounts: Accounts, email: string, visit: StaffRequest) => Promise<unknown>;

/** Inputs of the page that a failure may name as its field. */
const inputs = ['role', 'plan', 'month', 'window'];
const inputOf = (field: string): string | null => (inputs.includes(field) ? field : null);

/**
 * Returns a handler that applies a change to the account in the path.
 * @param code of the message that the next page shows
 * @param next the page that it leads to
 */
const changing =
  (code: string, change: Change, next = (id: string): string => `/admin/accounts/${id}`) =>
  async (visit: StaffRequest): Promise<void> => {
    const [id = ''] = visit.ids;
    const { accounts } = visit.deps.access;
    const email = await accounts.emailOf(id);
    if (email === undefined) return showNotFound(visit);
    try {
      await change(accounts, email, visit);
    } catch (failure) {
      return showAccount(visit, refusedForm(visit, failure, inputOf));
    }
    visit.redirect(`${next(id)}?done=${code}`);
  };

/** Parses a limit of the form; an empty field is the limit of the plan. */
function readLimit(visit: StaffRequest, field: string): number | null {
  const text = visit.field(field);
  if (text.trim() === '') return null;
  const limit = parseLimit(text);
  if (limit === null) throw new Failure('A limit is a whole number, or empty.', 2, { field, code: 'limit' });
  return limit;
}

const setLimits: Change = (accounts, email, visit) =>
  accounts.setLimits(
    email,
    { window: readLimit(visit, 'window'), quota: readLimit(visit, 'month') },
    actorOf(visit),
  );

async function confirmDelete(visit: StaffRequest): Promise<void> {
  const account = await findAccount(visit);
  if (account === null) return;
  const back = visit.path(`/admin/accounts/${account.id}`);
  const keys = account.keys.filter((key) => isActive(key, visit.deps.clock.now())).length;
  const words = visit.messages.consoleOperator.account;
  const children = (
    <>
      <h1>
        <Filled text={words.deleteTitle} parts={{ email: <bdi>{account.email}</bdi> }} />
      </h1>
      <p class="lead">
        {keys === 0 ? words.noActiveKeys : words.activeKeys(keys)} {words.deleteLead}
      </p>
      <Confirm
        action={visit.path(`/admin/accounts/${account.id}/delete`)}
        csrf={visit.session.csrf}
        verb={words.delete}
        back={back}
        keep={words.keep}
      />
    </>
  );
  visit.render(200, { title: words.delete, section: '/admin/accounts', children });
}

const post = (path: string, handle: (visit: StaffRequest) => Promise<void>): AdminRoute => ({
  method: 'POST',
  path: `/admin/accounts/${path}`,
  role: 'operator',
  handle,
});

export const accountRoutes: readonly AdminRoute[] = [
  { method: 'GET', path: '/admin/accounts', role: 'operator', handle: showAccounts },
  { method: 'GET', path: '/admin/new-account', role: 'operator', handle: showNewAccount },
  { method: 'POST', path: '/admin/new-account', role: 'operator', handle: createAccount },
  post('requests', decideRequest),
  { method: 'GET', path: '/admin/accounts/*', role: 'operator', handle: showAccount },
  post(
    '*/role',
    changing('role', (all, email, visit) => all.setRole(email, visit.field('role'), actorOf(visit))),
  ),
  post(
    '*/plan',
    changing('plan', (all, email, visit) => all.setPlan(email, visit.field('plan'), actorOf(visit))),
  ),
  post('*/limits', changing('limits', setLimits)),
  post('*/reset-link', showResetLink),
  { method: 'GET', path: '/admin/accounts/*/second-factor', role: 'operator', handle: confirmFactorReset },
  post('*/second-factor', resetFactor),
  post(
    '*/suspend',
    changing('suspended', (all, email, visit) =>
      all.suspend(email, { reason: visit.field('reason').trim().slice(0, 300) }, actorOf(visit)),
    ),
  ),
  post(
    '*/unsuspend',
    changing('unsuspended', (all, email, visit) => all.unsuspend(email, actorOf(visit))),
  ),
  post(
    '*/sign-out',
    changing('signed-out', (all, email, visit) => all.signOut(email, actorOf(visit))),
  ),
  post(
    '*/keys/*/revoke',
    changing('revoked', (all, _, visit) =>
      all.revokeKey(visit.ids[0] ?? '', visit.ids[1] ?? '', actorOf(visit)),
    ),
  ),
  { method: 'GET', path: '/admin/accounts/*/delete', role: 'operator', handle: confirmDelete },
  post(
    '*/delete',
    changing(
      'deleted',
      (all, email, visit) => all.delete(email, actorOf(visit)),
      () => '/admin/accounts',
    ),
  ),
];
