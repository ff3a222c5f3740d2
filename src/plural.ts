/** Counts of things in messages. */

/** A count and its noun: "1 line", "2 lines", "12,000 entries". */
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString('en')} ${count === 1 ? one : many}`;
