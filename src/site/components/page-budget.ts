/** How heavy pages get: none has more than 50 KB, so what can be long is cut by its weight and not by its count alone. */

/** What the longest parts of a page may weigh together (bytes): the rest is for what stands around them. */
export const pageBudgetBytes = 44_000;

type LinkedName = { slug: string; name: string };

/** About what one of them weighs in a page (bytes), with the markup around it. */
export const estimatedBytes = {
  /** A name with its link, `around` it so many bytes of markup. */
  act: ({ slug, name }: LinkedName, around = 60): number => around + slug.length + Buffer.byteLength(name),
  row: (act: LinkedName): number => estimatedBytes.act(act, 82),
  drawn: ({ name }: LinkedName): number => 128 + Buffer.byteLength(name),
  /** In the words of schema.org, which name no more than 30. */
  performers: (lineup: readonly LinkedName[]): number =>
    totalBytes(lineup.slice(0, 30), (act) => estimatedBytes.act(act, 76)),
  /** Sellers stand there twice: for people, and in the words of schema.org. */
  ticket: ({ url, seller }: { url: string; seller: string }): number =>
    400 + 2 * (url.length + seller.length),
  event: ({ name, lineup }: { name: string; lineup: readonly LinkedName[] }): number =>
    350 +
    Buffer.byteLength(name) +
    lineup.slice(0, 5).reduce((sum, act) => sum + Buffer.byteLength(act.name), 0),
};

/** How many of the first items weigh no more than `room` together. */
export function countFitting<T>(items: readonly T[], weigh: (item: T) => number, budget: number): number {
  let left = budget;
  const over = items.findIndex((item) => {
    left -= weigh(item);
    return left < 0;
  });
  return over < 0 ? items.length : over;
}

/** What all of them weigh. */
export const totalBytes = <T>(items: readonly T[], weigh: (item: T) => number): number =>
  items.reduce((sum, item) => sum + weigh(item), 0);
