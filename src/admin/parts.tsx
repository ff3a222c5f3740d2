/** Shared components of the console's pages, and the addresses that they show. */
import type { ComponentChildren, VNode } from 'preact';
import { useMessages } from '../pages/messages/messages.ts';
import { CsrfField } from '../pages/parts.tsx';
import type { StaffRequest } from './admin-request.ts';

type StaffFormProps = {
  visit: StaffRequest;
  /** The path that the form is sent to. */
  action: string;
  look?: string;
  /** Hidden inputs. */
  fields?: Readonly<Record<string, string>>;
  children?: ComponentChildren;
};

/** A form of the signed-in account. */
export function StaffForm({ visit, action, look, fields = {}, children }: StaffFormProps): VNode {
  return (
    <form class={look} method="post" action={visit.path(action)}>
      <CsrfField token={visit.session.csrf} />
      {Object.entries(fields).map(([name, value]) => (
        <input type="hidden" name={name} value={value} key={name} />
      ))}
      {children}
    </form>
  );
}

type ActionFormProps = Omit<StaffFormProps, 'look'> & {
  label: string;
  look?: 'quiet' | 'danger' | 'plain' | undefined;
  /** A key that presses the button, where scripts run. */
  hotkey?: string;
};

/** A form that consists of one button. */
export function ActionForm({ label, look, hotkey, children, ...form }: ActionFormProps): VNode {
  return (
    <StaffForm {...form}>
      {children}
      <button type="submit" class={look} data-key={hotkey}>
        {label}
        {hotkey !== undefined && <kbd>{hotkey}</kbd>}
      </button>
    </StaffForm>
  );
}

/** A link to the page above. */
export const Crumb = ({ href, children }: { href: string; children: ComponentChildren }): VNode => (
  <nav class="crumb" aria-label={useMessages().frame.breadcrumb}>
    <a href={href}>{children}</a>
  </nav>
);

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

/** Returns the path of a record's public page; null for an edition, whose page is below that of its festival. */
export const publicPath = (kind: string, slug: string): string | null =>
  kind === 'edition' ? null : `/${kind.endsWith('y') ? `${kind.slice(0, -1)}ies` : `${kind}s`}/${slug}`;
