/** What is a part of an occasion, listed by itself beside the whole (docs/spec/imports.md#evidence: a stage listed on its own is another thing). */
import type { TitleAttributes } from './title-attributes.ts';

/** How a listing reads: which part its title names, and how many it lists. */
type TitledLineup = { parsedTitle: { parts: TitleAttributes }; acts: readonly unknown[] };
/** What two have in common: how many acts, how much of the shorter line-up, how alike their titles are. */
type EventOverlap = { shared: number; contained: number; title: number };

/** From here on two titles are the same but for what one of them adds. */
const minTitleWeight = 1.4;

/**
 * Whether one of two is a stage or a pre-party of what the other is: its title says so, is the other's besides, and of the
 * other's acts only some play. Whoever merely lists the headliners puts no part into the title.
 */
export function isPartOfOther(
  a: TitledLineup,
  b: TitledLineup,
  { shared, contained, title }: EventOverlap,
): boolean {
  if (title < minTitleWeight || shared === 0 || contained < 0.75) return false;
  return isPartOf(a, b) || isPartOf(b, a);
}

const isPartOf = (one: TitledLineup, whole: TitledLineup): boolean =>
  namesPart(one) && !namesPart(whole) && one.acts.length > 0 && one.acts.length < whole.acts.length;

const namesPart = ({ parsedTitle: { parts } }: TitledLineup): boolean =>
  parts.stage !== null || parts.beforeOrAfter === 'before';
