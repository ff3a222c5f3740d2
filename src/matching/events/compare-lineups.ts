/** Compares the line-ups of two listings, and the acts that their titles name. */

import { getOrCreate, memoizeByObject } from '../../memoize.ts';
import { areInDifferentScripts, consonantSkeleton } from '../../text/scripts.ts';
import { containsSequence, maxComparedLength } from '../../text/tokens.ts';
import { distinctiveTokens } from '../entities/compare-venue-names.ts';
import { type EventFacts, type Evidence, evidenceOf } from '../model.ts';
import { eventWeights } from '../weights.ts';
import { type TitleTokens, titleNamesAct, titleNamesLastName } from './acts-in-titles.ts';
import { isPartialName, isSameAct, type LineupAct, mayBeSameAct } from './lineup-acts.ts';

const eventEvidence = evidenceOf(eventWeights);

/** The acts that two line-ups share, as the first writes them, and those of one alone. */
type ActOverlap = {
  shared: string[];
  onlyA: LineupAct[];
  onlyB: LineupAct[];
  smaller: number;
  larger: number;
};

/** Maximum number of comparisons beyond equal keys, and of unshared acts of each line-up that are compared. */
const maxComparisons = 10_000;
const maxUnshared = 100;
/** Maximum number of acts that are searched in a title. */
const maxActsInTitle = 200;

/** The acts that two line-ups share, each counted once. */
function actOverlap(a: LineupAct[], b: LineupAct[]): ActOverlap {
  const rest = new Map(b.entries());
  const byKey = positionsByKey(b);
  const shared: string[] = [];
  const onlyA: LineupAct[] = [];
  const met = new Set<LineupAct>();
  let compared = 0;
  const firstLike = (act: LineupAct): number | undefined => {
    if (!mayHaveVariant(act, b)) {
      compared += rest.size;
      return undefined;
    }
    for (const [at, other] of rest) {
      if (compared++ >= maxComparisons) return undefined;
      if (mayBeSameAct(act, other) && isSameAct(act, other)) return at;
    }
    return undefined;
  };
  for (const act of a) {
    const at = firstWithKey(act, byKey, rest) ?? (compared < maxComparisons ? firstLike(act) : undefined);
    if (at === undefined) {
      onlyA.push(act);
      continue;
    }
    const other = b[at] as LineupAct;
    met.add(other);
    // "A & B" may meet both A and B: it stays for the other.
    if (other.parts.length === 0 || other.keys.some((key) => act.keys.includes(key))) rest.delete(at);
    shared.push(act.displayName);
  }
  const least = Math.min(a.length, b.length);
  const onlyB = b.filter((act) => !met.has(act));
  return {
    shared: shared.slice(0, Math.max(least, 1)),
    onlyA,
    onlyB,
    smaller: least,
    larger: Math.max(a.length, b.length),
  };
}

/** The positions of the acts that have a key; each line-up is indexed once. */
const positionsByKey = memoizeByObject((acts: readonly LineupAct[]): ReadonlyMap<string, number[]> => {
  const byKey = new Map<string, number[]>();
  for (const [at, act] of acts.entries())
    for (const key of act.keys) getOrCreate(byKey, key, () => []).push(at);
  return byKey;
});

/** What the acts of a line-up have that another name of one of them must have as well. */
const variantsOf = memoizeByObject((acts: readonly LineupAct[]) => ({
  parts: new Set(acts.flatMap(({ parts }) => parts)),
  keyLengths: new Set(acts.map(({ keys: [key = ''] }) => key.length)),
  lastWords: new Set(acts.map(({ tokenRuns: [run = []] }) => run.at(-1))),
  hasForeign: acts.some(({ isForeign }) => isForeign),
  hasLatin: acts.some(({ isForeign }) => !isForeign),
}));

/**
 * Whether `isSameAct` may hold for an act and one of `acts` whose keys all differ. Line-ups of long names are compared
 * much faster with this.
 */
function mayHaveVariant(
  { keys, parts, tokenRuns: [run = []], isForeign }: LineupAct,
  acts: LineupAct[],
): boolean {
  const variants = variantsOf(acts);
  if (isForeign ? variants.hasLatin : variants.hasForeign) return true;
  if ((run.length === 2 || run.length === 3) && variants.lastWords.has(run.at(-1))) return true;
  const length = keys[0]?.length ?? 0;
  if (length <= maxComparedLength + 2)
    for (let other = length - 2; other <= length + 2; other++)
      if (variants.keyLengths.has(other)) return true;
  const byKey = positionsByKey(acts);
  return parts.some((part) => byKey.has(part)) || keys.some((key) => variants.parts.has(key));
}

/** The first of the acts left that has a key of this one. */
function firstWithKey(
  { keys }: LineupAct,
  byKey: ReadonlyMap<string, number[]>,
  rest: ReadonlyMap<number, LineupAct>,
) {
  let first: number | undefined;
  for (const key of keys) {
    const at = byKey.get(key)?.find((one) => rest.has(one));
    if (at !== undefined && (first === undefined || at < first)) first = at;
  }
  return first;
}

const listFew = (acts: string[]): string =>
  acts.length <= 4 ? acts.join(', ') : `${acts.slice(0, 4).join(', ')} and ${acts.length - 4} more`;

/** The comparison of two line-ups, titles included. */
export type LineupComparison = {
  reason: Evidence | null;
  shared: number;
  /** The share of the shorter line-up that the other has, 0 to 1. */
  containment: number;
  /** Both list the same acts and no others. */
  isEqual: boolean;
  /** The number of acts in both line-ups, titles aside. */
  sharedInBoth: number;
};

const noOverlap: LineupComparison = {
  reason: null,
  shared: 0,
  containment: 0,
  isEqual: false,
  sharedInBoth: 0,
};

/** Compares two line-ups; a listing without one is compared by its title. */
export function compareLineups(a: ComparableLineup, b: ComparableLineup): LineupComparison {
  if (a.acts.length === 0 && b.acts.length === 0) return noOverlap;
  if (a.acts.length === 0 || b.acts.length === 0) return compareWithTitle(a, b);
  const whole = actOverlap(a.acts, b.acts);
  const overlap = {
    ...whole,
    onlyA: whole.onlyA.slice(0, maxUnshared),
    onlyB: whole.onlyB.slice(0, maxUnshared),
  };
  const alsoNamed = [
    ...overlap.onlyA.filter(
      (act) => titleNamesAct(b, act) && !isVenueName(act, b) && !isPartOfLongerName(act, b.acts),
    ),
    ...overlap.onlyB.filter(
      (act) => titleNamesAct(a, act) && !isVenueName(act, a) && !isPartOfLongerName(act, a.acts),
    ),
  ].map(({ displayName: name }) => name);
  const sureNames = new Set([...overlap.shared, ...alsoNamed]);
  const sure = [...sureNames];
  const halves = partialNames(overlap).filter((name) => !sureNames.has(name));
  if (sure.length === 0 && halves.length > 0)
    return { ...noOverlap, reason: eventEvidence('line-up.half-names', listFew(halves)) };
  const shared = [...sure, ...halves];
  if (
    shared.length === 0 &&
    areInUnreadableScripts(a.acts.slice(0, maxUnshared), b.acts.slice(0, maxUnshared))
  )
    return noOverlap;
  if (shared.length === 0) {
    const code =
      overlap.smaller >= 3
        ? 'line-up.disjoint-3'
        : overlap.smaller === 2
          ? 'line-up.disjoint-2'
          : 'line-up.disjoint-1';
    return { ...noOverlap, reason: eventEvidence(code) };
  }
  const containment = Math.min(1, shared.length / Math.max(1, overlap.smaller - countUnreadable(overlap)));
  // Neither knows the other's headliner: rather two events with an act in common.
  const areSupports = containment < 0.75 && isUnknownHeadliner(a, b) && isUnknownHeadliner(b, a);
  const half = areSupports ? 'half-supports' : 'half';
  const few = areSupports ? 'few-supports' : 'few';
  const most = overlap.shared.length >= overlap.larger ? 'same' : 'most';
  const share = containment >= 0.75 ? most : containment >= 0.45 ? half : few;
  const count = Math.min(shared.length, 4) as 1 | 2 | 3 | 4;
  return {
    reason: eventEvidence(`line-up.${share}-${count}`, listFew(shared)),
    shared: shared.length,
    containment,
    isEqual: shared.length >= overlap.larger,
    sharedInBoth: overlap.shared.length,
  };
}

type ComparableLineup = EventFacts & { acts: LineupAct[]; title: readonly string[] };

/** "Bonobo Thursdays" at Bonobo: in a title at that venue, the name is the venue's, not the act's. */
const isVenueName = ({ tokenRuns: runs }: LineupAct, { venue }: ComparableLineup): boolean => {
  const venueName = venue ? distinctiveTokens(venue).join('') : '';
  return venueName !== '' && runs.some((run) => run.join('') === venueName);
};

/** Whether an act of one word is a part of a longer name in a line-up, which a title has as well: "Anna", "Anna Z". */
const isPartOfLongerName = ({ tokenRuns: [run = []] }: LineupAct, acts: readonly LineupAct[]): boolean =>
  acts.some(({ tokenRuns: [longer = []] }) => run.length < longer.length && containsSequence(longer, run));

const hasOneOrTwoWords = ({ tokenRuns: [run = []] }: LineupAct): boolean =>
  run.length === 1 || run.length === 2;

/** Acts that one listing names by half a name, and the other by the whole name. */
const partialNames = ({ onlyA, onlyB }: ActOverlap): string[] =>
  onlyA
    .filter(
      (one) =>
        hasOneOrTwoWords(one) && onlyB.some((two) => isPartialName(one, two) || isPartialName(two, one)),
    )
    .map(({ displayName: name }) => name);

/** The number of acts that may be shared, but whose names are in scripts that cannot be compared. */
function countUnreadable({ onlyA, onlyB }: ActOverlap): number {
  const count = (acts: readonly LineupAct[], others: readonly LineupAct[]) =>
    acts.filter(
      (one) =>
        hasNoPhonetics(one) && others.some((two) => areInDifferentScripts(one.displayName, two.displayName)),
    ).length;
  return Math.min(Math.max(count(onlyA, onlyB), count(onlyB, onlyA)), Math.min(onlyA.length, onlyB.length));
}
const hasNoPhonetics = ({ isForeign, displayName: name }: LineupAct): boolean =>
  isForeign && consonantSkeleton(name) === null;

/** Whether all acts of the two are in different scripts, so that their names cannot be compared. */
const areInUnreadableScripts = (a: LineupAct[], b: LineupAct[]): boolean =>
  a.every((one) =>
    b.every(
      (two) => one.isForeign !== two.isForeign && areInDifferentScripts(one.displayName, two.displayName),
    ),
  );

/** Whether the first act of `a` is nowhere in `b`. */
function isUnknownHeadliner(a: { acts: LineupAct[] }, b: TitleTokens & { acts: LineupAct[] }): boolean {
  const [first] = a.acts;
  return (
    first !== undefined &&
    !b.acts.some((act) => isSameAct(first, act)) &&
    !titleNamesAct(b, first) &&
    !b.acts.some(
      (act) =>
        (hasNoPhonetics(first) || hasNoPhonetics(act)) &&
        areInDifferentScripts(first.displayName, act.displayName),
    )
  );
}

/** Compares the line-up of one listing with the title of the other, which has no line-up. */
function compareWithTitle(a: ComparableLineup, b: ComparableLineup): LineupComparison {
  const [acts, titled] = a.acts.length > 0 ? [a.acts, b] : [b.acts, a];
  const sharedActs = acts
    .slice(0, maxActsInTitle)
    .filter((act) => titleNamesAct(titled, act) && !isVenueName(act, titled))
    .map(({ displayName: name }) => name);
  if (sharedActs.length === 0) {
    const half = acts.find((act) => titleNamesLastName(titled, act));
    return half
      ? { ...noOverlap, reason: eventEvidence('line-up.title-last-name', half.displayName) }
      : noOverlap;
  }
  const code = (['line-up.title-names-1', 'line-up.title-names-2'] as const)[sharedActs.length - 1];
  return {
    ...noOverlap,
    reason: eventEvidence(code ?? 'line-up.title-names-3', listFew(sharedActs)),
    shared: sharedActs.length,
    containment: 1,
  };
}
