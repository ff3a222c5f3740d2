/** Titles and notices of the account pages. */
import type { ComponentChildren, VNode } from 'preact';
import type { AccountError } from '../access/access.ts';
import { Notice } from '../pages/parts.tsx';
import type { AccountRequest } from './account-request.ts';
import { refusalText } from './refusals.ts';

/** The title of a page; one whose form was refused says so first. */
export const titleOf = (visit: AccountRequest, title: string, refusal: AccountError | null): string =>
  refusal === null ? title : visit.words.common.error(title);

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
