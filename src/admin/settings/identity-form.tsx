/** Inputs for the identity of the service, on the settings page and on the page of the first start. */
import type { VNode } from 'preact';
import { Failure } from '../../failure.ts';
import type { AdminRequest } from '../admin-request.ts';
import { type FormState, TextInput } from '../inputs.tsx';
import { refusedForm } from '../refusals.ts';
import type { IdentityField } from '../service-reader.ts';

const inputName = (key: string): string => `identity-${key}`;
/** The name of the hidden input with the value that the form showed when it was opened. */
const shownName = (key: string): string => `was.${inputName(key)}`;

type IdentityInputProps = {
  visit: AdminRequest;
  field: IdentityField;
  /** What was sent, and why it was refused. */
  form?: FormState | null;
};

/** The label and the hint of a field in the language of the visit. */
function wordsOf(visit: AdminRequest, { key, name, about }: IdentityField): readonly [string, string] {
  const { fields } = visit.messages.consoleOperator.settings;
  return fields[key] ?? [name, about];
}

/** The input of a field. One that an option of the service sets is only shown. */
export function IdentityInput({ visit, field, form = null }: IdentityInputProps): VNode {
  const { key, fixedBy } = field;
  const [label, hint] = wordsOf(visit, field);
  const words = visit.messages.consoleOperator.settings;
  if (fixedBy !== null) {
    return (
      <div class="field">
        <b>{label}</b>
        <span class="hint">{words.setBy(fixedBy)}</span>
        <bdi>{field.value ?? words.none}</bdi>
      </div>
    );
  }
  const name = inputName(key);
  const onOrOff = [['on', words.on] as const, ['off', words.off] as const];
  return (
    <>
      <input
        type="hidden"
        name={shownName(key)}
        value={form?.values.get(shownName(key)) ?? field.value ?? ''}
      />
      <TextInput
        name={name}
        label={label}
        hint={hint}
        value={form?.values.get(name) ?? field.value ?? ''}
        error={form?.errors[name]}
        maxLength={key === 'about' ? 5_000 : 600}
        rows={key === 'about' ? 6 : undefined}
        choices={key === 'indexing' || key === 'media' ? onOrOff : undefined}
        suggestions={key === 'homeCity' ? cityChoices(visit) : undefined}
      />
    </>
  );
}

/** The cities that the browser suggests, by their slugs. */
const cityChoices = ({ deps }: AdminRequest): [slug: string, label: string][] =>
  (deps.identity?.cities() ?? []).map(({ slug, name, country }) => [slug, `${name}, ${country}`]);

/**
 * Returns the state of a form of the identity that was refused. The message says what the field accepts, in the language
 * of the visit.
 */
export function refusedIdentity(
  visit: AdminRequest,
  failure: unknown,
  fields: readonly IdentityField[],
): FormState {
  const { field: key, code } = failure instanceof Failure ? failure.details : {};
  const field = fields.find((one) => one.key === key);
  if (field === undefined || code !== 'identity')
    return refusedForm(visit, failure, (name) =>
      fields.some((one) => one.key === name) ? inputName(name) : null,
    );
  const [, hint] = wordsOf(visit, field);
  const text = visit.messages.consoleOperator.settings.invalid(hint);
  return { values: visit.form, errors: { [inputName(field.key)]: text } };
}

/** The fields that a form can hold; a logo is a file. */
export const textFields = (fields: readonly IdentityField[]): IdentityField[] =>
  fields.filter(({ key }) => key !== 'logo');

const normalize = (text: string): string => text.replace(/\r\n/g, '\n').trim();

/**
 * Returns the values of the form that differ from those that it showed; an empty input removes a value. What another
 * person changed meanwhile stays. An input without its shown value is compared with the present one.
 */
export function readIdentityChanges(
  visit: AdminRequest,
  fields: readonly IdentityField[],
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const { key, value, fixedBy } of fields) {
    const input = visit.form.get(inputName(key));
    if (input === null || fixedBy !== null) continue;
    const [text, present] = [normalize(input), value ?? ''];
    const before = normalize(visit.form.get(shownName(key)) ?? present);
    if (text !== before && text !== present) changes[key] = text === '' ? null : text;
  }
  return changes;
}
