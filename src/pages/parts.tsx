/** Components of all pages: sections, forms, tables. */
import type { ComponentChildren, VNode } from 'preact';
import { describeBrowser } from '../contract/user-agent.ts';
import { Filled } from './messages/filled.tsx';
import { useMessages } from './messages/messages.ts';

/** A numbered part of a page, like a track on the side of a record: A1, A2, B1 … */
export function Section(props: {
  /** Text above the title instead of the number of the section, which the style sheet counts. */
  mark?: string;
  title: string;
  id: string;
  children: ComponentChildren;
}): VNode {
  const { mark, title, id, children } = props;
  return (
    <section class="side" aria-labelledby={id}>
      <header>
        <span class="label" aria-hidden="true">
          {mark}
        </span>
        <h2 id={id}>{title}</h2>
      </header>
      <div class="flow">{children}</div>
    </section>
  );
}

export type ButtonProps = {
  children: ComponentChildren;
  look?: 'quiet' | 'danger' | 'plain';
  /** Name of the button in the posted form, if the form has several buttons. */
  name?: string;
  value?: string;
  /** Replaces the text for screen readers, if several buttons have the same text. */
  label?: string;
};

/** A submit button. */
export function Button({ children, look, name, value, label }: ButtonProps): VNode {
  return (
    <button type="submit" class={look} name={name} value={value} aria-label={label}>
      {children}
    </button>
  );
}

/** A link that looks like a button. */
export function ButtonLink(props: {
  href: string;
  look?: 'quiet' | 'danger';
  label?: string;
  children: ComponentChildren;
}): VNode {
  return (
    <a class={`button ${props.look ?? ''}`.trim()} href={props.href} aria-label={props.label}>
      {props.children}
    </a>
  );
}

/** A link to another page beside the button of a form, or to a page with one. */
export const QuietLink = ({ href, children }: { href: string; children: ComponentChildren }): VNode => (
  <ButtonLink look="quiet" href={href}>
    {children}
  </ButtonLink>
);

/** A name in bold, with its own direction of writing. */
export const BoldName = ({ children }: { children: ComponentChildren }): VNode => (
  <strong>
    <bdi>{children}</bdi>
  </strong>
);

export type FieldProps = {
  name: string;
  /** Id of the input, if the page has several of this name. */
  id?: string;
  label: string;
  type?: 'text' | 'email' | 'password';
  value?: string;
  hint?: string;
  /** What is wrong with the value; null or absent: nothing. */
  error?: string | null | undefined;
  autocomplete?: string;
  maxLength?: number;
  autofocus?: boolean;
};

/** An input with its label, a hint and an error message. */
export function Field(props: FieldProps): VNode {
  const { name, label, hint, error, id = `field-${name}` } = props;
  return (
    <div class="field">
      <label for={id}>{label}</label>
      {hint && (
        <span class="hint" id={`${id}-hint`}>
          {hint}
        </span>
      )}
      <Input {...props} id={id} />
      {error && (
        <span class="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </div>
  );
}

function Input({ id, type, hint, error, ...props }: FieldProps & { id: string }): VNode {
  const describedBy = [...(error ? [`${id}-error`] : []), ...(hint ? [`${id}-hint`] : [])].join(' ');
  const common = {
    id,
    name: props.name,
    value: props.value,
    required: true,
    autocomplete: props.autocomplete ?? 'off',
    maxlength: props.maxLength,
    autofocus: props.autofocus || Boolean(error),
    'aria-invalid': error ? ('true' as const) : undefined,
    'aria-describedby': describedBy === '' ? undefined : describedBy,
  };
  if (type === 'password') return <input type="password" {...common} />;
  if (type === 'email') return <input type="email" {...common} />;
  return <input type="text" {...common} />;
}

/** The hidden CSRF token that every form requires. */
export const CsrfField = ({ token }: { token: string }): VNode => (
  <input type="hidden" name="csrf" value={token} />
);

/** A message at the top of a page. */
export function Notice({ tone, children }: { tone?: 'good' | 'bad'; children: ComponentChildren }): VNode {
  return (
    <div class={`notice ${tone ?? ''}`.trim()} role={tone === 'bad' ? 'alert' : 'status'}>
      {children}
    </div>
  );
}

/**
 * A host name with its last two labels in bold, because they show who owns it. A long name breaks between its labels.
 * Two labels are an approximation: a list of public suffixes would soon be outdated.
 */
export function HostName({ name }: { name: string }): VNode {
  const labels = name.split('.');
  const isNumbers = /^[[\d]/.test(labels.at(-1) ?? '') || labels.length <= 2;
  const front = isNumbers ? [] : labels.slice(0, -2);
  return (
    <span class="host">
      {front.map((label, index) => (
        <span key={index}>
          {label}.<wbr />
        </span>
      ))}
      <b>{labels.slice(front.length).join('.')}</b>
    </span>
  );
}

/** Replaces an empty list: says why it is empty and what to do. */
export const EmptyState = ({ children }: { children: ComponentChildren }): VNode => (
  <p class="empty">{children}</p>
);

export type TableColumn = { title: string; number?: boolean };

/** A table of numbers and texts; the first cell of a row is its heading. */
export function Table(props: {
  caption: string;
  columns: readonly TableColumn[];
  rows: readonly (readonly (string | number)[])[];
}): VNode {
  const { caption, columns, rows } = props;
  const look = (index: number) => (columns[index]?.number ? 'number' : undefined);
  const { number } = useMessages().formats;
  const formatCell = (cell: string | number) => (typeof cell === 'number' ? number(cell) : cell);
  return (
    <table>
      <caption class="hidden">{caption}</caption>
      <thead>
        <tr>
          {columns.map(({ title }, index) => (
            <th scope="col" class={look(index)} key={title}>
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(([first = '', ...cells]) => (
          <tr key={first}>
            <th scope="row">{formatCell(first)}</th>
            {cells.map((cell, index) => (
              <td class={look(index + 1)} key={columns[index + 1]?.title}>
                {formatCell(cell)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A text in a box with a button that copies it; the button, with the text `label`, appears if scripts run. */
export function Copyable({ id, text, label }: { id: string; text: string; label: string }): VNode {
  const { copied, selected } = useMessages().controls;
  return (
    <>
      <pre class="code">
        <code id={id}>{text}</code>
      </pre>
      <div>
        <button
          type="button"
          class="quiet"
          data-copy={id}
          data-copied={copied}
          data-selected={selected}
          hidden
        >
          {label}
        </button>
      </div>
    </>
  );
}

/** A confirmation: a form that does it, and a link back. */
export function Confirm(props: {
  action: string;
  csrf: string;
  /** Text of the submit button. */
  verb: string;
  /** Address of the link back. */
  back: string;
  /** Text of the link back; "Keep it" by default. */
  keep?: string;
  /** Whether there is space above it. */
  spaced?: boolean;
  children?: ComponentChildren;
}): VNode {
  return (
    <form class={`stack${props.spaced ? ' actions' : ''}`} method="post" action={props.action}>
      <CsrfField token={props.csrf} />
      {props.children}
      <div class="actions">
        <Button look="danger">{props.verb}</Button>
        <ButtonLink look="quiet" href={props.back}>
          {props.keep ?? useMessages().controls.keepIt}
        </ButtonLink>
      </div>
    </form>
  );
}

/** A date, with `time` also the time of day, in UTC. @param at in ms since 1970 */
export function DateTime({ at, time = false }: { at: number; time?: boolean }): VNode {
  const { formats, controls } = useMessages();
  const instant = new Date(at).toISOString();
  const day = formats.shortDate(instant.slice(0, 10));
  return <time datetime={instant}>{time ? controls.moment(day, formats.timeOfDay(at)) : day}</time>;
}

/** A text with a date at its place `{date}`, such as "last used {date}". @param at in ms since 1970 */
export const DatedText = ({
  text,
  at,
  time = false,
}: {
  text: string;
  at: number;
  time?: boolean;
}): VNode => <Filled text={text} parts={{ date: <DateTime at={at} time={time} /> }} />;

/** The name of a browser by its `User-Agent`, such as "Firefox on Linux". */
export const BrowserName = ({ agent }: { agent: string }): VNode => (
  <>{describeBrowser(agent, useMessages().controls.browser)}</>
);

/** A term with its description in a list of facts. */
export const Fact = ({ term, children }: { term: string; children: ComponentChildren }): VNode => (
  <>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </>
);
