/** The logo of the service on the settings page: a file that is uploaded. */
import type { VNode } from 'preact';
import { Button, CsrfField } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { describedBy, FieldError, type FormState } from '../inputs.tsx';
import type { IdentityField } from '../service-reader.ts';

type LogoFormProps = { visit: StaffRequest; field: IdentityField | undefined; form: FormState | null };

/** The form of the logo. A logo that an option of the service sets is only described. */
export function LogoForm({ visit, field, form }: LogoFormProps): VNode | null {
  if (field === undefined) return null;
  const words = visit.messages.consoleOperator.settings;
  const { value, fixedBy } = field;
  if (fixedBy !== null) return <p class="measure">{words.setBy(fixedBy)}</p>;
  const id = 'field-logo';
  const error = form?.errors.logo;
  return (
    <form
      class="stack"
      method="post"
      action={visit.path('/admin/settings/logo')}
      enctype="multipart/form-data"
    >
      <CsrfField token={visit.session.csrf} />
      {value !== null && <p>{words.logoNow(value)}</p>}
      <div class="field">
        <label for={id}>{words.logoFile}</label>
        <span class="hint" id={`${id}-hint`}>
          {words.logoHint}
        </span>
        <input
          type="file"
          id={id}
          name="logo"
          accept="image/png,image/webp,image/svg+xml"
          {...describedBy(id, { hint: words.logoHint, error })}
        />
        <FieldError id={id} error={error} />
      </div>
      <div class="inline">
        <Button>{words.logoSave}</Button>
        {value !== null && (
          <Button look="quiet" name="do" value="remove">
            {words.logoRemove}
          </Button>
        )}
      </div>
    </form>
  );
}
