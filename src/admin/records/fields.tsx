/** The form of a record's fields, with the owner of each value. */
import type { VNode } from 'preact';
import { CsrfField } from '../../pages/parts.tsx';
import type { StaffRequest } from '../admin-request.ts';
import { TextInput } from '../inputs.tsx';
import type { FieldState, ShownRecord } from './types.ts';
import { isJson, isMultiline, toInputText, toShortText } from './values.ts';

const labels: Record<string, string> = {
  start_at: 'Start',
  end_at: 'End',
  image_url: 'Image address',
  external_ids: 'Ids elsewhere',
  lineup: 'Line-up',
  real_name: 'Real name',
  postal_code: 'Postal code',
  founded_year: 'Founded',
  feed_url: 'Feed address',
  minimum_age: 'Minimum age',
};
export const labelOf = (name: string): string =>
  labels[name] ?? `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;

/** The form. Each field carries the value that was shown, so that a change by somebody else is noticed. */
export function FieldForm({ visit, shown }: { visit: StaffRequest; shown: ShownRecord }): VNode {
  const { record, fields } = shown;
  const edited = fields.filter(({ edit }) => edit !== null);
  const path = visit.path(`/admin/records/${record.id}`);
  return (
    <>
      <form class="grid" method="post" action={path}>
        <CsrfField token={visit.session.csrf} />
        <input type="hidden" name="do" value="edit" />
        {fields.map((field) => (
          <FieldInput field={field} key={field.name} />
        ))}
        <div class="whole">
          <button type="submit">Save</button>
        </div>
      </form>
      {edited.length > 0 && (
        <form class="stack" method="post" action={path}>
          <CsrfField token={visit.session.csrf} />
          <fieldset class="field">
            <legend>Let the sources decide again</legend>
            {edited.map(({ name, source_value }) => (
              <label class="check" key={name}>
                <input type="checkbox" name="field" value={name} />
                <span>
                  {labelOf(name)}: <bdi>{toShortText(source_value)}</bdi>
                </span>
              </label>
            ))}
          </fieldset>
          <div>
            <button type="submit" class="quiet" name="do" value="reset">
              Reset
            </button>
          </div>
        </form>
      )}
    </>
  );
}

function FieldInput({ field }: { field: FieldState }): VNode {
  const { name, choices, is_required } = field;
  const value = toInputText(field);
  const multiline = isMultiline(field);
  const rows = Math.min(8, Math.max(2, value.split('\n').length));
  return (
    <div class={multiline ? 'whole' : undefined}>
      <input type="hidden" name={`was.${name}`} value={value} />
      <TextInput
        name={`field.${name}`}
        label={labelOf(name)}
        value={value}
        hint={<Owner field={field} />}
        required={is_required}
        {...(multiline ? { rows } : {})}
        {...(choices.length > 0
          ? { choices: [['', 'none'] as const, ...choices.map((one) => [one, one] as const)] }
          : {})}
      />
    </div>
  );
}

/** Where the value comes from. */
function Owner({ field }: { field: FieldState }): VNode {
  const { edit, owner, is_derived, is_list, source_value, value } = field;
  if (edit !== null)
    return (
      <>
        <span class="edited">edited</span> by {edit.by.replace(/^\w+:/, '')}, {edit.at.slice(0, 10)}; sources:{' '}
        <bdi>{toShortText(source_value).slice(0, 80)}</bdi>
      </>
    );
  const lines = isJson(field) ? ', as JSON' : is_list ? ', one per line' : '';
  if (owner !== null)
    return (
      <>
        from <bdi>{owner.source}</bdi>
        {lines}
      </>
    );
  if (is_derived) return <>derived from the genres of the line-up{lines}</>;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return <>{isEmpty ? `no source states it${lines}` : `from all sources${lines}`}</>;
}
