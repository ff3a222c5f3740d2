/** A form field with a list of options (`<select>`). */
import type { VNode } from 'preact';

export type SelectFieldProps = {
  name: string;
  label: string;
  options: readonly (readonly [value: string, text: string])[];
  /** The chosen value; by default the first one. */
  value?: string | undefined;
  hint?: string;
};

/** A select with its label and a hint. */
export function SelectField({ name, label, options, value, hint }: SelectFieldProps): VNode {
  const id = `field-${name}`;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <select id={id} name={name} aria-describedby={hint === undefined ? undefined : `${id}-hint`}>
        {options.map(([key, text]) => (
          <option key={key} value={key} selected={key === value}>
            {text}
          </option>
        ))}
      </select>
    </div>
  );
}
