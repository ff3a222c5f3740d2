/** One line of a list of facts. */
import type { ComponentChildren, VNode } from 'preact';

export const Fact = ({ term, children }: { term: string; children: ComponentChildren }): VNode => (
  <>
    <dt>{term}</dt>
    <dd>{children}</dd>
  </>
);
