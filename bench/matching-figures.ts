/** Precision, recall and F1 of a list of compared pairs. */

export type Judged = { tag: string; same: boolean; found: boolean; describe: () => string };
export type Figures = {
  pairs: number;
  same: number;
  found: number;
  right: number;
  precision: number;
  recall: number;
  f1: number;
};

/** Counts compared pairs. Without matches precision is 1; without pairs to match recall is 1. */
export function figuresOf(judged: readonly Judged[]): Figures {
  const same = judged.filter((pair) => pair.same).length;
  const found = judged.filter((pair) => pair.found).length;
  const right = judged.filter((pair) => pair.same && pair.found).length;
  const precision = found === 0 ? 1 : right / found;
  const recall = same === 0 ? 1 : right / same;
  const f1 = precision + recall === 0 ? 0 : (2 * precision * recall) / (precision + recall);
  return { pairs: judged.length, same, found, right, precision, recall, f1 };
}

/** Pairs by their tags, in the order in which tags appear. */
export function byTag(judged: readonly Judged[]): Map<string, Judged[]> {
  const tags = new Map<string, Judged[]>();
  for (const pair of judged) {
    const list = tags.get(pair.tag) ?? [];
    list.push(pair);
    tags.set(pair.tag, list);
  }
  return tags;
}

const share = (value: number): string => value.toFixed(3);

/** One line of a table. */
export const figuresLine = (title: string, figures: Figures): string =>
  `${title.padEnd(34)} ${String(figures.pairs).padStart(5)} ${String(figures.same).padStart(5)} ${String(figures.found).padStart(6)}   ${share(figures.precision)}      ${share(figures.recall)}   ${share(figures.f1)}`;

export const figuresHead = `${''.padEnd(34)} pairs  same  found   precision  recall  F1`;
