/** The forms of the settings page: identity, logo, and limits of plans. */
import { Failure } from '../../failure.ts';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { parseLimit } from '../limit-input.ts';
import { refusedForm } from '../refusals.ts';
import type { AdminRoute } from '../route.ts';
import { saveExports } from './exports.tsx';
import { readIdentityChanges, refusedIdentity } from './identity-form.tsx';
import { inputOf } from './plans.tsx';
import { showSettings } from './settings.tsx';

const path = '/admin/settings';

export const settingsRoutes: readonly AdminRoute[] = [
  { method: 'GET', path, role: 'operator', handle: showSettings },
  {
    method: 'POST',
    path: '/admin/settings/identity',
    role: 'operator',
    // Each text twice: as it was shown, and as it is sent.
    maxFormBytes: 131_072,
    handle: saveIdentity,
  },
  { method: 'POST', path: '/admin/settings/logo', role: 'operator', hasFile: true, handle: saveLogo },
  { method: 'POST', path: '/admin/settings/plan', role: 'operator', handle: savePlan },
  { method: 'POST', path: '/admin/settings/exports', role: 'operator', handle: saveExports },
  { method: 'POST', path: '/admin/settings/plan-change', role: 'operator', handle: cancelPlanChange },
];

async function saveIdentity(visit: StaffRequest): Promise<void> {
  const { identity } = visit.deps;
  if (identity === null) return showNotFound(visit);
  const fields = identity.fields();
  try {
    await identity.set(readIdentityChanges(visit, fields), actorOf(visit));
  } catch (failure) {
    return showSettings(visit, refusedIdentity(visit, failure, fields));
  }
  visit.redirect(`${path}?done=identity`);
}

/** Stores or removes the logo. */
async function saveLogo(visit: StaffRequest): Promise<void> {
  const { identity } = visit.deps;
  if (identity === null) return showNotFound(visit);
  const isRemoval = visit.field('do') === 'remove';
  try {
    if (!isRemoval && (visit.file === null || visit.file.length === 0))
      throw new Failure('Choose a file.', 2, { field: 'logo', code: 'file_missing' });
    await identity.set({ logo: isRemoval ? null : visit.file }, actorOf(visit));
  } catch (failure) {
    return showSettings(visit, refusedForm(visit, failure));
  }
  visit.redirect(`/admin/settings?done=${isRemoval ? 'logo-removed' : 'logo'}`);
}

/** Parses a limit of the form. */
function readLimit(visit: StaffRequest, plan: string, field: string): number {
  const limit = parseLimit(visit.field(inputOf(plan, field)));
  if (limit !== null) return limit;
  throw new Failure('A limit of a plan is a whole number.', 2, { field, code: 'plan_limit' });
}

/** Changes the limits of a plan. A reduction needs a note and a date. */
async function savePlan(visit: StaffRequest): Promise<void> {
  const plan = visit.field('plan');
  try {
    const from = visit.field(inputOf(plan, 'from')).trim();
    const input = {
      quota: readLimit(visit, plan, 'month'),
      window: readLimit(visit, plan, 'window'),
      note: visit.field(inputOf(plan, 'note')),
      ...(from === '' ? {} : { from }),
    };
    await visit.deps.access.plans.set(plan, input, actorOf(visit));
  } catch (failure) {
    return showSettings(
      visit,
      refusedForm(visit, failure, (field) => (field === 'plan' ? null : inputOf(plan, field))),
    );
  }
  visit.redirect('/admin/settings?done=plan');
}

/** Cancels a change of limits that has not taken effect. */
async function cancelPlanChange(visit: StaffRequest): Promise<void> {
  try {
    await visit.deps.access.plans.cancel(visit.field('plan'), visit.field('from'), actorOf(visit));
  } catch (failure) {
    return showSettings(
      visit,
      refusedForm(visit, failure, () => null),
    );
  }
  visit.redirect('/admin/settings?done=plan-cancelled');
}
