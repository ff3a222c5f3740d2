/** Pages with a form that can be refused: status, title and notices. */
import type { ComponentChildren, VNode } from 'preact';
import type { AccountError } from '../access/access.ts';
import { Notice } from '../pages/parts.tsx';
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
  const done = visit.query.get('done') ?? '';
  return Object.hasOwn(texts, done) ? <TopNotice tone="good">{texts[done]}</TopNotice> : null;
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
