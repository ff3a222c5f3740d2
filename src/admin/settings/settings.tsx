/** /admin/settings: the identity of the service, the limits of the plans, and every setting of `serve` with its origin. */
import type { VNode } from 'preact';
import type { SettingReport } from '../../config.ts';
import { Button, EmptyState, Section, Table } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { ErrorSummary, type FormState } from '../inputs.tsx';
import { DoneNotice, StaffForm } from '../parts.tsx';
import { refusedStatus } from '../refusals.ts';
import type { IdentityField } from '../service-reader.ts';
import { ExportsForm } from './exports.tsx';
import { IdentityInput, textFields } from './identity-form.tsx';
import { LogoForm } from './logo.tsx';
import { PlanForms } from './plans.tsx';

const path = '/admin/settings';

/** Shows the settings page. @param form what was sent with one of its forms, and why it was refused */
export async function showSettings(visit: StaffRequest, form: FormState | null = null): Promise<void> {
  const { identity, service, access } = visit.deps;
  const plans = await access.plans.list();
  const exportPlans = await access.exports.plans();
  const words = visit.messages.consoleOperator.settings;
  const fields = identity?.fields() ?? [];
  const children = (
    <>
      <h1>{words.title}</h1>
      {form === null ? (
        <DoneNotice query={visit.query} texts={words.done} />
      ) : (
        <ErrorSummary title={words.refused} errors={form.errors} />
      )}
      {identity !== null && (
        <>
          <Section title={words.identity} id="identity">
            <StaffForm visit={visit} action="/admin/settings/identity" look="stack">
              {textFields(fields).map((field) => (
                <IdentityInput key={field.key} visit={visit} field={field} form={form} />
              ))}
              <div>
                <Button>{words.save}</Button>
              </div>
            </StaffForm>
          </Section>
          <Section title={words.logo} id="logo">
            <LogoForm visit={visit} field={fields.find(({ key }) => key === 'logo')} form={form} />
          </Section>
        </>
      )}
      <Section title={words.plans} id="plans">
        <PlanForms visit={visit} plans={plans} form={form} />
      </Section>
      <Section title={words.exports} id="exports">
        <ExportsForm visit={visit} allowed={exportPlans} />
      </Section>
      <Section title={words.options} id="options">
        <StartOptions visit={visit} settings={service.settings()} fields={fields} />
      </Section>
    </>
  );
  const status = form === null ? 200 : refusedStatus;
  visit.render(status, { title: words.title, section: path, children });
}

type StartOptionsProps = {
  visit: StaffRequest;
  settings: readonly SettingReport[] | null;
  fields: readonly IdentityField[];
};

function StartOptions({ visit, settings, fields }: StartOptionsProps): VNode {
  const words = visit.messages.consoleOperator.settings;
  if (settings === null) return <EmptyState>{words.optionsMissing}</EmptyState>;
  const formatValue = (value: unknown): string => {
    if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '–';
    if (typeof value === 'boolean') return value ? words.on : words.off;
    if (Array.isArray(value))
      return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ');
    return String(value);
  };
  // Where no option sets a value of the identity, the data file does.
  const ownValues = new Map(
    fields.filter(({ from }) => from === 'file').map(({ name, value }) => [name, value]),
  );
  const effective = settings.map((setting) =>
    setting.from === 'default' && ownValues.has(setting.name)
      ? { ...setting, value: ownValues.get(setting.name), from: words.dataFile }
      : setting,
  );
  return (
    <>
      <p class="measure">{words.optionsLead}</p>
      <div class="wide">
        <Table
          caption={words.optionsCaption}
          columns={words.optionsColumns.map((title) => ({ title }))}
          rows={effective.map(({ name, value, from, problem }) => [
            `--${name}`,
            problem ?? formatValue(value),
            from === `--${name}` ? words.option : from === 'default' ? words.default : from,
          ])}
        />
      </div>
    </>
  );
}
