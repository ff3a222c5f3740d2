/** What is a part of an occasion, listed by itself beside the whole (docs/spec/imports.md#evidence: a stage listed on its own is another thing). */
import type { Parts } from './occasion-parts.ts';

/** How a listing reads: which part its title names, and how many it lists. */
type Read = { read: { parts: Parts }; acts: readonly unknown[] };
/** What two have in common: how many acts, how much of the shorter line-up, how alike their titles are. */
type Common = { shared: number; contained: number; title: number };

/** From here on two titles are the same but for what one of them adds. */
const sameFrom = 1.4;

/**
 * Whether one of two is a stage or a pre-party of what the other is: its title says so, is the other's besides, and of the
 * other's acts only some play. Whoever merely lists the headliners puts no part into the title.
 */
export function isPartOfOther(a: Read, b: Read, { shared, contained, title }: Common): boolean {
  if (title < sameFrom || shared === 0 || contained < 0.75) return false;
  return isPart(a, b) || isPart(b, a);
}

const isPart = (one: Read, whole: Read): boolean =>
  names(one) && !names(whole) && one.acts.length > 0 && one.acts.length < whole.acts.length;

const names = ({ read: { parts } }: Read): boolean => parts.stage !== null || parts.around === 'before';
