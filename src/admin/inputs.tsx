/** Inputs and forms of the console's pages. */
import type { ComponentChildren, VNode } from 'preact';
import { MessageText } from './message-text.tsx';

type InputProps = {
  name: string;
  label: string;
  value?: string | undefined;
  hint?: ComponentChildren;
  /** What is wrong with the value; undefined: nothing. */
  error?: ComponentChildren;
  /** Rows of a text with several lines. */
  rows?: number | undefined;
  /** The values to choose from; the empty one means "none". */
  choices?: readonly (readonly [value: string, label: string])[] | undefined;
  required?: boolean | undefined;
  maxLength?: number;
  inputMode?: 'numeric';
  /** By default `text`. */
  type?: 'text' | 'email' | 'date';
  /** Values that the browser suggests, each with its label. */
  suggestions?: readonly (readonly [value: string, label: string])[] | undefined;
  /** Whether the label is for screen readers only, because a heading above shows it. */
  hidesLabel?: boolean;
  /** Whether the page opens with the focus here. */
  hasFocus?: boolean;
  placeholder?: string;
  narrow?: boolean;
};

/** A labelled input that may be left empty: one line, several lines, or a choice. */
export function TextInput({
  name,
  label,
  value = '',
  hint,
  error,
  rows,
  choices,
  required,
  maxLength,
  inputMode,
  placeholder,
  narrow,
  type = 'text',
  suggestions,
  hidesLabel = false,
  hasFocus,
}: InputProps): VNode {
  const id = `field-${name}`;
  const common = { id, name, required, autofocus: hasFocus, ...describedBy(id, { hint, error }) };
  return (
    <div class={rows !== undefined ? 'field whole' : narrow ? 'field narrow' : 'field'}>
      <label for={id} class={hidesLabel ? 'hidden' : undefined}>
        {label}
      </label>
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
          type={type}
          list={suggestions === undefined ? undefined : `${id}-list`}
          {...common}
          value={value}
          autocomplete="off"
          inputmode={inputMode}
          maxlength={maxLength}
          placeholder={placeholder}
        />
      )}
      {suggestions !== undefined && (
        <datalist id={`${id}-list`}>
          {suggestions.map(([one, text]) => (
            <option value={one} key={one}>
              {text}
            </option>
          ))}
        </datalist>
      )}
      <FieldError id={id} error={error} />
    </div>
  );
}

type Described = { hint?: ComponentChildren; error?: ComponentChildren };

/** Returns the attributes that tie an input to its error and its hint, for inputs of any kind. */
export function describedBy(
  id: string,
  { hint, error }: Described,
): { 'aria-describedby': string | undefined; 'aria-invalid': 'true' | undefined } {
  const ids = [
    ...(error === undefined ? [] : [`${id}-error`]),
    ...(hint === undefined ? [] : [`${id}-hint`]),
  ];
  return {
    'aria-describedby': ids.length === 0 ? undefined : ids.join(' '),
    'aria-invalid': error === undefined ? undefined : 'true',
  };
}

/** The error below an input. @param id of the input */
export const FieldError = ({ id, error }: { id: string; error: ComponentChildren }): VNode | null =>
  error === undefined ? null : (
    <span class="error" id={`${id}-error`}>
      {typeof error === 'string' ? <MessageText text={error} /> : error}
    </span>
  );

/** What was sent with a form, and what is wrong with it: the text by the name of the input; `''` is the whole form. */
export type FormState = { values: URLSearchParams; errors: Readonly<Record<string, string>> };

/** Why a form was refused, above it: the page opens with the focus here, and each error leads to its input. */
export function ErrorSummary({
  title,
  errors,
}: {
  title: string;
  errors: FormState['errors'];
}): VNode | null {
  const entries = Object.entries(errors);
  if (entries.length === 0) return null;
  return (
    <div class="notice bad actions-below" role="alert" tabindex={-1} autofocus id="errors">
      <p>
        <b>{title}</b>
      </p>
      <ul>
        {entries.map(([name, text]) => (
          <li key={name}>
            {name === '' ? (
              <MessageText text={text} />
            ) : (
              <a href={`#field-${name}`}>
                <MessageText text={text} />
              </a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

/** A labelled check box. */
export function Check(props: {
  name: string;
  label: string;
  checked: boolean;
  required?: boolean;
  /** What is wrong with the choice; undefined: nothing. */
  error?: ComponentChildren;
}): VNode {
  const { name, label, checked, required = false, error } = props;
  const id = `field-${name}`;
  return (
    <>
      <label class="check">
        <input
          type="checkbox"
          id={id}
          name={name}
          value="1"
          checked={checked}
          required={required}
          {...describedBy(id, { error })}
        />
        <span>{label}</span>
      </label>
      <FieldError id={id} error={error} />
    </>
  );
}
