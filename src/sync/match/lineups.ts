/** Who plays at two shows, compared: their line-ups, and what their titles name. */
import { type Act, isHalf, sameAct } from './acts.ts';
import { names, namesHalf, type Titled } from './acts-in-titles.ts';
import { telling } from './house-names.ts';
import { areOfTwoScripts, soundOf } from './letters.ts';
import type { Listing, Reason } from './listing.ts';
import { containsRun } from './words.ts';

/** How the line-ups of two listings meet: whom they share, as the first writes them, and whom one alone names. */
type Overlap = { shared: string[]; onlyA: Act[]; onlyB: Act[]; least: number; most: number };

/** So often two acts are compared by more than their keys, and so many of each line-up besides those that both have. */
const mostCompared = 10_000;
const mostOnly = 100;
/** So many of a line-up are looked for in a title. */
const mostNamed = 200;

/** Which acts two line-ups share, each counted once. */
function overlapOf(a: Act[], b: Act[]): Overlap {
  const left = new Map(b.entries());
  const byKey = new Map<string, number[]>();
  for (const [at, act] of b.entries()) {
    for (const key of act.keys) {
      const found = byKey.get(key);
      if (found === undefined) byKey.set(key, [at]);
      else found.push(at);
    }
  }
  const shared: string[] = [];
  const onlyA: Act[] = [];
  const met = new Set<Act>();
  let compared = 0;
  const firstLike = (act: Act): number | undefined => {
    for (const [at, other] of left) {
      if (compared++ >= mostCompared) return undefined;
      if (sameAct(act, other)) return at;
    }
    return undefined;
  };
  for (const act of a) {
    const at = firstOf(act, byKey, left) ?? (compared < mostCompared ? firstLike(act) : undefined);
    if (at === undefined) {
      onlyA.push(act);
      continue;
    }
    const other = b[at] as Act;
    met.add(other);
    // "A & B" may meet both A and B: it stays for the other.
    if (other.parts.length === 0 || other.keys.some((key) => act.keys.includes(key))) left.delete(at);
    shared.push(act.shown);
  }
  const least = Math.min(a.length, b.length);
  const onlyB = b.filter((act) => !met.has(act));
  return {
    shared: shared.slice(0, Math.max(least, 1)),
    onlyA,
    onlyB,
    least,
    most: Math.max(a.length, b.length),
  };
}

/** The first of the acts left that has a key of this one. */
function firstOf({ keys }: Act, byKey: ReadonlyMap<string, number[]>, left: ReadonlyMap<number, Act>) {
  let first: number | undefined;
  for (const key of keys) {
    const at = byKey.get(key)?.find((one) => left.has(one));
    if (at !== undefined && (first === undefined || at < first)) first = at;
  }
  return first;
}

const shownFew = (acts: string[]): string =>
  acts.length <= 4 ? acts.join(', ') : `${acts.slice(0, 4).join(', ')} and ${acts.length - 4} more`;

/** What line-ups say, titles taken into account. */
export type Lineups = {
  reason: Reason | null;
  shared: number;
  disjoint: boolean;
  /** How much of the shorter line-up the other has. */
  contained: number;
  /** Both list the same acts and no others. */
  equal: boolean;
  /** So many acts stand in both line-ups, titles aside. */
  listed: number;
};

export function compareLineups(a: Compared, b: Compared): Lineups {
  const nothing: Lineups = {
    reason: null,
    shared: 0,
    disjoint: false,
    contained: 0,
    equal: false,
    listed: 0,
  };
  if (a.acts.length === 0 && b.acts.length === 0) return nothing;
  if (a.acts.length === 0 || b.acts.length === 0) return namedByTitle(a, b);
  const whole = overlapOf(a.acts, b.acts);
  const overlap = {
    ...whole,
    onlyA: whole.onlyA.slice(0, mostOnly),
    onlyB: whole.onlyB.slice(0, mostOnly),
  };
  const alsoNamed = [
    ...overlap.onlyA.filter((act) => names(b, act) && !isHouseOf(act, b) && !isPartOf(act, b.acts)),
    ...overlap.onlyB.filter((act) => names(a, act) && !isHouseOf(act, a) && !isPartOf(act, a.acts)),
  ].map(({ shown }) => shown);
  const sureNames = new Set([...overlap.shared, ...alsoNamed]);
  const sure = [...sureNames];
  const halves = halvesOf(overlap).filter((shown) => !sureNames.has(shown));
  if (sure.length === 0 && halves.length > 0)
    return { ...nothing, reason: reason(1.2, `one names half of ${shownFew(halves)}`) };
  const shared = [...sure, ...halves];
  if (shared.length === 0 && areUnreadable(a.acts.slice(0, mostOnly), b.acts.slice(0, mostOnly)))
    return nothing;
  if (shared.length === 0) {
    const weight = overlap.least >= 3 ? -4 : overlap.least === 2 ? -3.4 : -2.8;
    return { ...nothing, reason: reason(weight, 'nobody plays at both'), disjoint: true };
  }
  const contained = Math.min(1, shared.length / Math.max(1, overlap.least - unreadable(overlap)));
  // Whom each puts first the other does not know: rather two shows with an act in common.
  const led = contained < 0.75 && leads(a, b) && leads(b, a) ? 1.8 : 0;
  const equal = overlap.shared.length >= overlap.most;
  const weight = weightOf(shared.length, contained) - led + (equal && overlap.most >= 2 ? 0.4 : 0);
  return {
    reason: reason(weight, `both name ${shownFew(shared)}${led > 0 ? ', each under another headliner' : ''}`),
    shared: shared.length,
    disjoint: false,
    contained,
    equal: shared.length >= overlap.most,
    listed: overlap.shared.length,
  };
}

type Compared = Listing & { acts: Act[]; title: readonly string[] };

/** "Bonobo Thursdays" at Bonobo: in its own house's title the name of an act is the house's. */
const isHouseOf = ({ runs }: Act, { venue }: Compared): boolean => {
  const house = venue ? telling(venue).join('') : '';
  return house !== '' && runs.some((run) => run.join('') === house);
};

/** Whether an act of one word is a part of a longer name in a line-up, which a title has as well: "Anna", "Anna Z". */
const isPartOf = ({ runs: [run = []] }: Act, acts: readonly Act[]): boolean =>
  acts.some(({ runs: [longer = []] }) => run.length < longer.length && containsRun(longer, run));

/** Whom one names by half a name, and the other by the whole of it. */
const halvesOf = ({ onlyA, onlyB }: Overlap): string[] =>
  onlyA.filter((one) => onlyB.some((two) => isHalf(one, two) || isHalf(two, one))).map(({ shown }) => shown);

/** How many may be shared without anybody being able to read it. */
function unreadable({ onlyA, onlyB }: Overlap): number {
  const count = (acts: readonly Act[], others: readonly Act[]) =>
    acts.filter((one) => isMute(one) && others.some((two) => areOfTwoScripts(one.shown, two.shown))).length;
  return Math.min(Math.max(count(onlyA, onlyB), count(onlyB, onlyA)), Math.min(onlyA.length, onlyB.length));
}
const isMute = ({ isForeign, shown }: Act): boolean => isForeign && soundOf(shown) === null;

/** Each in letters of its own: whether they are the same nobody can read from them. */
const areUnreadable = (a: Act[], b: Act[]): boolean =>
  a.every((one) =>
    b.every((two) => one.isForeign !== two.isForeign && areOfTwoScripts(one.shown, two.shown)),
  );

/** Whether the first act of `a` is nowhere in `b`. */
function leads(a: { acts: Act[] }, b: Titled & { acts: Act[] }): boolean {
  const [first] = a.acts;
  return (
    first !== undefined &&
    !b.acts.some((act) => sameAct(first, act)) &&
    !names(b, first) &&
    !b.acts.some((act) => (isMute(first) || isMute(act)) && areOfTwoScripts(first.shown, act.shown))
  );
}

const reason = (weight: number, text: string): Reason => ({ evidence: 'line-up', weight, text });

function weightOf(shared: number, contained: number): number {
  const step = Math.min(shared, 4) - 1;
  if (contained >= 0.75) return [2.6, 3.6, 4.4, 5][step] as number;
  if (contained >= 0.45) return [1.5, 2.8, 3.8, 4.4][step] as number;
  return [0.2, 1.2, 2, 2.6][step] as number;
}

/** One has a line-up, the other only a title: does it name whom the line-up names? */
function namedByTitle(a: Compared, b: Compared): Lineups {
  const [acts, titled] = a.acts.length > 0 ? [a.acts, b] : [b.acts, a];
  const found = acts
    .slice(0, mostNamed)
    .filter((act) => names(titled, act) && !isHouseOf(act, titled))
    .map(({ shown }) => shown);
  const nothing = { reason: null, shared: 0, disjoint: false, contained: 0, equal: false, listed: 0 };
  if (found.length === 0) {
    const half = acts.find((act) => namesHalf(titled, act));
    return half ? { ...nothing, reason: reason(1.2, `a title has the last name of ${half.shown}`) } : nothing;
  }
  const weight = [2.5, 3.5, 4.3][Math.min(found.length, 3) - 1] as number;
  return {
    reason: reason(weight, `a title names ${shownFew(found)}`),
    shared: found.length,
    disjoint: false,
    contained: 1,
    equal: false,
    listed: 0,
  };
}
