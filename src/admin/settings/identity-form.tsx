/** Inputs for the identity of the service, on the settings page and on the page of the first start. */
import type { VNode } from 'preact';
import type { AdminRequest } from '../admin-request.ts';
import { TextInput } from '../inputs.tsx';
import type { IdentityField } from '../service-reader.ts';

const inputName = (key: string): string => `identity-${key}`;

/** The input of a field. One that an option of the service sets is only shown. */
export function IdentityInput({ field }: { field: IdentityField }): VNode {
  const { key, name, about, value, fixedBy } = field;
  const label = name.charAt(0).toUpperCase() + name.slice(1).replaceAll('-', ' ');
  if (fixedBy !== null) {
    return (
      <div class="field">
        <b>{label}</b>
        <span class="hint">Set by {fixedBy}</span>
        <bdi>{value ?? 'none'}</bdi>
      </div>
    );
  }
  if (key === 'about') {
    const id = `field-${inputName(key)}`;
    return (
      <div class="field">
        <label for={id}>{label}</label>
        <span class="hint" id={`${id}-hint`}>
          {about}
        </span>
        <textarea id={id} name={inputName(key)} maxlength={4_000} aria-describedby={`${id}-hint`}>
          {value ?? ''}
        </textarea>
      </div>
    );
  }
  return <TextInput name={inputName(key)} label={label} hint={about} value={value ?? ''} maxLength={500} />;
}

/** The fields that a form can hold; a logo is a file. */
export const textFields = (fields: readonly IdentityField[]): IdentityField[] =>
  fields.filter(({ key }) => key !== 'logo');

/** Returns the values of the form that differ from the present ones; an empty input removes a value. */
export function readIdentityChanges(
  visit: AdminRequest,
  fields: readonly IdentityField[],
): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const { key, value, fixedBy } of fields) {
    const given = visit.form.get(inputName(key));
    if (given === null || fixedBy !== null) continue;
    const text = given.replace(/\r\n/g, '\n').trim();
    if (text !== (value ?? '')) changes[key] = text === '' ? null : text;
  }
  return changes;
}
