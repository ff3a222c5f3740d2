/** /admin/settings: every setting of `serve` with its value and origin, and the identity of the service. */
import type { VNode } from 'preact';
import type { SettingReport } from '../../config.ts';
import { Button, EmptyState, Section, Table } from '../../pages/parts.tsx';
import { actorOf, type StaffRequest } from '../admin-request.ts';
import { showNotFound } from '../error-pages.tsx';
import { DoneNotice, StaffForm } from '../parts.tsx';
import type { AdminRoute } from '../route.ts';
import { IdentityInput, readIdentityChanges, textFields } from './identity-form.tsx';

const path = '/admin/settings';

export const settingsRoutes: readonly AdminRoute[] = [
  { method: 'GET', path, role: 'operator', handle: showSettings },
  { method: 'POST', path: '/admin/settings/identity', role: 'operator', handle: saveIdentity },
];

function showSettings(visit: StaffRequest): void {
  const { identity, service } = visit.deps;
  const children = (
    <>
      <h1>Settings</h1>
      <DoneNotice query={visit.query} texts={{ identity: 'The identity of the service is saved.' }} />
      {identity !== null && (
        <Section mark="A1" title="Identity" id="identity">
          <p class="measure">
            The logo is a file, so it is set in the terminal of the machine:{' '}
            <code>cratebase settings set logo=FILE</code>. It is a PNG, WebP or SVG of at most 64 KB.
          </p>
          <StaffForm visit={visit} action="/admin/settings/identity" look="stack">
            {textFields(identity.fields()).map((field) => (
              <IdentityInput key={field.key} field={field} />
            ))}
            <div>
              <Button>Save</Button>
            </div>
          </StaffForm>
        </Section>
      )}
      <Section mark={identity === null ? 'A1' : 'B1'} title="Start options" id="options">
        <StartOptions settings={service.settings()} />
      </Section>
    </>
  );
  visit.render(200, { title: 'Settings', section: path, children });
}

function StartOptions({ settings }: { settings: readonly SettingReport[] | null }): VNode {
  if (settings === null) {
    return (
      <EmptyState>This process has not registered its settings in the data file. See the log.</EmptyState>
    );
  }
  return (
    <>
      <p class="measure">
        They are set when the service starts: by an option, or by a variable of its environment. To change
        one, change the command or the unit that starts the service, and restart it.
      </p>
      <div class="wide">
        <Table
          caption="Settings of this service"
          columns={[{ title: 'Setting' }, { title: 'Value' }, { title: 'From' }]}
          rows={settings.map(({ name, value, from, problem }) => [
            `--${name}`,
            problem ?? formatValue(value),
            from === `--${name}` ? 'option' : from,
          ])}
        />
      </div>
    </>
  );
}

function formatValue(value: unknown): string {
  if (value === null || value === '' || (Array.isArray(value) && value.length === 0)) return '–';
  if (typeof value === 'boolean') return value ? 'on' : 'off';
  if (Array.isArray(value))
    return value.map((one) => (typeof one === 'string' ? one : JSON.stringify(one))).join(', ');
  return String(value);
}

async function saveIdentity(visit: StaffRequest): Promise<void> {
  const { identity } = visit.deps;
  if (identity === null) return showNotFound(visit);
  await identity.set(readIdentityChanges(visit, identity.fields()), actorOf(visit));
  visit.redirect(`${path}?done=identity`);
}
