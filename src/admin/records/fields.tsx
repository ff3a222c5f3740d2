/** The form of a record's fields, with the owner of each value. */

import type { VNode } from 'preact';
import type { FieldState } from '../../contract/record-details.ts';
import type { Messages } from '../../pages/messages/messages.ts';
import type { Namesake } from '../../store/namesakes.ts';
import type { StaffRequest } from '../admin-request.ts';
import { formatDay } from '../format.ts';
import { FieldError, TextInput } from '../inputs.tsx';
import { StaffForm } from '../parts.tsx';
import { type ShownForm, shownField } from './edit-form.ts';
import { describeArtist } from './namesakes.ts';
import { RowInputs } from './row-inputs.tsx';
import type { ShownRecord } from './types.ts';
import { isJson, isMultiline, toShortText } from './values.ts';

/** Returns the name of a field for people. */
export function labelOf({ consoleRecords }: Messages, name: string): string {
  const { fields } = consoleRecords;
  return fields[name] ?? `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
}

type FormProps = { visit: StaffRequest; shown: ShownRecord; form: ShownForm };

/** The form. Each field carries the value that was shown, so that a change by another editor is noticed. */
export function FieldForm({ visit, shown, form }: FormProps): VNode {
  const { record, fields, namesakes } = shown;
  const words = visit.messages.consoleEdit.form;
  return (
    <>
      <StaffForm visit={visit} action={`/admin/records/${record.id}`} look="grid" fields={{ do: 'edit' }}>
        {/* The Enter key presses the first button of a form. */}
        <button type="submit" hidden>
          {words.save}
        </button>
        {fields.map((field) => (
          <FieldInput {...{ visit, field, form, namesakes }} key={field.name} />
        ))}
        <div class="whole">
          <button type="submit">{words.save}</button>
        </div>
      </StaffForm>
      <ResetForm visit={visit} shown={shown} form={form} />
    </>
  );
}

/** Gives edited fields back to the sources. */
function ResetForm({ visit, shown, form }: FormProps): VNode | null {
  const edited = shown.fields.filter(({ edit }) => edit !== null);
  if (edited.length === 0) return null;
  const words = visit.messages.consoleEdit.form;
  const error = form.errors.reset;
  return (
    <StaffForm visit={visit} action={`/admin/records/${shown.record.id}`} look="stack">
      <fieldset class="field" id="field-reset" tabindex={-1} aria-describedby={error && 'field-reset-error'}>
        <legend>{words.resetTitle}</legend>
        {edited.map(({ name, source_value }) => (
          <label class="check" key={name}>
            <input
              type="checkbox"
              name="field"
              value={name}
              checked={form.values?.getAll('field').includes(name) ?? false}
            />
            <span>
              {labelOf(visit.messages, name)}: <bdi>{toShortText(source_value, words.none)}</bdi>
            </span>
          </label>
        ))}
        <FieldError id="field-reset" error={error} />
      </fieldset>
      <div>
        <button type="submit" class="quiet" name="do" value="reset">
          {words.reset}
        </button>
      </div>
    </StaffForm>
  );
}

type FieldInputProps = {
  visit: StaffRequest;
  field: FieldState;
  form: ShownForm;
  namesakes: readonly Namesake[];
};

function FieldInput({ visit, field, form, namesakes }: FieldInputProps): VNode {
  const { name, choices, is_required } = field;
  const { messages } = visit;
  const { none } = messages.consoleEdit.form;
  const input = shownField(field, form);
  const label = labelOf(messages, name);
  const hint = (
    <>
      <Owner messages={messages} field={field} isRows={input.rows !== null} />
      {name === 'country' && ` · ${messages.consoleEdit.add.country}`}
    </>
  );
  const was = <input type="hidden" name={`was.${name}`} value={input.was} />;
  if (input.rows !== null)
    return (
      <>
        {was}
        <RowInputs
          words={messages.consoleRecords.rows}
          field={name}
          type={input.rows.type}
          label={label}
          hint={hint}
          rows={input.rows.rows}
          errors={form.errors}
          suggestions={form.suggestions}
          hints={hintsOf(messages, namesakes)}
          focusedRow={input.rows.focusedRow}
        />
      </>
    );
  const options = choices.map((one) => [one, choiceText(messages, one)] as const);
  const multiline = isMultiline(field);
  const rows = Math.min(8, Math.max(2, input.text.split('\n').length));
  return (
    <div class={multiline ? 'whole' : undefined}>
      {was}
      <TextInput
        name={`field.${name}`}
        label={label}
        value={input.text}
        hint={hint}
        error={form.errors[`field.${name}`]}
        required={is_required}
        rows={multiline ? rows : undefined}
        choices={choices.length === 0 ? undefined : [['', none], ...options]}
      />
    </div>
  );
}

/** What tells artists of one name apart, by the record of their row. */
const hintsOf = (messages: Messages, namesakes: readonly Namesake[]): Record<string, string> =>
  Object.fromEntries(
    namesakes.map((one) => [`artist/${one.slug}`, `artist/${one.slug} · ${describeArtist(one, messages)}`]),
  );

/** The states of an event in the language of the page. */
const choiceText = ({ consoleEdit }: Messages, choice: string): string =>
  consoleEdit.form.choices[choice] ?? choice;

/** Where the value comes from. */
function Owner(props: { messages: Messages; field: FieldState; isRows: boolean }): VNode {
  const { edit, owner, derived_from, is_list, source_value, value } = props.field;
  const words = props.messages.consoleEdit.form;
  if (edit !== null)
    return (
      <>
        <span class="edited">{words.edited}</span>
        {words.editedBy(edit.by.replace(/^\w+:/, ''), formatDay(props.messages, edit.at))}
        <bdi>{toShortText(source_value, words.none).slice(0, 80)}</bdi>
      </>
    );
  const lines = props.isRows ? '' : isJson(props.field) ? words.json : is_list ? words.perLine : '';
  if (owner !== null)
    return (
      <>
        {words.from}
        <bdi>{owner.source}</bdi>
        {lines}
      </>
    );
  if (derived_from != null) return <>{words.derived[derived_from] + lines}</>;
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return <>{(isEmpty ? words.noSource : words.allSources) + lines}</>;
}
