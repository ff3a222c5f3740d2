/** The limits of the plans on the settings page, as `cratebase plans set` changes them. */
import type { VNode } from 'preact';
import type { PlanSummary } from '../../access/access.ts';
import { dayMs } from '../../clock.ts';
import { Button } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { type FormState, TextInput } from '../inputs.tsx';
import { StaffForm } from '../parts.tsx';

/** How long before it takes effect a reduction is announced, in days (docs/spec/limits.md). */
const noticeDays = 14;

type PlanFormProps = { visit: StaffRequest; plan: PlanSummary; form: FormState | null };

/** A form for each plan, with the changes to come. After a refusal, one of them has the values that were sent. */
export function PlanForms(props: {
  visit: StaffRequest;
  plans: readonly PlanSummary[];
  form: FormState | null;
}): VNode {
  const { visit, plans, form } = props;
  return (
    <>
      <p class="measure">{visit.messages.consoleOperator.settings.plansLead}</p>
      {plans.map((plan) => (
        <PlanForm
          visit={visit}
          plan={plan}
          form={form?.values.get('plan') === plan.plan ? form : null}
          key={plan.plan}
        />
      ))}
    </>
  );
}

/** The input of a field in the form of a plan. */
export const inputOf = (plan: string, field: string): string => `${plan}-${field}`;

/** The first day on which a reduction that is announced now can take effect. */
const earliestDay = (now: number): string =>
  new Date(Math.ceil((now + noticeDays * dayMs) / dayMs) * dayMs).toISOString().slice(0, 10);

function PlanForm({ visit, plan, form }: PlanFormProps): VNode {
  const { formats, consoleOperator } = visit.messages;
  const words = consoleOperator.settings;
  const { number } = formats;
  const input = (field: string, value: string) => ({
    name: inputOf(plan.plan, field),
    value: form?.values.get(inputOf(plan.plan, field)) ?? value,
    error: form?.errors[inputOf(plan.plan, field)],
  });
  return (
    <div class="flow">
      <h3>{plan.title}</h3>
      <p>{words.planFacts(number(plan.quota), number(plan.window))}</p>
      {plan.upcoming.map((change) => (
        <StaffForm visit={visit} action="/admin/settings/plan-change" look="line" key={change.from}>
          <input type="hidden" name="plan" value={plan.plan} />
          <input type="hidden" name="from" value={change.from} />
          <p>
            {words.planUpcoming(
              formats.longDate(change.from.slice(0, 10)),
              number(change.quota),
              number(change.window),
            )}{' '}
            <bdi>{change.note}</bdi>
          </p>
          <Button
            look="quiet"
            label={`${words.planCancel}: ${plan.title}, ${formats.longDate(change.from.slice(0, 10))}`}
          >
            {words.planCancel}
          </Button>
        </StaffForm>
      ))}
      <StaffForm visit={visit} action="/admin/settings/plan" look="grid" fields={{ plan: plan.plan }}>
        <TextInput
          {...input('month', String(plan.quota))}
          label={words.planMonth}
          inputMode="numeric"
          maxLength={25}
        />
        <TextInput
          {...input('window', String(plan.window))}
          label={words.planWindow}
          inputMode="numeric"
          maxLength={25}
        />
        <TextInput
          {...input('from', '')}
          label={words.planFrom}
          hint={words.planFromHint(earliestDay(visit.deps.clock.now()))}
          type="date"
        />
        <TextInput {...input('note', '')} label={words.planNote} hint={words.planNoteHint} maxLength={500} />
        <div class="whole">
          <Button look="quiet">{words.planSave(plan.title)}</Button>
        </div>
      </StaffForm>
    </div>
  );
}
