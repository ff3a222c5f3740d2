/** Inputs and forms of the console's pages. */
import type { ComponentChildren, VNode } from 'preact';
import { CsrfField } from '../pages/parts.tsx';

type InputProps = {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: ComponentChildren;
  /** Rows of a text with several lines. */
  rows?: number;
  /** The values to choose from; the empty one means "none". */
  choices?: readonly (readonly [value: string, label: string])[];
  required?: boolean;
  maxLength?: number;
  inputMode?: 'numeric';
  placeholder?: string;
  narrow?: boolean;
};

/** A labelled input that may be left empty: one line, several lines, or a choice. */
export function TextInput({
  name,
  label,
  value = '',
  hint,
  rows,
  choices,
  required,
  maxLength,
  inputMode,
  placeholder,
  narrow,
}: InputProps): VNode {
  const id = `field-${name}`;
  const common = { id, name, required, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` };
  return (
    <div class={rows !== undefined ? 'field whole' : narrow ? 'field narrow' : 'field'}>
      <label for={id}>{label}</label>
      {hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      {choices !== undefined ? (
        <select {...common}>
          {choices.map(([one, text]) => (
            <option value={one} selected={one === value} key={one}>
              {text}
            </option>
          ))}
        </select>
      ) : rows !== undefined ? (
        <textarea {...common} rows={rows} maxLength={maxLength}>
          {value}
        </textarea>
      ) : (
        <input
          type="text"
          {...common}
          value={value}
          autocomplete="off"
          inputmode={inputMode}
          maxlength={maxLength}
          placeholder={placeholder}
        />
      )}
    </div>
  );
}

/** A labelled check box. */
export function Check(props: { name: string; label: string; checked: boolean; required?: boolean }): VNode {
  const { name, label, checked, required = false } = props;
  return (
    <label class="check">
      <input type="checkbox" name={name} value="1" checked={checked} required={required} />
      <span>{label}</span>
    </label>
  );
}

/** A form that consists of one button. */
export function ActionForm(props: {
  action: string;
  csrf: string;
  fields?: Readonly<Record<string, string>>;
  label: string;
  look?: 'quiet' | 'danger' | 'plain';
  /** A key that presses the button, where scripts run. */
  hotkey?: string;
  children?: ComponentChildren;
}): VNode {
  const { action, csrf, fields = {}, label, look, hotkey, children } = props;
  return (
    <form method="post" action={action}>
      <CsrfField token={csrf} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
      {children}
      <button type="submit" class={look} data-key={hotkey}>
        {label}
        {hotkey !== undefined && <kbd>{hotkey}</kbd>}
      </button>
    </form>
  );
}
