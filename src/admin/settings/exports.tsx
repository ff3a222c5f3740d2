/** Which plans may read the change feed and the exports, as `cratebase plans set --exports` changes them. */
import type { VNode } from 'preact';
import { type Plan, planNames, plans } from '../../contract/plans.ts';
import { Button } from '../../pages/parts.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { Check } from '../inputs.tsx';
import { StaffForm } from '../parts.tsx';

/** The name of the check box of a plan. */
const inputOf = (plan: Plan): string => `exports-${plan}`;

/** A check box for each plan. */
export function ExportsForm({ visit, allowed }: { visit: StaffRequest; allowed: readonly Plan[] }): VNode {
  const words = visit.messages.consoleOperator.settings;
  return (
    <>
      <p class="measure">{words.exportsLead}</p>
      <StaffForm visit={visit} action="/admin/settings/exports" look="stack">
        {planNames.map((plan) => (
          <Check name={inputOf(plan)} label={plans[plan].title} checked={allowed.includes(plan)} key={plan} />
        ))}
        <div>
          <Button>{words.exportsSave}</Button>
        </div>
      </StaffForm>
    </>
  );
}

/** Stores which plans may. */
export async function saveExports(visit: StaffRequest): Promise<void> {
  for (const plan of planNames)
    await visit.deps.access.exports.set(plan, visit.field(inputOf(plan)) !== '', actorOf(visit));
  visit.redirect('/admin/settings?done=exports');
}
