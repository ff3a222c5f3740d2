/** Pages with a form that can be refused: status, title and notices. */
import type { ComponentChildren, VNode } from 'preact';
import type { AccountError } from '../access/access.ts';
import { Filled } from '../pages/messages/filled.tsx';
import { Button, CsrfField, Field, Notice } from '../pages/parts.tsx';
import type { AccountPageContent, AccountRequest } from './account-request.ts';
import { refusalHeaders, refusalStatus, refusalText } from './refusals.ts';

/** Sends a page with a form; its title says first that the form was refused. @param refusal why the form was refused; null: it is shown for the first time */
export function renderForm(
  visit: AccountRequest,
  refusal: AccountError | null,
  content: AccountPageContent,
): void {
  if (refusal === null) {
    visit.render(200, content);
    return;
  }
  const title = visit.words.common.error(content.title);
  visit.render(refusalStatus(refusal), { ...content, title }, refusalHeaders(refusal));
}

/** What was done before the page was opened, by `?done=`. @param texts by the value of the query */
export function DoneNotice(props: { visit: AccountRequest; texts: Record<string, string> }): VNode | null {
  const { visit, texts } = props;
  const name = visit.query.get('done') ?? '';
  return Object.hasOwn(texts, name) ? <TopNotice tone="good">{texts[name]}</TopNotice> : null;
}

/** Why a form was refused, at the top of a page. */
export const RefusalNotice = (props: { visit: AccountRequest; refusal: AccountError }): VNode => (
  <TopNotice tone="bad">{refusalText(props.visit.words, props.refusal)}</TopNotice>
);

const TopNotice = ({ tone, children }: { tone: 'good' | 'bad'; children: ComponentChildren }): VNode => (
  <div class="actions">
    <Notice tone={tone}>{children}</Notice>
  </div>
);

type PasswordFormProps = {
  visit: AccountRequest;
  refusal: AccountError | null;
  words: { title: string; lead: string };
  /** What stands in the lead beside the email address. */
  parts?: Record<string, ComponentChildren>;
  /** The path that the form is sent to. */
  action: string;
  /** Whose password it is, for password managers. */
  email: string;
  /** Why the password was refused; other refusals stand at the top. */
  error: string | null;
  /** The label and the hint of a password that is set, not checked. */
  newPassword?: { label: string; hint: string };
  button: string;
  children?: ComponentChildren;
};

/** A page that asks a person without a session for a password. */
export function PasswordForm(props: PasswordFormProps): VNode {
  const { visit, refusal, error, newPassword } = props;
  return (
    <>
      <h1>{props.words.title}</h1>
      <p class="lead">
        <Filled text={props.words.lead} parts={{ email: <bdi>{props.email}</bdi>, ...props.parts }} />
      </p>
      {refusal !== null && error === null && <RefusalNotice visit={visit} refusal={refusal} />}
      <form class="stack actions" method="post" action={visit.path(props.action)}>
        <CsrfField token={visit.formToken()} />
        <input type="hidden" name="email" value={props.email} autocomplete="username" />
        <Field
          name="password"
          label={visit.words.common.password}
          type="password"
          autocomplete={newPassword === undefined ? 'current-password' : 'new-password'}
          {...newPassword}
          error={error}
          autofocus={refusal === null}
        />
        <div>
          <Button>{props.button}</Button>
        </div>
      </form>
      {props.children}
    </>
  );
}
