/** Inputs and small parts that the pages of editors share. */
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
}: InputProps): VNode {
  const id = `field-${name}`;
  const common = { id, name, required, 'aria-describedby': hint === undefined ? undefined : `${id}-hint` };
  return (
    <div class={rows === undefined ? 'field' : 'field whole'}>
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
        <input type="text" {...common} value={value} autocomplete="off" maxlength={maxLength} />
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

/** What the last change did: a redirect names it by a code (`?done=paused`), and `texts` has the sentence. */
export function DoneNotice(props: {
  query: URLSearchParams;
  texts: Readonly<Record<string, string>>;
  children?: ComponentChildren;
}): VNode | null {
  const code = props.query.get('done') ?? '';
  if (!Object.hasOwn(props.texts, code)) return null;
  return (
    <div class="notice good actions-below inline" role="status">
      <span>{props.texts[code]}</span> {props.children}
    </div>
  );
}

/** An address with parameters; empty ones are left out. */
export function withQuery(
  path: string,
  query: Readonly<Record<string, string | number | null | undefined>>,
): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== null && value !== undefined && value !== '',
  );
  const text = new URLSearchParams(entries.map(([name, value]) => [name, String(value)])).toString();
  return text === '' ? path : `${path}?${text}`;
}

/** Returns a noun with its count: `1 record`, `2 records`. */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;

/** The folder of a kind's public pages; null if it has none of its own. */
export const publicPath = (kind: string, slug: string): string | null =>
  kind === 'edition' ? null : `/${kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`}/${slug}`;
