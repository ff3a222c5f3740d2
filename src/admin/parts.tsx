/** Components of the console's pages. */
import type { ComponentChildren, VNode } from 'preact';
import { CsrfField, Notice } from '../pages/parts.tsx';
import type { StaffRequest } from './admin-request.ts';

/** A form of the signed-in account. */
export function StaffForm(props: {
  visit: StaffRequest;
  action: string;
  look?: 'stack' | 'line';
  children: ComponentChildren;
}): VNode {
  return (
    <form class={props.look} method="post" action={props.visit.path(props.action)}>
      <CsrfField token={props.visit.session.csrf} />
      {props.children}
    </form>
  );
}

export type SelectOption = { value: string; label: string };

/** A list to choose from, with its label. */
export function Select(props: {
  name: string;
  label: string;
  options: readonly SelectOption[];
  value: string;
  /** Distinguishes the field from others of the same name on the page. */
  id?: string;
  narrow?: boolean;
}): VNode {
  const id = `field-${props.id ?? props.name}`;
  return (
    <div class={props.narrow ? 'field narrow' : 'field'}>
      <label for={id}>{props.label}</label>
      <select id={id} name={props.name}>
        {props.options.map(({ value, label }) => (
          <option key={value} value={value} selected={value === props.value}>
            {label}
          </option>
        ))}
      </select>
    </div>
  );
}

/** An optional text field with its label and a hint. */
export function TextField(props: {
  name: string;
  label: string;
  value?: string;
  hint?: string;
  inputMode?: 'numeric';
  maxLength?: number;
  required?: boolean;
  narrow?: boolean;
  placeholder?: string;
}): VNode {
  const id = `field-${props.name}`;
  return (
    <div class={props.narrow ? 'field narrow' : 'field'}>
      <label for={id}>{props.label}</label>
      {props.hint !== undefined && (
        <span class="hint" id={`${id}-hint`}>
          {props.hint}
        </span>
      )}
      <input
        id={id}
        name={props.name}
        type="text"
        value={props.value}
        inputmode={props.inputMode}
        maxlength={props.maxLength ?? 300}
        required={props.required}
        placeholder={props.placeholder}
        autocomplete="off"
        aria-describedby={props.hint === undefined ? undefined : `${id}-hint`}
      />
    </div>
  );
}

/** A box to tick, with its label. */
export function Checkbox(props: { name: string; label: string; checked?: boolean }): VNode {
  const id = `field-${props.name}`;
  return (
    <div class="check">
      <input id={id} name={props.name} type="checkbox" value="on" checked={props.checked} />
      <label for={id}>{props.label}</label>
    </div>
  );
}

/** The message after an action, by the code in the query (`?done=`). */
export function DoneNotice({
  visit,
  messages,
}: {
  visit: StaffRequest;
  messages: Record<string, string>;
}): VNode | null {
  const code = visit.query.get('done') ?? '';
  if (!Object.hasOwn(messages, code)) return null;
  return (
    <div class="actions">
      <Notice tone="good">{messages[code]}</Notice>
    </div>
  );
}

/** A link to the page above. */
export const Crumb = ({ href, children }: { href: string; children: ComponentChildren }): VNode => (
  <nav class="crumb" aria-label="Breadcrumb">
    <a href={href}>{children}</a>
  </nav>
);

/** Returns a path with those parameters that are not empty. */
export function withQuery(path: string, parameters: Record<string, string | number | null>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== null && value !== '') query.set(name, String(value));
  }
  return query.size === 0 ? path : `${path}?${query}`;
}
